"""Compares gscap develop with darktable and LibRaw, and our picture files with those of OpenCV, tifffile and OpenEXR.

Run as: python develop.py .build/release/gscap .build/release/Benchmarks [WIDTHxHEIGHT]
Makes its photos, a mosaic and a linear one, with gscap. Prints ratios peer : ours of wall time: above 1 we are faster; each stage's
share of the whole; and the peak memory in bytes a pixel. Rounds alternate and the least of each counts, so that a machine that does
something else as well is fair to both.
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

sys.dont_write_bytecode = True  # SwiftPM would wonder at a folder beside its sources
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


# The contestants


def gscap(photo, picture):
    """The whole command, with reading and writing: seconds of wall and of processor time."""
    picture.unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = wall(run, GSCAP, "develop", photo, picture)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def darktable(photo, picture):
    """What darktable's own pixels take, without start, reading and writing."""
    picture.unlink(missing_ok=True)
    words = run("darktable-cli", photo, picture, "--core", "--library", ":memory:", "--configdir", picture.parent / "darktable",
                "-d", "perf")
    found = re.search(r"\[dev_process_export\] pixel pipeline processing took ([\d.]+) secs \(([\d.]+) CPU\)", words)
    return float(found[1]), float(found[2])


def libraw(photo):
    """LibRaw's demosaic AHD and colour, without reading and writing."""
    with rawpy.imread(str(photo)) as raw:
        before = time.process_time()
        seconds = wall(lambda: raw.postprocess(demosaic_algorithm=rawpy.DemosaicAlgorithm.AHD, use_camera_wb=True))
        return seconds, time.process_time() - before


def peak(photo, picture):
    """The most memory that the command takes, in bytes a pixel."""
    picture.unlink(missing_ok=True)
    # What a process starts from counts, too: so it starts from a small one.
    small = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True);"
             "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(run(sys.executable, "-c", small, GSCAP, "develop", photo, picture)) * 1024 / (WIDTH * HEIGHT)


def converters(folder, mosaic, linear):
    print(f"{WIDTH}×{HEIGHT} to JPEG, the whole command: how many times the peer's own pixels take as long (bar: 3)")
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
          f" and {least['linear'][0] / 0.35:.2f} of the 0.35 s that are its bar")
    for name, photo in (("mosaic", mosaic), ("linear photo", linear)):
        print(f"    peak memory of the {name}: {peak(photo, folder / 'peak.jpg'):.1f} bytes a pixel (bar: 24)")


def encoders(stages, mosaic, folder):
    """Our encoders against those of others, of the same picture."""
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
    print("files: how many times the peer takes as long, for how many times the bytes")
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
            print(f"shares of a {name}'s development to JPEG, and what distortion would add")
            for stage, seconds in sorted(stages.items(), key=lambda entry: -entry[1]):
                if stage not in ENCODERS[1:]:
                    print(f"    {stage:16} {seconds / whole:5.2f}")
        encoders(stages, mosaic, folder)


main()
