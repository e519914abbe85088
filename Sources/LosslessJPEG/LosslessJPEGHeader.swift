extension [UInt8] {
    /// Appends the header of a lossless JPEG: SOI, SOF3, one DHT for all components, and SOS.
    mutating func appendLosslessJPEGHeader(_ frame: LosslessJPEGFrame, _ code: HuffmanCode) {
        let components = 0..<UInt8(frame.components)
        self += [0xFF, JPEGMarker.startOfImage.rawValue]
        appendSegment(.losslessFrame) {
            $0.append(UInt8(frame.precision))
            $0.appendBigEndian(frame.height)
            $0.appendBigEndian(frame.width)
            $0.append(UInt8(frame.components))
            for component in components { $0 += [component, 0x11, 0] }
        }
        appendSegment(.huffmanTables) { $0 += [0] + code.counts + code.symbols }
        appendSegment(.startOfScan) {
            $0.append(UInt8(frame.components))
            for component in components { $0 += [component, 0] }
            $0 += [UInt8(frame.predictor), 0, 0]
        }
    }

    private mutating func appendSegment(_ marker: JPEGMarker, _ content: (inout [UInt8]) -> Void) {
        self += [0xFF, marker.rawValue]
        let start = count
        appendBigEndian(0)
        content(&self)
        let length = count - start
        self[start] = UInt8(length >> 8)
        self[start + 1] = UInt8(length & 255)
    }

    private mutating func appendBigEndian(_ number: Int) {
        self += [UInt8(number >> 8), UInt8(number & 255)]
    }
}
