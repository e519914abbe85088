#!/usr/bin/python3
"""Runs the servers of examples/ with the simulated camera, watches them with clients, and takes stills meanwhile.

    run.py FOLDER [NAME…]       FOLDER has the built examples rtsp-stills and RTSPStills

Prints a line for each server. Exits with 1 if a client lacks frames, a still is missing or cannot be decoded, an error
has another status than documented, or a server does not stop. Every wait has a limit.
"""
import contextlib
import os
import pathlib
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = ROOT / "examples"
PYTHON = "/usr/bin/python3"
SIZE = (640, 480)
CAMERA = f"gscapsensorsrc ! video/x-bayer,format=rggb12le,width={SIZE[0]},height={SIZE[1]},framerate=30/1"
LIMIT = 40  # seconds for a client on a busy machine; most take three


class Failure(Exception):
    """What is wrong, for the report."""


class Server:
    """A running example; its lines on standard output come in order."""

    def __init__(self, *command, **environment):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=os.environ | environment)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for text in self.process.stdout:
            self.lines.put(text.rstrip("\n"))
        self.lines.put(None)

    def line(self, seconds=LIMIT):
        with contextlib.suppress(queue.Empty):
            text = self.lines.get(timeout=seconds)
            if text is not None and not text.startswith("Traceback"):
                return text
            rest = [line for line in iter(lambda: self.lines.get(timeout=seconds), None)] if text else []
            raise Failure(f"{self.process.args[0]} ended: {' '.join(rest[-1:])}")
        raise Failure(f"{self.process.args[0]} printed nothing within {seconds} s")

    def press(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = "no end within 10 s"
        if status != 0 and failure is None:
            raise Failure(f"SIGTERM: {status}, not 0")


def start(*command):
    words = [str(word) for word in command]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def output(client, what):
    """Waits for the end of a client and returns what it printed."""
    try:
        return client.communicate(timeout=LIMIT)[0]
    except subprocess.TimeoutExpired:
        client.kill()
        text, _ = client.communicate()
        raise Failure(f"{what} did not end within {LIMIT} s: {text}") from None


def finish(client, what):
    """Waits for a client, which must succeed, and returns what it printed."""
    text = output(client, what)
    if client.returncode != 0:
        raise Failure(f"{what}: status {client.returncode}: {text}")
    return text


def finish_watching(client):
    """Waits for an RTSP client, which must decode all its frames.

    After them it pauses the stream to end it. The server may have closed the connection by then, if another client
    has just left: that is an error of the client, but no frame is lost.
    """
    before_end, end, _ = output(client, "an RTSP client").partition("Got EOS")
    if not end or "ERROR" in before_end:
        raise Failure(f"an RTSP client: status {client.returncode}: {before_end}")


def decode(path):
    """Decodes a JPEG with GStreamer's decoder and checks that it has the camera's size."""
    pipeline = Gst.parse_launch(f"filesrc location={path} ! jpegdec ! fakesink name=sink")
    pipeline.set_state(Gst.State.PAUSED)
    result, *_ = pipeline.get_state(20 * Gst.SECOND)
    caps = pipeline.get_by_name("sink").get_static_pad("sink").get_current_caps()
    pipeline.set_state(Gst.State.NULL)
    fields = caps.get_structure(0) if caps and result == Gst.StateChangeReturn.SUCCESS else None
    size = fields and (fields.get_int("width")[1], fields.get_int("height")[1])
    if size != SIZE:
        raise Failure(f"{path}: decoded as {size}, not {SIZE}")


def watch_rtsp(address, frames):
    pipeline = f"""
        rtspsrc location={address} protocols=tcp latency=0 ! rtph264depay ! h264parse ! openh264dec
          ! identity eos-after={frames} ! fakesink sync=false"""
    return start("gst-launch-1.0", *pipeline.split())


def rtsp(*command):
    """Two clients decode 90 frames each, while three stills are taken."""
    with tempfile.TemporaryDirectory() as folder:
        words = [folder if word == "FOLDER" else word for word in command]
        with Server(*words) as server:
            address = server.line()
            server.press()
            if "nobody watches" not in server.line():
                raise Failure("a still without a client was not refused")
            clients = [watch_rtsp(address, 90) for _ in range(2)]
            stills, limit = [], time.monotonic() + LIMIT
            while len(stills) < 3:
                if time.monotonic() > limit:
                    raise Failure(f"{len(stills)} of 3 stills within {LIMIT} s")
                server.press()
                text = server.line()
                if ".jpg" in text:
                    stills.append(text.split()[0])
                elif "nobody watches" in text:
                    time.sleep(0.1)  # the clients have not come yet
            for path in stills:
                decode(path)
            for client in clients:
                finish_watching(client)
    return "2 clients decoded 90 frames each beside 3 stills"


def get(address):
    """Returns status, headers and body of a page."""
    try:
        with urllib.request.urlopen(address, timeout=LIMIT) as reply:
            return reply.status, reply.headers, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def expect(status, address, *headers):
    found, fields, body = get(address)
    missing = [name for name in headers if name not in fields]
    if found != status or missing:
        raise Failure(f"{address}: status {found}, not {status}, without {missing or 'nothing'}: {body[:200]}")
    return fields, body


def leaks_tracer(file):
    """Returns the environment of a server that lists its living objects of GStreamer in a file on SIGUSR1."""
    return {"GST_TRACERS": "leaks", "GST_LEAKS_TRACER_SIG": "1", "GST_DEBUG": "GST_TRACER:7",
            "GST_DEBUG_NO_COLOR": "1", "GST_DEBUG_FILE": file}


def await_freed(server, traces, kind):
    """Waits until a server with the leaks tracer has no object of a type."""
    limit = time.monotonic() + LIMIT
    while True:
        begin = pathlib.Path(traces).stat().st_size
        server.process.send_signal(signal.SIGUSR1)
        time.sleep(0.5)
        listed = pathlib.Path(traces).read_text()[begin:]
        count = listed.count(f"type-name=(string){kind},")
        if "type-name=(string)GstPipeline," in listed and not count:
            return
        if time.monotonic() > limit:
            raise Failure(f"{count} objects {kind} live on without a client")


def webrtc():
    """Two clients decode 60 frames each, while a third never answers and a still is taken; a crowd is refused."""
    words = (EXAMPLES / "webrtc-preview" / "webrtc_preview.py", "--port", "0", "--camera", CAMERA, "--width", "320",
             "--height", "240")
    with tempfile.NamedTemporaryFile() as traces, Server(*words, **leaks_tracer(traces.name)) as server:
        address = server.line()
        signalling = address.replace("http", "ws") + "signal"
        if b"RTCPeerConnection" not in expect(200, address)[1]:
            raise Failure("the page has no WebRTC client")
        expect(404, address + "other")
        viewer = HERE / "webrtc_client.py"
        stalled = start(PYTHON, viewer, signalling, 0, LIMIT, "--stalled")
        if "stalled" not in stalled.stdout.readline():
            raise Failure("the client that shall stall got no offer")
        clients = [start(PYTHON, viewer, signalling, 60, LIMIT) for _ in range(2)]
        _, body = expect(200, address + "photo.jpg")
        with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
            file.write(body)
            file.flush()
            decode(file.name)
        counts = [int(finish(client, "a WebRTC client")) for client in clients]
        finish(stalled, "the stalled client")  # the server removes it
        await_freed(server, traces.name, "GstWebRTCBin")
    with Server(*words, "--clients", "1") as server:
        signalling = server.line().replace("http", "ws") + "signal"
        first = start(PYTHON, viewer, signalling, 0, LIMIT, "--stalled")
        first.stdout.readline()
        second = start(PYTHON, viewer, signalling, 0, LIMIT, "--stalled")
        if "stalled" in finish(second, "the client beyond the limit"):
            raise Failure("a client beyond the limit got an offer")
    return f"clients decoded {counts[0]} and {counts[1]} frames beside a still and a client that never answered"


def by_url():
    """A photo with its receipt, and each of the errors."""
    script = EXAMPLES / "still-by-url" / "still_by_url.py"
    with Server(script, "0", CAMERA) as server:
        address = server.line()
        fields, body = expect(200, address, "Gscap-Sensor-Time", "Gscap-Age", "Gscap-Frames-Used")
        with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
            file.write(body)
            file.flush()
            decode(file.name)
        if fields["Gscap-Frames-Used"] != "1":
            raise Failure("a still without options is not of one frame")
        expect(504, address + "?wait=0")
        for wrong in ("max-age=soon", "max-age=", "max-age=-1", "max-age=nan", "wait=-1", "wait=", "age=1"):
            expect(400, f"{address}?{wrong}")
        for limits in ("max-age=0", "max-age=1e-9&wait=30", "max-age=1e99", "max-age=1e99&wait=0"):
            expect(200, f"{address}?{limits}")
    with Server(script, "0", CAMERA.replace("src", "src num-buffers=2", 1)) as server:
        address = server.line()
        limit = time.monotonic() + LIMIT
        while get(address)[0] == 200 and time.monotonic() < limit:
            pass  # the stream of two frames is about to end
        expect(503, address, "Retry-After")
    return f"a photo {float(fields['Gscap-Age']):.2f} s old; 400, 503 and 504 as documented"


def main():
    built = pathlib.Path(sys.argv[1]).resolve()
    small = ("--port", "0", "--output", "FOLDER", "--camera", CAMERA, "--width", "320", "--height", "240")
    checks = {
        "rtsp-stills in C": lambda: rtsp(built / "rtsp-stills", *small),
        "rtsp-stills in Python": lambda: rtsp(EXAMPLES / "rtsp-stills" / "rtsp_stills.py", *small),
        "rtsp-stills in Swift": lambda: rtsp(built / "RTSPStills", "0", "FOLDER", CAMERA),
        "webrtc-preview": webrtc,
        "still-by-url": by_url,
    }
    Gst.init(None)
    os.environ["SWIFT_BACKTRACE"] = "enable=no"
    failed = 0
    for name, check in checks.items():
        if sys.argv[2:] and not any(word in name for word in sys.argv[2:]):
            continue
        before = time.monotonic()
        try:
            result = check()
        except (Failure, OSError, ValueError) as failure:
            result, failed = f"FAILED: {failure}", failed + 1
        print(f"{name}: {result} ({time.monotonic() - before:.1f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
