/// The damage and the changes that the digests of an image's files show: those of the file that the image was read
/// from, and of the files from which that one was made.
public struct FileHistory: Sendable, Hashable {
    /// Each damaged part that was read because its damage was accepted, with the name of its file; empty without any.
    public var acceptedDamage: [String] = []
    /// Whether another program has changed the metadata since the capture.
    public var isEdited = false

    /// Creates the history of an image whose files are as they were written.
    public init() {}

    /// Adds the history of another image, from which this one is made as well.
    public mutating func merge(_ other: FileHistory) {
        acceptedDamage += other.acceptedDamage.filter { !acceptedDamage.contains($0) }
        isEdited = isEdited || other.isEdited
    }
}
