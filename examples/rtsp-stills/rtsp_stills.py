#!/usr/bin/python3
"""An RTSP server for the preview of a RAW camera. While clients watch, each line on standard input takes a still.

    rtsp_stills.py [--port 8554] [--output FOLDER] [--camera TEXT]
    ffplay rtsp://127.0.0.1:8554/camera                     # in another terminal; then press Return here

Debian packages: python3-gi, gir1.2-gst-rtsp-server-1.0, gstreamer1.0-plugins-bad. The pipeline of the server knows no
photos: gscap.py attaches a photo branch to its tee.
"""
import argparse
import pathlib
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
import gscap  # noqa: E402  # after the versions are chosen
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

CAMERA = "gscapsensorsrc ! video/x-bayer,format=rggb12le,width=4032,height=3024,framerate=10/1"
# The queue drops frames that the encoder is too slow for, so the encoder delays no photo.
PIPELINE = """
    ( {camera} ! tee name=raw
      raw. ! queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0
        ! rawunpack ! rawdevelop quality=preview ! video/x-raw,width={width},height={height} ! videoconvert
        ! video/x-raw,format=I420 ! {encoder} ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1 )
    """


def encoder():
    """x264enc is GPL-licensed, and so is a program that loads it; openh264enc has the BSD licence."""
    if Gst.ElementFactory.find("openh264enc"):
        return "openh264enc complexity=low gop-size=30 bitrate=4000000"
    return "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=30 bitrate=4000"


class Host:
    """The server, and the photo branch while the server's pipeline exists."""

    def __init__(self, options):
        self.output, self.photos, self.loop = options.output, None, GLib.MainLoop()
        factory = GstRtspServer.RTSPMediaFactory()
        factory.set_launch(PIPELINE.format(encoder=encoder(), **vars(options)))
        factory.set_shared(True)  # all clients watch one pipeline, which starts with the first and ends with the last
        factory.connect("media-configure", self.open)
        self.server = GstRtspServer.RTSPServer(address="127.0.0.1", service=str(options.port))
        self.server.get_mount_points().add_factory("/camera", factory)
        if not self.server.attach(None):
            sys.exit(f"port {options.port} cannot be opened")

    def open(self, _factory, media):  # on the server's thread, as is close
        try:
            self.photos = gscap.Camera.attach_tee(media.get_element().get_by_name("raw"))
            self.photos.set_callback(self.captured)
            media.connect("unprepared", self.close)
        except gscap.Error as error:
            print("no stills:", error, flush=True)

    def close(self, _media):
        photos, self.photos = self.photos, None
        if photos:
            photos.close()

    def captured(self, _camera, event):  # on a thread of the elements, which a slow disk must not delay
        if event.photo:
            GLib.idle_add(self.store, event.photo)

    def store(self, photo):
        if not photo.data:
            print("no still:", photo.error, flush=True)
        else:
            path = self.output / f"still-{photo.ticket}.jpg"
            path.write_bytes(photo.data)
            print(path, len(photo.data), f"bytes, {photo.receipt.age:.2f} s old", flush=True)

    def line(self, channel, _condition):
        if channel.readline() == "":
            return GLib.SOURCE_REMOVE
        try:
            if self.photos:
                self.photos.capture()
            else:
                print("no still: the camera is off, because nobody watches", flush=True)
        except gscap.Error as error:
            print("no still:", error, flush=True)
        return GLib.SOURCE_CONTINUE

    def run(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, self.loop.quit)
        GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN, self.line)
        print(f"rtsp://127.0.0.1:{self.server.get_bound_port()}/camera", flush=True)
        self.loop.run()
        self.server.client_filter(lambda *_: GstRtspServer.RTSPFilterResult.REMOVE)  # the last one ends the pipeline


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8554, help="port on 127.0.0.1, 0 for any free one")
    parser.add_argument("--output", type=pathlib.Path, default=".", help="folder of the stills")
    parser.add_argument("--camera", default=CAMERA, help="pipeline text of a source of raw frames")
    parser.add_argument("--width", type=int, default=1280, help="width of the preview")
    parser.add_argument("--height", type=int, default=960, help="height of the preview")
    Gst.init(None)
    Host(parser.parse_args()).run()


if __name__ == "__main__":
    main()
