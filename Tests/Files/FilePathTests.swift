import Files
import Testing

/// Paths of files whose names are not text keep every byte.
@Suite struct FilePathTests {
    private func bytes(_ path: String) -> [UInt8] { path.cPath.dropLast().map { UInt8(bitPattern: $0) } }

    @Test func everyNameOfTwoBytesKeepsThem() {
        for first in UInt8(1)...255 {
            for second in UInt8(1)...255 {
                let path = String(pathBytes: [0x61, first, second, 0x62])
                #expect(bytes(path) == [0x61, first, second, 0x62])
                #expect(!path.unicodeScalars.contains { $0.isControl })
            }
        }
    }

    @Test func textStaysText() {
        for name in ["photo.dng", "Fotos/Grüße 写真 📷.dng", "e\u{301}.dng", ""] {
            #expect(String(pathBytes: name.utf8) == name)
            #expect(bytes(name) == Array(name.utf8))
            #expect(name.pathText == name)
        }
    }

    /// A character of a name that stands for a byte in paths is itself kept as its bytes.
    @Test func privateCharactersAreKept() {
        for name in ["\u{10FFE9}.dng", "\u{10FF00}\u{10FF01}"] {
            #expect(bytes(String(pathBytes: name.utf8)) == Array(name.utf8))
        }
    }

    @Test func metadataGetsReplacementCharacters() {
        #expect(String(pathBytes: [0x63, 0xE9, 0x2E]).pathText == "c\u{FFFD}.")
        #expect(String(pathBytes: [0x63, 0x1B]).pathText == "c\u{1B}")
    }
}
