#!/usr/bin/env python3
"""Checks that gscap demosaics X-Trans mosaics about as well as LibRaw, or better.

    judge_xtrans.py

Scenes with known colours become X-Trans mosaics, without and with noise, in a DNG. `gscap develop` and LibRaw, with one
pass and with three, interpolate them; the quality is the PSNR in dB of sRGB values. gscap must not be below LibRaw with
one pass by more than 0.3 dB. Prints the figures and the counts; exits with 0 if nothing failed.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import imagecodecs
    import numpy
    import rawpy
    import tifffile
except ImportError as missing:
    sys.exit(f"{missing}: make a venv and install Tests/Conformance/requirements.txt into it")

import foreign_files
from foreign_files import ASCII, BYTE, LONG, RATIONAL, SHORT, SRATIONAL

# LibRaw needs 512 pixels in each direction.
HEIGHT, WIDTH = 522, 600
BLACK, WHITE = 512, 60000
MARGIN = 16
# From CIE XYZ to linear sRGB, which are the camera's colours here.
MATRIX = [32406, -15372, -4986, -9689, 18758, 415, 557, -2040, 10570]


def means(picture, factor):
    """Returns the means of squares of pixels."""
    height, width = picture.shape[0] // factor, picture.shape[1] // factor
    return picture.reshape(height, factor, width, factor, 3).mean((1, 3))


def zone_plate():
    """Returns rings that become finer towards the edges, in a nearly grey colour."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    rings = 0.5 + 0.45 * numpy.cos(((x - WIDTH / 2) ** 2 + (y - HEIGHT / 2) ** 2) * numpy.pi / (2.2 * WIDTH))
    return rings[..., None] * [0.8, 1, 0.9]


def patches():
    """Returns squares of random colours."""
    colors = numpy.random.default_rng(5).random((HEIGHT // 9, WIDTH // 10, 3))
    return numpy.kron(colors, numpy.ones((9, 10, 1)))


def leaves(saturation):
    """Returns discs of random sizes and colours over each other, which have the statistics of photos."""
    dice = numpy.random.default_rng(8)
    picture = numpy.full((3 * HEIGHT, 3 * WIDTH, 3), 0.3)
    y, x = numpy.mgrid[0 : 3 * HEIGHT, 0 : 3 * WIDTH]
    for _ in range(2500):
        radius = 6 * dice.pareto(1.5) + 5
        row, column = dice.random(2) * (3 * HEIGHT, 3 * WIDTH)
        grey, color = dice.random() ** 2, dice.random(3) ** 2
        top, left = max(0, int(row - radius)), max(0, int(column - radius))
        area = numpy.s_[top : int(row + radius) + 2, left : int(column + radius) + 2]
        inside = (y[area] - row) ** 2 + (x[area] - column) ** 2 < radius**2
        picture[area][inside] = grey + saturation * (color - grey)
    return means(picture, 3)


def mosaic(scene, noise):
    """Returns the codes of an X-Trans mosaic with noise whose variance is `noise` at white."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    planes = numpy.array(foreign_files.CELLS["xtrans"][1]).reshape(6, 6)[y % 6, x % 6]
    light = numpy.take_along_axis(scene, planes[..., None], 2)[..., 0]
    light = light + numpy.random.default_rng(3).normal(0, 1, light.shape) * numpy.sqrt(noise * (light + 0.02))
    return numpy.clip((BLACK + light * (WHITE - BLACK)).round(), 0, 65535).astype("u2")


def store(path, codes):
    """Stores a mosaic as a DNG whose camera colours are linear sRGB."""
    side, cell, planes = foreign_files.CELLS["xtrans"]
    raw = foreign_files.Directory({
        254: (LONG, [0]), 256: (LONG, [WIDTH]), 257: (LONG, [HEIGHT]), 258: (SHORT, [16]), 259: (SHORT, [7]),
        262: (SHORT, [foreign_files.CFA]), 271: (ASCII, b"Maker\0"), 272: (ASCII, b"X\0"), 274: (SHORT, [1]),
        277: (SHORT, [1]), 278: (LONG, [HEIGHT]), 284: (SHORT, [1]), 33421: (SHORT, [side, side]),
        33422: (BYTE, cell), 50706: (BYTE, [1, 4, 0, 0]), 50707: (BYTE, [1, 1, 0, 0]), 50708: (ASCII, b"Maker X\0"),
        50710: (BYTE, planes), 50711: (SHORT, [1]), 50714: (SHORT, [BLACK]), 50717: (LONG, [WHITE]),
        50721: (SRATIONAL, [part for value in MATRIX for part in (value, 10000)]), 50728: (RATIONAL, [1, 1] * 3),
        50778: (SHORT, [21]),
    })  # fmt: skip
    raw.pieces = [imagecodecs.ljpeg_encode(codes, bitspersample=16)]
    writer = foreign_files.Writer("<")
    struct.pack_into("<I", writer.data, 4, writer.directory(raw))
    path.write_bytes(writer.data)


def gscap(path):
    target = path.with_suffix(".tif")
    plain = "--overwrite --linear --look none --sharpness 0 --denoise 0 --color-denoise 0 --no-gamut-mapping"
    subprocess.run(["gscap", "develop", path, target, *plain.split()], check=True, capture_output=True)
    return tifffile.imread(target)[..., :3].astype(float)


def libraw(path, passes):
    """Interpolates with LibRaw: its PPG stands for one pass of X-Trans, its AHD for three."""
    with rawpy.imread(str(path)) as photo:
        found = photo.postprocess(
            output_color=rawpy.ColorSpace.raw, gamma=(1, 1), no_auto_bright=True, user_wb=[1, 1, 1, 1], output_bps=16,
            demosaic_algorithm=rawpy.DemosaicAlgorithm.PPG if passes == 1 else rawpy.DemosaicAlgorithm.AHD,
            adjust_maximum_thr=0,
        )  # fmt: skip
    return found / 65535


def coded(light):
    light = numpy.clip(light, 0, 1)
    return numpy.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def quality(found, scene):
    """Returns the PSNR in dB, away from the edges."""
    error = (coded(found) - coded(scene))[MARGIN:-MARGIN, MARGIN:-MARGIN]
    return -10 * numpy.log10((error**2).mean())


def main():
    scenes = {
        "zone plate": zone_plate(), "patches": patches(), "leaves": leaves(0.3), "saturated leaves": leaves(1),
    }  # fmt: skip
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "mosaic.dng"
        for name, scene in scenes.items():
            for noise in (0, 2e-4):
                store(path, mosaic(scene, noise))
                own, one, three = (quality(found, scene) for found in (gscap(path), libraw(path, 1), libraw(path, 3)))
                is_good = own > one - 0.3
                failed += not is_good
                print(
                    f"{'' if is_good else 'FAIL '}X-Trans, {name}{', noise' if noise else ''}: {own:.2f} dB; LibRaw, "
                    f"one pass: {one:.2f} dB, three: {three:.2f} dB"
                )
    print(f"{2 * len(scenes) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
