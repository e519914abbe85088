import RawImage
import Testing

@testable import Cameras

/// Cameras that come and go.
@Suite struct CameraChangesTests {
    private func camera(_ id: String, problem: String? = nil, address: String = "/dev/video0") -> Camera {
        var camera = Camera(id: id, name: id, backend: "test", place: "", address: address)
        camera.problem = problem
        camera.formats = [
            CameraFormat(
                code: "RG12", codes: .init(pattern: .rggb, bitDepth: 12, layout: .littleEndian), width: .init(640),
                height: .init(480))
        ]
        return camera
    }

    private func events(_ old: [Camera], _ new: [Camera]) -> [CameraEvent] {
        func table(_ cameras: [Camera]) -> [String: Camera] {
            Dictionary(uniqueKeysWithValues: cameras.map { ($0.id, $0) })
        }
        return CameraChanges.events(from: table(old), to: table(new))
    }

    @Test func whatGoesIsReportedBeforeWhatComes() {
        let (a, b, c) = (camera("a"), camera("b"), camera("c"))
        #expect(events([a, b], [b, c]) == [.removed(a), .added(c)])
        #expect(events([a], [a]).isEmpty)
    }

    @Test func anotherDeviceFileIsAChangeAndNewRightsMakeACamera() {
        let moved = camera("a", address: "/dev/video3")
        #expect(events([camera("a")], [moved]) == [.changed(moved)])
        let locked = camera("a", problem: "you are no member")
        #expect(events([locked], [camera("a")]) == [.added(camera("a"))])
        #expect(events([camera("a")], [locked]) == [.changed(locked)])
    }
}
