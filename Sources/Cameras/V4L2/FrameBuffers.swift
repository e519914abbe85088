internal import CVideo4Linux
internal import Errors
internal import Glibc
internal import Synchronization

/// The memory that the driver fills, mapped into the process. *Thread-safe.*
///
///     with the driver ──dequeue──▶ taken ──the last user releases it──▶ with the driver
///
/// A buffer whose last user comes after the stream has ended goes nowhere; the memory is unmapped after all of them.
final class FrameBuffers: Sendable {
    @safe private struct Memory: @unchecked Sendable {
        // Sendable: the address never changes; the bytes belong to the driver or to the users of one buffer.
        let start: UnsafeMutableRawPointer
        let count: Int
    }

    private struct State {
        /// The buffers that the driver has.
        var queued: Set<Int> = []
        var isOpen = true
    }

    private let node: VideoNode
    private let memory: [Memory]
    private let state = Mutex(State())

    /// Requests buffers from the driver, which may give another number, and maps them.
    init(_ node: VideoNode, count: Int) throws(GscapError) {
        self.node = node
        var request = v4l2_requestbuffers()
        (request.count, request.type, request.memory) = (UInt32(count), node.bufferType, V4L2_MEMORY_MMAP.rawValue)
        do throws(SystemError) {
            try node.file.call(gscap_vidioc_reqbufs, &request)
        } catch {
            throw CameraUse.error("the camera gives no buffers", error, node)
        }
        var memory: [Memory] = []
        for index in 0..<Int(request.count) {
            guard let mapped = Self.map(node, index) else { break }
            memory.append(mapped)
        }
        self.memory = memory
        guard memory.count == Int(request.count), memory.count >= 2 else {
            throw GscapError(
                .noMemory, "the camera's memory cannot be mapped: \(memory.count) of \(request.count) buffers",
                place: node.file.path)
        }
    }

    deinit {
        for item in memory { unsafe munmap(item.start, item.count) }
        // Kernels before 5.0 keep buffers that are mapped.
        release()
    }

    /// The number of buffers.
    var count: Int { memory.count }

    /// The number of buffers that the driver can fill.
    var queuedCount: Int { state.withLock(\.queued.count) }

    /// Gives a buffer to the driver, unless the stream has ended.
    func queue(_ index: Int) throws(SystemError) {
        // Under the lock, so that no buffer is queued after `close`.
        try state.withLock { state throws(SystemError) in
            guard state.isOpen else { return }
            try KernelBuffer.call(gscap_vidioc_qbuf, node, index: index)
            state.queued.insert(index)
        }
    }

    /// Takes the oldest filled buffer; nil if none is filled.
    func dequeue() throws(SystemError) -> KernelBuffer? {
        do throws(SystemError) {
            let buffer = try KernelBuffer.call(gscap_vidioc_dqbuf, node, index: 0)
            state.withLock { _ = $0.queued.remove(buffer.index) }
            return buffer
        } catch {
            if error.number == EAGAIN { return nil }
            throw error
        }
    }

    /// The bytes of the picture in a buffer.
    func bytes(of buffer: KernelBuffer) -> UnsafeRawBufferPointer {
        let all = unsafe UnsafeRawBufferPointer(start: memory[buffer.index].start, count: memory[buffer.index].count)
        return unsafe UnsafeRawBufferPointer(rebasing: all.dropFirst(buffer.start).prefix(buffer.used))
    }

    /// Ends the stream: no buffer is queued from now on. The driver forgets its buffers, so that a new stream can start
    /// while frames of this one are in use; the kernel keeps their memory for as long as it is mapped.
    func close() {
        let isFirst = state.withLock { state in
            defer { state = State(isOpen: false) }
            return state.isOpen
        }
        guard isFirst else { return }
        var type = node.bufferType
        try? node.file.call(gscap_vidioc_streamoff, &type)
        release()
    }

    private func release() {
        var request = v4l2_requestbuffers()
        (request.type, request.memory) = (node.bufferType, V4L2_MEMORY_MMAP.rawValue)
        try? node.file.call(gscap_vidioc_reqbufs, &request)
    }

    /// Returns a file descriptor of a buffer's memory that other devices can use (DMABUF); the caller closes it.
    func export(_ index: Int) -> Int32? {
        var request = v4l2_exportbuffer()
        (request.type, request.index) = (node.bufferType, UInt32(index))
        request.flags = UInt32(O_CLOEXEC | O_RDWR)
        do throws(SystemError) { try node.file.call(gscap_vidioc_expbuf, &request) } catch { return nil }
        return request.fd
    }

    private static func map(_ node: VideoNode, _ index: Int) -> Memory? {
        guard let buffer = try? KernelBuffer.call(gscap_vidioc_querybuf, node, index: index) else { return nil }
        let start = unsafe mmap(
            nil, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, node.file.descriptor, off_t(buffer.offset))
        guard let start = unsafe start, unsafe start != MAP_FAILED else { return nil }
        return unsafe Memory(start: start, count: buffer.length)
    }
}

/// The kernel's description of a buffer, of one plane.
struct KernelBuffer: Sendable {
    var index: Int
    var length: Int
    var offset: Int
    /// The first byte of the picture, and the number of its bytes.
    var start: Int
    var used: Int
    var sequence: UInt32
    /// The time in nanoseconds, of the clock that `isMonotonic` says.
    var timestamp: UInt64
    var isMonotonic: Bool
    /// Whether the time is that of the start of the exposure, and not of the end of the frame.
    var isStartOfExposure: Bool
    /// Whether the driver marks the frame as damaged.
    var isDamaged: Bool

    /// Makes a request about a buffer.
    @discardableResult
    static func call(_ request: UInt, _ node: VideoNode, index: Int) throws(SystemError) -> KernelBuffer {
        var plane = v4l2_plane()
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.index = UInt32(index)
        unsafe buffer.type = node.bufferType
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
        let number = unsafe withUnsafeMutablePointer(to: &plane) { plane in
            if node.isMultiPlanar {
                unsafe buffer.m.planes = plane
                unsafe buffer.length = 1
            }
            return unsafe gscap_video_call(node.file.descriptor, request, &buffer)
        }
        if number != 0 { throw SystemError(number: number) }
        let flags = unsafe buffer.flags
        let start = node.isMultiPlanar ? plane.data_offset : 0
        return unsafe KernelBuffer(
            index: Int(buffer.index), length: Int(node.isMultiPlanar ? plane.length : buffer.length),
            offset: Int(node.isMultiPlanar ? plane.m.mem_offset : buffer.m.offset),
            start: Int(start),
            used: Int(node.isMultiPlanar ? plane.bytesused - min(start, plane.bytesused) : buffer.bytesused),
            sequence: buffer.sequence,
            timestamp: UInt64(clamping: buffer.timestamp.tv_sec) &* 1_000_000_000
                &+ UInt64(clamping: buffer.timestamp.tv_usec) &* 1000,
            isMonotonic: flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC),
            isStartOfExposure: flags & UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) == UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE),
            isDamaged: flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0)
    }
}
