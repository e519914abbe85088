import CVideo4Linux
import CameraDouble
import Errors
import Foundation
import GStreamer
import GscapElements
import TemporaryFolders
import Testing

@testable import Cameras

/// The tests with the double of devices, one after another, because there is one /dev.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CameraDoubleTests {}

/// The /dev of a test, which begins without devices.
final class DoubleDevices {
    private let folder: TemporaryFolder

    init() throws {
        try GscapPlugin.register()
        folder = try TemporaryFolder()
        unsafe gscap_double_begin(folder.url.path)
    }

    deinit { gscap_double_end() }

    /// Where a device file really is.
    func path(_ camera: DoubleCamera) -> String { folder.path("dev/" + camera.node) }
}

/// A device of the double.
struct DoubleCamera {
    static let bus = "platform:double"

    let number: Int32
    let node: String
    let name: String
    let format: Format

    /// A format with one size.
    struct Format {
        var code: String
        var width = 16
        var height = 4
        var stride = 64
    }

    /// A control with its limits and its value at the start.
    struct Control {
        var id: UInt32
        var range: ClosedRange<Int64>
        var value: Int64
        var flags = 0

        init(_ id: UInt32, _ range: ClosedRange<Int64>, _ value: Int64, flags: Int32 = 0) {
            (self.id, self.range, self.value, self.flags) = (id, range, value, Int(flags))
        }
    }

    /// Adds a device, whose file appears with its format.
    init(
        _ node: String = "video7", _ name: String = "Double", _ format: Format = Format(code: "RG12"),
        _ controls: [Control] = [], group: UInt32 = 0, _ change: (inout GscapDoubleBehaviour) -> Void = { _ in }
    ) {
        (self.node, self.name, self.format) = (node, name, format)
        var behaviour = GscapDoubleBehaviour()
        (behaviour.most_buffers, behaviour.group) = (32, group)
        change(&behaviour)
        number = unsafe gscap_double_add(node, name, Self.bus, behaviour)
        for control in controls {
            gscap_double_add_control(
                number, control.id, control.range.lowerBound, control.range.upperBound, control.value,
                UInt32(control.flags))
        }
        gscap_double_add_format(
            number, FourCharacterCode.code(format.code), UInt32(format.width), UInt32(format.height),
            UInt32(format.stride))
    }

    var id: String { Self.bus + "/" + name }

    /// The value of a control.
    func value(_ id: UInt32) -> Int64 { gscap_double_value(number, id) }

    /// The controls that were set, in their order.
    var settings: [UInt32] {
        var ids = [UInt32](repeating: 0, count: 256)
        let count = unsafe Int(gscap_double_settings(number, &ids, Int32(ids.count)))
        return Array(ids.prefix(count))
    }

    /// The bytes of a frame that has one value in all of them.
    func bytes(_ value: UInt8) -> [UInt8] {
        [UInt8](repeating: value, count: format.stride * format.height)
    }

    /// Delivers a frame; returns whether the driver had a buffer for it.
    @discardableResult
    func deliver(_ bytes: [UInt8], sequence: UInt32, time: UInt64 = 5_000_000_000, isDamaged: Bool = false) -> Bool {
        unsafe gscap_double_deliver(
            number, bytes, UInt32(bytes.count), sequence, time, isDamaged ? UInt32(V4L2_BUF_FLAG_ERROR) : 0) >= 0
    }
}
