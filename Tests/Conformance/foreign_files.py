"""Makes DNG files as programs of other makers store them, with all the tags that a conversion must keep.

`make_all(folder)` writes the files and returns their paths: each kind of pixels in both byte orders, with the raw
picture in a subdirectory beside a preview, masks and a depth map, or in the first directory. The tags are made by hand,
so that types, byte order, text encoding and the position of the MakerNote are those that occur in real files.
"""

import io
import struct
import zlib

import imagecodecs
import numpy

BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE, UNDEFINED, SSHORT, SLONG, SRATIONAL, FLOAT, DOUBLE, IFD = range(1, 14)
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
FORMATS = {1: "B", 3: "H", 4: "I", 5: "I", 6: "b", 8: "h", 9: "i", 10: "i", 11: "f", 12: "d", 13: "I"}
CFA, LINEAR, MASK, DEPTH = 32803, 34892, 52527, 51177
HEIGHT, WIDTH = 96, 128
dice = numpy.random.default_rng(16)


class Directory:
    """A directory: values by tag, the pixels' pieces, subdirectories by tag, and the next directory."""

    def __init__(self, values=None):
        self.values = dict(values or {})
        self.pieces = []
        self.tiled = False
        self.children = {}
        self.next = None


class Writer:
    """Writes directories as a TIFF file in memory."""

    def __init__(self, order):
        self.order = order
        self.data = bytearray((b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8))

    def values(self, kind, values):
        if isinstance(values, (bytes, bytearray)):
            return bytes(values)
        return struct.pack(f"{self.order}{len(values)}{FORMATS[kind]}", *values)

    def count(self, kind, data):
        return len(data) // SIZES[kind]

    def append(self, data):
        if len(self.data) % 2:
            self.data.append(0)
        position = len(self.data)
        self.data += data
        return position

    def directory(self, directory):
        """Appends a directory with all that it points to; returns its position."""
        tags = dict(directory.values)
        offsets, counts = (324, 325) if directory.tiled else (273, 279)
        if directory.pieces:
            tags[offsets] = (LONG, [0] * len(directory.pieces))
            tags[counts] = (LONG, [len(piece) for piece in directory.pieces])
        for tag, children in directory.children.items():
            tags[tag] = (LONG, [0] * len(children))
        start = self.append(bytes(2 + 12 * len(tags) + 4))
        later = []
        entries = b""
        for number, (tag, (kind, values)) in enumerate(sorted(tags.items())):
            if tag == offsets and directory.pieces:
                values = [self.append(piece) for piece in directory.pieces]
            elif tag in directory.children:
                values = [self.directory(child) for child in directory.children[tag]]
            elif callable(values):
                later.append((start + 2 + 12 * number + 8, values))
                entries += struct.pack(self.order + "HHII", tag, kind, len(values(0)), 0)
                continue
            data = self.values(kind, values)
            entries += struct.pack(self.order + "HHI", tag, kind, self.count(kind, data))
            entries += data.ljust(4, b"\0") if len(data) <= 4 else struct.pack(self.order + "I", self.append(data))
        following = self.directory(directory.next) if directory.next else 0
        block = struct.pack(self.order + "H", len(tags)) + entries + struct.pack(self.order + "I", following)
        self.data[start : start + len(block)] = block
        # Values that contain offsets from the start of the file get their position first.
        for position, make in later:
            at = len(self.data) + len(self.data) % 2
            self.append(make(at))
            struct.pack_into(self.order + "I", self.data, position, at)
        return start


# Pixels


