/// A property that belongs to a text as it was written, not to what the text says (a place, a comment): two values
/// that differ only in such properties are equal.
@propertyWrapper
public struct NotCompared<Value: Sendable>: Hashable, Sendable {
    /// The value itself.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Always true.
    public static func == (_: NotCompared, _: NotCompared) -> Bool { true }

    /// Adds nothing, as all values are equal.
    public func hash(into hasher: inout Hasher) {}
}
