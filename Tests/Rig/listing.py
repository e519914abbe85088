"""Checks what `gscap devices` and GStreamer's device monitor say of the rig's cameras."""
import json

from camera import Gst, end, run

failures = []
devices = {}
for line in run('gscap', 'devices', '--json').splitlines():
    if line.startswith('{'):
        event = json.loads(line)
        if event['event'] == 'device':
            devices[event['id']] = event
for name in ['platform:vimc/Raw-Capture-0', 'platform:vimc/Raw-Capture-1', 'platform:vivid-000/vivid-000-vid-cap']:
    if name not in devices:
        failures.append(f'{name} is not listed: {list(devices)}')
if any('RGB' in name for name in devices):
    failures.append('a node that gives no raw frames is listed')
sensor = devices.get('platform:vimc/Raw-Capture-0', {})
controls = {control['control']: control for control in sensor.get('controls', [])}
for name in ['exposure-time', 'analogue-gain', 'frame-duration', 'horizontal-flip', 'vertical-flip']:
    if name not in controls:
        failures.append(f'the sensor has no control {name}: {list(controls)}')
gain = controls.get('analogue-gain', {})
if (gain.get('least'), gain.get('most')) != (1, 32):
    failures.append(f'the gain is {gain}')
if len(sensor.get('formats', [])) != 12:
    failures.append(f'the sensor has {len(sensor.get("formats", []))} formats')

monitor = Gst.DeviceMonitor()
monitor.add_filter('Video/Source', None)
monitor.start()
found = {device.get_properties().get_string('device.id') for device in monitor.get_devices()}
monitor.stop()
if not set(name for name in devices if name.startswith('platform')) <= found:
    failures.append(f'the device monitor lists {found}')
end(failures, f'{len(devices)} cameras')
