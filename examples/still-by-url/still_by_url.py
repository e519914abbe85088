#!/usr/bin/python3
"""GET /photo.jpg?max-age=2 takes a photo: fresh, or 503 with Retry-After if refused, or 504 if it is late.

    still_by_url.py [PORT [CAMERA]]     # needs python3-gi, gir1.2-gstreamer-1.0, gir1.2-soup-3.0 and the plugin gscap
"""
import dataclasses
import math
import signal
import sys

import gi

gi.require_version("Soup", "3.0")
import gscap  # noqa: E402
from gi.repository import GLib, Soup  # noqa: E402

CAMERA = "gscapsensorsrc ! video/x-bayer,format=rggb12le,width=4032,height=3024,framerate=10/1"
BRANCH = " ! queue leaky=downstream max-size-buffers=4 max-size-bytes=0 ! gscapphotobin formats=jpeg"


def photograph(_server, request, _path, query):
    try:
        limit = min(max(float((query or {}).get("max-age", 5)), 0), 60)
        ticket = camera.capture()
    except ValueError:
        return answer(request, 400, b"max-age is a number of seconds\n")
    except gscap.Error as error:
        return answer(request, 503, str(error).encode(), later(getattr(error, "retry_after", None)))
    waiting[ticket] = request, limit
    request.pause()
    GLib.timeout_add(math.ceil(limit * 1000), lambda: finish(ticket, 504, b"no photo within max-age\n"))


def captured(event):  # in the main loop: the photo or why there is none, and the end of the capture
    if event.photo and event.photo.data and event.ticket in waiting:
        receipt = {f"Gscap-{name.replace('_', '-').title()}": value
                   for name, value in dataclasses.asdict(event.photo.receipt).items() if value is not None}
        if (event.photo.receipt.age or 0) > waiting[event.ticket][1]:
            finish(event.ticket, 504, b"the photo is older than max-age\n", receipt)
        finish(event.ticket, 200, event.photo.data, receipt)
    elif event.result:
        finish(event.ticket, 503, event.result.reason.encode(), later(event.result.retry_after))


def later(seconds):
    return {"Retry-After": math.ceil(seconds or 1)}


def finish(ticket, *reply):
    if ticket in waiting:
        request, _ = waiting.pop(ticket)
        answer(request, *reply)
        request.unpause()


def answer(request, status, body, headers=None):
    request.set_status(status, None)
    request.set_response("image/jpeg" if status == 200 else "text/plain", Soup.MemoryUse.COPY, body)
    for name, value in ({"Cache-Control": "no-store"} | (headers or {})).items():
        request.get_response_headers().append(name, str(value))


waiting, loop, server = {}, GLib.MainLoop(), Soup.Server()
with gscap.Camera.open((sys.argv[2] if len(sys.argv) > 2 else CAMERA) + BRANCH, kept_results=0) as camera:
    camera.set_callback(lambda _camera, event: GLib.idle_add(captured, event))
    server.add_handler("/photo.jpg", photograph)
    server.listen_local(int(sys.argv[1]) if len(sys.argv) > 1 else 8080, Soup.ServerListenOptions.IPV4_ONLY)
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, loop.quit)
    print(server.get_uris()[0].to_string() + "photo.jpg", flush=True)
    loop.run()
