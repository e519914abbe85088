#!/usr/bin/python3
"""Shows the preview of a RAW camera in browsers by WebRTC, with a button that takes a still at full resolution.

    webrtc_preview.py [--port 8080] [--camera TEXT]        # then open http://127.0.0.1:8080/

Debian packages: gstreamer1.0-nice, gstreamer1.0-plugins-bad, gir1.2-gst-plugins-bad-1.0, gir1.2-soup-3.0, python3-gi.
The preview is encoded once. Each client has a webrtcbin behind a leaky queue, whose thread sends to that client alone:
a client that does not answer or cannot be reached loses frames, and no other client waits for it. The identity keeps
the encoder's allocation query out of the queue, where the query would wait until the client's connection is open.
"""
import argparse
import json
import pathlib
import signal

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
gi.require_version("Soup", "3.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC, Soup  # noqa: E402

CAMERA = "gscapsensorsrc ! video/x-bayer,format=rggb12le,width=4032,height=3024,framerate=10/1"
PIPELINE = """
    {camera} ! tee name=raw
    raw. ! queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0
      ! rawunpack ! rawdevelop quality=preview ! video/x-raw,width={width},height={height} ! videoconvert
      ! vp8enc deadline=1 cpu-used=8 threads=2 target-bitrate=2000000 keyframe-max-dist=60
      ! tee name=preview allow-not-linked=true
    raw. ! queue leaky=downstream max-size-buffers=4 max-size-bytes=0 max-size-time=0
      ! gscapphotobin name=photos formats=jpeg
    """
CLIENT = """
    identity name=inlet drop-allocation=true ! queue leaky=downstream max-size-buffers=30 max-size-bytes=0
      max-size-time=0 ! rtpvp8pay pt=96 ! application/x-rtp,media=video,encoding-name=VP8,payload=96
      ! webrtcbin name=peer bundle-policy=max-bundle
    """
CONNECT_SECONDS = 10  # after which a client without a connection is removed


class Client:
    """One browser: its signalling socket, and its branch of the pipeline."""

    def __init__(self, server, socket):
        self.server, self.socket = server, socket
        self.branch = Gst.parse_bin_from_description(CLIENT, False)
        inlet = self.branch.get_by_name("inlet").get_static_pad("sink")
        self.branch.add_pad(Gst.GhostPad.new("sink", inlet))
        self.peer = self.branch.get_by_name("peer")
        self.peer.connect("on-negotiation-needed", self.negotiate)
        self.peer.connect("on-ice-candidate", lambda _peer, line, text: self.send(
            {"candidate": {"sdpMLineIndex": line, "candidate": text}}))
        socket.connect("message", self.receive)
        socket.connect("closed", lambda _socket: self.close())
        GLib.timeout_add_seconds(CONNECT_SECONDS, self.check)
        server.pipeline.add(self.branch)
        self.branch.sync_state_with_parent()  # a branch must be in the state PLAYING before it is linked
        self.source = server.preview.request_pad_simple("src_%u")
        self.source.link(self.branch.get_static_pad("sink"))

    def negotiate(self, peer):  # on webrtcbin's thread, as are the two functions that follow
        peer.emit("create-offer", None, Gst.Promise.new_with_change_func(self.offer, peer))

    def offer(self, promise, peer):
        reply = promise.get_reply()
        if reply and reply.has_field("offer"):
            offer = reply.get_value("offer")
            peer.emit("set-local-description", offer, Gst.Promise.new())
            self.send({"sdp": {"type": "offer", "sdp": offer.sdp.as_text()}})

    def send(self, value):
        GLib.idle_add(self.send_text, json.dumps(value))  # sockets belong to the main loop

    def send_text(self, text):
        if self.socket.get_state() == Soup.WebsocketState.OPEN:
            self.socket.send_text(text)
        return GLib.SOURCE_REMOVE

    def receive(self, _socket, _kind, data):
        try:
            value = json.loads(data.get_data())
            if "sdp" in value:
                _, sdp = GstSdp.SDPMessage.new_from_text(value["sdp"]["sdp"])
                answer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, sdp)
                self.peer.emit("set-remote-description", answer, Gst.Promise.new())
            elif value.get("candidate"):
                candidate = value["candidate"]
                self.peer.emit("add-ice-candidate", candidate["sdpMLineIndex"], candidate["candidate"])
        except (ValueError, KeyError, TypeError) as error:
            print("a client sent an invalid message:", error)
            self.close()

    def check(self):
        connected = GstWebRTC.WebRTCPeerConnectionState.CONNECTED
        if self.source and self.peer.get_property("connection-state") != connected:
            self.close()
        return GLib.SOURCE_REMOVE

    def close(self):
        """Removes the branch between two frames. Stops it in the main loop, since a thread cannot stop itself."""
        if self.socket.get_state() == Soup.WebsocketState.OPEN:
            self.socket.close(Soup.WebsocketCloseCode.NORMAL, None)
        source, self.source = self.source, None
        if source:
            source.add_probe(Gst.PadProbeType.IDLE, self.unlink)

    def unlink(self, source, _info):
        source.unlink(self.branch.get_static_pad("sink"))
        GLib.idle_add(self.remove, source)
        return Gst.PadProbeReturn.REMOVE

    def remove(self, source):
        self.server.preview.release_request_pad(source)
        self.branch.set_state(Gst.State.NULL)
        self.server.pipeline.remove(self.branch)
        return GLib.SOURCE_REMOVE


