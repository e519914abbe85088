#!/usr/bin/env python3
"""Checks that a photo looks the same everywhere: the DNG rendered by Adobe's converter and by gscap develop, the
preview in the DNG, and the JPEG of the same capture.

gscap takes photos of several scenes with its simulated camera; some get additional tags as other makers store them.
Adobe's converter is the one in the DNG SDK that dngpy contains; it applies no sharpening, noise reduction or gamut
mapping, so its pictures of fused photos are compared with gscap's at an eighth of their size, where the look shows but
hardly the noise. Previews have subsampled chroma and are compared at a quarter of their size. The mean difference may
be at most 1.5 CIEDE2000, and the 99th percentile 5.

    judge_look.py [--only NAME]

Prints a line for each comparison and the counts of passed and failed ones; exits with 0 if none failed.
"""

import argparse
import ctypes
import importlib.util
import io
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
    import tifffile
    from PIL import Image
except ImportError as missing:
    sys.exit(f"{missing}: make a venv and install Tests/Conformance/requirements.txt into it")

MEAN, MOST = 1.5, 5
XYZ = numpy.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WIDTH, HEIGHT = 960, 720
# The camera's properties for each scene; the scene "picture" is the test chart of painted().
SCENES = {
    "day": {},
    "dusk": {"exposure-time": 0.0015},
    "glare": {"exposure-time": 0.04},
    "lamp": {"color-temperature": 2850},
    "night": {"iso": 3200, "exposure-time": 0.0004, "color-temperature": 7500},
    "colours": {"scene": "picture"},
}


def opcode(number, version, planes, rest=b""):
    """Returns an opcode list with one warp opcode about the picture's centre."""
    numbers = [number for plane in planes for number in plane] + [0.5, 0.5]
    body = struct.pack(f">I{len(numbers)}d", len(planes), *numbers) + rest
    return struct.pack(">5I", 1, number, version, 0, len(body)) + body


