#!/usr/bin/python3
"""Watches examples/webrtc-preview as a browser does and prints the number of decoded frames.

    webrtc_client.py ws://127.0.0.1:8080/signal FRAMES SECONDS [--stalled|--encoded]

Exits with 0 after FRAMES frames, with 1 if they do not come within SECONDS. With --stalled the client never answers the
server's offer, prints "stalled" when the offer has come, and exits with 0 when the server closes the connection. With
--encoded the frames are counted without being decoded. SIGUSR1 prints the number of frames so far.
"""
import json
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
gi.require_version("Soup", "3.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC, Soup  # noqa: E402

DECODER = "vp8dec ! "
BRANCH = "queue name=inlet ! rtpvp8depay ! {}fakesink name=frames sync=false async=false signal-handoffs=true"


class Viewer:
    def __init__(self, address, frames, seconds, stalled, decoder):
        self.loop, self.count, self.frames, self.stalled, self.result = GLib.MainLoop(), 0, frames, stalled, 1
        self.branch = BRANCH.format(decoder)
        self.pipeline = Gst.Pipeline.new()
        self.peer = Gst.ElementFactory.make("webrtcbin")
        self.peer.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
        # A frame that comes later than this counts as lost. Browsers adapt to the server's delays; webrtcbin does not.
        self.peer.set_property("latency", 2000)
        self.peer.connect("pad-added", self.add)
        # Asks for lost packets again, as browsers do.
        self.peer.connect("on-new-transceiver", lambda _peer, line: line.set_property("do-nack", True))
        self.peer.connect("on-ice-candidate", lambda _peer, line, text: self.send(
            {"candidate": {"sdpMLineIndex": line, "candidate": text}}))
        self.pipeline.add(self.peer)
        self.pipeline.set_state(Gst.State.PLAYING)
        self.session = Soup.Session()
        self.session.websocket_connect_async(
            Soup.Message.new("GET", address), None, None, GLib.PRIORITY_DEFAULT, None, self.connected)
        GLib.timeout_add(int(seconds * 1000), self.end, 1)

    def end(self, result):
        self.result = result
        self.loop.quit()
        return GLib.SOURCE_REMOVE

    def connected(self, session, result):
        try:
            self.socket = session.websocket_connect_finish(result)
        except GLib.Error as error:
            print(error.message, file=sys.stderr)
            self.end(1)
            return
        self.socket.connect("message", self.receive)
        self.socket.connect("closed", lambda _socket: self.end(0 if self.stalled else 1))

    def send(self, value):
        GLib.idle_add(lambda: self.socket.send_text(json.dumps(value)))

    def receive(self, _socket, _kind, data):
        value = json.loads(data.get_data())
        if self.stalled:
            if "sdp" in value:
                print("stalled", flush=True)
        elif "sdp" in value:
            _, sdp = GstSdp.SDPMessage.new_from_text(value["sdp"]["sdp"])
            offer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.OFFER, sdp)
            self.peer.emit("set-remote-description", offer, Gst.Promise.new())
            self.peer.emit("create-answer", None, Gst.Promise.new_with_change_func(self.answer))
        elif value.get("candidate"):
            candidate = value["candidate"]
            self.peer.emit("add-ice-candidate", candidate["sdpMLineIndex"], candidate["candidate"])

    def answer(self, promise):
        reply = promise.get_reply()  # owns the answer
        answer = reply.get_value("answer")
        self.peer.emit("set-local-description", answer, Gst.Promise.new())
        self.send({"sdp": {"type": "answer", "sdp": answer.sdp.as_text()}})

    def add(self, _peer, pad):
        if pad.get_direction() == Gst.PadDirection.SRC:
            decoder = Gst.parse_bin_from_description(self.branch, False)
            decoder.add_pad(Gst.GhostPad.new("sink", decoder.get_by_name("inlet").get_static_pad("sink")))
            decoder.get_by_name("frames").connect("handoff", self.frame)
            self.pipeline.add(decoder)
            decoder.sync_state_with_parent()
            pad.link(decoder.get_static_pad("sink"))

    def frame(self, *_arguments):
        self.count += 1
        if self.count == self.frames:
            GLib.idle_add(self.end, 0)

    def show(self):
        print(self.count, flush=True)
        return GLib.SOURCE_CONTINUE

    def run(self):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, self.show)
        self.loop.run()
        self.pipeline.set_state(Gst.State.NULL)
        if not self.stalled:
            print(self.count, flush=True)
        return self.result


if __name__ == "__main__":
    Gst.init(None)
    options = sys.argv[4:]
    viewer = Viewer(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), "--stalled" in options,
                    "" if "--encoded" in options else DECODER)
    sys.exit(viewer.run())
