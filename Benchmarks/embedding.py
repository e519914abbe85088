"""Compares the time from the press to a JPEG's bytes over the C library with that in Swift, and with ffmpeg.

    embedding.py BUILD-FOLDER [PRESSES]

Both take one frame of 12 MP from a camera of prepared frames, in alternating rounds. ffmpeg grabs one frame of 1080p
from an RTSP stream. Needs a C compiler, PyGObject, gir1.2-gst-rtsp-server-1.0, gstreamer1.0-plugins-bad (openh264enc)
and ffmpeg; without one of the last three, only Swift and C are compared.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = 3
BAR = 1.05
STREAM = ("( videotestsrc is-live=true ! video/x-raw,width=1920,height=1080,framerate=30/1 "
          "! openh264enc gop-size=30 ! h264parse ! rtph264pay name=pay0 )")


def times(command, environment):
    """Runs a command and returns the numbers that it prints."""
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    return [float(line) for line in output.split()]


def compiled(folder):
    """Compiles the program against the C library; returns its path."""
    subprocess.run([ROOT / "Tools/build/clib", folder], check=True)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gstreamer-1.0"], check=True, capture_output=True,
                           text=True).stdout.split()
    program = folder / "embedded_press"
    compiler = os.environ.get("CC") or ("cc" if shutil.which("cc") else "clang")
    subprocess.run([compiler, "-std=c11", "-O2", "-o", program, ROOT / "Benchmarks/embedded_press.c", f"-I{folder}",
                    f"-L{folder}", "-lgscap", f"-Wl,-rpath,{folder}", *flags], check=True)
    return program


def grabbed(count):
    """Returns the milliseconds in which ffmpeg grabs a frame of an RTSP stream; empty if something is missing."""
    try:
        import gi  # pylint: disable=import-outside-toplevel
        gi.require_version("Gst", "1.0")
        gi.require_version("GstRtspServer", "1.0")
        from gi.repository import GLib, Gst, GstRtspServer  # pylint: disable=import-outside-toplevel
    except (ImportError, ValueError):
        return []
    Gst.init(None)
    if not shutil.which("ffmpeg") or not Gst.ElementFactory.find("openh264enc"):
        return []
    server = GstRtspServer.RTSPServer(service="0", address="127.0.0.1")
    factory = GstRtspServer.RTSPMediaFactory(launch=STREAM, shared=True)
    server.get_mount_points().add_factory("/stream", factory)
    server.attach(None)
    loop = GLib.MainLoop()
    thread = threading.Thread(target=loop.run, daemon=True)
    thread.start()
    address = f"rtsp://127.0.0.1:{server.get_bound_port()}/stream"
    grab = ["ffmpeg", "-loglevel", "error", "-rtsp_transport", "tcp", "-i", address, "-frames:v", "1", "-f", "mjpeg",
            "-y", os.devnull]
    # Another client watches, so that the stream is running already.
    watcher = subprocess.Popen(["ffmpeg", "-loglevel", "quiet", "-rtsp_transport", "tcp", "-i", address, "-c", "copy",
                                "-f", "null", "-"], stdin=subprocess.DEVNULL)
    measured = []
    try:
        for index in range(count + 1):
            start = time.monotonic()
            subprocess.run(grab, check=True, stdin=subprocess.DEVNULL, timeout=60)
            if index:
                measured.append((time.monotonic() - start) * 1000)
    finally:
        watcher.kill()
        watcher.wait()
        loop.quit()
        thread.join(10)
    return measured


def main():
    """Measures and prints the ratios; returns 1 if the C library is slower than its bar."""
    build, presses = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 30
    environment = {**os.environ, "GST_PLUGIN_PATH": str(build)}
    ours, swift = [], []
    with tempfile.TemporaryDirectory(prefix="gscap-embedding-") as folder:
        program = compiled(pathlib.Path(folder))
        for _ in range(ROUNDS):
            swift += times([build / "Benchmarks", "embedded", str(presses // ROUNDS)], environment)
            ours += times([program, str(presses // ROUNDS)], environment)
    c, base = statistics.median(ours), statistics.median(swift)
    print(f"press to JPEG bytes, one frame of 12 MP, C library : Swift; {len(ours)} : {len(swift)} presses")
    print(f"    median {c / base:.2f}, {c:.1f} ms : {base:.1f} ms (bar {BAR})")
    frames = grabbed(max(3, presses // 5))
    if frames:
        peer = statistics.median(frames)
        print(f"press to JPEG bytes over the C library : ffmpeg grabs a frame of 1080p from RTSP; {len(frames)} grabs")
        print(f"    median {c / peer:.2f}, {c:.1f} ms : {peer:.1f} ms")
    else:
        print("ffmpeg or GStreamer's RTSP server is missing, so no frame was grabbed")
    return 1 if c > base * BAR else 0


if __name__ == "__main__":
    sys.exit(main())
