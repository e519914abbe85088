/// A property that is ignored by == and hash(into:), such as a location in the text or a comment: values that differ
/// only in such properties are equal.
@propertyWrapper
public struct NotCompared<Value: Sendable>: Hashable, Sendable {
    /// The wrapped value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Returns true, so that the wrapped value does not affect equality.
    public static func == (_: NotCompared, _: NotCompared) -> Bool { true }

    /// Adds nothing to the hash, because all values are equal.
    public func hash(into hasher: inout Hasher) {}
}
