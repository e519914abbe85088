#!/usr/bin/python3
"""GET /photo.jpg?max-age=2 takes a photo: fresh, or 503 with Retry-After if refused, or 504 if it is late.

    still_by_url.py [CAMERA-TEXT]        # needs python3-gi, gir1.2-gstreamer-1.0, gir1.2-soup-3.0
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


def photograph(_http, request, _path, query):
    try:
        limit = min(max(float((query or {}).get("max-age", 5)), 0), 60)
    except ValueError:
        return answer(request, 400, b"max-age is a number of seconds\n")
    admission = photos.emit("admission", None)
    ticket = photos.emit("capture", None) if admission.get_string("verdict") == "accepted" else 0
    if not ticket:
        wait = admission.get_double("retry-after")[1] if admission.has_field("retry-after") else 1
        return answer(request, 503, admission.get_string("reason").encode(), {"Retry-After": math.ceil(wait)})
    waiting[ticket] = request, limit
    request.pause()
    GLib.timeout_add(math.ceil(limit * 1000), late, ticket)


def late(ticket):
    if ticket in waiting:  # the capture's last event, `done`, follows at once
        photos.emit("cancel", ticket)
        finish(ticket, 504, b"no photo within max-age\n")


def captured(fields):  # in the main loop: `photo` with bytes and receipt, and at the end `done`
    ticket, event = fields.get_uint64("capture-id")[1], fields.get_string("event")
    if event == "photo" and fields.has_field("sample"):
        receipt, buffer = fields.get_value("receipt"), fields.get_value("sample").get_buffer()
        names = [receipt.nth_field_name(index) for index in range(receipt.n_fields())]
        headers = {"Gscap-" + name.title(): receipt.get_value(name) for name in names}
        finish(ticket, 200, buffer.extract_dup(0, buffer.get_size()), headers)
    elif event == "done":
        finish(ticket, 503, (fields.get_string("reason") or "no photo").encode(), {"Retry-After": 1})
