"""brackets.py NODE CAPTURES: every frame of a bracket has the exposure that was asked for, by its first samples."""
import sys

from camera import Gst, Pipeline, end, frame_metadata, line_time, truth

node, captures = sys.argv[1], int(sys.argv[2])
width, height = 320, 240
line = line_time(width)
failures, frames = [], 0
with Pipeline(
        f'gscapv4l2src name=camera device={node} ! video/x-bayer,format=rggb12le,width={width},height={height} ! '
        'rawunpack ! rawshutter name=shutter ! '
        'fakesink name=sink sync=false async=false signal-handoffs=true') as pipeline:
    shutter = pipeline['shutter']
    taken = []
    pipeline['sink'].connect('handoff', lambda _, buffer, pad: taken.append((truth(buffer), frame_metadata(buffer))))
    # The shutter accepts presses that change the exposure once a frame has come.
    ticket = shutter.emit('capture', Gst.Structure.new_empty('request'))
    for fields in pipeline.messages(['gscap-capture'], lambda fields: fields.get_string('event') == 'done'):
        pass
    for index in range(captures):
        lines = [400, 1000, 2500] if index % 2 else [2000, 500, 300, 1200]
        bracket = ', '.join(f'(structure)"exposure,\\ exposure-time\\=(double){k * line!r}\\;"' for k in lines)
        taken.clear()
        request, _ = Gst.Structure.from_string(f'request, frames=(int)1, bracket=(structure)< {bracket} >')
        ticket = shutter.emit('capture', request)
        done = None
        for fields in pipeline.messages(['gscap-capture'], lambda fields: fields.get_string('event') == 'done'):
            done = fields
        if done.get_string('result') != 'succeeded':
            failures.append(f'capture {index}: {done.get_string("reason")}')
        for (exposure, _, _), fields in taken:
            place = fields.get_int('capture-exposure')[1]
            frames += 1
            if place < len(lines) and exposure != lines[place]:
                failures.append(f'capture {index}, exposure {place}: {exposure} lines, not {lines[place]}')
end(failures, f'{frames} frames')
