import Dispatch
import PictureCodecs
import PictureFiles
import RawImage
import Synchronization
import TestClocks
import Testing

@Suite("Unsupported settings are rejected")
struct RefusalTests {
    private func code(_ encoding: PictureEncoding, _ picture: Picture) -> PictureFileError.Code? {
        do throws(PictureFileError) {
            _ = try encoding.encode(picture)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("colours and depths for which a format has too few codes", arguments: PictureFormat.allCases)
    func colors(format: PictureFormat) throws {
        let linear = try TestScene.linear(width: 16, height: 16)
        let bright = try TestScene.words(PictureColor(.rec2020, .pq), width: 16, height: 16)
        let takesLinear: [PictureFormat] = [.png, .tiff, .exr, .jxl]
        #expect((code(PictureEncoding(format), linear) == nil) == takesLinear.contains(format))
        let takesBright: [PictureFormat] = [.png, .tiff, .heic, .avif, .jxl]
        #expect((code(PictureEncoding(format), bright) == nil) == takesBright.contains(format))
        var shallow = PictureEncoding(format)
        shallow.depth = .eight
        #expect(code(shallow, bright) == .unsupported)
    }

    @Test("an unsupported depth, a quality out of range")
    func depths() throws {
        let picture = try TestScene.bytes(width: 16, height: 16)
        var encoding = PictureEncoding(.jpeg)
        encoding.depth = .sixteen
        #expect(code(encoding, picture) == .unsupported)
        for quality in [-0.1, 1.1, .nan] {
            var encoding = PictureEncoding(.jpeg)
            encoding.quality = quality
            #expect(code(encoding, picture) == .badPicture)
        }
    }

    @Test("a gain map or mattes where they are not supported")
    func companions() throws {
        let picture = try TestScene.bytes(width: 16, height: 16)
        var encoding = PictureEncoding(.png)
        encoding.hdr = try TestScene.linear(width: 16, height: 16)
        #expect(code(encoding, picture) == .unsupported)
        encoding.format = .jpeg
        #expect(code(encoding, picture) == nil)
        encoding.hdr = try TestScene.linear(width: 16, height: 8)
        #expect(code(encoding, picture) == .badPicture)
        encoding.hdr = picture
        #expect(code(encoding, picture) == .unsupported)
        for format in PictureFormat.allCases {
            var encoding = PictureEncoding(format)
            encoding.hdr = try TestScene.linear(width: 16, height: 16)
            let base = try format == .exr ? TestScene.linear(width: 16, height: 16) : picture
            #expect((code(encoding, base) == nil) == format.hasGainMaps)
            // The HDR rendition of an HDR picture makes no sense.
            let bright = try TestScene.words(PictureColor(.rec2020, .pq), width: 16, height: 16)
            #expect(code(encoding, bright) == .unsupported)
        }
        var matted = PictureEncoding(.avif)
        matted.mattes = [try Matte(kind: .sky, width: 2, height: 2, shares: [0, 1, 2, 3])]
        #expect(code(matted, picture) == .unsupported)
    }

    @Test("texts that do not fit into a JPEG segment")
    func longTexts() throws {
        var encoding = PictureEncoding(.jpeg)
        var metadata = FrameMetadata()
        metadata.details.title = String(repeating: "long ", count: 20_000)
        encoding.metadata = metadata
        #expect(code(encoding, try TestScene.bytes(width: 16, height: 16)) == .unsupported)
        encoding.format = .png
        #expect(code(encoding, try TestScene.bytes(width: 16, height: 16)) == nil)
    }

    @Test("cancelled encodings end", arguments: PictureFormat.allCases)
    func cancelling(format: PictureFormat) throws {
        let picture = format == .exr ? try TestScene.linear() : try TestScene.bytes()
        let reports = Mutex<[Double]>([])
        do throws(PictureFileError) {
            _ = try PictureEncoding(format).encode(picture) { share in
                reports.withLock { $0.append(share) }
                return false
            }
            Issue.record("the file was encoded despite the cancellation")
        } catch {
            #expect(error.code == .cancelled)
        }
        #expect(reports.withLock { $0.count } == 1)
    }

    /// Library work continues after a cancellation, but the caller does not wait for it.
    @Test("cancelled library work is abandoned")
    func leaving() throws {
        let (end, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let calls = Mutex(0)
        let monitor = EncodingMonitor(steps: 1) { share in
            calls.withLock {
                $0 += 1
                return share == 0 && $0 < 3
            }
        }
        do throws(PictureFileError) {
            _ = try monitor.runCancellably { () throws(PictureFileError) in
                _ = end.isSignalled()
                isOver.signal()
                return 1
            }
            Issue.record("the cancelled work was not abandoned")
        } catch {
            #expect(error.code == .cancelled)
        }
        #expect(calls.withLock { $0 } == 3)
        end.signal()
        #expect(isOver.isSignalled())
    }

    @Test("progress increases to 1", arguments: PictureFormat.allCases)
    func progress(format: PictureFormat) throws {
        let picture = format == .exr ? try TestScene.linear() : try TestScene.bytes()
        let reports = Mutex<[Double]>([])
        _ = try PictureEncoding(format).encode(picture) { share in
            reports.withLock { $0.append(share) }
            return true
        }
        let shares = reports.withLock { $0 }
        #expect(shares == shares.sorted() && shares.last == 1)
    }

    @Test("pictures of one pixel are encoded", arguments: PictureFormat.allCases)
    func smallest(format: PictureFormat) throws {
        for (width, height) in [(1, 1), (1, 5), (7, 1), (17, 3)] {
            let picture =
                format == .exr
                ? try TestScene.linear(width: width, height: height) : try TestScene.bytes(width: width, height: height)
            #expect(try PictureEncoding(format).encode(picture).count > 50)
        }
    }
}
