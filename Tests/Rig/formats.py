"""formats.py NODE WIDTHxHEIGHT: compares each raw format of a camera, in a DNG, with what v4l2-ctl stores of it."""
import struct
import sys

from camera import Pipeline, Gst, end, run

node, size = sys.argv[1], sys.argv[2]
width, height = map(int, size.split('x'))
sensor = 'vimc' in run('v4l2-ctl', '-d', node, '--info')
CODES = {
    'BA81': 'bggr', 'GBRG': 'gbrg', 'GRBG': 'grbg', 'RGGB': 'rggb',
    'BG10': 'bggr10le', 'GB10': 'gbrg10le', 'BA10': 'grbg10le', 'RG10': 'rggb10le',
    'BG12': 'bggr12le', 'GB12': 'gbrg12le', 'BA12': 'grbg12le', 'RG12': 'rggb12le',
    'BYR2': 'bggr16le', 'GB16': 'gbrg16le', 'GR16': 'grbg16le', 'RG16': 'rggb16le',
    'GREY': 'mono', 'Y10 ': 'mono10le', 'Y12 ': 'mono12le', 'Y16 ': 'mono16le',
}
PATTERNS = {'rggb': [0, 1, 1, 2], 'bggr': [2, 1, 1, 0], 'grbg': [1, 0, 2, 1], 'gbrg': [1, 2, 0, 1]}


def dng(data):
    """The colours in the cell of the raw picture of a DNG; None for a picture without colour filters."""
    order = '<' if data[:2] == b'II' else '>'

    def directory(place):
        entries = {}
        for k in range(struct.unpack_from(order + 'H', data, place)[0]):
            tag, kind, count = struct.unpack_from(order + 'HHI', data, place + 2 + 12 * k)
            form = {1: 'B', 2: 'B', 3: 'H', 4: 'I', 7: 'B', 13: 'I'}.get(kind)
            if form:
                length = struct.calcsize(form) * count
                start = place + 10 + 12 * k
                if length > 4:
                    start = struct.unpack_from(order + 'I', data, start)[0]
                entries[tag] = struct.unpack_from(f'{order}{count}{form}', data, start)
        return entries

    first = directory(struct.unpack_from(order + 'I', data, 4)[0])
    raw = next(
        entries for entries in [first] + [directory(place) for place in first.get(330, ())]
        if entries.get(262, (0,))[0] in (32803, 34892))
    return raw.get(33422)


def read_codes(data, bits):
    return memoryview(data).cast('H' if bits > 8 else 'B')


failures, compared = [], 0
listed = [line.split("'")[1] for line in run('v4l2-ctl', '-d', node, '--list-formats').splitlines() if "'" in line]
wanted = [code for code in listed if code in CODES]
for code in wanted:
    name = CODES[code]
    bits = int(''.join(filter(str.isdigit, name)) or 8)
    # The camera's own frame first, as another program stores it.
    try:
        with Pipeline(
                f'gscapv4l2src device={node} num-buffers=3 ! video/x-bayer,format={name},width={width},height={height} '
                '! tee name=t ! queue ! appsink name=sink sync=false t. ! queue ! rawunpack ! '
                'appsink name=unpacked sync=false') as pipeline:
            raw = pipeline.buffer()
            source = read_codes(raw.extract_dup(0, raw.get_size()), bits)
            unpacked = pipeline.buffer('unpacked')
            codes = read_codes(unpacked.extract_dup(0, unpacked.get_size()), 16)
    except RuntimeError as error:
        failures.append(f'{code}: {error}')
        continue
    with Pipeline(
            f'gscapv4l2src device={node} num-buffers=1 ! video/x-bayer,format={name},width={width},height={height} '
            '! rawunpack ! dngenc ! appsink name=sink sync=false') as pipeline:
        file = pipeline.buffer()
        data = file.extract_dup(0, file.get_size())
    with open('/tmp/frame.dng', 'wb') as output:
        output.write(data)
    pattern = dng(data)
    run('gst-launch-1.0', '-q', 'dngsrc', 'location=/tmp/frame.dng', '!', 'filesink', 'location=/tmp/codes')
    run('v4l2-ctl', '-d', node, f'--set-fmt-video=width={width},height={height},pixelformat={code}',
        '--stream-mmap', '--stream-count=2', '--stream-to=/tmp/reference')
    with open('/tmp/reference', 'rb') as reference, open('/tmp/codes', 'rb') as stored:
        reference = read_codes(reference.read(), bits)
        stored = read_codes(stored.read(), 16)
    count = width * height
    if len(stored) != count:
        failures.append(f'{code}: the DNG has {len(stored)} codes, not {count}')
        continue
    # The sensor adds noise of two bits, of one to 8-bit codes, and writes the truth into eight samples.
    tolerance = 0 if not sensor else 1 if bits == 8 else 3
    worst = max(abs(stored[k] - reference[k]) for k in range(8 if sensor else 0, count))
    if worst > tolerance:
        failures.append(f'{code}: a code of the DNG differs by {worst} from that of v4l2-ctl')
    if max(abs(codes[k] - source[k]) for k in range(count)):
        failures.append(f'{code}: rawunpack changes codes')
    if name[:4] in PATTERNS and list(pattern or []) != PATTERNS[name[:4]]:
        failures.append(f'{code}: the DNG states the pattern {pattern}')
    compared += 1
expected = 12 if sensor else 20
if compared + len(failures) < expected:
    failures.append(f'{compared} formats were compared of {expected}: {listed}')
end(failures, f'{compared} formats are equal')
