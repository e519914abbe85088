internal import DNG
internal import Develop
internal import PictureFiles
internal import RawImage

/// Measures raw development for Benchmarks/develop.py, which generates the files, runs the peers and prints the ratios.
enum DevelopBenchmark {
    private static let rounds = 5

    /// A decoded raw photo: a Bayer mosaic or a linear image.
    private enum Photo {
        case mosaic(Mosaic)
        case linear(LinearImage)

        init(_ file: DNGFile) throws {
            self = file.main?.kind == .linear ? .linear(try file.linearImage()) : .mosaic(try file.mosaic())
        }

        /// Returns a filter with the given look and lens distortion, without sharpening and noise reduction.
        func filter(_ look: RAWFilter.Look = .none, warp: LensWarp? = nil) throws -> RAWFilter {
            var filter: RAWFilter
            switch self {
            case .mosaic(var mosaic):
                mosaic.metadata.lens.warp = warp
                filter = try RAWFilter(mosaic, look: look)
            case .linear(var photo):
                photo.metadata.lens.warp = warp
                filter = try RAWFilter(photo, look: look)
            }
            filter.sharpnessAmount = 0
            filter.luminanceNoiseReductionAmount = 0
            filter.colorNoiseReductionAmount = 0
            return filter
        }
    }

    /// Prints the time in seconds of each stage of developing a DNG as a JSON object: the minimum of several rounds.
    /// The time of a rendering step is the difference between rendering with and without it.
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw DNGError(.noSuchImage, "develop needs the path of one DNG") }
        let file = try DNGFile(path: arguments[0])
        let photo = try Photo(file)
        var steps: [(name: String, filter: RAWFilter)] = [
            ("plain", try photo.filter()), ("look", try photo.filter(.automatic)), ("noise", try photo.filter()),
            ("sharpening", try photo.filter()),
            ("distortion", try photo.filter(warp: LensWarp(planes: [.init(radial: [1, -0.05, 0.01, 0])]))),
        ]
        steps[2].filter.luminanceNoiseReductionAmount = 0.5
        steps[2].filter.colorNoiseReductionAmount = 1
        steps[3].filter.sharpnessAmount = 0.5
        var least: [String: Double] = [:]
        func time(_ name: String, _ work: () throws -> Void) rethrows {
            least[name] = min(least[name] ?? .infinity, try Cost.of(work).wall)
        }
        for _ in 0..<rounds {
            try time("decode") { _ = try Photo(file) }
            try time("making the look") { _ = try photo.filter(.automatic) }
            for step in steps { try time(step.name) { _ = try step.filter.picture() } }
        }
        let plain = least["plain", default: 0]
        for step in steps.dropFirst() { least[step.name] = max(0, least[step.name, default: 0] - plain) }
        let (bytes, words) = (try steps[1].filter.picture(), try steps[1].filter.picture(depth: .sixteen))
        let halves = try steps[1].filter.sceneLinearPicture()
        for _ in 0..<rounds {
            for (name, format, picture) in [
                ("jpg", PictureFormat.jpeg, bytes), ("png", .png, words), ("tif", .tiff, words), ("exr", .exr, halves),
            ] { try time(name) { _ = try PictureEncoding(format).encode(picture) } }
        }
        print("{" + least.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}")
    }
}
