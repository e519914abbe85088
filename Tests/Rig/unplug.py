"""unplug.py NODE ROUNDS: the camera goes in mid-burst: the capture ends with the reason, and the next one succeeds."""
import sys

from camera import Gst, Pipeline, end

node, rounds = sys.argv[1], int(sys.argv[2])
DRIVER = '/sys/bus/platform/drivers/vimc/'
failures = []


def bind(word):
    with open(DRIVER + word, 'w') as file:
        file.write('vimc.0')


with Pipeline(
        f'gscapv4l2src name=camera device={node} ! video/x-bayer,format=rggb12le,width=320,height=240 ! '
        'rawunpack ! rawshutter name=shutter ! fakesink sync=false async=false') as pipeline:
    shutter = pipeline['shutter']

    def capture(frames):
        request, _ = Gst.Structure.from_string(
            f'request, frames=(int){frames}, zero-shutter-lag=(boolean)false')
        return shutter.emit('capture', request)

    def done():
        for fields in pipeline.messages(['gscap-capture'], lambda fields: fields.get_string('event') == 'done'):
            pass
        return fields.get_string('result'), fields.get_string('reason')

    # The shutter accepts presses when frames come.
    for index in range(rounds + 1):
        result, reason = 'failed', ''
        for _ in range(30):
            capture(1)
            result, reason = done()
            if result == 'succeeded':
                break
            pipeline.bus.timed_pop_filtered(Gst.SECOND, Gst.MessageType.EOS)
        if result != 'succeeded':
            failures.append(f'round {index}: the camera does not come back: {reason}')
            break
        if index == rounds:
            break
        capture(64)
        bind('unbind')
        result, reason = done()
        if result != 'failed' or 'disconnected' not in (reason or ''):
            failures.append(f'round {index}: the capture ended as {result}: {reason}')
        bind('bind')
end(failures, f'{rounds} rounds')
