"""Takes stills at full resolution from eight threads while an RTSP and a WebRTC client watch the preview at 1080p.

    streaming.py PLUGIN-FOLDER [STILLS [SECONDS]]

The camera delivers prepared frames of 4032 x 3024, ten per second. First the clients watch for SECONDS (20) without
captures. Then one thread takes a tenth of the STILLS (500) one after another, which gives the rate of the machine;
eight threads take most of the others at 80 % of this rate, and the last tenth as fast as they can. Prints for each part
the load, the frames that the clients lack, the lag, the refusals and the resident memory. With GST_TRACERS=leaks the
run ends with the objects of GStreamer that outlive the clients, the camera and the server's pipeline. Needs the
packages of Tools/build/packages test, and gscap.py.
"""
import collections
import gc
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstRtspServer", "1.0")
gi.require_version("Soup", "3.0")
ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "Library" / "Python"), str(ROOT / "examples" / "webrtc-preview")]
import gscap  # noqa: E402
from gi.repository import GLib, Gst, GstRtspServer, Soup  # noqa: E402
from gi.repository import GstApp  # noqa: E402, F401  # makes appsrc's and appsink's methods available
from preview_client import Client  # noqa: E402

RATE = 10
CAPS = f"video/x-bayer,format=rggb12le,width=4032,height=3024,framerate={RATE}/1"
LAG_LIMIT = 2 / RATE  # one frame: a period, and the camera's delivery delay of one period
# While a still is developed on all cores, the encoders fall behind; their queues hold small frames for two seconds.
MEDIA = f"""
    ( appsrc name=camera is-live=true format=time do-timestamp=true max-buffers=2 leaky-type=downstream caps="{CAPS}"
      ! tee name=raw
      raw. ! queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0 ! rawunpack
        ! rawdevelop quality=preview ! video/x-raw,width=1920,height=1080 ! videoconvert ! video/x-raw,format=I420
        ! tee name=video
      video. ! queue max-size-buffers=20 max-size-bytes=0 max-size-time=0
        ! openh264enc complexity=low gop-size=30 bitrate=4000000 ! h264parse ! rtph264pay name=pay0 pt=96
      video. ! queue max-size-buffers=20 max-size-bytes=0 max-size-time=0
        ! vp8enc deadline=1 cpu-used=8 threads=2 target-bitrate=4000000 keyframe-max-dist=30
        ! tee name=preview allow-not-linked=true )
    """
WATCH = """
    import signal, sys, gi
    gi.require_version("Gst", "1.0")
    from gi.repository import GLib, Gst
    Gst.init(None)
    pipeline = Gst.parse_launch(f"rtspsrc location={sys.argv[1]} protocols=tcp latency=0 ! rtph264depay ! h264parse "
        "! video/x-h264,alignment=au ! fakesink name=frames sync=false signal-handoffs=true")
    count = [0]
    def add(*_): count[0] += 1
    pipeline.get_by_name("frames").connect("handoff", add)
    GLib.unix_signal_add(0, signal.SIGUSR1, lambda: print(count[0], flush=True) or True)
    pipeline.set_state(Gst.State.PLAYING)
    GLib.timeout_add_seconds(1800, sys.exit)
    GLib.MainLoop().run()
    """


def prepare(count=8):
    """Returns frames of the simulated camera, with their metadata."""
    pipeline = Gst.parse_launch(f"gscapsensorsrc is-live=false num-buffers={count} ! {CAPS} ! appsink name=frames")
    pipeline.set_state(Gst.State.PLAYING)
    frames = [pipeline.get_by_name("frames").try_pull_sample(20 * Gst.SECOND).get_buffer() for _ in range(count)]
    pipeline.set_state(Gst.State.NULL)
    return frames


