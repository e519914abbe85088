import DNG
import PhotoMetadata
import RawImage
import Testing

@Suite struct RawDigestTests {
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func standardsExamplesHold(message: String, digest: String) {
        #expect(RawDigest(bytes: MD5.digest(Array(message.utf8)))?.description == digest)
    }

    /// Compares raw digests with those of a slow reference implementation, for sizes of whole and partial tiles and
    /// more than eight tiles.
    @Test(arguments: [(1, 1), (255, 3), (256, 256), (257, 256), (600, 410), (2500, 300), (33, 700)])
    func rawDigestMatchesTheReference(width: Int, height: Int) throws {
        let mosaic = try TestPictures.mosaic(width, height, bitDepth: 16, stride: width + 3)
        let digest = try RawDigest(mosaic: mosaic.codes.span, format: mosaic.format)
        #expect(digest.bytes == slowDigest(mosaic.codes, width, height, stride: width + 3, step: 1, planes: 1))

        let image = try TestPictures.linear(width, height, stride: width * 4 + 8)
        let linear = try RawDigest(linear: image.values.span, format: image.format)
        #expect(linear.bytes == slowDigest(image.values, width, height, stride: width * 4 + 8, step: 4, planes: 3))
    }

    @Test func oneChangedBitChangesTheDigest() throws {
        var mosaic = try TestPictures.mosaic(600, 410)
        let before = try RawDigest(mosaic: mosaic.codes.span, format: mosaic.format)
        mosaic.codes[123_456] ^= 1
        #expect(try RawDigest(mosaic: mosaic.codes.span, format: mosaic.format) != before)
    }

    private func slowDigest(
        _ codes: [UInt16], _ width: Int, _ height: Int, stride: Int, step: Int, planes: Int
    ) -> [UInt8] {
        var digests: [UInt8] = []
        for top in Swift.stride(from: 0, to: height, by: 256) {
            for left in Swift.stride(from: 0, to: width, by: 256) {
                var bytes: [UInt8] = []
                for plane in 0..<planes {
                    for row in top..<min(top + 256, height) {
                        for column in left..<min(left + 256, width) {
                            let code = codes[row * stride + column * step + plane]
                            bytes += [UInt8(code & 255), UInt8(code >> 8)]
                        }
                    }
                }
                digests += MD5.digest(bytes)
            }
        }
        return MD5.digest(digests)
    }
}
