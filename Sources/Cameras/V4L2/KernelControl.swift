internal import CVideo4Linux
internal import Errors

/// A control as a driver states it: an integer between limits.
struct KernelControl: Sendable, Hashable {
    var id: UInt32
    var name: String
    var minimum: Int64
    var maximum: Int64
    var step: Int64
    var standard: Int64
    /// Whether its value has 64 bits.
    var isWide: Bool
    /// The names of the values of a menu, by the values.
    var menu: [Int64: String]

    /// The closest value that the control can have.
    func clamped(_ value: Double) -> Int64 {
        guard value.isFinite else { return standard }
        let limited = min(max(value, Double(minimum)), Double(maximum))
        let steps = min(
            ((limited - Double(minimum)) / Double(max(1, step))).rounded(),
            Double((maximum - minimum) / max(1, step)))
        return minimum + Int64(steps) * max(1, step)
    }
}

extension DeviceFile {
    /// The controls of the device.
    func controls() -> [KernelControl] {
        var all: [KernelControl] = []
        var last: UInt32 = 0
        while all.count < 1024 {
            var query = v4l2_query_ext_ctrl()
            query.id = last | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            do throws(SystemError) { try call(gscap_vidioc_query_ext_ctrl, &query) } catch { break }
            // A faulty driver must not keep the caller forever.
            guard query.id > last else { break }
            last = query.id
            if let control = control(query) { all.append(control) }
        }
        return all
    }

    /// Reads one control's limits, which may depend on other controls; nil if the device does not have it.
    func control(_ id: UInt32) -> KernelControl? {
        var query = v4l2_query_ext_ctrl()
        query.id = id
        do throws(SystemError) { try call(gscap_vidioc_query_ext_ctrl, &query) } catch { return nil }
        return control(query)
    }

    private func control(_ query: v4l2_query_ext_ctrl) -> KernelControl? {
        let numbers: [UInt32] = [
            V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU,
            V4L2_CTRL_TYPE_INTEGER64, V4L2_CTRL_TYPE_BUTTON,
        ].map(\.rawValue)
        let flags = query.flags
        guard numbers.contains(query.type), flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0 else { return nil }
        return KernelControl(
            id: query.id, name: String(field: query.name), minimum: query.minimum, maximum: query.maximum,
            step: Int64(clamping: query.step), standard: query.default_value,
            isWide: query.type == V4L2_CTRL_TYPE_INTEGER64.rawValue, menu: menu(query))
    }

    private func menu(_ query: v4l2_query_ext_ctrl) -> [Int64: String] {
        let isNumbers = query.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue
        guard isNumbers || query.type == V4L2_CTRL_TYPE_MENU.rawValue, query.maximum < 256 else { return [:] }
        var names: [Int64: String] = [:]
        for index in UInt32(max(0, query.minimum))...UInt32(max(0, query.minimum, query.maximum)) {
            var item = v4l2_querymenu()
            (item.id, item.index) = (query.id, index)
            do throws(SystemError) { try call(gscap_vidioc_querymenu, &item) } catch { continue }
            names[Int64(index)] = isNumbers ? "\(item.value)" : String(field: item.name)
        }
        return names
    }

    /// Reads the value of a control; nil if the device does not have it.
    func value(of id: UInt32) -> Int64? {
        var value: Int64 = 0
        return unsafe gscap_video_get_control(descriptor, id, &value) == 0 ? value : nil
    }

    /// Sets controls together, in their order.
    func set(_ values: [(control: KernelControl, value: Int64)]) throws(SystemError) {
        guard !values.isEmpty else { return }
        var failed: UInt32 = 0
        let error = unsafe gscap_video_set_controls(
            descriptor, UInt32(values.count), values.map(\.control.id), values.map(\.value),
            values.map { $0.control.isWide ? 1 : 0 }, &failed)
        if error != 0 { throw SystemError(number: error) }
    }
}

/// The kernel's numbers of the controls that gscap uses.
enum ControlID {
    static let gain: UInt32 = 0x0098_0913
    static let exposure: UInt32 = 0x0098_0911
    static let redBalance: UInt32 = 0x0098_090E
    static let blueBalance: UInt32 = 0x0098_090F
    static let automaticWhiteBalance: UInt32 = 0x0098_090C
    static let automaticGain: UInt32 = 0x0098_0912
    static let horizontalFlip: UInt32 = 0x0098_0914
    static let verticalFlip: UInt32 = 0x0098_0915
    static let automaticExposure: UInt32 = 0x009A_0901
    static let absoluteExposure: UInt32 = 0x009A_0902
    static let dynamicRate: UInt32 = 0x009A_0903
    static let focus: UInt32 = 0x009A_090A
    static let automaticFocus: UInt32 = 0x009A_090C
    static let iso: UInt32 = 0x009A_0917
    static let automaticISO: UInt32 = 0x009A_0918
    static let facing: UInt32 = 0x009A_0922
    static let rotation: UInt32 = 0x009A_0923
    static let flashMode: UInt32 = 0x009C_0901
    static let flashStrobe: UInt32 = 0x009C_0903
    static let verticalBlanking: UInt32 = 0x009E_0901
    static let horizontalBlanking: UInt32 = 0x009E_0902
    static let analogueGain: UInt32 = 0x009E_0903
    static let pixelRate: UInt32 = 0x009F_0902
    static let testPattern: UInt32 = 0x009F_0903
    static let digitalGain: UInt32 = 0x009F_0905
}
