internal import CGStreamer
internal import CGStreamerShims

/// A Swift object that a structure refers to, such as one that travels with the metadata of buffers. Copies of the
/// structure share the object, which lives as long as any of them. Two values are equal if they are the same object.
public struct SharedObject: @unchecked Sendable, Hashable {
    // Sendable: only Sendable objects are stored, and the reference never changes.
    /// The object.
    public let object: AnyObject

    /// Creates a reference to an object.
    public init(_ object: some AnyObject & Sendable) { self.object = object }

    /// Returns whether two values are the same object.
    public static func == (one: SharedObject, other: SharedObject) -> Bool { one.object === other.object }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

extension SharedObject {
    /// The boxed GType of Swift objects, whose values are references. All copies of this module in a process use the
    /// one that was registered first.
    static let type: GType = ProcessWideLock.withLock {
        let known = unsafe g_type_from_name(typeName)
        if known != gscap_type_invalid { return known }
        return unsafe g_boxed_type_register_static(
            typeName,
            { object in unsafe object.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).retain().toOpaque() } },
            { object in if let object = unsafe object { unsafe Unmanaged<AnyObject>.fromOpaque(object).release() } })
    }

    private static let typeName = "GscapSharedObject"

    /// Reads a GValue of the type, which keeps its own reference; nil if it is empty.
    init?(reading value: UnsafePointer<GValue>) {
        guard let pointer = unsafe g_value_get_boxed(value) else { return nil }
        object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Stores a reference in a GValue of the type.
    func set(_ value: UnsafeMutablePointer<GValue>) {
        unsafe g_value_set_boxed(value, UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
    }
}
