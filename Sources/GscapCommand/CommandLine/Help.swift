/// The texts of `--help`.
enum Help {
    /// What a call without words prints.
    static let short = """
        gscap takes RAW still photos through GStreamer, while a live preview goes on.

          gscap --pipeline pipelines/proraw.txt     take a photo: a linear DNG and a JPEG
          gscap devices                             list the cameras
          gscap --help                              learn more
        """

    /// The page on a subcommand, or the main page.
    static func page(_ topic: String?) -> String? {
        switch topic {
        case nil: main
        case "plan": plan
        case "inspect": inspect
        case "fuse": fuse
        case "develop": develop
        case "convert": convert
        case "verify": verify
        case "devices": devices
        default: nil
        }
    }

    static let main = """
        usage: gscap --pipeline FILE [options]     run a pipeline and take photos
               gscap plan [settings | FILE]        print the pipeline that settings give
               gscap inspect FILE                  tell what a pipeline file or a DNG is
               gscap fuse FRAME.dng... -o OUT.dng  make one clean photo of a burst
               gscap develop IN.dng OUT.jpg        make a finished picture of a raw photo
               gscap convert IN.dng OUT.dng        store a photo in another way
               gscap verify FILE.dng               tell whether a DNG is whole and true
               gscap devices                       list the cameras

        Taking photos
          --pipeline FILE           a pipeline in gst-launch's words; # starts a comment
          --photos N                how many photos (default: what the pipeline says, or 1)
          --output DIR              the folder for the files (default: photos)
          --name TEMPLATE           their names, from {n} {date} {time} {kind} (default: photo-{n})
          --set ELEMENT.PROP=VALUE  change a property in the pipeline; may be repeated
          --var NAME=VALUE          give the pipeline's ${NAME} a value; may be repeated
          --quality WORD            speed, balanced or quality: bursts of 4, 8 or 12 frames, and how they are fused
                                    (default: what the pipeline says)
          --preview, --no-preview   show the live picture or not (default: when there is a display)
          --timeout SECONDS         give up after this long
          --json                    one JSON object a line on standard output, for programs
          --verbose                 say more on standard error

        Everywhere
          --help, --version         and gscap plan --help, gscap inspect --help, gscap devices --help

        Files appear whole or not at all, and nothing is overwritten. Ctrl-C finishes the photo
        under way; a second Ctrl-C stops at once.

        Try
          gscap --pipeline pipelines/proraw.txt --photos 3 --output holiday
          gscap --pipeline pipelines/proraw.txt --set camera.iso=1600 --set shutter.frames=16
          gscap --pipeline pipelines/v4l2.txt --var DEVICE=/dev/video2
          gscap plan --raw proraw --processed jpeg > mine.txt

        Exit codes: 0 done, 64 wrong words, 65 wrong input, 66 no such input, 69 missing element,
        library or device, 70 our fault, 73 cannot create a file, 74 input or output failed, 75 try again, 130 stopped.
        """

    static let plan = """
        usage: gscap plan [--raw bayer|proraw] [--processed FORMAT,…] [--quality speed|balanced|quality]
                          [--size WIDTHxHEIGHT] [--rate N] [--no-preview] [--json]
               gscap plan FILE [--var NAME=VALUE] [--set ELEMENT.PROP=VALUE] [--launch]

        A finished picture is jpeg, png, png16, webp, tiff, tiff16, heif, heif10, avif, avif10, jxl or exr; with more
        light than paper heif-pq, heif-hlg, avif-pq or avif-hlg.

        Prints the pipeline that settings give, its branches and caps, or the rule that they break.
        With a FILE: the pipeline as gscap understands it; --launch prints it on one line for gst-launch-1.0:

          eval gst-launch-1.0 "$(gscap plan --launch pipelines/headless.txt)"
        """

    static let inspect = """
        usage: gscap inspect FILE… [--var NAME=VALUE] [--set ELEMENT.PROP=VALUE] [--json]
               gscap inspect FILE.dng --preview|--mattes|--depth [-o OUT]

        Tells what a pipeline file is (elements, branches, variables, what is wrong with it) or what a DNG
        holds (images, sizes, levels, colour, exposure).

          --preview                 store the DNG's first preview, a JPEG
          --mattes                  store its mattes, each a grey PNG
          --depth                   store its depth map, a grey PNG
          -o, --output OUT          the file, or for mattes the folder (default: beside the DNG)
        """

