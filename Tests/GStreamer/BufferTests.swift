import Dispatch
import GStreamer
import Synchronization
import Testing

@Suite struct BufferTests {
    @Test func bytesReadBack() throws {
        let buffer = try Buffer(copying: [1, 2, 3, 4, 5])
        #expect(buffer.size == 5)
        let sum = buffer.withBytes { bytes in
            (0..<bytes.byteCount).reduce(0) { unsafe $0 + Int(bytes.unsafeLoad(fromByteOffset: $1, as: UInt8.self)) }
        }
        #expect(sum == 15)
        #expect(buffer.withValues(of: UInt16.self) { $0.count } == 2)
    }

    /// Memory at an odd address, as of a buffer that was cut, is read as values of two bytes.
    @Test func misalignedValuesAreRead() throws {
        let owner = MisalignedBytes()
        let buffer = try unsafe Buffer(over: UnsafeRawBufferPointer(rebasing: owner.memory[1...]), keeping: owner)
        #expect(buffer.withValues(of: UInt16.self) { values in values.indices.map { values[$0] } } == [0x201, 0x403])
    }

    @Test func sharedBuffersAreReadOnly() throws {
        var buffer = try Buffer(copying: [1, 2, 3, 4])
        #expect(buffer.isWritable == true)
        let other = buffer.newReference()
        #expect(buffer.isWritable == false)
        let writable = buffer.withMutableValues(of: UInt16.self) { $0.count }
        #expect(writable == 0)
        #expect(other.size == 4)
    }

    @Test func timesAreOptional() throws {
        var buffer = try Buffer(size: 1)
        #expect(buffer.presentationTime == nil)
        buffer.presentationTime = 5
        #expect(buffer.presentationTime == 5)
        buffer.presentationTime = nil
        #expect(buffer.presentationTime == nil)
    }

    @Test func copiesShareMemoryAndKeepThePool() throws {
        let pool = try BufferPool(size: 16)
        var first = try pool.acquire()
        first.withMutableValues(of: UInt8.self) { $0[0] = 42 }
        var tagged = try first.copySharingMemory()
        let meta = try CustomMeta(registering: "GscapTestMeta")
        tagged.setStructure(Structure("GscapTestMeta", ["x": 1]), of: meta)
        #expect(first.structure(of: meta) == nil)
        #expect(tagged.withValues(of: UInt8.self) { $0[0] } == 42)
    }

    @Test func metadataIsAttachedAndReplaced() throws {
        let meta = try CustomMeta(registering: "GscapTestMeta")
        var buffer = try Buffer(size: 4)
        #expect(buffer.structure(of: meta) == nil)
        buffer.setStructure(Structure("GscapTestMeta", ["gain": 1.5, "id": .uint64(9)]), of: meta)
        #expect(buffer.structure(of: meta)?["gain"] == 1.5)
        #expect(buffer.value(of: "id", in: meta) == .uint64(9))
        buffer.setStructure(Structure("GscapTestMeta", ["gain": 2.5]), of: meta)
        #expect(buffer.structure(of: meta)?["gain"] == 2.5)
        #expect(buffer.value(of: "id", in: meta) == nil)
    }

    /// Eight threads register the same name at the same time, as elements of several pipelines may.
    @Test func threadsRegisterOneMetadataTypeAtOnce() {
        let failures = Mutex<[String]>([])
        for round in 0..<50 {
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                do { _ = try CustomMeta(registering: "GscapTestMeta\(round)") } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }

    @Test(arguments: ["GstBuffer", "gint"]) func metadataCannotUseTheNameOfAType(name: String) {
        #expect(throws: GStreamerError.self) { try CustomMeta(registering: name) }
    }

    @Test func queueKeepsTheNewest() throws {
        var queue = BufferQueue(capacity: 2)
        for byte in [1, 2, 3] as [UInt8] { queue.append(try Buffer(copying: [byte])) }
        #expect(queue.count == 2)
        #expect(firstByte(queue[0]) == 2)
        #expect(firstByte(queue[2]) == nil)
        let oldest = firstByte(queue.removeFirst())
        #expect(oldest == 2)
        queue.removeAll()
        #expect(queue.count == 0)
    }
}

/// Returns the first byte of a buffer; nil if there is no buffer or it is empty.
func firstByte(_ buffer: consuming Buffer?) -> UInt8? {
    guard let buffer else { return nil }
    return buffer.withValues(of: UInt8.self) { $0.isEmpty ? nil : $0[0] }
}

/// Memory whose second byte begins two values of two bytes. It lives as long as the process.
@safe private final class MisalignedBytes: Sendable {
    // Sendable: nothing changes the memory.
    nonisolated(unsafe) let memory: UnsafeRawBufferPointer

    init() {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 6, alignment: 2)
        unsafe bytes.copyBytes(from: [0, 1, 2, 3, 4, 0] as [UInt8])
        unsafe memory = UnsafeRawBufferPointer(bytes)
    }
}
