internal import CaptureSettings
internal import GSCapture
internal import PictureFiles
internal import RawImage

/// The table of options, in the order of the help.
///
/// A line with a group in brackets names the commands that have the options below it. The line of an option has its
/// spellings and its placeholder; then `*` if the short help lists it, `@` with what completes its value, behind `=`
/// the words that the value may be, and behind `|` the description, which further lines continue.
extension CommandOption {
    static let all = [capture, photo, settingLines, shared, fusion, development, conversion].flatMap { parse($0) }

    /// The settings of photos whose options have no line here, since their rows in the table of settings say all.
    static let settings: [PhotoSetting] = {
        let written = Set([capture, photo, shared].flatMap { parse($0) }.map(\.name))
        return PhotoSetting.all.filter {
            !$0.option.isEmpty && !$0.option.contains(" ") && !written.contains($0.option)
        }
    }()

    private static var settingLines: String {
        settings.reduce("[photo] gscap plan") { lines, setting in
            let words = if case .choice(let words) = setting.kind { "= " + words.joined(separator: " ") } else { "" }
            let sentence = setting.sentence.prefix(1).lowercased() + setting.sentence.dropFirst()
            return lines + "\n\(setting.option) \(setting.placeholder) \(words) | \(sentence)"
        }
    }

    private static func words<T: CaseIterable & RawRepresentable>(_: T.Type) -> String where T.RawValue == String {
        T.allCases.map(\.rawValue).joined(separator: " ")
    }

    private static let capture = """
        [pipeline] gscap
        --pipeline FILE @files txt | the pipeline to run, in the syntax of gst-launch-1.0; # starts a comment
        [pipeline] gscap plan inspect
        --set ELEMENT.PROP=VALUE | set a property of an element in the pipeline file; may be repeated
        --var NAME=VALUE @variables | set the variable ${NAME} of the pipeline file, as GSCAP_NAME in the environment
            does; may be repeated
        [camera] gscap plan
        --raw FORMAT,… * = bayer proraw | the raw photos: bayer or proraw (default: proraw, with --format jpeg)
        --format FORMAT,… * = \(words(ProcessedPhotoFormat.self)) | the finished pictures: jpeg, heif, avif, jxl, webp,
            png, tiff or exr; png16, tiff16, heif10 and avif10 have more bits, heif-pq, heif-hlg, avif-pq and avif-hlg
            high dynamic range; uncompressed and uncompressed16 are pixels for an appsink; jpg, tif and heic are other
            spellings
        [camera] gscap plan record
        --device ID|FILE.ini * @devices | the camera, from gscap devices; or the file of several as one (default: the
            first that delivers raw frames, or else the simulated one)
        --size WIDTHxHEIGHT | the size of the camera's frames (default: its largest; of the simulated one 4032x3024, and
            2016x1512 for each of two)
        --rate N | the frames per second: 1 to 1000 (default: the camera's; of the simulated one 10)
        [camera] gscap plan
        --zoom FACTOR | the zoom factor: the camera of a virtual device that it selects, and a crop of its photos; with
            --constituents, photos are not cropped
        --constituents | photos of each camera of a virtual device, FILE-camera1, FILE-camera2: --device
            simulated-wide-and-tele or FILE.ini
        --fuse-constituents | one photo of a virtual device, with the longer lens's detail where both see the scene
        --live | also store a movie of 1.5 s before and after the press: a Live Photo, FILE.jpg and FILE.mov with the
            same content identifier; without --raw proraw
        --motion-photo | as --live, with the movie inside of the JPEG: a Motion Photo, FILE.MP.jpg
        --deferred | store the frames and a small JPEG at once; gscap finish DIR makes the photos later
        [series] gscap
        --photos N * | how many photos to take (default: the pipeline's number, or 1)
        --interval SECONDS | take a photo at this interval; without an end unless --photos is given
        --press | take a photo at each Enter and each signal SIGUSR1
        --timeout SECONDS | stop if the photos are not taken within this time
        --output, -o DIR * @folders | the folder for the files (default: photos); - writes the only file of the only
            photo to standard output
        --name TEMPLATE | the file names, from {n} {date} {time} {kind} and conversions of strftime such as %Y-%m-%d
            (default: photo-{n})
        --after COMMAND @programs | run a shell command after each photo, with its files as arguments
        [series] gscap plan
        --preview | show the live preview, which is the default if there is a display
        [series] gscap plan record
        --no-preview | show no live preview
        [series] plan
        --launch | print the pipeline on one line, quoted for the shell, for gst-launch-1.0, which takes the photos,
            stores each branch under its own name and ends: eval gst-launch-1.0 "$(gscap plan --launch
            pipelines/headless.txt)"; with --json, the field shell
        [movie] record
        --duration SECONDS * | the length of the movie, without its pauses (default: until Ctrl-C)
        --split-time SECONDS | begin another file after this time: FILE-2.mp4, FILE-3.mp4 …; names that are taken are
            left out
        --split-size MEGABYTES | begin another file before this size; a file has at least one second
        --press | pause and continue at each Enter and each signal SIGUSR1
        --audio SOURCE * | record sound from a live GStreamer element, such as "pulsesrc"; behind a file's decoder write
            "! clocksync" (default: no sound)
        --encoder NAME = \(words(MovieSettings.Encoder.self)) | openh264 (default) or x264; x264 is under the GPL
        --bit-rate MEGABITS | megabits per second of the pictures: 0.01 to 288, or to 1000 with x264 (default: a tenth
            of a bit per pixel, at least 0.5)
        """