class Server:
    def __init__(self, options):
        self.loop, self.requests = GLib.MainLoop(), {}
        self.pipeline = Gst.parse_launch(PIPELINE.format(**vars(options)))
        self.preview, self.photos = map(self.pipeline.get_by_name, ("preview", "photos"))
        self.photos.connect("capture-event", lambda _photos, fields: GLib.idle_add(self.captured, fields.copy()))
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", self.fail)
        page = pathlib.Path(__file__).with_name("index.html").read_bytes()
        self.http = Soup.Server()
        self.http.add_handler("/", lambda _http, message, path, _query: self.reply(
            message, *((200, "text/html", page) if path == "/" else (404, "text/plain", b"not found\n"))))
        self.http.add_handler("/photo.jpg", self.photograph)
        self.http.add_websocket_handler("/signal", None, None, lambda _http, _message, _path, socket: Client(
            self, socket))
        self.http.listen_local(options.port, Soup.ServerListenOptions.IPV4_ONLY)

    def reply(self, message, status, kind, body):
        message.set_status(status, None)
        message.set_response(kind, Soup.MemoryUse.COPY, body)

    def photograph(self, _http, message, _path, _query):
        ticket = self.photos.emit("capture", None)
        if ticket:
            self.requests[ticket] = message
            message.pause()
        else:
            self.reply(message, 503, "text/plain", b"The camera is busy. Try again.\n")

    def captured(self, fields):  # the steps of a capture: `photo` with the bytes, and `done` last, exactly once
        ticket, event = fields.get_uint64("capture-id")[1], fields.get_string("event")
        if ticket in self.requests and (event == "done" or event == "photo" and fields.has_field("sample")):
            message = self.requests.pop(ticket)
            if event == "photo":
                buffer = fields.get_value("sample").get_buffer()
                self.reply(message, 200, "image/jpeg", buffer.extract_dup(0, buffer.get_size()))
            else:
                self.reply(message, 503, "text/plain", fields.get_string("reason").encode())
            message.unpause()
        return GLib.SOURCE_REMOVE

    def fail(self, _bus, message):
        print(message.src.get_name() + ":", message.parse_error().gerror.message)
        self.loop.quit()

    def run(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, self.loop.quit)
        self.pipeline.set_state(Gst.State.PLAYING)
        print(self.http.get_uris()[0].to_string(), flush=True)
        self.loop.run()
        self.http.disconnect()
        self.pipeline.set_state(Gst.State.NULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8080, help="port on 127.0.0.1, 0 for any free one")
    parser.add_argument("--camera", default=CAMERA, help="pipeline text of a source of raw frames")
    parser.add_argument("--width", type=int, default=1280, help="width of the preview")
    parser.add_argument("--height", type=int, default=960, help="height of the preview")
    Gst.init(None)
    Server(parser.parse_args()).run()


if __name__ == "__main__":
    main()
