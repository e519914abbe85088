"""A pipeline with a camera of the rig, for the checks beside this file."""
import subprocess
import sys

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstApp', '1.0')
from gi.repository import Gst, GstApp  # noqa: E402, F401

Gst.init(None)
LIMIT = 60 * Gst.SECOND


class Pipeline:
    """A pipeline, which ends with the block of its `with`."""

    def __init__(self, text):
        self.pipeline = Gst.parse_launch(text)
        self.bus = self.pipeline.get_bus()

    def __enter__(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(Gst.State.NULL)

    def __getitem__(self, name):
        return self.pipeline.get_by_name(name)

    def buffer(self, sink='sink'):
        """The next buffer of an appsink; raises an error that says why none comes."""
        sample = self[sink].emit('try-pull-sample', LIMIT)
        if sample is None:
            raise RuntimeError(self.reason() or 'no frame came')
        return sample.get_buffer()

    def reason(self):
        """The text of the pipeline's error; None without one."""
        message = self.bus.pop_filtered(Gst.MessageType.ERROR)
        return message and ': '.join(part for part in message.parse_error()[:1] for part in [part.message])

    def messages(self, names, until):
        """Yields the fields of element messages of these names until `until` accepts one, or until nothing comes."""
        while True:
            message = self.bus.timed_pop_filtered(LIMIT, Gst.MessageType.ELEMENT | Gst.MessageType.ERROR)
            if message is None:
                raise RuntimeError('no message came')
            if message.type == Gst.MessageType.ERROR:
                raise RuntimeError(message.parse_error()[0].message)
            fields = message.get_structure()
            if fields.get_name() in names:
                yield fields
                if until(fields):
                    return


def frame_metadata(buffer):
    """The structure of a frame's metadata."""
    return buffer.get_custom_meta('GscapFrame').get_structure()


def truth(buffer):
    """What the rig's sensor writes into a frame of 16-bit codes: exposure in lines, gain in hundredths, number."""
    codes = memoryview(buffer.extract_dup(0, 16)).cast('H')
    if list(codes[6:]) != [0xA5, 0x5A]:
        raise RuntimeError(f'the frame has no mark of the sensor: {list(codes)}')
    return codes[0] | codes[1] << 8, codes[2] | codes[3] << 8, codes[4] | codes[5] << 8


def line_time(width):
    """The seconds of a line of the rig's sensor."""
    return (width + 400) / 182.4e6


def run(*words):
    """Runs a command and returns its output."""
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def end(failures, text):
    """Ends the check: prints the failures, at most ten of them, and the text."""
    for failure in failures[:10]:
        print('   ', failure)
    print('   ', text)
    sys.exit(1 if failures else 0)