    private static let photo = """
        [photo] gscap plan
        --effort LEVEL * = \(words(FusionMode.self)) | speed, balanced or quality: fuse bursts of 4, 8 or 12 frames,
            with rising effort; by default as the pipeline's settings are, or balanced
        --frames N | the frames of a burst, 1 to 64, in place of those of --effort or the pipeline; Bayer frames that
            are not fused are all stored
        --shutter TIME * | the exposure time: 1/200, 0.5, 1/100s or 10ms
        --iso N | the gain as an ISO number
        --ev N | the exposure relative to the camera's, in stops from -16 to 16: -2, 0.7
        --bracket EV,EV,… | one photo for each exposure, in stops relative to the camera's: -2,0,2; or TIME@ISO,…:
            1/200@100,1/50@100
        --merge [on|off] = on off | also fuse the exposures of the bracket into one photo
        --white, --wb LIGHT = camera \(LightChoice.names.joined(separator: " ")) | the white balance: camera (default),
            \(LightChoice.help)
        --flash MODE = off on auto | off (default), on or auto
        --thumbnail N | the longest side of the preview in a DNG, in pixels
        --location LAT,LON[,ALT] | the place, in degrees and metres: 48.137,11.575,519
        """

    private static let shared = """
        [picture] gscap plan develop
        --color SPACE = \(words(ColorWords.self)) | the colour space of finished pictures: srgb, display-p3 (or p3) or
            rec2020 (default: srgb; in develop rec2020 with --hdr pq or hlg, and before --icc)
        [picture] gscap plan develop convert finish
        --quality Q * | the compression quality of lossy files: 2 to 100, or 0 to 1, the best; by default develop has
            90, and 97 for JPEG; convert stores linear photos as lossy JPEG with 8 bits per sample, or with
            --compression jpeg-xl linear and Bayer photos as lossy JPEG XL
        [files] inspect fuse develop convert
        --output, -o OUT * @files | the new file, or a folder; - is standard output
        [files] finish
        --output, -o DIR * @folders | the folder for the files (default: the one that contains the jobs' folder)
        --keep * | do not delete the finished jobs
        [files] gscap record inspect fuse develop convert
        --overwrite * | replace existing files; never the photos that are read, except the DNG of convert
        [files] inspect fuse develop convert
        --accept-damage | read files whose parts do not match their digests, with a warning; what is made from them
            names the damage
        [files] inspect
        --extract WHAT * = \(words(DNGExtraction.Part.self)) | store a part of the DNG: preview, mattes, depth or
            original; the preview is the first, or the largest JPEG in a camera's raw file, mattes are grey PNGs in the
            folder OUT, depth is a grey PNG, and original the raw file that convert embedded
        [files] verify
        --against FRAME * @files | also prove that the photo was made from this frame of the sensor: a Bayer DNG, or
            16-bit codes as a pipeline's filesink stores them
        [general] devices
        --watch * | go on, and print the cameras that come, change and go
        [general] all
        --json | write results to standard output as JSON, one object per line
        --verbose, -v | report more on standard error
        --help, -h [all] = all | print the commonest options; with all, every option
        [general] gscap
        --version | print the version
        """

    private static let fusion = """
        [fusion] fuse
        --effort LEVEL * = \(words(FusionMode.self)) | speed (at most four frames, least work), balanced (all frames) or
            quality (default: all frames, with super-resolution); a capture with that effort gives the same photo
        --merge [on|off|auto] * = \(words(BurstFuser.Bracket.self)) | whether to merge different exposures into one
            photo; it has the highlights of the short and the shadows of the long ones; auto (default): if the exposures
            differ by more than half a stop; --effort, --strength, --denoise and --super-resolution apply to bursts only
        --super-resolution SCALE * = auto off 1 1.5 2 | resolution from the shifts between frames: auto, off, or 1, 1.5
            or 2; the number multiplies the frames' size; auto (default) is 1 for two and more frames with --effort
            quality
        --denoise X * | the strength of noise reduction: 0 to 1, 0.5 the usual; of the noise left after merging, by
            default 0.5, or 0 with --mosaic and for one frame
        --strength X | how far beyond the noise frames may differ and still be merged: 0 to 4 (default: 1)
        --reference N | align with this frame, counted from 0 (default: the sharpest of the first frames)
        --mosaic | store a 16-bit Bayer DNG instead, to demosaic in another converter
        --tele TELE.dng @photos | fuse one photo of a wide lens with this one of a tele lens, taken at the same moment:
            where both see the scene, the photo shows the tele's detail, at twice the wide's size or, with
            --super-resolution, another scale; only --strength, --overwrite and --accept-damage apply beside it
        """

