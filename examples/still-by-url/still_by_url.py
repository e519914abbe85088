#!/usr/bin/python3
"""GET /photo.jpg?max-age=2 takes a photo: fresh, or 503 with Retry-After if refused, or 504 if it is late.

    still_by_url.py [PORT [CAMERA]]     # needs python3-gi, gir1.2-gstreamer-1.0, gir1.2-soup-3.0 and the plugin gscap
"""
import math
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("Soup", "3.0")
from gi.repository import GLib, Gst, Soup  # noqa: E402

CAMERA = "gscapsensorsrc ! video/x-bayer,format=rggb12le,width=4032,height=3024,framerate=10/1"
BRANCH = " ! queue leaky=downstream max-size-buffers=4 max-size-bytes=0 ! gscapphotobin name=photos formats=jpeg"


def photograph(_server, request, _path, query):
    try:
        limit = min(max(float((query or {}).get("max-age", 5)), 0), 60)
    except ValueError:
        return answer(request, 400, b"max-age is a number of seconds\n")
    admission = photos.emit("admission", None)
    ticket = photos.emit("capture", None)
    if not ticket:  # admission states why, and when a press will be accepted
        wait = admission.get_double("retry-after")[1] if admission.has_field("retry-after") else 1
        return answer(request, 503, admission.get_string("reason").encode(), {"Retry-After": max(1, math.ceil(wait))})
    waiting[ticket] = request, limit
    request.pause()
    GLib.timeout_add(math.ceil(limit * 1000), late, ticket)


def late(ticket):
    finish(ticket, 504, b"no photo within max-age\n")
    photos.emit("cancel", ticket)


def captured(fields):  # in the main loop: `photo` with the bytes and the receipt, and `done` as the last event
    ticket, event = fields.get_uint64("capture-id")[1], fields.get_string("event")
    if event == "photo" and fields.has_field("sample") and ticket in waiting:
        receipt, buffer = fields.get_value("receipt"), fields.get_value("sample").get_buffer()
        names = [receipt.nth_field_name(number) for number in range(receipt.n_fields())]
        headers = {"Gscap-" + name.title(): receipt.get_value(name) for name in names}
        if receipt.get_double("age")[1] > waiting[ticket][1]:
            return finish(ticket, 504, b"the photo is older than max-age\n", headers)
        finish(ticket, 200, buffer.extract_dup(0, buffer.get_size()), headers)
    elif event == "done":
        finish(ticket, 503, fields.get_string("reason").encode(), {"Retry-After": 1})


def finish(ticket, status, body, headers=None):
    if ticket in waiting:
        request, _ = waiting.pop(ticket)
        answer(request, status, body, headers)
        request.unpause()


def answer(request, status, body, headers=None):
    request.set_status(status, None)
    request.set_response("image/jpeg" if status == 200 else "text/plain", Soup.MemoryUse.COPY, body)
    request.get_response_headers().append("Cache-Control", "no-store")
    for name, value in (headers or {}).items():
        request.get_response_headers().append(name, str(value))


Gst.init(None)
loop, waiting = GLib.MainLoop(), {}
pipeline = Gst.parse_launch((sys.argv[2] if len(sys.argv) > 2 else CAMERA) + BRANCH)
photos = pipeline.get_by_name("photos")
photos.connect("capture-event", lambda _photos, fields: GLib.idle_add(captured, fields.copy()))
server = Soup.Server()
server.add_handler("/photo.jpg", photograph)
server.listen_local(int(sys.argv[1]) if len(sys.argv) > 1 else 8080, Soup.ServerListenOptions.IPV4_ONLY)
for number in (signal.SIGINT, signal.SIGTERM):
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, loop.quit)
pipeline.set_state(Gst.State.PLAYING)
print(server.get_uris()[0].to_string() + "photo.jpg", flush=True)
loop.run()
pipeline.set_state(Gst.State.NULL)
