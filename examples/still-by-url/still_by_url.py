#!/usr/bin/python3
"""GET /photo.jpg takes a photo of one fresh frame; 503 with Retry-After if it is refused.
    ?max-age=2      a frame that was taken up to 2 s before the request is fresh enough
    ?wait=10        504 with Retry-After if there is no photo after 10 s (30); it serves a later request with max-age
    still_by_url.py [PORT [CAMERA]]     # needs python3-gi, gir1.2-gstreamer-1.0, gir1.2-soup-3.0 and the plugin gscap
"""
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
        limits = {name.replace("-", "_"): float(value) for name, value in (query or {}).items()}
    except ValueError:
        limits = {"": 0}
    if not limits.keys() <= {"max_age", "wait"}:
        return answer(request, 400, b"the options are max-age and wait, both in seconds\n")
    request.pause()
    limits["wait"] = min(limits.get("wait", 30), 60)
    camera.request_photo(lambda photo, error: reply(request, photo, error), **limits)


def reply(request, photo, error):
    if error:
        status, retry = {"time": 504, "argument": 400}.get(error.code, 503), getattr(error, "retry_after", None) or 1
        answer(request, status, str(error).encode(), {"Retry-After": math.ceil(retry)})
    else:
        receipt = {f"Gscap-{key.replace('_', '-').title()}": value for key, value in vars(photo.receipt).items()}
        answer(request, 200, photo.data, receipt)
    request.unpause()


def answer(request, status, body, headers={}):
    request.set_status(status, None)
    request.set_response("image/jpeg" if status == 200 else "text/plain", Soup.MemoryUse.COPY, body)
    for name, value in {"Cache-Control": "no-store", **headers}.items():
        if value is not None: request.get_response_headers().append(name, str(value))


loop, server = GLib.MainLoop(), Soup.Server()
with gscap.Camera.open((sys.argv[2] if len(sys.argv) > 2 else CAMERA) + BRANCH, kept_results=0) as camera:
    server.add_handler("/photo.jpg", photograph)
    server.listen_local(int(sys.argv[1]) if len(sys.argv) > 1 else 8080, Soup.ServerListenOptions.IPV4_ONLY)
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, loop.quit)
    print(server.get_uris()[0].to_string() + "photo.jpg", flush=True)
    loop.run()
