import BurstScenes
import Develop
import Fusion
import RawImage
import Testing

/// The developed picture of a burst is never noisier than that of one of its frames.
@Suite struct FusedNoiseTests {
    /// The standard deviation of a picture of a smooth scene from its local mean, in 16-bit steps.
    private struct Noise {
        var luma = 0.0
        var color = 0.0

        init(_ picture: Picture) {
            guard case .words(let words) = picture.samples else { return }
            let (width, height) = (picture.width, picture.height)
            let planes = (0..<3).map { plane in
                (0..<width * height).map { pixel -> Float in
                    let (red, green, blue) = (
                        Float(words[3 * pixel]), Float(words[3 * pixel + 1]), Float(words[3 * pixel + 2])
                    )
                    return plane == 0 ? (red + 2 * green + blue) / 4 : (plane == 1 ? red : blue) - green
                }
            }
            let variances = planes.map { Self.variance($0, width, height) }
            luma = variances[0].squareRoot()
            color = (variances[1] + variances[2]).squareRoot()
        }

        private static func variance(_ plane: [Float], _ width: Int, _ height: Int) -> Double {
            let (edge, reach) = (24, 5)
            var sum = 0.0
            for row in stride(from: edge, to: height - edge, by: 2) {
                for column in edge..<width - edge {
                    var mean: Float = 0
                    for line in row - reach...row + reach {
                        for near in column - reach...column + reach { mean += plane[line * width + near] }
                    }
                    let rest = plane[row * width + column] - mean / 121
                    sum += Double(rest * rest)
                }
            }
            return sum / Double((width - 2 * edge) * ((height - 2 * edge + 1) / 2))
        }
    }

    private func noise(_ photo: LinearImage) throws -> Noise {
        try Noise(Renderer(linear: photo, recipe: Recipe()).picture(.init(depth: .sixteen)))
    }

    private func noise(_ mosaic: Mosaic) throws -> Noise {
        try Noise(Renderer(mosaic: mosaic, recipe: Recipe()).picture(.init(depth: .sixteen)))
    }

    @Test(arguments: [3, 8]) func aBurstHasLessNoiseThanAFrame(_ seed: Int) throws {
        let burst = ModeBurst(.gradients, seed: seed)
        let frame = try noise(burst.frame)
        var results = try FusionMode.allCases.map { mode in
            (mode.rawValue, try noise(burst.photo(FusionOptions(photoIn: mode))))
        }
        results.append(("mosaic", try noise(burst.mosaic(FusionOptions(mosaicIn: .balanced)))))
        for (name, noise) in results {
            let (luma, color) = (noise.luma / frame.luma, noise.color / frame.color)
            #expect(luma < 0.6 && color < 0.6, "\(name): \(luma) \(color)")
        }
    }

    /// The noise that super-resolution left, because it was not to remove any, is removed from the picture.
    @Test(arguments: [3, 8], [SuperResolutionScale.one, .two])
    func aPhotoWithoutNoiseReductionHasLessNoiseThanAFrame(_ seed: Int, _ scale: SuperResolutionScale) throws {
        let burst = ModeBurst(.gradients, seed: seed)
        var options = FusionOptions(photoIn: .quality)
        options.spatialDenoise = 0
        let photo = try burst.photo(options, scale: scale)
        #expect(photo.metadata.fusion?.denoising == 0 && (photo.metadata.fusion?.superResolvedFraction ?? 0) > 0.5)
        // Enlarged photos are compared at the size of the frames.
        let size = Renderer.Output.Size(width: burst.burst.width, height: burst.burst.height)
        let picture = try Renderer(linear: photo, recipe: Recipe()).picture(.init(depth: .sixteen, size: size))
        let (left, frame) = (Noise(picture), try noise(burst.frame))
        let (luma, color) = (left.luma / frame.luma, left.color / frame.color)
        #expect(luma < 0.9 && color < 0.9, "\(luma) \(color)")
    }

    /// A frame alone in a burst looks as it does without fusion.
    @Test func aFrameAloneHasTheNoiseOfAFrame() throws {
        let burst = ModeBurst(.gradients, seed: 4)
        let (frame, alone) = (
            try noise(burst.frame), try noise(burst.photo(FusionOptions(photoIn: .balanced), frames: 1))
        )
        #expect(alone.luma < 1.1 * frame.luma && alone.color < 1.1 * frame.color, "\(alone) \(frame)")
    }
}