    private static let development = """
        [light] develop
        --look LOOK @files cube = file auto none | file (default: as the DNG specifies), auto (computed from the photo)
            or none; or a .cube file, which is applied at the end, in sRGB; may be given twice, for one of both
        --look-amount X | the strength of the .cube file: 0 to 1 (default: 1)
        --profile PROFILE @files dcp | the camera profile: the name of one in the DNG (gscap inspect lists them), or a
            file.dcp; default: the DNG's first
        --ev N * | brighten or darken, in stops from -10 to 10
        --white, --wb LIGHT * = camera auto \(LightChoice.names.joined(separator: " ")) | the white balance: camera
            (default) or daylight …; auto (computed from the photo), \(LightChoice.help), or a chromaticity x,y
        --pick X,Y | set the white balance so that this pixel is grey
        --boost X | the strength of tone curve and local gains: 0 to 1 (default: 1)
        --local X | the strength of the local gains alone: 0 to 1 (default: 1)
        --shadows X | the linear value to subtract so that black is black: -0.5 to 0.5 (default: 0)
        --baseline-exposure EV | replaces the file's BaselineExposure: -10 to 10
        --no-gamut-mapping | clip colours outside the output's gamut instead of desaturating them
        --linear | linear values in proportion to the scene, not clipped (exr, tiff; half floats)
        [detail] develop
        --sharpness X | the strength of sharpening: 0 to 1 (default: the file's; 0.5 for most cameras)
        --denoise X * | the strength of noise reduction: 0 to 1, 0.5 the usual; of the luminance, by default 0.5 for
            Bayer photos and 0 for linear ones, which are denoised already
        --color-denoise X | the strength of the noise reduction of colours: 0 to 1 (default: 1 for Bayer photos, 0 for
            linear ones)
        --lens-correction WORD = \(LensChoice.words.joined(separator: " ")) | auto (default: the file's, or those of
            Lensfun if the file has none and Lensfun's database contains the camera and lens), file, lensfun or off
        --lens NAME | correct this lens of Lensfun's database
        [picture] develop
        --format FORMAT * = \(PictureFormat.allCases.map(FormatWords.word).joined(separator: " ")) | jpeg, png, tiff,
            heif, avif, exr, jxl or webp; by default as the file's name says, or jpeg; jpg, tif and heic are other
            spellings
        --resize N|WIDTHxHEIGHT * | the longest side of the picture, or a box to fit into
        --crop X,Y,WIDTHxHEIGHT | a part of the photo, in pixels of the upright photo
        --bits N = \(words(PictureDepth.self)) | 8, 10 or 16 bits per sample, or half floats (default: the format's
            usual depth)
        --icc FILE.icc @files icc icm | convert the picture to this RGB profile (relative colorimetric, black point
            compensation) and store it in the file; --color is then the space that the photo is rendered in before
        --hdr WORD = pq hlg map | pq or hlg (heif, avif, png), or map (jpeg, heif, avif): an SDR picture with a gain map
            for HDR displays
        --hdr-amount X | how much of the range above white an HDR picture shows: 0 to 1 (default: 1)
        [presets] develop
        --preset NAME @presets | take the options from a preset, a file NAME.preset in $XDG_CONFIG_HOME/gscap/presets
            (~/.config/gscap/presets) or elsewhere, with lines such as ev = 0.5; options of the command line replace
            them, and the words of earlier versions are understood
        --save-preset NAME @presets | store the options as a preset, also without a photo
        --no-sidecar | ignore the photo's XMP sidecar, photo.dng.xmp or photo.xmp, whose rating, label, keywords, title,
            orientation, crop, exposure, white balance and profile apply unless options replace them
        --write-sidecar | store these settings in photo.xmp, also without a picture; --overwrite updates an existing
            sidecar
        --histogram | print the scene's linear values in stops; with OUT.png also as a plot
        """

    private static let conversion = """
        [storage] convert
        --compression METHOD * = lossless none jpeg-xl | lossless (lossless JPEG, default), none or jpeg-xl (needs a
            reader of DNG 1.7)
        --predictor N = best | the predictor of lossless JPEG: 1 to 7 (default: 1, which every reader supports), or
            best: the one that makes a sample of this file smallest; darktable 4.2 reads 1
        --bits N | bits per sample of lossless JPEG, 8 to 16; fewer than the samples have are stored along a curve that
            follows the noise (default: the samples as they are)
        --thumbnail WHICH * = keep full small | the preview in the DNG: keep (default), full, small, or its longest side
            in pixels; full is rendered at the photo's size; with a quality below 1, and for a camera's own raw file,
            the default is a new one of half the photo's size
        --embed-original * | store the whole file IN in the new one too, from which inspect extracts it
        --strip | remove location, names, texts, keywords, serial numbers, maker notes, private tags, mattes, depth map
            and all but one preview
        """
}
