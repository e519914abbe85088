import CLensfun
import Develop
import RawImage
import Testing

/// Lens corrections from Lensfun's database, compared with Lensfun's own positions and gains.
@Suite(.timeLimit(.minutes(10))) struct LensProfileTests {
    struct Photo: Sendable {
        var make: String
        var model: String
        var lens: String
        var focalLength: Double
        var fNumber: Double
        var width: Int
        var height: Int

        var metadata: FrameMetadata {
            var metadata = FrameMetadata()
            (metadata.make, metadata.model) = (make, model)
            metadata.details.lensModel = lens
            metadata.details.focalLength = focalLength
            metadata.details.fNumber = fNumber
            return metadata
        }
    }

    /// Photos with all three corrections: a full-frame sensor, a smaller one, and a camera with a fixed lens.
    static let photos = [
        Photo(
            make: "Canon", model: "Canon EOS 5D Mark III", lens: "EF24-105mm f/4L IS USM", focalLength: 24, fNumber: 4,
            width: 5760, height: 3840),
        Photo(
            make: "Panasonic", model: "DMC-GX80", lens: "LUMIX G VARIO 12-32/F3.5-5.6", focalLength: 12, fNumber: 3.5,
            width: 4592, height: 3448),
        Photo(
            make: "SONY", model: "DSC-RX100M3", lens: "", focalLength: 8.8, fNumber: 1.8, width: 3648, height: 5472),
    ]

    /// Returns where Lensfun reads red, green and blue of a corrected image's points, and its gains there.
    private func lensfun(
        _ photo: Photo, scale: Double, _ points: [SIMD2<Double>]
    ) throws -> [(positions: [SIMD2<Double>], gain: Double)] {
        let database = try unsafe #require(lf_db_new())
        defer { unsafe lf_db_destroy(database) }
        #expect(unsafe lf_db_load(database) == LF_NO_ERROR)
        let cameras = try unsafe #require(lf_db_find_cameras_ext(database, photo.make, photo.model, 0))
        defer { unsafe lf_free(cameras) }
        let camera = try unsafe #require(cameras.pointee)
        let name = photo.lens.isEmpty ? nil : photo.lens
        let lenses = try unsafe #require(lf_db_find_lenses_hd(database, camera, nil, name, 0))
        defer { unsafe lf_free(lenses) }
        let lens = try unsafe #require(lenses.pointee)
        let modifier = try unsafe #require(
            lf_modifier_new(lens, camera.pointee.CropFactor, Int32(photo.width), Int32(photo.height)))
        defer { unsafe lf_modifier_destroy(modifier) }
        let flags = LF_MODIFY_TCA | LF_MODIFY_VIGNETTING | LF_MODIFY_DISTORTION | LF_MODIFY_SCALE
        _ = unsafe lf_modifier_initialize(
            modifier, lens, LF_PF_F32, Float(photo.focalLength), Float(photo.fNumber), 1000, Float(scale),
            lens.pointee.Type, Int32(flags), 0)
        return points.map { point in
            var six = [Float](repeating: 0, count: 6)
            _ = unsafe lf_modifier_apply_subpixel_geometry_distortion(
                modifier, Float(point.x), Float(point.y), 1, 1, &six)
            var pixel: [Float] = [1, 1, 1]
            let roles = Int32(LF_CR_RED.rawValue | LF_CR_GREEN.rawValue << 4 | LF_CR_BLUE.rawValue << 8)
            _ = unsafe lf_modifier_apply_color_modification(
                modifier, &pixel, Float(point.x), Float(point.y), 1, 1, roles, 12)
            return (
                (0..<3).map { SIMD2(Double(six[2 * $0]), Double(six[2 * $0 + 1])) }, Double(pixel[1])
            )
        }
    }

    private func points(_ photo: Photo) -> [SIMD2<Double>] {
        let step: SIMD2<Double> = SIMD2(Double(photo.width - 1), Double(photo.height - 1)) / 4
        return (0..<25).map { SIMD2(Double($0 % 5), Double($0 / 5)) * step }
    }

    @Test(arguments: photos) func positionsAndGainsAreLensfuns(photo: Photo) throws {
        let profile = try #require(
            LensDatabase.shared().profile(for: photo.metadata, width: photo.width, height: photo.height))
        #expect(profile.parts == [.distortion, .chromaticAberration, .vignetting])
        let warp = try #require(profile.correction.warp)
        #expect(profile.correction.problem == nil && warp.planes.count == 3)
        let size = SIMD2(Double(photo.width), Double(photo.height))
        let centre = size * SIMD2(warp.center.across, warp.center.down)
        let far = SIMD2(max(centre.x, size.x - centre.x), max(centre.y, size.y - centre.y))
        let radius = (far * far).sum().squareRoot()
        // The profile fills the whole picture, by a scale that is its ratio at the centre, relative to Lensfun's.
        let near = centre + SIMD2(1000, 0)
        let unscaled = try lensfun(photo, scale: 1, [near])[0].positions[1].x - centre.x
        var scale = 1.0
        for _ in 0..<20 {
            let own = warp.ratio(warp.planes[1], at: 1000 * scale / radius) * 1000 * scale
            scale *= unscaled / own
        }
        let points = points(photo)
        let map = try #require(profile.correction.shading.first)
        let reads = try lensfun(photo, scale: scale, points)
        for (point, read) in zip(points, reads) {
            let offset = point - centre
            let distance = (offset * offset).sum().squareRoot()
            for plane in 0..<3 {
                let own = centre + offset * warp.ratio(warp.planes[plane], at: distance / radius)
                let error = own - read.positions[plane]
                #expect((error * error).sum().squareRoot() < 0.1, "plane \(plane) at \(point)")
                // No pixel is read outside the recorded image.
                #expect(own.x > -0.01 && own.y > -0.01 && own.x < size.x - 0.99 && own.y < size.y - 0.99)
            }
            let (column, row) = (Int(point.x / size.x * 64 + 0.5), Int(point.y / size.y * 64 + 0.5))
            let gain = Double(map.gains[row * map.columns + column])
            #expect(abs(gain / read.gain - 1) < 0.005, "gain \(gain) at \(point), Lensfun's \(read.gain)")
        }
    }

    @Test func photosOfUnknownCamerasAndLensesHaveNoProfile() throws {
        let database = try LensDatabase.shared()
        func profile(_ change: (inout FrameMetadata) -> Void) -> LensProfile? {
            var metadata = Self.photos[0].metadata
            change(&metadata)
            return database.profile(for: metadata, width: 600, height: 400)
        }
        #expect(profile { _ in }?.lens == "Canon EF 24-105mm f/4L IS USM")
        #expect(profile { $0.model = "Imaginary 7" } == nil)
        #expect(profile { $0.details.lensModel = "" } == nil)
        #expect(profile { $0.details.lensModel = "Imaginary 50mm f/0.5" } == nil)
        #expect(profile { $0.details.focalLength = 0 } == nil)
        #expect(profile { $0.details.focalLength = 400 } == nil)
        #expect(profile { $0.details.fNumber = 0 }?.parts == [.distortion, .chromaticAberration])
    }

    @Test func lensesAreFoundByName() throws {
        let database = try LensDatabase.shared()
        var metadata = Self.photos[0].metadata
        metadata.details.lensModel = ""
        let named = try database.profile(named: "EF 50mm f/1.8", for: with(metadata, focal: 50), width: 60, height: 40)
        #expect(named.lens.contains("50mm f/1.8"))
        #expect(throws: LensProfileError.self) {
            try database.profile(named: "Imaginary 50mm f/0.5", for: metadata, width: 60, height: 40)
        }
        metadata.model = "Imaginary 7"
        do throws(LensProfileError) {
            _ = try database.profile(named: "EF 50mm f/1.8", for: metadata, width: 60, height: 40)
            Issue.record("a camera without a known crop factor was accepted")
        } catch {
            #expect(error.code == .unknownLens && error.message.contains("Imaginary 7"), "\(error)")
        }
    }

    private func with(_ metadata: FrameMetadata, focal: Double) -> FrameMetadata {
        var metadata = metadata
        metadata.details.focalLength = focal
        return metadata
    }

    /// A filter renders with the profile's corrections, which change the picture, and without them again.
    @Test func aFilterAppliesAProfile() throws {
        var metadata = TestCamera.metadata
        (metadata.make, metadata.model) = (Self.photos[0].make, Self.photos[0].model)
        metadata.details = Self.photos[0].metadata.details
        let mosaic = try TestCamera.mosaic(120, 80, metadata: metadata) { row, column in
            SIMD3(repeating: (row / 8 + column / 8) % 2 == 0 ? 0.1 : 0.6)
        }
        var filter = try RAWFilter(mosaic)
        #expect(!filter.hasOwnLensCorrection)
        let plain = try bytes(of: filter)
        let profile = try #require(try filter.applyLensProfile())
        #expect(filter.lensProfile == profile && !filter.lensCorrection.isEmpty)
        #expect(try bytes(of: filter) != plain)
        filter.isLensCorrectionEnabled = false
        #expect(try bytes(of: filter) == plain)
    }

    private func bytes(of filter: RAWFilter) throws -> [UInt8] {
        guard case .bytes(let bytes) = try filter.picture().samples else { return [] }
        return bytes
    }
}
