"""Compares gscap develop with darktable and LibRaw, and gscap's encoders with those of OpenCV, tifffile and OpenEXR.

Run as: python develop.py .build/release/gscap .build/release/Benchmarks [WIDTHxHEIGHT]
Generates a mosaic and a linear photo with gscap. Prints the ratios peer : ours of wall time (above 1, gscap is faster),
each stage's fraction of the total, and the peak memory in bytes per pixel. The programs alternate and the minimum of
the rounds counts, so that other work on the machine affects both alike.
"""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import cv2
import numpy
import OpenEXR
import rawpy
import tifffile

sys.dont_write_bytecode = True  # SwiftPM warns about files beside the sources that it does not know
from fusion_burst import Burst

GSCAP, STAGES = sys.argv[1:3]
WIDTH, HEIGHT = map(int, (sys.argv[3] if len(sys.argv) > 3 else "4032x3024").split("x"))
ROUNDS = 5
ENCODERS = ("jpg", "png", "tif", "exr")


def run(*command):
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def wall(work, *words):
    start = time.perf_counter()
    work(*words)
    return time.perf_counter() - start


# The programs


def gscap(photo, picture):
    """Times the whole command gscap develop with input and output; returns wall and processor time in seconds."""
    picture.unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = wall(run, GSCAP, "develop", photo, picture)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def darktable(photo, picture):
    """Returns wall and processor time in seconds of darktable's pixel pipeline, without start, input and output."""
    picture.unlink(missing_ok=True)
    words = run("darktable-cli", photo, picture, "--core", "--library", ":memory:", "--configdir",
                picture.parent / "darktable", "-d", "perf")
    found = re.search(r"\[dev_process_export\] pixel pipeline processing took ([\d.]+) secs \(([\d.]+) CPU\)", words)
    return float(found[1]), float(found[2])


def libraw(photo):
    """Returns wall and processor time in seconds of LibRaw's AHD demosaicing and colour conversion alone."""
    with rawpy.imread(str(photo)) as raw:
        before = time.process_time()
        seconds = wall(lambda: raw.postprocess(demosaic_algorithm=rawpy.DemosaicAlgorithm.AHD, use_camera_wb=True))
        return seconds, time.process_time() - before


def peak(photo, picture):
    """Returns the peak memory of gscap develop in bytes per pixel."""
    picture.unlink(missing_ok=True)
    # ru_maxrss of a child includes the memory of the process that forks it, so a small Python process starts the
    # command.
    small = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True);"
             "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(run(sys.executable, "-c", small, GSCAP, "develop", photo, picture)) * 1024 / (WIDTH * HEIGHT)


def converters(folder, mosaic, linear):
    print(f"{WIDTH}×{HEIGHT} to JPEG: the peer's pixel pipeline, relative to gscap's whole command (bar: 3)")
    contestants = {
        "gscap": lambda: gscap(mosaic, folder / "ours.jpg"), "linear": lambda: gscap(linear, folder / "linear.jpg"),
        "darktable": lambda: darktable(mosaic, folder / "darktable.jpg"), "LibRaw AHD": lambda: libraw(mosaic),
    }
    seconds = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            seconds[name].append(work())
    least = {name: [min(kind) for kind in zip(*rounds)] for name, rounds in seconds.items()}
    for name in ("darktable", "LibRaw AHD"):
        ratios = [peer / ours for peer, ours in zip(least[name], least["gscap"])]
        print(f"    {name:12} {ratios[0]:6.2f}; of processor time {ratios[1]:.2f}")
    print(f"    a linear photo takes {least['linear'][0] / least['gscap'][0]:.2f} of the mosaic's time"
          f" and {least['linear'][0] / 0.35:.2f} of its bar of 0.35 s")
    for name, photo in (("mosaic", mosaic), ("linear photo", linear)):
        print(f"    peak memory of the {name}: {peak(photo, folder / 'peak.jpg'):.1f} bytes per pixel (bar: 24)")


def encoders(stages, mosaic, folder):
    """Compares the time and file size of gscap's encoders with those of others on the same picture."""
    for format in ENCODERS:
        ours = folder / f"ours.{format}"
        ours.unlink(missing_ok=True)
        run(GSCAP, "develop", mosaic, ours, *(("--bits", "16") if format in ("png", "tif") else ()))
    picture = cv2.imread(str(folder / "ours.jpg"))
    words = tifffile.imread(folder / "ours.tif")
    halves = OpenEXR.File(str(folder / "ours.exr")).channels()["RGB"].pixels
    files = {format: folder / f"peer.{format}" for format in ENCODERS}
    peers = {
        "jpg": ("OpenCV", lambda: cv2.imwrite(str(files["jpg"]), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])),
        "png": ("OpenCV", lambda: cv2.imwrite(str(files["png"]), words)),
        "tif": ("tifffile", lambda: tifffile.imwrite(files["tif"], words, compression="zlib", predictor=True)),
        "exr": ("OpenEXR", lambda: OpenEXR.File({"compression": OpenEXR.ZIP_COMPRESSION}, {"RGB": halves}).write(
            str(files["exr"]))),
    }
    print("files: the peer's time and file size, relative to gscap's")
    for format, (name, work) in peers.items():
        seconds = min(wall(work) for _ in range(ROUNDS))
        size = files[format].stat().st_size / (folder / f"ours.{format}").stat().st_size
        print(f"    {format} by {name:9} {seconds / stages[format]:6.2f} {size:6.2f}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        burst = Burst(folder, HEIGHT, WIDTH, 400, [0] * 3, 4, False, 9)
        mosaic, linear = folder / "mosaic.dng", folder / "linear.dng"
        run(GSCAP, "convert", burst.paths[0], mosaic)
        run(GSCAP, "fuse", *burst.paths, "-o", linear)
        converters(folder, mosaic, linear)
        for name, photo in (("linear photo", linear), ("mosaic", mosaic)):
            stages = json.loads(run(STAGES, "develop", photo))
            whole = sum(seconds for stage, seconds in stages.items() if stage not in ENCODERS[1:] + ("distortion",))
            print(f"fractions of the time to develop a {name} to JPEG, and the extra time of distortion correction")
            for stage, seconds in sorted(stages.items(), key=lambda entry: -entry[1]):
                if stage not in ENCODERS[1:]:
                    print(f"    {stage:16} {seconds / whole:5.2f}")
        encoders(stages, mosaic, folder)


main()
