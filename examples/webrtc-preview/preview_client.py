"""A client of webrtc_preview.py: a WebSocket for the signalling, and a branch of the pipeline with a webrtcbin.

The branch begins with a leaky queue, whose thread sends to this client alone. The identity keeps the encoder's
allocation query out of the queue, where the query would wait until the client's connection is open, and all others too.
"""
import json

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
gi.require_version("Soup", "3.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC, Soup  # noqa: E402

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
        server.clients.add(self)
        server.pipeline.add(self.branch)
        self.branch.sync_state_with_parent()  # a branch must be in the state PLAYING before it is linked
        self.source = server.preview.request_pad_simple("src_%u")
        self.source.link(self.branch.get_static_pad("sink"))

    def negotiate(self, peer):  # on webrtcbin's thread, as are the two functions that follow
        peer.emit("get-transceiver", 0).set_property("do-nack", True)  # sends lost packets again
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

    def receive(self, _socket, _kind, data):
        if not self.source:
            return
        try:
            value = json.loads(data.get_data())
            if "sdp" in value:
                _, sdp = GstSdp.SDPMessage.new_from_text(value["sdp"]["sdp"])
                answer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, sdp)
                self.peer.emit("set-remote-description", answer, Gst.Promise.new())
            elif value.get("candidate"):
                candidate = value["candidate"]
                self.peer.emit("add-ice-candidate", candidate["sdpMLineIndex"], candidate["candidate"])
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            print("a client sent an invalid message:", error)
            self.close()

    def check(self):
        connected = GstWebRTC.WebRTCPeerConnectionState.CONNECTED
        if self.source and self.peer.get_property("connection-state") != connected:
            self.close()

    def owns(self, element):
        return bool(self.branch and element.has_as_ancestor(self.branch))

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
        self.branch = self.peer = None  # the peer's handlers refer to this client: the two would keep each other alive
        self.server.clients.discard(self)
