#!/usr/bin/env python3
"""Checks that gscap decodes DNG files of tifffile to exactly the encoded samples.

    read_foreign.py

The files are mosaics and linear photos in both byte orders, in strips and tiles, with every compression, bit depth and
predictor that tifffile supports. gscap converts each file to an uncompressed DNG, which tifffile decodes. Exits with 0
if no file differs.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import imagecodecs
    import numpy
    import tifffile
except ImportError as missing:
    sys.exit(f"{missing}: make a venv and install Tests/Conformance/requirements.txt into it")

CFA, LINEAR = 32803, 34892
HEIGHT, WIDTH = 45, 67
dice = numpy.random.default_rng(1)
folder = pathlib.Path(tempfile.mkdtemp())
passed = failed = 0


def picture(samples, bits, height=HEIGHT, width=WIDTH):
    """Returns a gradient with noise, as codes of `bits` bits with `samples` per pixel."""
    y, x = numpy.mgrid[0:height, 0:width]
    top = 2**bits - 1
    ramp = (x * 3 + y * 5) % 251 / 251 * 0.7 * top
    noisy = ramp[..., None] + dice.normal(0, top * 0.02, (height, width, samples))
    codes = numpy.clip(noisy, 0, top).astype("u1" if bits == 8 else "u2")
    return codes[..., 0] if samples == 1 else codes


def tags(photometric):
    """Returns the tags that make a TIFF file a DNG."""
    unit = [1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1]
    found = [
        (50706, 1, 4, bytes([1, 7, 1, 0]), True),
        (50707, 1, 4, bytes([1, 4, 0, 0]), True),
        (50708, 2, 0, "Somebody's camera", True),
        (50721, 10, 9, unit, True),
    ]
    if photometric == CFA:
        found += [(33421, 3, 2, [2, 2], True), (33422, 1, 4, bytes([0, 1, 1, 2]), True)]
    return found


def write(path, pixels, photometric, order="<", **storage):
    if photometric == LINEAR:
        storage.setdefault("planarconfig", "contig")
    fill = storage.pop("fillorder", 1)
    # tifffile does not write FillOrder (266), so that the tag CellLength (265) becomes it.
    found = tags(photometric) + ([(265, 3, 1, 2, True)] if fill == 2 else [])
    with tifffile.TiffWriter(path, byteorder=order) as file:
        file.write(pixels, photometric=photometric, extratags=found, metadata=None, **storage)
    if fill == 2:
        with tifffile.TiffFile(path) as file:
            strips = list(zip(file.pages[0].dataoffsets, file.pages[0].databytecounts))
            tag = file.pages[0].tags[265].offset
        data = bytearray(path.read_bytes())
        struct.pack_into(order + "H", data, tag, 266)
        for start, count in strips:
            data[start : start + count] = imagecodecs.bitorder_decode(bytes(data[start : start + count]))
        path.write_bytes(data)


def patch(path, order, number, value):
    """Replaces the value of a tag of type SHORT in IFD 0."""
    data = bytearray(path.read_bytes())
    (start,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, start)
    for entry in range(start + 2, start + 2 + 12 * count, 12):
        if struct.unpack_from(order + "H", data, entry)[0] == number:
            struct.pack_into(order + "H", data, entry + 8, value)
    path.write_bytes(data)


def raw_codes(path):
    """Returns the codes of the raw IFD, which follows the preview's in the files of gscap."""
    with tifffile.TiffFile(path) as file:
        pages = [page for first in file.pages for page in (first, *(first.pages or []))]
        return next(page for page in pages if page.photometric in (CFA, LINEAR)).asarray()


def check(name, path, wanted, tolerance=0):
    """Converts a file with gscap, compares the codes with `wanted` and counts the result."""
    global passed, failed
    target = path.with_suffix(".read.dng")
    run = subprocess.run(
        ["gscap", "convert", path, target, "--compression", "none"], capture_output=True, text=True, errors="replace"
    )
    problem = run.stderr.strip().splitlines()[-1:] or [f"exit status {run.returncode}"]
    if run.returncode == 0:
        found = raw_codes(target)
        if found.shape == wanted.shape:
            off = numpy.abs(found.astype(float) - wanted.astype(float)).max()
            problem = [] if off <= tolerance else [f"differs: {off}"]
        else:
            problem = [f"differs: {found.shape}"]
    passed, failed = passed + (not problem), failed + bool(problem)
    if problem:
        print(f"{name}: {problem[0]}")
    path.unlink()
    target.unlink(missing_ok=True)