def cube(side=5):
    """Returns an RGBTables value with one table of 8-bit sRGB values for the whole picture that reduces blue."""
    steps = [index * 255 // (side - 1) for index in range(side)]
    colors = bytes(value for red in steps for green in steps for blue in steps for value in (red, green, blue * 3 // 4))
    return struct.pack(">IIH5B", 1, 0, 0, side, 0, 1, 0, 0) + colors


SIGNED_RATIONAL, SHORT, UNDEFINED = 10, 3, 7
# Tags that are added to a photo of the test chart: of IFD 0 and of the raw IFD, each with number, type and values.
FOREIGN = {
    # CameraCalibration 1 and 2: the deviation of a camera from its model.
    "own matrix": ({50723: (SIGNED_RATIONAL, [1.05, 0.06, -0.03, 0.04, 0.97, 0.05, -0.05, 0.08, 1.02]),
                    50724: (SIGNED_RATIONAL, [1.05, 0.06, -0.03, 0.04, 0.97, 0.05, -0.05, 0.08, 1.02])}, {}),
    # A third calibration illuminant, D50, beside standard illuminant A and D65.
    "third light": ({52529: (SHORT, [23]),
                     52531: (SIGNED_RATIONAL, [1.05, -0.3, -0.1, -0.3, 1.1, 0.3, 0, 0.15, 0.7]),
                     52532: (SIGNED_RATIONAL, [0.5, 0.3, 0.1643, 0.25, 0.65, 0.1, 0.05, 0.05, 0.7249])}, {}),
    "colour cube": ({52543: (UNDEFINED, cube())}, {}),
    "fisheye": ({}, {51022: (UNDEFINED, opcode(2, 0x1030000, [[size, -0.1, 0.02, 0] for size in (1.004, 1, 0.997)]))}),
    "polynomial": ({}, {51022: (UNDEFINED, opcode(
        14, 0x1060000, [[1.01, -0.02, -0.03, 0.01, *[0] * 11, 0.002, -0.001, 0.1, 0.9]], struct.pack(">I", 0)))}),
}  # fmt: skip


def adobe(path, target):
    """Renders a DNG with Adobe's converter to a numpy array, in a separate process, which errors of the SDK end."""
    site = pathlib.Path(importlib.util.find_spec("dngpy").origin).parent.parent
    library = ctypes.CDLL(str(next((site / "lib").glob("libdng.so*"))))

    def call(name, *arguments, result=None):
        function = library[name]
        function.restype = result
        return function(*arguments)

    def construct(constructor, *arguments):
        # 64 KiB is more than the size of any class in the library.
        instance = ctypes.create_string_buffer(1 << 16)
        call(constructor, instance, *arguments)
        return instance

    pointer = ctypes.c_void_p
    host = construct("_ZN8dng_hostC1EP20dng_memory_allocatorP17dng_abort_sniffer", None, None)
    stream = construct("_ZN15dng_file_streamC1EPKcbj", str(path).encode(), False, 65536)
    info = construct("_ZN8dng_infoC1Ev")
    call("_ZN8dng_info5ParseER8dng_hostR10dng_stream", info, host, stream)
    call("_ZN8dng_info9PostParseER8dng_host", info, host)
    negative = pointer(call("_ZN8dng_host17Make_dng_negativeEv", host, result=pointer))
    for step in ("5ParseER8dng_hostR10dng_streamR8dng_info", "9PostParseER8dng_hostR10dng_streamR8dng_info",
                 "15ReadStage1ImageER8dng_hostR10dng_streamR8dng_info"):  # fmt: skip
        call("_ZN12dng_negative" + step, negative, host, stream, info)
    call("_ZN12dng_negative16BuildStage2ImageER8dng_host", negative, host)
    call("_ZN12dng_negative16BuildStage3ImageER8dng_hosti", negative, host, -1)
    render = construct("_ZN10dng_renderC1ER8dng_hostRK12dng_negative", host, negative)
    image = pointer(call("_ZN10dng_render6RenderEv", render, result=pointer))
    # A dng_image begins with the pointer to its virtual table and its bounds: top, left, bottom, right.
    bounds = (ctypes.c_int32 * 4).from_address(image.value + 8)
    top, left, bottom, right = bounds
    pixels = numpy.zeros((bottom - top, right - left, 3), "u1")
    byte, interleaved = 1, 1
    area = construct(
        "_ZN16dng_pixel_bufferC1ERK8dng_rectjjjjPv", bounds, 0, 3, byte, interleaved, pointer(pixels.ctypes.data))
    call("_ZNK9dng_image3GetER16dng_pixel_bufferNS_11edge_optionEjj", image, area, 0, 1, 1)
    numpy.save(target, pixels)


def lab(picture):
    """Converts sRGB values from 0 to 1 to CIELAB under D65."""
    light = numpy.where(picture <= 0.04045, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4)
    xyz = light @ (XYZ / XYZ.sum(1, keepdims=True)).T
    root = numpy.where(xyz > 216 / 24389, numpy.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = numpy.moveaxis(root, -1, 0)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one, other):
    """Returns the CIEDE2000 difference of each pixel, after Sharma, Wu and Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = lab(one), lab(other)
    chroma = (numpy.hypot(a1, b1) + numpy.hypot(a2, b2)) / 2
    g = 0.5 * (1 - numpy.sqrt(chroma**7 / (chroma**7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = numpy.hypot(a1, b1), numpy.hypot(a2, b2)
    h1, h2 = numpy.degrees(numpy.arctan2(b1, a1)) % 360, numpy.degrees(numpy.arctan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    grey = c1 * c2 == 0
    turn = numpy.where(grey, 0, turn)
    hue = numpy.where(grey, h1 + h2, (h1 + turn / 2) % 360)
    dl, dc, dh = l2 - l1, c2 - c1, 2 * numpy.sqrt(c1 * c2) * numpy.sin(numpy.radians(turn / 2))
    l, c = (l1 + l2) / 2, (c1 + c2) / 2

    def cosine(times, shift):
        return numpy.cos(numpy.radians(times * hue + shift))

    t = 1 - 0.17 * cosine(1, -30) + 0.24 * cosine(2, 0) + 0.32 * cosine(3, 6) - 0.20 * cosine(4, -63)
    sl = 1 + 0.015 * (l - 50) ** 2 / numpy.sqrt(20 + (l - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    rc = 2 * numpy.sqrt(c**7 / (c**7 + 25**7))
    rt = -numpy.sin(numpy.radians(60 * numpy.exp(-(((hue - 275) / 25) ** 2)))) * rc
    l, c, h = dl / sl, dc / sc, dh / sh
    return numpy.sqrt(numpy.maximum(l * l + c * c + h * h + rt * c * h, 0))


def painted():
    """Returns a test chart of all hues and saturations at several brightnesses, with texture."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    turns = numpy.stack([x / WIDTH, x / WIDTH + 1 / 3, x / WIDTH + 2 / 3], -1)
    pure = numpy.clip(numpy.abs((turns % 1) * 6 - 3) - 1, 0, 1)
    strength = ((y % 180) / 180)[..., None]
    value = (0.9 ** (y // 180 * 5))[..., None]
    texture = 1 + 0.06 * numpy.sin(x * 0.9) * numpy.sin(y * 0.7)
    return numpy.clip((1 - strength * (1 - pure)) * value * texture[..., None], 0, 1)


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"{words[0]} ended with {done.returncode}"])[-1])


def take(folder, name, settings):
    """Takes a photo; returns the paths of its DNG and its JPEG."""
    words = []
    for key, value in settings.items():
        if value == "picture":
            value = folder / "painted.png"
            Image.fromarray((painted() * 255).round().astype("u1")).save(value)
        words += ["--set", f"camera.{key}={value}"]
    run("gscap", "--pipeline", "pipelines/headless.txt", "--output", folder, "--name", name, "--var", f"WIDTH={WIDTH}",
        "--var", f"HEIGHT={HEIGHT}", "--set", f"camera.seed={len(name)}", *words)  # fmt: skip
    return folder / f"{name}.dng", folder / f"{name}.jpg"


def patched(dng, first, raw):
    """Adds tags to a DNG of gscap: appends new copies of IFD 0 and the raw IFD at the end of the file."""
    data = bytearray(dng.read_bytes())

    def directory(start):
        (count,) = struct.unpack_from(">H", data, start)
        entries = [struct.unpack_from(">HHI4s", data, start + 2 + 12 * index) for index in range(count)]
        return {tag: rest for tag, *rest in entries}, data[start + 2 + 12 * count :][:4]

    def append(entries, following, new):
        for tag, (kind, values) in new.items():
            packed = {
                SIGNED_RATIONAL: lambda: b"".join(struct.pack(">ii", round(value * 1e6), 10**6) for value in values),
                SHORT: lambda: struct.pack(f">{len(values)}H", *values),
                UNDEFINED: lambda: values,
            }[kind]()  # fmt: skip
            field = packed.ljust(4, b"\0")
            if len(packed) > 4:
                field = struct.pack(">I", len(data))
                data.extend(packed + b"\0" * (len(packed) % 2))
            entries[tag] = [kind, len(values), field]
        start = len(data)
        data.extend(struct.pack(">H", len(entries)))
        for tag in sorted(entries):
            data.extend(struct.pack(">HHI4s", tag, *entries[tag]))
        data.extend(following)
        return struct.pack(">I", start)

    if len(data) % 2:
        data.append(0)
    (start,) = struct.unpack_from(">I", data, 4)
    entries, following = directory(start)
    kind, count, field = entries[330]
    if raw:
        # The raw IFD is the first of SubIFDs, whose offsets are in the entry itself if there is only one.
        at = struct.unpack(">I", field)[0] if count > 1 else None
        sub = struct.unpack(">I", field)[0] if at is None else struct.unpack_from(">I", data, at)[0]
        moved = append(*directory(sub), raw)
        if at is None:
            entries[330] = [kind, count, moved]
        else:
            data[at : at + 4] = moved
    data[4:8] = append(entries, following, first)
    dng.write_bytes(data)


def developed(dng, *options):
    target = dng.with_suffix(".tif")
    target.unlink(missing_ok=True)
    run("gscap", "develop", dng, target, "--bits", "16", *options)
    return tifffile.imread(target) / 65535


def jpeg(data):
    return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB")) / 255


def preview(dng):
    """Returns the preview in IFD 0 of a DNG, as values 0…1."""
    with tifffile.TiffFile(dng) as file:
        page = file.pages[0]
        if len(page.dataoffsets) != 1 or page.compression != 7:
            raise RuntimeError("the preview is not a single JPEG")
        return jpeg(dng.read_bytes()[page.dataoffsets[0] :][: page.databytecounts[0]])


def smaller(picture, times):
    height, width = (side // times for side in picture.shape[:2])
    return picture[: height * times, : width * times].reshape(height, times, width, times, 3).mean((1, 3))


def rendered(dng):
    target = dng.with_suffix(".npy")
    run(sys.executable, __file__, "--render", dng, target)
    return numpy.load(target) / 255


def comparisons(dng, jpg, name):
    if name in FOREIGN:
        patched(dng, *FOREIGN[name])
        yield "Adobe's render and gscap's", rendered(dng), developed(dng)
        return
    own, finished, adobes = developed(dng), jpeg(jpg.read_bytes()), smaller(rendered(dng), 8)
    yield "Adobe's render and gscap's", adobes, smaller(own, 8)
    yield "Adobe's render and the JPEG", adobes, smaller(finished, 8)
    yield "gscap's render and the JPEG", own, finished
    yield "gscap's render and the preview", smaller(own, 4), smaller(preview(dng), 4)


def judge(folder, name, settings):
    passed = failed = 0
    try:
        for what, one, other in comparisons(*take(folder, name.replace(" ", "-"), settings), name):
            if one.shape != other.shape:
                raise RuntimeError(f"{what} are {one.shape[1]}×{one.shape[0]} and {other.shape[1]}×{other.shape[0]}")
            off = difference(one, other)
            mean, most = off.mean(), numpy.percentile(off, 99)
            good = bool(mean <= MEAN and most <= MOST)
            passed, failed = passed + good, failed + (not good)
            verdict = "ok  " if good else "FAIL"
            print(f"{verdict} look      {name}: {what} differ by {mean:.2f}, 99 % of pixels by at most {most:.2f}")
    except (OSError, RuntimeError, ValueError) as reason:
        failed += 1
        print(f"FAIL look      {name}: {reason}")
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[*SCENES, *FOREIGN], help="judge this scene alone")
    parser.add_argument(
        "--render", nargs=2, metavar=("DNG", "ARRAY"), type=pathlib.Path,
        help="only render a DNG with Adobe's converter")
    options = parser.parse_args()
    if options.render:
        return adobe(*options.render)
    with tempfile.TemporaryDirectory() as folder:
        scenes = {**SCENES, **dict.fromkeys(FOREIGN, SCENES["colours"])}
        counts = [judge(pathlib.Path(folder), name, scenes[name]) for name in scenes if options.only in (None, name)]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
