import DNG
import Develop
import GSCapture

// Uses both products of the package: starts and stops a session with the simulated camera, and names types of
// RawDevelop.
let output = PhotoOutput()
let session = CaptureSession()
try session.add(CaptureDeviceInput(device: .simulated()))
try session.add(output)
try await session.startRunning()
await session.stopRunning()
print("the session ran; \(RAWFilter.self) and \(DNGFile.self) are available")
