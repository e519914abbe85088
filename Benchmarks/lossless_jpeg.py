"""Compares gscap's lossless JPEG codec with liblj92, libjpeg-turbo and libjxl (through imagecodecs) on one core.

Run as: python lossless_jpeg.py .build/release/Benchmarks
Prints the ratios ours : peer of the minimum processor time (below 1, gscap is faster). The codecs alternate, so that a
drift of the machine's speed affects both.
"""
import pathlib
import subprocess
import sys
import tempfile
import time

import imagecodecs
import numpy

WIDTH, HEIGHT = 4032, 3024
ROUNDS = 3
random = numpy.random.default_rng(1)


def smooth(scale: int) -> numpy.ndarray:
    """Returns a plane of random values on a grid with a spacing of `scale` pixels, interpolated bilinearly."""
    grid = random.standard_normal((HEIGHT // scale + 2, WIDTH // scale + 2)).astype(numpy.float32)
    rows, columns = numpy.arange(HEIGHT) / scale, numpy.arange(WIDTH) / scale
    down, right = (rows % 1)[:, None].astype(numpy.float32), (columns % 1).astype(numpy.float32)
    top, left = rows.astype(int), columns.astype(int)
    lines = grid[top] * (1 - down) + grid[top + 1] * down
    return lines[:, left] * (1 - right) + lines[:, left + 1] * right


def electrons(full_well: float) -> numpy.ndarray:
    """Returns the electrons that each pixel collects from a coloured scene with texture at every scale, with noise."""
    light = sum(smooth(2**k) * 2.0 ** (k - 10) for k in range(2, 11))
    scene = numpy.stack([numpy.exp(0.9 * light + 0.1 * smooth(300) + level) for level in (-2.7, -2.2, -2.8)], -1)
    noiseless = numpy.clip(scene, 0, 1.05) * full_well
    return random.poisson(noiseless) + 3 * random.standard_normal(noiseless.shape, numpy.float32)


def bayer() -> numpy.ndarray:
    """Returns the 12-bit codes of one exposure with an RGGB pattern."""
    codes = numpy.clip(numpy.rint(256 + electrons(8000) * (3839 / 8000)), 0, 4095).astype(numpy.uint16)
    mosaic = codes[..., 1].copy()
    mosaic[0::2, 0::2] = codes[0::2, 0::2, 0]
    mosaic[1::2, 1::2] = codes[1::2, 1::2, 2]
    return mosaic


def colour() -> numpy.ndarray:
    """Returns the 12-bit codes of eight merged exposures, along a curve that makes the noise uniform."""
    light = numpy.clip(electrons(64000) / 64000, 0, 1)
    codes = numpy.sqrt(light + 1e-4) - 0.01
    return numpy.clip(numpy.rint(codes * (4095 / codes.max())), 0, 4095).astype(numpy.uint16)


class Codec:
    """Runs gscap's codec and the peers, and records the minimum processor time of each by name."""

    def __init__(self, program: str, folder: pathlib.Path):
        self.program, self.folder, self.least = program, folder, {}

    def ours(self, name: str, *words: object) -> list[float]:
        command = [self.program, "lossless-jpeg", *map(str, words)]
        numbers = [float(word) for word in subprocess.run(command, capture_output=True, check=True).stdout.split()]
        self.least[name] = min(numbers[0], self.least.get(name, numbers[0]))
        return numbers

    def peer(self, name: str, work) -> object:
        for _ in range(2):
            start = time.process_time()
            result = work()
            took = time.process_time() - start
            self.least[name] = min(took, self.least.get(name, took))
        return result

    def ratio(self, ours: str, peer: str, bar: str) -> None:
        print(f"{ours} : {peer}   {self.least[ours] / self.least[peer]:.2f}   (bar {bar})")


def compare(codec: Codec) -> None:
    mosaic, photo = bayer(), colour()
    paths = {name: codec.folder / name for name in ("bayer", "colour", "ours2", "ours3", "lj92")}
    mosaic.tofile(paths["bayer"])
    photo.tofile(paths["colour"])
    turbo = imagecodecs.jpeg8_encode(
        photo, lossless=True, predictor=1, bitspersample=12, colorspace="rgb", outcolorspace="rgb")
    for _ in range(ROUNDS):
        codec.ours("encode Bayer", "encode", paths["bayer"], HEIGHT, 2, paths["ours2"])
        peer = codec.peer("liblj92", lambda: imagecodecs.ljpeg_encode(mosaic, bitspersample=12))
        paths["lj92"].write_bytes(peer)
        _, size = codec.ours("encode RGB", "encode", paths["colour"], HEIGHT, 3, paths["ours3"])
        codec.peer("libjxl effort 1", lambda: imagecodecs.jpegxl_encode(
            photo, effort=1, numthreads=1, lossless=True, bitspersample=12))
        for name in ("lj92", "ours2", "ours3"):
            data = paths[name].read_bytes()
            codec.ours(f"decode {name}", "decode", paths[name])
            read = codec.peer(f"liblj92 on {name}", lambda: imagecodecs.ljpeg_decode(data))
            expected = photo if name == "ours3" else mosaic
            if not numpy.array_equal(numpy.ravel(read), numpy.ravel(expected)):
                sys.exit(f"liblj92 decodes {name} to other samples")
    codec.ratio("encode Bayer", "liblj92", "0.40")
    codec.ratio("encode RGB", "libjxl effort 1", "1.25, aim 0.83")
    for name in ("lj92", "ours2", "ours3"):
        codec.ratio(f"decode {name}", f"liblj92 on {name}", "0.50")
    print(f"bytes of RGB, ours in tiles : libjpeg-turbo in one image   {size / len(turbo):.4f}   (bar 1.01)")


with tempfile.TemporaryDirectory() as name:
    compare(Codec(sys.argv[1], pathlib.Path(name)))
