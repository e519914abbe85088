import DNG
import Develop
import GSCapture

// A first use of the library: names its types, and starts and stops a session of the simulated camera.
let output = PhotoOutput()
let session = CaptureSession()
session.add(CaptureDeviceInput(device: .simulated()))
session.add(output)
try await session.startRunning()
await session.stopRunning()
print("a session ran; pictures would be made by \(RAWFilter.self) of \(DNGFile.self)")
