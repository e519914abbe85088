"""Reads gain maps of HEIF and AVIF files: the tone-map derived image of ISO/IEC 23008-12 with ISO 21496-1 metadata."""

import struct

import numpy


def boxes(data, start, end):
    """Yields the type of each box of a range, and the range of its payload."""
    while start + 8 <= end:
        size = struct.unpack(">I", data[start : start + 4])[0]
        yield data[start + 4 : start + 8].decode(), start + 8, start + size
        start += size


def number(data, at, size):
    return int.from_bytes(data[at : at + size], "big")


def items(data, start, end):
    """Returns the item IDs and types of an iinf box, with the offsets of their flags."""
    return {
        number(data, at + 4, 2): (data[at + 8 : at + 12].decode(), at + 3)
        for _, at, _ in boxes(data, start + 6, end)
    }


def extents(data, at):
    """Returns the location of each item's data in an iloc box of version 0 or 1."""
    version, sizes = data[at], (data[at + 4] >> 4, data[at + 4] & 15, data[at + 5] >> 4)
    found, count, at = {}, number(data, at + 6, 2), at + 8
    for _ in range(count):
        item, at = number(data, at, 2), at + (6 if version else 4)
        base, at = number(data, at, sizes[2]), at + sizes[2]
        assert number(data, at, 2) == 1, "one extent for each item"
        offset, length = base + number(data, at + 2, sizes[0]), number(data, at + 2 + sizes[0], sizes[1])
        found[item], at = (offset, length), at + 2 + sizes[0] + sizes[1]
    return found


def gain_map(data, decode):
    """Returns a gain map's values from 0 to 1 and its metadata. `decode` returns the pixels of a file's picture."""
    if b"tmap" not in data[8 : number(data, 0, 4)]:
        raise ValueError("no brand tmap")
    start, end = next((at, end) for name, at, end in boxes(data, 0, len(data)) if name == "meta")
    parts = {name: (at, end) for name, at, end in boxes(data, start + 4, end)}
    kinds = items(data, *parts["iinf"])
    derived = next(item for item, (kind, _) in kinds.items() if kind == "tmap")
    inputs = next(
        [number(data, at + 4 + 2 * index, 2) for index in range(number(data, at + 2, 2))]
        for name, at, _ in boxes(data, parts["iref"][0] + 4, parts["iref"][1])
        if name == "dimg" and number(data, at, 2) == derived
    )
    main = number(data, parts["pitm"][0] + 4, 2)
    group = next(at for name, at, _ in boxes(data, *parts["grpl"]) if name == "altr")
    if inputs[0] != main or [number(data, group + at, 4) for at in (12, 16)] != [derived, main]:
        raise ValueError("the derived image is not the alternative to the primary image")
    offset, size = extents(data, parts["iloc"][0])[derived]
    # With the map as primary image, any reader decodes it.
    patched = bytearray(data)
    struct.pack_into(">H", patched, parts["pitm"][0] + 4, inputs[1])
    patched[kinds[inputs[1]][1]] &= 0xFE
    return decode(bytes(patched)), metadata(data[offset : offset + size])


def metadata(data):
    """Returns the metadata of ISO 21496-1, of red, green and blue each."""
    version, least, writer, flags = struct.unpack(">BHHB", data[:6])
    if (version, least, writer, flags) != (0, 0, 0, 0xC0) or len(data) != 6 + 16 + 3 * 40:
        raise ValueError("the derived image is not of version 0 with three channels in the picture's colours")

    def fraction(at, signed=True):
        top, bottom = struct.unpack(">iI" if signed else ">II", data[at : at + 8])
        return top / bottom

    channels = [
        dict(zip(("least", "most", "gamma", "base", "alternate"), (
            fraction(22 + 40 * channel + 8 * index, index != 2) for index in range(5))))
        for channel in range(3)
    ]  # fmt: skip
    return {"headrooms": (fraction(6, False), fraction(14, False)), "channels": channels}


def linear(codes):
    """Converts sRGB codes from 0 to 1 to linear values."""
    return numpy.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)


def reconstruct(data, decode):
    """Returns the HDR picture of a file in linear values. `decode` returns the pixels of a file from 0 to 1."""
    base = decode(data)
    values, facts = gain_map(data, decode)
    height, width = base.shape[:2]
    if values.shape[:2] != ((height + 1) // 2, (width + 1) // 2):
        raise ValueError(f"the map has {values.shape[1]}×{values.shape[0]} values")
    values = values.repeat(2, 0).repeat(2, 1)[:height, :width]
    low, high, gamma, first, second = (
        numpy.array([channel[name] for channel in facts["channels"]])
        for name in ("least", "most", "gamma", "base", "alternate")
    )
    gains = low + values ** (1 / gamma) * (high - low)
    return (linear(base) + first) * 2**gains - second
