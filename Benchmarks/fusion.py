"""Compares gscap fuse with OpenCV, HDRMerge and enfuse on synthetic bursts whose ground truth is known.

Run as: python fusion.py .build/release/gscap [WIDTHxHEIGHT]
Prints the PSNR against the ground truth, for still and for moving regions, and the ratio ours : peer of wall time
(below 1, gscap is faster), for each mode of gscap.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import cv2
import numpy
import tifffile

sys.dont_write_bytecode = True  # SwiftPM warns about files beside the sources that it does not know
from fusion_burst import BLACK, NEUTRAL, PLACES, WHITE, Burst

GSCAP = sys.argv[1]
WIDTH, HEIGHT = map(int, (sys.argv[2] if len(sys.argv) > 2 else "4032x3024").split("x"))
FRAMES = 8
MODES = ("speed", "balanced", "quality")
ROUNDS = 3


# Files


def frame(path):
    """Returns a frame's linear values: 0 at black, 1 at white."""
    return (tifffile.imread(path).astype(numpy.float32) - BLACK) / (WHITE - BLACK)


def result(path):
    """Returns the raw image of a DNG that a program stored, scaled so that black is 0 and white is 1."""
    with tifffile.TiffFile(path) as file:
        pages = [page for top in file.pages for page in (top, *(top.pages or ()))]
        page = next(page for page in pages if int(page.photometric) in (32803, 34892))
        values = page.asarray().astype(numpy.float32)
        black, white = (numbers(page, tag, usual) for tag, usual in ((50714, 0), (50717, 1)))
    return (values - black[0]) / (white[0] - black[0])


def numbers(page, tag, usual):
    """Returns a tag's values as numbers; `usual` is the default of a missing tag."""
    found = page.tags.get(tag)
    if found is None:
        return numpy.array([usual], numpy.float64)
    values = numpy.atleast_1d(numpy.array(found.value, numpy.float64))
    return values[0::2] / values[1::2] if int(found.dtype) in (5, 10) else values


def timed(work, *words):
    """Returns the result of `work` and its wall time in seconds."""
    start = time.perf_counter()
    return work(*words), time.perf_counter() - start


def run(*command):
    """Runs a program and returns its standard output; raises an exception if it fails."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


# Scores


def psnr(value, truth, mask):
    return -10 * numpy.log10(numpy.mean((value[mask] - truth[mask]) ** 2, dtype=numpy.float64))


def mu_law(signal):
    """Maps linear values from 0 to four times white to a perceptual scale of 0 to 1 by the mu-law."""
    return numpy.log1p(5000 * numpy.clip(signal, 0, 4) / 4) / numpy.log1p(5000)


def fitted(value, truth, mask):
    """Scales a program's values so that their squared error against the ground truth is smallest."""
    there = value[mask]
    return value * (numpy.dot(there, truth[mask]) / numpy.dot(there, there))


def at_places(picture):
    """Returns the mosaic of a picture: at each pixel the value of the colour that the Bayer pattern has there."""
    mosaic = numpy.empty(picture.shape[:2], numpy.float32)
    for row, column, colour in PLACES:
        mosaic[row::2, column::2] = picture[row::2, column::2, colour]
    return mosaic


def encoded(picture):
    """Encodes white-balanced linear values, clipped to 0…1, with the sRGB transfer function."""
    light = numpy.clip(picture, 0, 1)
    return numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055).astype(numpy.float32)


def developed(mosaic):
    """Converts a mosaic to an sRGB picture of values 0…1 with OpenCV's demosaicing."""
    balanced = mosaic.copy()
    for row, column, colour in PLACES:
        balanced[row::2, column::2] /= NEUTRAL[colour]
    codes = numpy.clip(balanced * 65535, 0, 65535).astype(numpy.uint16)
    return encoded(cv2.demosaicing(codes, cv2.COLOR_BayerRGGB2RGB_EA).astype(numpy.float32) / 65535)


def line(name, still, moving, ratio=None):
    motion = "" if moving is None else f", in motion {moving:6.2f}"
    print(f"    {name:36} {still:6.2f} dB{motion}{'' if ratio is None else f'; ours : peer in time {ratio:.2f}'}")


# The programs


def gscap(paths, output, *options):
    """Returns gscap's mosaic, the time of its fusion and the time of the whole command, in seconds."""
    usual = ("--mosaic", "--reference", "0", "--overwrite", "--json")
    words, whole = timed(run, GSCAP, "fuse", *paths, "-o", output, *usual, *options)
    event = next(event for event in map(json.loads, words.splitlines()) if event["event"] == "file")
    # The BaselineExposure of a fused bracket is the headroom of its white level in stops.
    with tifffile.TiffFile(output) as file:
        exposure = numbers(file.pages[0], 50730, 0)[0]
    return result(output) * numpy.float32(2.0**exposure), sum(event["seconds"].values()), whole


