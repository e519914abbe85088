#!/usr/bin/python3
"""Shows the preview of a RAW camera in browsers by WebRTC, with a button that takes a still at full resolution.

    webrtc_preview.py [--port 8080] [--camera TEXT]        # then open http://127.0.0.1:8080/

Debian packages: gstreamer1.0-nice, gstreamer1.0-plugins-bad, gir1.2-gst-plugins-bad-1.0, gir1.2-soup-3.0, python3-gi.
The preview is encoded once. Each client has a webrtcbin behind a leaky queue, whose thread sends to that client alone:
a client that does not answer or cannot be reached loses frames, and no other client waits for it.
"""
import argparse
import pathlib
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("Soup", "3.0")
import gscap  # noqa: E402
from gi.repository import GLib, Gst, Soup  # noqa: E402
from preview_client import Client  # noqa: E402

CAMERA = "gscapsensorsrc ! video/x-bayer,format=rggb12le,width=4032,height=3024,framerate=10/1"
PIPELINE = """
    {camera} ! tee name=raw
    raw. ! queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0
      ! rawunpack ! rawdevelop quality=preview ! video/x-raw,width={width},height={height} ! videoconvert
      ! vp8enc deadline=1 cpu-used=8 threads=2 target-bitrate=2000000 keyframe-max-dist=60
      ! tee name=preview allow-not-linked=true
    """


class Server:
    def __init__(self, options):
        self.loop, self.requests = GLib.MainLoop(), {}
        self.clients, self.most, self.status = set(), options.clients, 0
        self.pipeline = Gst.parse_launch(PIPELINE.format(**vars(options)))
        self.preview = self.pipeline.get_by_name("preview")
        bus = self.pipeline.get_bus()  # unread messages would keep the elements that posted them
        bus.add_signal_watch()
        bus.connect("message::error", self.fail)
        self.camera = gscap.Camera.attach_tee(self.pipeline.get_by_name("raw"), kept_results=0)
        self.camera.set_callback(lambda _camera, event: GLib.idle_add(self.captured, event))
        page = pathlib.Path(__file__).with_name("index.html").read_bytes()
        self.http = Soup.Server()
        self.http.add_handler("/", lambda _http, message, path, _query: self.reply(
            message, *((200, "text/html", page) if path == "/" else (404, "text/plain", b"not found\n"))))
        self.http.add_handler("/photo.jpg", self.photograph)
        self.http.add_websocket_handler("/signal", None, None, lambda *arguments: self.connect(arguments[-1]))
        self.http.listen_local(options.port, Soup.ServerListenOptions.IPV4_ONLY)

    def fail(self, _bus, message):
        """Ends the client whose branch reports an error, or the server if the error is not a client's."""
        text, owners = message.parse_error()[0].message, [each for each in self.clients if each.owns(message.src)]
        print("a client failed:" if owners else "the camera failed:", text)
        for client in owners:
            client.close()
        if not owners:
            self.status = 1
            self.loop.quit()

    def reply(self, message, status, kind, body):
        message.set_status(status, None)
        message.set_response(kind, Soup.MemoryUse.COPY, body)

    def connect(self, socket):
        if len(self.clients) < self.most:
            Client(self, socket)
        else:
            socket.close(Soup.WebsocketCloseCode.POLICY_VIOLATION, f"the limit of clients is {self.most}: try later")

    def photograph(self, _http, message, _path, _query):
        try:
            self.requests[self.camera.capture()] = message
            message.pause()
        except gscap.Error as error:
            self.reply(message, 503, "text/plain", str(error).encode())

    def captured(self, event):  # the photo, or at the end of the capture why there is none
        if event.ticket in self.requests and (event.result or event.photo and event.photo.data):
            message = self.requests.pop(event.ticket)
            if event.photo:
                self.reply(message, 200, "image/jpeg", event.photo.data)
            else:
                self.reply(message, 503, "text/plain", event.result.reason.encode())
            message.unpause()

    def run(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, self.loop.quit)
        self.pipeline.set_state(Gst.State.PLAYING)
        print(self.http.get_uris()[0].to_string(), flush=True)
        self.loop.run()
        self.camera.close()
        self.pipeline.set_state(Gst.State.NULL)
        return self.status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8080, help="port on 127.0.0.1, 0 for any free one")
    parser.add_argument("--camera", default=CAMERA, help="pipeline text of a source of raw frames")
    parser.add_argument("--clients", type=int, default=16, help="clients at the same time; others are refused")
    parser.add_argument("--width", type=int, default=1280, help="width of the preview")
    parser.add_argument("--height", type=int, default=960, help="height of the preview")
    Gst.init(None)
    sys.exit(Server(parser.parse_args()).run())
