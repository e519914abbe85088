"""Presses the shutter at random instants and prints the lag of the photos in frame periods, idle and busy; then presses
without a pause and prints how many photos per second are accepted, and whether the stated times to retry hold.

    lag.py PLUGIN-FOLDER [PRESSES]

A burst lags at most half a period; one frame at most a period and the camera's delivery delay, which is one period for
the simulated camera. Presses without a pause are accepted at 80 % of the rate of captures one after another at least,
and 95 % of those that are repeated at the stated time. Needs PyGObject (python3-gi, gir1.2-gstreamer-1.0).
"""

import os
import random
import subprocess
import sys
import threading
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

RATE = 30
PIPELINE = f"""
    gscapsensorsrc ! video/x-bayer,format=rggb12le,width=320,height=240,framerate={RATE}/1 ! rawunpack
    ! queue leaky=downstream max-size-buffers=4 ! rawshutter name=shutter ! queue max-size-buffers=2
    ! rawfusion mode=speed ! fakesink sync=false async=false
    """

# Photos that take longer than a frame period, and memory for a few captures.
PHOTOS = f"""
    gscapsensorsrc ! video/x-bayer,format=rggb12le,width=1600,height=1200,framerate={RATE}/1 ! rawunpack
    ! queue leaky=downstream max-size-buffers=4 max-size-bytes=0 ! rawshutter name=shutter max-queued=64
    ! queue max-size-buffers=16 max-size-bytes=0 ! rawfusion mode=speed demosaic=false ! rawdevelop ! gscapjpegenc
    ! fakesink sync=false async=false
    """


class Captures:
    """The messages of the captures under way, by capture id."""

    def __init__(self, bus):
        self.changed = threading.Condition()
        self.taken, self.done, self.retry = {}, {}, {}
        bus.set_sync_handler(self.receive)

    def receive(self, _bus, message):
        fields = message.get_structure()
        if message.type == Gst.MessageType.ELEMENT and fields.get_name() == "gscap-capture":
            capture, event = fields.get_uint64("capture-id")[1], fields.get_string("event")
            with self.changed:
                if event == "taken" and fields.has_field("lag"):
                    self.taken[capture] = (fields.get_uint64("frame-number")[1], fields.get_double("lag")[1])
                if event == "done":
                    self.done.setdefault(capture, []).append(fields.get_string("result"))
                    if fields.has_field("retry-after"):
                        self.retry[capture] = fields.get_double("retry-after")[1]
                self.changed.notify_all()
        return Gst.BusSyncReply.DROP

    def wait(self, captures, seconds):
        limit = time.monotonic() + seconds
        with self.changed:
            while any(capture not in self.done for capture in captures) and time.monotonic() < limit:
                self.changed.wait(1)


def measure(presses):
    pipeline = Gst.parse_launch(PIPELINE)
    captures = Captures(pipeline.get_bus())
    shutter = pipeline.get_by_name("shutter")
    pipeline.set_state(Gst.State.PLAYING)
    time.sleep(1)
    frames, refused = {}, 0
    for _ in range(presses):
        time.sleep(random.uniform(0, 0.1))
        count = random.randint(1, 12)
        capture = shutter.emit("capture", Gst.Structure.from_string(f"press, frames=(int){count}")[0])
        if capture:
            frames[capture] = count
        else:
            refused += 1
    captures.wait(frames, 60)
    pipeline.set_state(Gst.State.NULL)
    return captures, frames, refused


def press(shutter, capture):
    """Presses for a burst of four frames; returns whether it is accepted."""
    request = f"press, id=(guint64){capture}, frames=(int)4, tolerance=(double)60"
    return shutter.emit("capture", Gst.Structure.from_string(request)[0]) != 0


def measure_rate(seconds, pauses):
    """Returns the photos per second of captures one after another, or of presses that are repeated when refused; and
    of the repeated presses how many were accepted, and their number."""
    pipeline = Gst.parse_launch(PHOTOS)
    captures = Captures(pipeline.get_bus())
    shutter = pipeline.get_by_name("shutter")
    pipeline.set_state(Gst.State.PLAYING)
    time.sleep(1)
    accepted, repeated, held, identifier, is_repeated = [], 0, 0, 1, False
    start = time.monotonic()
    while time.monotonic() < start + seconds:
        identifier += 1
        is_accepted = press(shutter, identifier)
        repeated, held = repeated + is_repeated, held + (is_repeated and is_accepted)
        if is_accepted:
            accepted.append(identifier)
            if pauses:
                captures.wait([identifier], 60)
        else:
            captures.wait([identifier], 1)
            time.sleep(captures.retry.get(identifier, 0))
        is_repeated = not is_accepted
    captures.wait(accepted, 60)
    rate = len(accepted) / (time.monotonic() - start)
    pipeline.set_state(Gst.State.NULL)
    return rate, held, repeated


def report_rates(seconds=20):
    alone, _, _ = measure_rate(seconds, True)
    busy, held, repeated = measure_rate(seconds, False)
    print(
        f"photos per second: {alone:.2f} one after another, {busy:.2f} without a pause, ratio {busy / alone:.2f} "
        f"(bar 0.80); presses repeated at the stated time: {held} of {repeated} accepted (bar 95 %)")


def report(name, captures, frames, refused):
    ends = [captures.done.get(capture, []) for capture in frames]
    lags = {True: [0], False: [0]}
    for capture, (_, lag) in captures.taken.items():
        lags[frames[capture] == 1].append(abs(lag) * RATE)
    print(
        f"{name}: {len(frames)} presses accepted, {refused} refused, {ends.count(['succeeded'])} succeeded, "
        f"{sum(len(end) != 1 for end in ends)} without exactly one end; lag in periods at most "
        f"{max(lags[False]):.2f} (bursts), {max(lags[True]):.2f} (one frame)")


def main():
    os.environ["GST_PLUGIN_PATH"] = sys.argv[1]
    presses = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    Gst.init(None)
    report_rates()
    report("idle", *measure(presses))
    busy = [subprocess.Popen(["nice", "-n", "19", "sh", "-c", "while :; do :; done"]) for _ in range(8)]
    try:
        report("beside eight busy processes", *measure(presses))
    finally:
        for process in busy:
            process.kill()


if __name__ == "__main__":
    main()