def grey(mosaic):
    """Returns a grey picture of a mosaic with a quarter of its width and height."""
    return cv2.resize(mosaic, (mosaic.shape[1] // 4, mosaic.shape[0] // 4), interpolation=cv2.INTER_AREA)


def aligned_by_ecc(frames):
    """Yields the frames aligned with the first by ECC: each colour plane is resampled with a Lanczos filter."""
    reference = grey(frames[0])
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 50, 1e-4)
    yield frames[0]
    for mosaic in frames[1:]:
        warp = numpy.eye(2, 3, dtype=numpy.float32)
        _, warp = cv2.findTransformECC(reference, grey(mosaic), warp, cv2.MOTION_EUCLIDEAN, criteria, None, 5)
        turn, shift = warp[:, :2], warp[:, 2]
        shift = 4 * shift + 1.5 - turn @ numpy.full(2, 1.5)  # in pixels of the mosaic
        moved = numpy.empty_like(mosaic)
        for row, column, _ in PLACES:
            corner = numpy.array([column, row], numpy.float32)
            plane = numpy.column_stack([turn, (turn @ corner + shift - corner) / 2])
            moved[row::2, column::2] = cv2.warpAffine(
                mosaic[row::2, column::2], plane, (mosaic.shape[1] // 2, mosaic.shape[0] // 2),
                flags=cv2.INTER_LANCZOS4 | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REFLECT)
        yield moved


def ecc_mean(frames):
    total = numpy.zeros_like(frames[0])
    for mosaic in aligned_by_ecc(frames):
        cv2.accumulate(mosaic, total)
    return total / len(frames)


def enfuse(frames, folder):
    """Runs enfuse, which does not align, on developed frames that are aligned already."""
    paths = []
    for index, mosaic in enumerate(aligned_by_ecc(frames)):
        paths.append(folder / f"developed-{index}.tif")
        tifffile.imwrite(paths[-1], (developed(mosaic) * 65535).astype(numpy.uint16), photometric="rgb")
    _, seconds = timed(run, "enfuse", "-o", folder / "enfuse.tif", *paths)
    return tifffile.imread(folder / "enfuse.tif")[..., :3].astype(numpy.float32) / 65535, seconds


def mtb_debevec(frames, exposures):
    """Aligns by median threshold bitmaps and merges by Debevec and Malik with a calibrated response."""
    pictures = [(developed(mosaic) * 255).astype(numpy.uint8) for mosaic in frames]
    times = numpy.array([0.01 * 2.0**exposure for exposure in exposures], numpy.float32)
    cv2.createAlignMTB().process(pictures, pictures)
    response = cv2.createCalibrateDebevec().process(pictures, times)
    return at_places(cv2.createMergeDebevec().process(pictures, times, response) * NEUTRAL)


# The rounds


def noisy_burst(folder, iso):
    burst = Burst(folder, HEIGHT, WIDTH, iso, [0] * FRAMES, 20, True, 7)
    truth, frames = burst.truths[0], [frame(path) for path in burst.paths]

    def score(mosaic):
        return psnr(mosaic, truth, burst.still), psnr(mosaic, truth, burst.moving)

    print(f"{FRAMES} frames at ISO {iso}: the mosaic")
    results, ratios = {}, {mode: [] for mode in MODES}
    for _ in range(ROUNDS):
        times, wholes = {}, {}
        for mode in MODES:
            results[mode], times[mode], wholes[mode] = gscap(burst.paths, folder / "ours.dng", "--effort", mode)
        mean, seconds = timed(ecc_mean, frames)
        for mode in MODES:
            ratios[mode].append(times[mode] / seconds)
    ours, whole = results["balanced"], wholes["balanced"]
    line("one frame", *score(frames[0]))
    line("OpenCV ECC, Lanczos, mean: the peer", *score(mean))
    for mode in MODES:
        line(f"gscap fuse --effort {mode}", *score(results[mode]), sorted(ratios[mode])[ROUNDS // 2])
    picture, seconds = enfuse(frames, folder)
    wanted = encoded(burst.truth_rgb / NEUTRAL)
    print(f"{FRAMES} frames at ISO {iso}: the picture, with OpenCV's demosaicing")
    for name, shown, ratio in (
        ("one frame", developed(frames[0]), None), ("gscap fuse", developed(ours), None),
        ("enfuse (gscap's time includes file I/O)", picture, whole / seconds),
    ):
        line(name, psnr(shown, wanted, burst.still), None, ratio)


def bracket(folder, name, shake, moves):
    exposures = [0, -2, 2]
    burst = Burst(folder, HEIGHT, WIDTH, 100, exposures, shake, moves, 8)
    order = [1, 0, 2]  # OpenCV aligns with the middle frame

    def score(mosaic, truth=burst.truths[0]):
        light, wanted = mu_law(fitted(mosaic, truth, burst.still)), mu_law(truth)
        return psnr(light, wanted, burst.still), psnr(light, wanted, burst.moving) if moves else None

    print(f"-2, 0, +2 EV, {name}: mu-PSNR of the mosaic")
    ours, _, whole = gscap(burst.paths, folder / "ours.dng")
    frames = [frame(path) for path in burst.paths]
    line("the 0 EV frame", *score(frames[0]))
    line("gscap fuse", *score(ours))
    _, seconds = timed(run, "hdrmerge", "-b", "32", "-p", "none", "--no-crop", "-o", folder / "peer.dng", *burst.paths)
    peer = result(folder / "peer.dng")
    # HDRMerge may align with any of the frames: the best score over the ground truths of all frames counts.
    line("HDRMerge (both with file I/O)", *max(score(peer, truth) for truth in burst.truths), whole / seconds)
    light, seconds = timed(mtb_debevec, [frames[index] for index in order], [exposures[index] for index in order])
    line("OpenCV MTB, Debevec (ours with file I/O)", *score(light), whole / seconds)


def main():
    print(f"{WIDTH}×{HEIGHT}, two moving objects unless noted, {cv2.getNumThreads()} threads in OpenCV")
    rounds = [
        lambda folder: noisy_burst(folder, 800), lambda folder: noisy_burst(folder, 3200),
        lambda folder: bracket(folder, "tripod, nothing moves", 0, False),
        lambda folder: bracket(folder, "hand-held, two objects move", 20, True),
    ]
    for work in rounds:
        with tempfile.TemporaryDirectory() as folder:
            work(pathlib.Path(folder))


main()