    static let fuse = """
        usage: gscap fuse FRAME.dng... -o OUT.dng [options]     one photo of a burst
               gscap fuse FOLDER... -o DIR/ [options]           one photo of each burst

        Aligns the frames of a burst, any maker's Bayer DNGs of one size, and merges them into one photo with less noise:
        a linear DNG. What moves, or is another scene, is left out, and the command says so.

        With a folder as output, frames are taken for bursts by camera, name, time and exposure. Photos are named after
        their first frame; those that are there already are kept.

          -o, --output OUT          the file, which must not exist, or a folder
          --mosaic                  a Bayer DNG of 16 bits instead, for those who like their own demosaic
          --reference N             the frame that the others are aligned with, counted from 0 (default: the sharpest
                                    of the first)
          --mode WORD               speed (four frames at most, least work), balanced (default) or quality, which is the
                                    same here: finer detail is up to --detail
          --strength X              how far frames may differ, beyond noise, and still be merged: 0 to 4 (default: 1)
          --denoise X               how much of the noise that merging leaves is taken off: 0 to 4 (default: 1; with
                                    --mosaic 0)
          --detail WORD             detail finer than one frame has, from how the hand shook: auto (default: where the
                                    frames show it), off, or 1, 1.5 or 2 times the frames' size
          --bracket WORD            whether exposures that differ are a bracket, whose photo holds the highlights of the
                                    short and the shadows of the long: auto (default: by half a stop), on or off;
                                    --mode, --strength, --denoise and --detail are for bursts only
          --json                    one JSON object a line on standard output, for programs
          --verbose                 what became of each frame

        Try
          gscap fuse burst/*.dng -o fused.dng
          gscap fuse DCIM/ -o fused/
        """

    static let develop = """
        usage: gscap develop IN.dng OUT.{jpg,heic,avif,png,tif,exr,jxl} [options]     one picture
               gscap develop IN.dng... FOLDER... -o DIR/ [--format WORD] [options]    one of each

        Makes finished pictures of raw photos, any maker's DNGs. The look is the one that the file asks for; options change it.
        With a folder as output, pictures that are there already are kept.

        Light and colour
          --look WORD               file (default: what the DNG says), auto (made anew for this photo) or none
          --exposure EV             brighter or darker: -10 to 10
          --white WORD              the light of the scene: camera (default), auto, KELVIN[,TINT] or x,y
          --pick X,Y                what lies at this pixel is grey
          --boost X                 how much of the tone curve and local gains: 0 to 1 (default: 1)
          --local X                 how much of the local gains: 0 to 1 (default: 1)
          --shadows X               light taken off to make black black: -0.5 to 0.5 (default: 0)
          --baseline-exposure EV    in place of the file's
          --no-gamut-mapping        colours beyond those of the output are cut, not made paler
          --linear                  light itself, in proportion to the scene, nothing clipped (exr, tif; half floats)

        Detail
          --sharpness X             0 to 1 (default: the file's, a half for a usual camera)
          --denoise X, --color-denoise X   how much noise is taken off: 0 to 1 (default: 0.5 and 1 of a Bayer photo's,
                                    none of a linear one's, whose maker saw to it)
          --no-lens                 without the lens's correction

        The picture
          --crop X,Y,WIDTHxHEIGHT   a part of it, in pixels of the upright picture
          --size N | WIDTHxHEIGHT   its longest side, or the box that it is to fit in
          --space WORD              srgb (default), p3 or rec2020
          --bits N                  8, 10 or 16 bits a colour, or half (default: the most usual of the format)
          --quality Q               of formats with loss, 0 to 1 (default: 0.9, JPEG 0.97)
          --hdr WORD                pq or hlg (heic, avif, png), or map: a JPEG with a gain map for bright screens
          --hdr-amount X            how much of what is brighter than white HDR pictures show: 0 to 1 (default: 1)

        Looking
          --histogram               the light of the scene, by stops; with OUT.png drawn

        Try
          gscap develop photo.dng photo.jpg --exposure 0.5 --white 5000
          gscap develop DCIM/ -o web/ --format avif --size 2048
          gscap develop photo.dng scene.exr --linear
          gscap develop photo.dng --histogram
        """

    static let convert = """
        usage: gscap convert IN.dng OUT.dng [options]

        Stores the photo of a DNG, anybody's, in another way. What the file tells stays with it.

          --compression WORD        lossless (lossless JPEG, the default), none or jpeg-xl (recent readers only)
          --predictor N             of lossless JPEG, 1 to 7; 7 is a little smaller, but not every reader opens it
          --bits N                  bits of a sample, 8 to 16, along a curve that follows the noise
          --quality Q               below 1: a linear photo as JPEG of 8 bits, with loss
          --preview WHICH           keep (default; with loss: made anew in half the size), full (made anew), small, or
                                    its longest side in pixels
          --strip                   without place, artist, title, mattes, depth and further previews

        Try
          gscap convert photo.dng small.dng --quality 0.9 --preview 1024
        """

    static let verify = """
        usage: gscap verify FILE.dng... [--against FRAME] [--json]

        Decodes every image, compares the digest in the file with that of its pixels, checks what its tags
        say. Exit code 0 when all is well, 65 and a list when it is not.

          --against FRAME           also prove that the photo was made of this frame of the sensor: a Bayer DNG, or
                                    codes of 16 bits as a pipeline's filesink stores them
        """

    static let devices = """
        usage: gscap devices [--json]

        Lists the cameras that GStreamer finds and the built-in simulated one, with the pipeline text that opens each.
        """
}
