import DNG
import Develop
import GSCapture
import GStreamer

// Uses both products of the package: starts and stops a session with the simulated camera, attaches the output to a
// pipeline, and names types of RawDevelop.
let output = PhotoOutput()
let session = CaptureSession()
try session.add(CaptureDeviceInput(device: .simulated()))
try session.add(output)
try await session.startRunning()
await session.stopRunning()
session.remove(output)
let host = try Pipeline(
    parsing: "videotestsrc is-live=true ! video/x-bayer,format=rggb,width=64,height=48,framerate=30/1 "
        + "! tee name=tee ! queue ! fakesink")
try host.setState(.playing)
if let tee = host.element(named: "tee") { try await output.attach(toTee: tee) }
await output.detach()
try host.setState(.null)
print("the session ran; \(RAWFilter.self) and \(DNGFile.self) are available")