class Host:
    """A server for both kinds of clients, with a photo branch on its pipeline."""

    def __init__(self, frames):
        self.frames, self.sent, self.ready = frames, 0, threading.Event()
        self.camera = self.feeder = None
        self.clients = set()
        factory = GstRtspServer.RTSPMediaFactory()
        factory.set_launch(MEDIA)
        factory.set_shared(True)
        factory.connect("media-configure", self.open)
        self.rtsp = GstRtspServer.RTSPServer(address="127.0.0.1", service="0")
        self.rtsp.get_mount_points().add_factory("/camera", factory)
        self.rtsp.attach(None)
        self.http = Soup.Server()
        self.http.add_websocket_handler("/signal", None, None, lambda *arguments: Client(self, arguments[-1]))
        self.http.listen_local(0, Soup.ServerListenOptions.IPV4_ONLY)
        threading.Thread(target=GLib.MainLoop().run, daemon=True).start()

    def open(self, _factory, media):
        self.pipeline = media.get_element()
        self.preview = self.pipeline.get_by_name("preview")
        self.camera = gscap.Camera.attach_tee(self.pipeline.get_by_name("raw"))
        source = self.pipeline.get_by_name("camera")
        self.feeder = threading.Thread(target=self.feed, args=[source], daemon=True)
        self.feeder.start()
        self.ready.set()

    def feed(self, source):
        begin = time.monotonic()
        while True:
            time.sleep(max(0, begin + self.sent / RATE - time.monotonic()))
            buffer = self.frames[self.sent % len(self.frames)].copy()
            buffer.pts = buffer.dts = Gst.CLOCK_TIME_NONE
            if source.push_buffer(buffer) != Gst.FlowReturn.OK:
                return
            self.sent += 1


    def close(self):
        """Closes the camera and, once the clients have gone, the server's pipeline."""
        self.camera.close()
        end = time.monotonic() + 20
        while self.clients and time.monotonic() < end:
            time.sleep(0.1)
        for sessions in (self.rtsp.client_filter, self.rtsp.get_session_pool().filter):
            sessions(lambda *_: GstRtspServer.RTSPFilterResult.REMOVE)
        self.feeder.join(20)
        self.camera = self.pipeline = self.preview = self.frames = None


class Clients:
    def __init__(self, host):
        address = f"rtsp://127.0.0.1:{host.rtsp.get_bound_port()}/camera"
        self.watchers = {"RTSP": self.start("-c", "\n".join(line[4:] for line in WATCH.splitlines()), address)}
        if not host.ready.wait(30):
            sys.exit("the RTSP client did not connect within 30 s")
        time.sleep(2)
        signalling = host.http.get_uris()[0].to_string().replace("http", "ws") + "signal"
        viewer = str(ROOT / "Tests" / "Embedding" / "webrtc_client.py")
        self.watchers["WebRTC"] = self.start(viewer, signalling, "0", "1800", "--encoded")

    @staticmethod
    def start(*words):
        return subprocess.Popen(["/usr/bin/python3", *words], stdout=subprocess.PIPE, text=True)

    def counts(self):
        for watcher in self.watchers.values():
            watcher.send_signal(signal.SIGUSR1)
        return {name: int(watcher.stdout.readline()) for name, watcher in self.watchers.items()}

    def stop(self):
        for watcher in self.watchers.values():
            watcher.kill()
            watcher.wait()


