/// A parser of a lossless JPEG's marker segments up to the entropy-coded data. Allocates only a few tables.
@safe struct LosslessJPEGParser: ~Copyable {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// The offset at which reading must stop: the end of the current segment or, between segments, of the JPEG.
    private var end: Int
    private var frame: LosslessJPEGFrame?
    private var componentNames: [UInt8] = []
    private var codes = [HuffmanCode?](repeating: nil, count: 4)
    private var restartInterval = 0

    /// Creates a parser of `bytes`, which must outlive the parser.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe self.bytes = unsafe bytes
        end = bytes.count
    }

    /// Parses all marker segments up to and including the scan header.
    mutating func scan() throws(GscapError) -> LosslessJPEGScan {
        guard unsafe bytes.count > 1, unsafe bytes[0] == 0xFF, unsafe bytes[1] == JPEGMarker.startOfImage.rawValue
        else {
            throw error("does not start as a JPEG does, with the bytes FF D8", at: 0)
        }
        position = 2
        while true {
            end = unsafe bytes.count
            let start = position
            let marker = try marker()
            if marker.standsAlone { continue }
            guard marker != .endOfImage else { throw error("ends before its pixels", at: start) }
            guard !marker.isForeignFrame else {
                let name = "FF " + String(marker.rawValue, radix: 16, uppercase: true)
                throw GscapError(
                    .unsupported,
                    "Byte \(start) of a JPEG starts a frame of an unsupported kind, \(name); only lossless frames with "
                        + "Huffman codes, FF C3, are supported.")
            }
            let length = try number()
            guard length >= 2, unsafe length - 2 <= bytes.count - position else {
                throw error("has a segment of \(length) bytes, which is cut off", at: start)
            }
            end = position + length - 2
            if marker == .startOfScan { return try scanHeader() }
            switch marker {
            case .losslessFrame: try frameHeader()
            case .huffmanTables: try huffmanTables()
            case .restartInterval: restartInterval = try number()
            default: break
            }
            position = end
        }
    }

    private func error(_ problem: String, at position: Int) -> GscapError {
        GscapError(.malformed, "A lossless JPEG \(problem), at its byte \(position).")
    }

    private mutating func byte() throws(GscapError) -> UInt8 {
        guard position < end else { throw error("is cut off within its header", at: position) }
        position += 1
        return unsafe bytes[position - 1]
    }

    private mutating func number() throws(GscapError) -> Int {
        try Int(byte()) << 8 | Int(byte())
    }

    /// Reads the next marker, skipping any number of 0xFF fill bytes before it.
    private mutating func marker() throws(GscapError) -> JPEGMarker {
        let start = position
        guard try byte() == 0xFF else { throw error("has no marker where one must be", at: start) }
        var value = try byte()
        while value == 0xFF { value = try byte() }
        return JPEGMarker(rawValue: value)
    }

    private mutating func frameHeader() throws(GscapError) {
        let start = position
        guard frame == nil else { throw error("has a second frame", at: start) }
        let precision = try Int(byte())
        let (height, width) = (try number(), try number())
        let components = try Int(byte())
        let frame = LosslessJPEGFrame(width: width, height: height, components: components, precision: precision)
        if let complaint = frame.complaint { throw error("has \(complaint)", at: start) }
        for _ in 0..<components {
            componentNames.append(try byte())
            let factors = try byte()
            guard factors == 0x11 else {
                throw GscapError(
                    .unsupported,
                    "A lossless JPEG has a component sampled \(factors >> 4)×\(factors & 15); only 1×1 is supported.")
            }
            _ = try byte()
        }
        self.frame = frame
    }

    private mutating func huffmanTables() throws(GscapError) {
        while position < end {
            let start = position
            let name = try byte()
            guard name < 4 else { throw error("has a Huffman table numbered \(name), not 0 to 3", at: start) }
            var counts: [UInt8] = []
            for _ in 0..<16 { counts.append(try byte()) }
            var symbols: [UInt8] = []
            for _ in 0..<counts.reduce(0, { $0 + Int($1) }) {
                symbols.append(try byte())
            }
            let code = HuffmanCode(counts: counts, symbols: symbols)
            guard code.isValid else { throw error("has a Huffman table with more codes than there can be", at: start) }
            guard symbols.allSatisfy({ $0 <= 16 }) else {
                throw error("has a code for differences of more than 16 bits", at: start)
            }
            codes[Int(name)] = code
        }
    }

    private mutating func scanHeader() throws(GscapError) -> LosslessJPEGScan {
        let start = position
        guard var frame else { throw error("has pixels before its frame", at: start) }
        guard try Int(byte()) == frame.components else {
            throw GscapError(
                .unsupported,
                "A lossless JPEG has its \(frame.components) components in several scans; only one is supported.")
        }
        var tables: [Int] = []
        for name in componentNames {
            guard try byte() == name else {
                throw error("names another component in its scan than in its frame", at: start)
            }
            tables.append(Int(try byte() >> 4))
        }
        frame.predictor = Int(try byte())
        if let complaint = frame.complaint { throw error("has \(complaint)", at: start) }
        _ = try byte()
        let pointTransform = Int(try byte() & 15)
        guard pointTransform < frame.precision else {
            throw error("drops \(pointTransform) of its \(frame.precision) bits by point transform", at: start)
        }
        return LosslessJPEGScan(
            frame: frame, pointTransform: pointTransform, restartRows: try restartRows(of: frame),
            codes: try used(&tables, start), codeOfComponent: tables, start: end)
    }

    private func restartRows(of frame: LosslessJPEGFrame) throws(GscapError) -> Int? {
        guard restartInterval > 0 else { return nil }
        guard restartInterval % frame.width == 0 else {
            let problem = "restarts every \(restartInterval) pixels, not at the end of rows of \(frame.width)"
            throw error(problem, at: position)
        }
        return restartInterval / frame.width
    }

    /// Returns the Huffman codes that the components use, each once; replaces the table numbers in `tables`, one per
    /// component, by indices into the result.
    private func used(_ tables: inout [Int], _ start: Int) throws(GscapError) -> [HuffmanCode] {
        var used: [HuffmanCode] = []
        var index = [Int?](repeating: nil, count: 16)
        for component in tables.indices {
            let table = tables[component]
            if index[table] == nil {
                guard table < 4, let code = codes[table] else {
                    throw error("uses Huffman table \(table), which it does not define", at: start)
                }
                index[table] = used.count
                used.append(code)
            }
            tables[component] = index[table] ?? 0
        }
        return used
    }
}