def codes(samples, bits, height=HEIGHT, width=WIDTH):
    """Returns a picture of ramps and noise in codes of `bits` bits."""
    y, x = numpy.mgrid[0:height, 0:width]
    top = 2**bits - 1
    ramp = 0.1 + 0.6 * ((x * 3 + y * 2) % 97) / 97 + 0.1 * (x // 16 + y // 16) % 2
    noisy = ramp[..., None] * top + dice.normal(0, top * 0.01, (height, width, samples))
    return numpy.clip(noisy, 0, top).astype("u1" if bits <= 8 else "u2" if bits <= 16 else "u4").squeeze()


def packed(pixels, bits):
    """Packs codes, high bits first."""
    rows = pixels.reshape(pixels.shape[0], -1)
    return b"".join(
        numpy.packbits(((row[:, None] >> numpy.arange(bits - 1, -1, -1)) & 1).astype("u1").ravel()).tobytes()
        for row in rows
    )


def float_bytes(values, bits):
    """Returns floats as big-endian bytes: an array of rows, samples and bytes."""
    rows = values.reshape(values.shape[0], -1)
    if bits == 16:
        return rows.astype(">f2").view("u1").reshape(*rows.shape, 2)
    whole = rows.astype(">f4").view(">u4").astype("u4")
    if bits == 32:
        return rows.astype(">f4").view("u1").reshape(*rows.shape, 4)
    sign, exponent, mantissa = whole >> 31, (whole >> 23 & 255).astype("i4") - 127 + 63, whole >> 7 & 0xFFFF
    pattern = sign << 23 | numpy.clip(exponent, 0, 126).astype("u4") << 16 | mantissa
    pattern[whole & 0x7FFFFFFF == 0] = 0
    return numpy.stack([pattern >> 16 & 255, pattern >> 8 & 255, pattern & 255], -1).astype("u1")


def float_strip(values, bits, order, predictor, samples):
    """Returns the bytes of a strip of floats, with the predictor's differences and compression."""
    found = float_bytes(values, bits)
    if predictor is None:
        return (found if order == ">" else found[..., ::-1]).tobytes()
    if predictor == 1:
        return zlib.compress((found if order == ">" else found[..., ::-1]).tobytes())
    planes = numpy.moveaxis(found, 2, 1).reshape(found.shape[0], -1)
    distance = samples * {3: 1, 34894: 2, 34895: 4}[predictor]
    planes[:, distance:] -= planes[:, :-distance].copy()
    return zlib.compress(planes.tobytes())


def preview_jpeg(width, height):
    from PIL import Image

    y, x = numpy.mgrid[0:height, 0:width]
    picture = numpy.stack([x * 255 // width, y * 255 // height, (x + y) % 256], -1).astype("u1")
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=85, subsampling=2)
    return file.getvalue()


# The sides, colours and planes of the cells of mosaics. In the cell of X-Trans, a 2×2 block of green is at its origin.
CELLS = {
    "mosaic": (2, [0, 1, 1, 2], [0, 1, 2]),
    "cmyg": (2, [1, 4, 3, 5], [3, 4, 5, 1]),
    "xtrans": (6, [1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1,
                   1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 0, 1], [0, 1, 2]),
}  # fmt: skip


def raw_directory(order, name):
    """Returns the directory of a kind of raw pixels."""
    words = name.split()
    samples = {"linear": 3, "four": 4}.get(words[0], 1)
    is_mosaic = words[0] in CELLS
    storage = words[1]
    found = Directory({
        254: (LONG, [0]), 256: (LONG, [WIDTH]), 257: (LONG, [HEIGHT]), 284: (SHORT, [1]),
        262: (SHORT, [CFA if is_mosaic else LINEAR]), 277: (SHORT, [samples]), 278: (LONG, [HEIGHT]),
    })  # fmt: skip
    bits, compression = 16, 1
    if storage == "float":
        bits, predictor = int(words[2]), (None if words[3] == "none" else int(words[3]))
        values = codes(samples, 16) / 65535 * 1.7 - 0.2  # some below black and many beyond white
        found.pieces = [
            float_strip(values[top : top + 32], bits, order, predictor, samples) for top in range(0, HEIGHT, 32)
        ]
        found.values[278] = (LONG, [32])
        found.values[339] = (SHORT, [3] * samples)
        if predictor is not None:
            compression = 8
            found.values[317] = (SHORT, [predictor])
    else:
        bits = int(words[2])
        pixels = codes(samples, bits)
        if storage == "plain":
            rows = pixels.astype(pixels.dtype.newbyteorder(order))
            data = packed(pixels, bits) if bits not in (8, 16, 32) else rows.tobytes()
            found.pieces = [data]
        elif storage == "deflate":
            compression = 8
            found.pieces = [zlib.compress(pixels.astype(pixels.dtype.newbyteorder(order)).tobytes())]
        elif storage == "lossless":
            compression = 7
            found.pieces = [imagecodecs.ljpeg_encode(numpy.ascontiguousarray(pixels), bitspersample=bits)]
        elif storage == "xl":
            compression = 52546
            found.pieces = [imagecodecs.jpegxl_encode(pixels, lossless=True, usecontainer=False)]
        if "table" in words:
            top = 2**bits - 1
            table = [round(65535 * (code / top) ** 1.6) for code in range(top + 1)]
            found.values[50712] = (SHORT, table)
            found.values[50717] = (LONG if "long" in words else SHORT, [65000] * samples)
    found.values[258] = (SHORT, [bits] * samples)
    found.values[259] = (SHORT, [compression])
    if is_mosaic:
        side, cell, planes = CELLS[words[0]]
        found.values[33421] = (SHORT, [side, side])
        found.values[33422] = (BYTE, cell)
        found.values[50710] = (BYTE, planes)
        found.values[50711] = (SHORT, [1])
    return found, samples, storage == "float", bits


# Tags

LATIN = "Andr\xe9 M\xfcller \xa9 2026".encode("latin-1") + b"\0"
MATRIX = [7654, 10000, -2001, 10000, -601, 10000, -4123, 10000, 11987, 10000, 2345, 10000, -701, 10000, 1502, 10000,
          5533, 10000]  # fmt: skip
# The matrix of four colours, cyan, magenta, yellow and green.
FOUR = [3000, 10000, 6000, 10000, 5000, 10000, 9000, 10000, -2000, 10000, 6000, 10000, 6000, 10000, 5000, 10000,
        -1000, 10000, -4000, 10000, 13000, 10000, 1000, 10000]  # fmt: skip


def color_tags(kind):
    """Returns the tags in place of those of three colours, with None for tags that are left out."""
    if kind not in ("mono", "four", "cmyg"):
        return {}
    tags = dict.fromkeys([50937, 50938, 50939, 51107])  # hue and saturation maps are for three colours
    if kind == "mono":
        return tags | dict.fromkeys([50721, 50722, 50723, 50724, 50727, 50728, 50778, 50779, 50964, 50965])
    unit = [number for row in range(4) for column in range(4) for number in (int(row == column), 1)]
    forward = [30, 20, 30, 16, 25, 15, 35, 25, 45, 20, 2, 15]
    forward = [number for value in forward for number in (value, 100)]
    return tags | {
        50721: (SRATIONAL, FOUR), 50722: (SRATIONAL, FOUR), 50723: (SRATIONAL, unit), 50724: (SRATIONAL, unit),
        50727: (RATIONAL, [1, 1] * 4), 50728: (RATIONAL, [92, 100, 80, 100, 65, 100, 1, 1]),
        50964: (SRATIONAL, forward), 50965: (SRATIONAL, forward),
    }  # fmt: skip


def warp():
    """Returns an opcode list with a distortion; its numbers are big-endian in every file."""
    body = struct.pack(">I8d", 1, 1.002, -0.004, 0, 0, 0, 0, 0.5, 0.5)
    return struct.pack(">5I", 1, 1, 0x1030000, 1, len(body)) + body


def gain_map(planes):
    """Returns an opcode list with a gain map."""
    values = [1 + 0.1 * index for index in range(6)]
    body = struct.pack(">10I", 0, 0, HEIGHT, WIDTH, 0, planes, 1, 1, 2, 3)
    body += struct.pack(">4dI6f", 1, 0.5, 0, 0, 1, *values)
    return struct.pack(">5I", 1, 9, 0x1030000, 1, len(body)) + body


def raw_tags(samples, is_float, bits, variant, has_table):
    """Returns levels, crops, scales and opcodes of the raw directory."""
    top = 2**bits - 1
    tags = {
        50829: (LONG, [2, 4, HEIGHT - 2, WIDTH]), 50719: (SHORT, [2, 4]),
        50720: (RATIONAL, [(WIDTH - 12) * 2, 2, (HEIGHT - 12) * 3, 3]),
        51125: (RATIONAL, [1, 10, 1, 8, 9, 10, 7, 8]), 50780: (RATIONAL, [1, 1]),
        51041: (DOUBLE, [2.1e-4, 3.3e-7] * samples), 50738: (RATIONAL, [1, 2]),
    }  # fmt: skip
    tags[50718] = (RATIONAL, [1, 1, 2, 1] if variant % 3 == 0 else [1, 1, 1, 1])
    if not is_float and not has_table:
        black = 2 ** (bits - 6)
        if samples == 1:
            tags[50713] = (SHORT, [2, 2])
            tags[50714] = (RATIONAL, [black * 4, 4, black * 4 + 1, 4, black, 1, black * 3 + 2, 3])
            if variant % 2:
                tags[50715] = (SRATIONAL, [number for column in range(WIDTH - 4) for number in (column % 3 - 1, 2)])
                tags[50716] = (SRATIONAL, [number for row in range(HEIGHT - 4) for number in (row % 5 - 2, 3)])
        else:
            tags[50714] = (LONG if bits > 16 else SHORT, [black] * samples)
        if variant % 4 != 3:
            tags[50717] = (LONG if bits > 16 else SHORT, [top - top // 9] * samples)
    if variant % 3 == 1:
        tags[51022] = (UNDEFINED, warp())
    if variant % 3 == 2:
        tags[51009] = (UNDEFINED, gain_map(samples))
    return tags


def shared_tags(order, variant):
    """Returns colours, profile, identity, texts and private tags of the first directory."""
    xmp = (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="4" '
        'xmp:Label="Red"><dc:subject><rdf:Bag><rdf:li>lake</rdf:li><rdf:li>r\xf6sti</rdf:li></rdf:Bag></dc:subject>'
        "</rdf:Description></rdf:RDF></x:xmpmeta>" + " " * 40 + '<?xpacket end="w"?>'
    ).encode()
    iptc = b"\x1c\x02\x05\x00\x05Title\x1c\x02\x19\x00\x04lake\x1c\x02\x50\x00\x05Andr\xe9"
    curve = [0, 0, 0.25, 0.4, 0.5, 0.65, 1, 1]
    tags = {
        50706: (BYTE, [1, 6, 0, 0]), 50707: (BYTE, [1, 4, 0, 0]), 50708: (ASCII, b"Maker X-1 \xdcber\0"),
        271: (ASCII, b"Canon\0"), 272: (ASCII, b"X-1 Mark IV  \0"), 274: (SHORT, [1 + variant % 8]),
        305: (ASCII, b"Other Converter 9.1\0"), 306: (ASCII, b"2026:03:02 23:59:58\0"), 315: (ASCII, LATIN),
        33432: (ASCII, LATIN), 270: (ASCII, "Zürich, See".encode() + b"\0"), 269: (ASCII, b"document\0"),
        316: (ASCII, b"host\0"), 282: (RATIONAL, [300, 1]), 283: (RATIONAL, [300, 1]), 296: (SHORT, [2]),
        700: (BYTE, xmp), 33723: (UNDEFINED, iptc), 18246: (SHORT, [4]), 18249: (SHORT, [80]),
        37398: (BYTE, [1, 0, 0, 0]), 40091: (BYTE, "Titel\0".encode("utf-16-le")),
        50721: (SRATIONAL, MATRIX), 50722: (SRATIONAL, MATRIX), 50778: (SHORT, [17]), 50779: (SHORT, [21]),
        50723: (SRATIONAL, [1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 101, 100]),
        50724: (SRATIONAL, [1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 101, 100]),
        50727: (RATIONAL, [1, 1, 1, 1, 1, 1]), 50728: (RATIONAL, [4931, 10000, 1, 1, 7123, 10000]),
        50730: (SRATIONAL, [35, 100]), 50731: (RATIONAL, [6, 10]), 50732: (RATIONAL, [5, 4]),
        50734: (RATIONAL, [9, 10]), 50739: (RATIONAL, [1, 4]), 50735: (ASCII, b"SN0123456789\0"),
        50736: (RATIONAL, [24, 1, 70, 1, 28, 10, 4, 1]), 50740: (BYTE, b"Private\0" + bytes(range(200))),
        50827: (BYTE, b"IMG_1234.CR3\0"), 50931: (ASCII, b"com.other\0"), 50932: (ASCII, b"com.other\0"),
        50936: (ASCII, b"Other Standard\0"), 50942: (ASCII, LATIN), 50941: (LONG, [1]), 50940: (FLOAT, curve),
        50781: (BYTE, bytes(range(16))), 51109: (SRATIONAL, [-1, 10]), 51110: (LONG, [0]),
        51107: (LONG, [0]),
        50964: (SRATIONAL, [48, 100, 31, 100, 17, 100, 24, 100, 69, 100, 7, 100, 2, 100, 5, 100, 75, 100]),
        50965: (SRATIONAL, [48, 100, 31, 100, 17, 100, 24, 100, 69, 100, 7, 100, 2, 100, 5, 100, 75, 100]),
        50937: (LONG, [3, 2, 1]), 50938: (FLOAT, [1.5, 1, 1] * 6), 50939: (FLOAT, [-1.5, 1.1, 1] * 6),
        # Private tags of every type.
        65001: (BYTE, [1, 2, 3, 4, 5]), 65002: (ASCII, b"private \xe9\0"), 65003: (SHORT, [1, 2, 3]),
        65004: (LONG, [70000, 70001]), 65005: (RATIONAL, [1, 3, 0, 0]), 65006: (SBYTE, [-1, -2]),
        65007: (UNDEFINED, bytes(range(255, 0, -1))), 65008: (SSHORT, [-300, 300, 5]), 65009: (SLONG, [-70000]),
        65010: (SRATIONAL, [-1, 3]), 65011: (FLOAT, [0.1, -2.5]), 65012: (DOUBLE, [0.1]),
    }  # fmt: skip
    if variant % 2:
        for tag in (50938, 50939, 50937, 51107):
            del tags[tag]
        tags[50730] = (SRATIONAL, [-20, 100])
    return tags


def camera_note(order):
    """Returns a function that makes a MakerNote whose offsets count from the start of the file, as Canon's do."""

    def make(position):
        kind, owner = b"Canon X-1 Mark IV long name\0".ljust(32, b"\0"), b"Somebody with a long name\0".ljust(32, b"\0")
        entries = [(6, ASCII, len(kind), kind), (9, ASCII, len(owner), owner)]
        start = position + 2 + 12 * len(entries) + 4
        block, data = struct.pack(order + "H", len(entries)), b""
        for tag, type_, count, value in entries:
            block += struct.pack(order + "HHII", tag, type_, count, start + len(data))
            data += value
        return block + bytes(4) + data

    return make


def exif_directory(order, variant):
    tags = {
        33434: (RATIONAL, [10, 1250]), 33437: (RATIONAL, [28, 10]), 34850: (SHORT, [3]), 34855: (SHORT, [400]),
        34864: (SHORT, [2]), 34866: (LONG, [400]), 36864: (UNDEFINED, b"0231"),
        36867: (ASCII, b"2026:03:01 23:30:15\0"), 36868: (ASCII, b"2026:03:01 23:30:16\0"),
        37121: (UNDEFINED, b"\1\2\3\0"), 37377: (SRATIONAL, [69, 10]), 37378: (RATIONAL, [297, 100]),
        37379: (SRATIONAL, [-21, 10]), 37380: (SRATIONAL, [-2, 3]), 37381: (RATIONAL, [3, 1]),
        37382: (RATIONAL, [51, 10]),
        37383: (SHORT, [5]), 37384: (SHORT, [1]), 37385: (SHORT, [16]), 37386: (RATIONAL, [35, 1]),
        37396: (SHORT, [60, 40, 10, 10]), 37510: (UNDEFINED, b"ASCII\0\0\0a comment of the user"),
        37521: (ASCII, b"05\0"), 40960: (UNDEFINED, b"0100"), 40961: (SHORT, [1]), 41486: (RATIONAL, [4000, 1]),
        41495: (SHORT, [2]), 41728: (UNDEFINED, b"\3"), 41985: (SHORT, [0]), 41986: (SHORT, [0]), 41987: (SHORT, [1]),
        41988: (RATIONAL, [0, 1]), 41989: (SHORT, [35]), 41990: (SHORT, [0]), 42016: (ASCII, b"0" * 32 + b"\0"),
        42032: (ASCII, LATIN), 42033: (ASCII, b"B012345\0"), 42034: (RATIONAL, [24, 1, 70, 1, 28, 10, 28, 10]),
        42035: (ASCII, b"Lens Maker\0"), 42036: (ASCII, b"24-70mm f/2.8  \0"), 42037: (ASCII, b"L99\0"),
        37500: (UNDEFINED, camera_note(order)),
    }  # fmt: skip
    if variant % 3 == 0:
        tags.update({36880: (ASCII, b"-07:00\0"), 36881: (ASCII, b"+05:30\0"), 36882: (ASCII, b"+05:30\0")})
    found = Directory(tags)
    if variant % 2 == 0:
        found.children[40965] = [Directory({1: (ASCII, b"R98\0"), 2: (UNDEFINED, b"0100")})]
    return found


def gps_directory():
    return Directory({
        0: (BYTE, [2, 3, 0, 0]), 1: (ASCII, b"N\0"), 2: (RATIONAL, [47, 1, 221234, 10000, 0, 1]), 3: (ASCII, b"W\0"),
        4: (RATIONAL, [8, 1, 325678, 10000, 0, 1]), 5: (BYTE, [0]), 6: (RATIONAL, [4081, 10]),
        7: (RATIONAL, [22, 1, 30, 1, 1599, 100]), 12: (ASCII, b"K\0"), 13: (RATIONAL, [12, 10]), 16: (ASCII, b"T\0"),
        17: (RATIONAL, [27351, 100]), 27: (UNDEFINED, b"ASCII\0\0\0GPS"), 29: (ASCII, b"2026:03:01\0"),
        31: (RATIONAL, [5, 1]),
    })  # fmt: skip


def profile(order):
    """Returns an extra camera profile, with a byte order of its own and offsets from its start."""
    other = ">" if order == "<" else "<"
    writer = Writer(other)
    writer.data[2:4] = struct.pack(other + "H", 0x4352)
    writer.directory(Directory({
        50708: (ASCII, b"Maker X-1 \xdcber\0"), 50721: (SRATIONAL, MATRIX), 50778: (SHORT, [21]),
        50936: (ASCII, b"Other Vivid\0"), 50942: (ASCII, b"(c) Other\0"), 50941: (LONG, [0]),
        50940: (FLOAT, [0, 0, 0.5, 0.7, 1, 1]),
    }))  # fmt: skip
    return bytes(writer.data)


def preview(width, height, kind=1):
    found = Directory({
        254: (LONG, [kind]), 256: (SHORT, [width]), 257: (SHORT, [height]), 258: (SHORT, [8, 8, 8]),
        259: (SHORT, [7]), 262: (SHORT, [6]), 277: (SHORT, [3]), 278: (SHORT, [height]), 284: (SHORT, [1]),
        530: (SHORT, [2, 2]), 531: (SHORT, [1]), 50966: (ASCII, b"Other\0"), 50967: (ASCII, b"9.1\0"),
        50968: (ASCII, b"As shot\0"), 50969: (BYTE, bytes(range(16, 32))), 50970: (LONG, [2]),
        50971: (ASCII, b"2026-03-02T23:59:58\0"),
    })  # fmt: skip
    found.pieces = [preview_jpeg(width, height)]
    return found


def thumbnail():
    """Returns a directory that a chain leads to, with a thumbnail as Exif stores it."""
    return Directory({
        254: (LONG, [1]), 256: (SHORT, [32]), 257: (SHORT, [24]), 258: (SHORT, [8, 8, 8]), 259: (SHORT, [1]),
        262: (SHORT, [2]), 277: (SHORT, [3]), 278: (SHORT, [24]), 284: (SHORT, [1]),
    })  # fmt: skip


def mask():
    found = Directory({
        254: (LONG, [65540]), 256: (LONG, [16]), 257: (LONG, [12]), 258: (SHORT, [8]), 259: (SHORT, [8]),
        262: (SHORT, [MASK]), 277: (SHORT, [1]), 278: (LONG, [12]), 284: (SHORT, [1]), 52526: (ASCII, b"sky\0"),
        52528: (ASCII, b"1\0"), 52536: (LONG, [4, 4, 64, 48]),
    })  # fmt: skip
    found.pieces = [zlib.compress(bytes(range(192)))]
    return found


def depth(order):
    found = Directory({
        254: (LONG, [8]), 256: (LONG, [16]), 257: (LONG, [12]), 258: (SHORT, [16]), 259: (SHORT, [1]),
        262: (SHORT, [DEPTH]), 277: (SHORT, [1]), 278: (LONG, [12]), 284: (SHORT, [1]),
    })  # fmt: skip
    found.pieces = [struct.pack(order + "192H", *range(192))]
    return found


KINDS = [
    "mosaic plain 16", "mosaic lossless 12", "mosaic plain 12", "mosaic deflate 16", "mosaic lossless 14",
    "mosaic plain 12 table", "mosaic plain 8 table", "linear plain 16", "linear plain 10", "linear deflate 16",
    "linear plain 12 table", "linear plain 8 table long", "mosaic xl 16", "linear xl 16",
    "mosaic float 16 3", "mosaic float 16 34894", "mosaic float 24 34894", "mosaic float 32 34895",
    "mosaic float 32 none", "linear float 16 3", "linear float 24 none", "linear float 32 3", "linear float 32 34894",
    "mosaic float 32 1",
    "xtrans plain 16", "xtrans lossless 14", "xtrans plain 12 table", "xtrans float 32 3", "cmyg plain 16",
    "cmyg lossless 12", "mono plain 16", "mono lossless 12", "mono xl 16", "mono plain 8 table", "four plain 16",
    "four deflate 16", "mosaic plain 32", "linear deflate 32", "mono plain 24", "mosaic plain 24",
]  # fmt: skip


def file_bytes(order, kind, variant):
    """Returns a file. An even variant has a preview in the first directory, an odd one the raw picture."""
    raw, samples, is_float, bits = raw_directory(order, kind)
    raw.values.update(raw_tags(samples, is_float, bits, variant, "table" in kind))
    colors = color_tags(kind.split()[0])
    shared = {tag: value for tag, value in (shared_tags(order, variant) | colors).items() if value is not None}
    if " xl " in kind:
        shared[50706] = shared[50707] = (BYTE, [1, 7, 0, 0])
    if variant % 2 == 0:
        first = preview(64, 48)
        first.children[330] = [raw, preview(128, 96), mask(), depth(order)]
        shared.update({51177: (SHORT, [1]), 51178: (RATIONAL, [1, 2]), 51179: (RATIONAL, [1, 0]), 51180: (SHORT, [1]),
                       51181: (SHORT, [2])})  # fmt: skip
    else:
        first = raw
        first.children[330] = [preview(64, 48)]
        first.next = thumbnail()
        first.next.pieces = [bytes(32 * 24 * 3)]
    first.values.update(shared)
    first.children[34665] = [exif_directory(order, variant)]
    first.children[34853] = [gps_directory()]
    writer = Writer(order)
    if variant % 4 < 3 and not colors:
        first.values[50933] = (LONG, [writer.append(profile(order)), writer.append(profile(order))])
    start = writer.directory(first)
    struct.pack_into(order + "I", writer.data, 4, start)
    return bytes(writer.data)


def make_all(folder):
    """Writes all files; returns their paths by name."""
    paths = {}
    for number, kind in enumerate(KINDS):
        for place in range(3):
            order = "<" if (number + place) % 2 else ">"
            name = f"{'II' if order == '<' else 'MM'} {kind} {place}"
            paths[name] = folder / (name.replace(" ", "-") + ".dng")
            paths[name].write_bytes(file_bytes(order, kind, number + place))
    return paths