def whole_numbers(order, photometric, samples):
    for bits in (8, 16):
        for layout in ({"rowsperstrip": 7}, {"tile": (32, 16)}):
            for compression, predictor in ((None, None), (8, None), (8, 2)):
                name = f"{order} {samples}×{bits} {layout} {compression} {predictor}"
                pixels = picture(samples, bits)
                path = folder / "whole.dng"
                write(path, pixels, photometric, order, compression=compression, predictor=predictor, **layout)
                check(name, path, pixels)


def packed(photometric, samples):
    for bits in (10, 12, 14):
        pixels, path = picture(samples, bits), folder / "packed.dng"
        write(path, pixels, photometric, bitspersample=bits, rowsperstrip=9)
        check(f"packed {samples}×{bits}", path, pixels)


def reversed_bits(photometric, samples):
    """Reverses the bits of each stored byte, as FillOrder 2 states."""
    for bits in (8, 12, 16):
        pixels, path = picture(samples, bits), folder / "reversed.dng"
        layout = {"bitspersample": bits} if bits == 12 else {}
        write(path, pixels, photometric, rowsperstrip=9, fillorder=2, **layout)
        check(f"reversed bits {samples}×{bits}", path, pixels)


def floats(order, photometric, samples):
    for kind in ("f2", "f4"):
        for predictor in (None, 3):
            values = (picture(samples, 16) / 65535).astype(kind)
            path = folder / "float.dng"
            write(path, values, photometric, order, compression=8, predictor=predictor, tile=(32, 16))
            check(f"{order} {samples}×{kind} {predictor}", path, values)


def planes(order):
    for compression in (None, 8):
        pixels, path = picture(3, 16), folder / "planes.dng"
        apart = numpy.moveaxis(pixels, 2, 0).copy()
        write(path, apart, LINEAR, order, planarconfig="separate", compression=compression, rowsperstrip=11)
        check(f"{order} plane by plane {compression}", path, pixels)


def lossless_jpeg():
    for bits in (8, 10, 12, 14, 16):
        for tile in (None, (32, 48)):
            pixels, path = picture(1, bits, 64, 96), folder / "ljpeg.dng"
            height, width = tile or pixels.shape
            parts = [
                imagecodecs.ljpeg_encode(
                    numpy.ascontiguousarray(pixels[top : top + height, left : left + width]), bitspersample=bits
                )
                for top in range(0, 64, height)
                for left in range(0, 96, width)
            ]
            layout = {"tile": tile} if tile else {"rowsperstrip": 64}
            with tifffile.TiffWriter(path) as file:
                file.write(
                    iter(parts), shape=pixels.shape, dtype=pixels.dtype, bitspersample=bits, photometric=CFA,
                    compression=7, extratags=tags(CFA), metadata=None, **layout,
                )  # fmt: skip
            check(f"lossless JPEG {bits} {tile}", path, pixels)


def lossy_jpeg():
    for samples, photometric in ((1, CFA), (3, LINEAR)):
        pixels, path = picture(samples, 8, 64, 96), folder / "lossy.dng"
        write(path, pixels, photometric, compression=7, compressionargs={"level": 90}, tile=(32, 48))
        patch(path, "<", 259, 34892)
        check(f"lossy JPEG {samples}", path, tifffile.imread(path))


def jpeg_xl():
    for samples, photometric in ((1, CFA), (3, LINEAR)):
        for bits in (8, 16):
            pixels, path = picture(samples, bits), folder / "xl.dng"
            write(
                path, pixels, photometric, compression=52546, compressionargs={"level": 0, "lossless": True},
                tile=(32, 16),
            )
            check(f"JPEG XL {samples}×{bits}", path, pixels)
        pixels, path = picture(samples, 16), folder / "xl.dng"
        write(
            path, pixels, photometric, compression=52546, compressionargs={"distance": 1.0, "lossless": False},
            tile=(32, 16),
        )
        # Versions of the decoder round differently.
        check(f"lossy JPEG XL {samples}", path, tifffile.imread(path), tolerance=1)


for kind, count in ((CFA, 1), (LINEAR, 3)):
    for byte_order in "<>":
        whole_numbers(byte_order, kind, count)
        floats(byte_order, kind, count)
    packed(kind, count)
    reversed_bits(kind, count)
planes("<")
planes(">")
lossless_jpeg()
lossy_jpeg()
jpeg_xl()
folder.rmdir()
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
