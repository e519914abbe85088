import LosslessJPEG

/// Encoders and constants of compressed pixel data for hand-made files.
enum TestCodecs {
    /// Encodes a zlib stream of stored (uncompressed) blocks.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let size = UInt16(block.count)
            let isLast: UInt8 = block.endIndex == bytes.count ? 1 : 0
            stream += [isLast, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)] + block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + [UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255)]
    }

    /// Encodes a lossless JPEG; `samples` must fill the frame.
    static func losslessJPEG(_ samples: [UInt16], _ frame: LosslessJPEGFrame) throws -> [UInt8] {
        var encoder = try LosslessJPEGEncoder(frame)
        var bytes: [UInt8] = []
        try encoder.encode(samples.span, stride: frame.samplesInRow, into: &bytes)
        return bytes
    }

    /// A baseline JPEG of 16×8 grey pixels: 40 in the left half, 200 in the right.
    static let greyJPEG = bytes(
        """
        ffd8ffe000104a46494600010100000100010000ffdb004300020101010101020101010202020202040302020202050404030406\
        0506060605060606070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affc0000b080008001001011100ffc4\
        001f0000010501010101010100000000000000000102030405060708090a0bffc400b5100002010303020403050504040000017d\
        01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435\
        363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798\
        999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4\
        f5f6f7f8f9faffda0008010100003f00fc9fafea02bfffd9
        """)

    /// A baseline JPEG of 8×8 pixels of red 200, green 100, blue 50.
    static let colorJPEG = bytes(
        """
        ffd8ffe000104a46494600010100000100010000ffdb004300020101010101020101010202020202040302020202050404030406\
        0506060605060606070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affdb00430102020202020205030305\
        0a0706070a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a\
        0a0affc00011080008000803012200021101031101ffc4001f000001050101010101010000000000000000010203040506070809\
        0a0bffc400b5100002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1c115\
        52d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a\
        737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9ca\
        d2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffc4001f01000301010101010101010100000000000001\
        02030405060708090a0bffc400b51100020102040403040705040400010277000102031104052131061241510761711322328108\
        144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a53545556575859\
        5a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9\
        bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9faffda000c03010002110311003f00cf\
        a28a2bf95cfed83fffd9
        """)

    /// A JPEG XL codestream of 8×8 16-bit samples: 8000 · row + 700 · column.
    static let jpegXL16 = bytes(
        """
        0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c0a000000696a786c63ff0a41\
        f003142d02080401004c014b386898c283f7251424c5c62510c09d78797979797979079d97979797979777d07979797979797907\
        9d97979797979777d079797979797979079d97979797979777d079797979797979079d97979797979717
        """)

    /// A JPEG XL codestream of 8×8 8-bit samples: 30 · row + 3 · column.
    static let jpegXL8 = bytes("ff0a414050dc080804010060004b2824c6970a129262f234c04f80051ce0000738c0010e00")

    /// A JPEG XL codestream of 8×8 16-bit floating-point samples: the pixel's index divided by 64.
    static let jpegXLFloat = bytes(
        """
        0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c0a000000606a786c63ff0a41\
        1801458b080401002c014b386818c2db010a0a668ab0e07982288cea1d403a3ef700c800100001000000003c0038180c0683c160\
        000882200882200082200882200800000000000000000000000000000000000000
        """)

    /// A JPEG XL codestream of 8×8 12-bit samples: 500 · row + 60 · column.
    static let jpegXL12 = bytes(
        """
        ff0a416050b40808040100c8004b2837c6df8e2b48488a8b2709f013333333df323333f31c333333cf313333f31c333333cf3133\
        33f31c333333cf31333333
        """)

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