class Presses:
    """The results of one part."""

    def __init__(self, camera):
        self.camera, self.lock = camera, threading.Lock()
        self.lags, self.ages, self.refused, self.failed = [], [], [], []

    def take(self):
        """Takes one still; returns how long to wait after a refusal."""
        try:
            result = self.camera.wait(self.camera.capture(gscap.Request(frames=1)), 120)
        except gscap.Refused as error:
            with self.lock:
                self.refused.append(error.retry_after)
            return error.retry_after or 1
        with self.lock:
            good = [photo for photo in result.photos if photo.data]
            self.lags += [photo.receipt.lag for photo in good]
            self.ages += [photo.receipt.age for photo in good]
            self.failed += [] if good else [result.reason]
        return None

    def run(self, stills, threads, rate=None):
        begin, slots = time.monotonic(), iter(range(stills))

        def work():
            while True:
                with self.lock:
                    slot = next(slots, None)
                if slot is None:
                    return
                if rate:
                    time.sleep(max(0, begin + slot / rate - time.monotonic()))
                while (pause := self.take()) is not None:
                    time.sleep(pause)

        workers = [threading.Thread(target=work) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return stills / (time.monotonic() - begin)

    def report(self):
        late = sum(lag is None or abs(lag) > LAG_LIMIT for lag in self.lags)
        waits = [wait for wait in self.refused if wait]
        return (
            f"{len(self.lags)} stills, {len(self.failed)} failed {self.failed[:1] or ''}, {late} beyond the limit of "
            f"lag of {LAG_LIMIT:.2f} s (greatest {max(map(abs, self.lags), default=0):.3f} s, age "
            f"{max(self.ages, default=0):.2f} s); {len(self.refused)} refusals, {len(waits)} with a time to retry "
            f"({min(waits, default=0):.2f} to {max(waits, default=0):.2f} s)")


def memory():
    fields = dict(line.split(":", 1) for line in pathlib.Path("/proc/self/status").read_text().splitlines())
    return f"resident {int(fields['VmRSS'].split()[0]) >> 10} MiB, at most {int(fields['VmHWM'].split()[0]) >> 10} MiB"


class LeaksTracer:
    """The objects of GStreamer that live, by type, as the leaks tracer lists them."""

    def __init__(self):
        self.log = tempfile.NamedTemporaryFile(suffix=".log")
        os.environ.update(GST_DEBUG="GST_TRACER:7", GST_DEBUG_FILE=self.log.name, GST_DEBUG_NO_COLOR="1")

    def living(self):
        gc.collect()
        begin = pathlib.Path(self.log.name).stat().st_size
        for tracer in Gst.tracing_get_active_tracers():
            tracer.emit("log-live-objects")
        text = pathlib.Path(self.log.name).read_text()[begin:]
        names = re.findall(r"object-alive, type-name=\(string\)(\w+)", text)
        return collections.Counter(name for name in names if name != "GstDtlsAgent")  # GStreamer keeps one forever


def main():
    os.environ.update(GST_PLUGIN_PATH=sys.argv[1], SWIFT_BACKTRACE="enable=no")
    tracer = LeaksTracer() if os.environ.get("GST_TRACERS") == "leaks" else None
    stills = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    Gst.init(None)
    before = tracer.living() if tracer else None
    host = Host(prepare())
    clients = Clients(host)
    time.sleep(5)  # the WebRTC connection
    presses, few = [], max(1, stills // 10)

    def part(name, body):
        sent, before, begin, used = host.sent, clients.counts(), time.monotonic(), time.process_time()
        note = body()
        duration = time.monotonic() - begin
        load = (time.process_time() - used) / duration / os.cpu_count()
        time.sleep(3)  # for frames that the queues before the encoders hold
        sent, after = host.sent - sent, clients.counts()
        lacking = ", ".join(f"{watcher} {sent - after[watcher] + before[watcher]}" for watcher in after)
        print(f"{name}: {duration:.1f} s, {load:.0%} of the processors used; of {sent} frames the clients lack: "
              f"{lacking}; {memory()}")
        if note:
            print(f"  {note:.2f} stills/s: {presses[-1].report()}")
        sys.stdout.flush()
        return note

    def shoot(count, threads, rate=None):
        presses.append(Presses(host.camera))
        return presses[-1].run(count, threads, rate)

    part("without captures", lambda: time.sleep(seconds))
    alone = part("one after another", lambda: shoot(few, 1))
    part("eight threads at 80 %", lambda: shoot(max(1, stills - 2 * few), 8, 0.8 * alone))
    part("eight threads without a pause", lambda: shoot(few, 8))
    clients.stop()
    host.close()
    failed = any(press.failed for press in presses)
    if tracer:
        presses.clear()  # they refer to the camera
        time.sleep(5)  # the server's threads release the pipeline
        leaked = tracer.living() - before
        print("objects that live on:", ", ".join(f"{count} {name}" for name, count in leaked.items()) or "none")
        sys.stdout.flush()
        failed = failed or leaked
    os._exit(1 if failed else 0)  # the server's threads end with the process


if __name__ == "__main__":
    main()
