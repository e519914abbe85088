// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Treats warnings as errors in CI only, since newer compilers and headers emit new warnings on users' machines.
let warnings: [SwiftSetting] =
    Context.environment["GSCAP_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

/// The language mode and upcoming features of every Swift target.
let rules: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // Swift 6.2 requires @_lifetime on methods that change a span, which Swift 6.3 accepts too.
        .enableExperimentalFeature("Lifetimes"),
    ] + warnings

/// The settings of all targets except the kernels, which also require each unsafe expression to be marked.
let strict: [SwiftSetting] = rules + [.strictMemorySafety()]

#if arch(x86_64)
    let hostArchitecture = "amd64"
#elseif arch(arm64)
    let hostArchitecture = "arm64"
#else
    let hostArchitecture = "other"
#endif

/// The architecture to build for, by Debian's name. A manifest cannot read SwiftPM's option --triple or --swift-sdk, so
/// a build for another architecture than this machine's sets GSCAP_ARCH.
let architecture = Context.environment["GSCAP_ARCH"] ?? hostArchitecture

/// Declares the kernels compiled for a level of x86-64, of which `Kernels` selects one at run time. For other
/// architectures, whose kernels are compiled once, the module is another name of KernelsBaseline.
func kernels(_ level: String, _ settings: [SwiftSetting] = []) -> Target {
    guard architecture == "amd64" else {
        return .target(
            name: "Kernels" + level, dependencies: ["KernelsBaseline"], path: "Sources/Kernels/\(level)Alias",
            swiftSettings: rules)
    }
    return .target(
        name: "Kernels" + level, dependencies: ["CProcessor", "KernelTypes"], path: "Sources/Kernels/" + level,
        swiftSettings: rules + [.unsafeFlags(["-Xcc", "-march=x86-64-" + level.lowercased()])] + settings)
}

/// Declares the module map of a system library, in Sources/C.
func system(_ name: String, pkgConfig: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/" + name, pkgConfig: pkgConfig)
}

/// Declares a C target in Sources/C, for code that Swift cannot express.
func c(_ name: String, on dependencies: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies.map { .byName(name: $0) }, path: "Sources/C/" + name)
}

/// Declares a module of the project, which may import only the project's modules in `dependencies`.
func module(_ name: String, on dependencies: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: strict)
}

/// Declares a module whose internal declarations its tests may use, also in release builds.
func testableModule(_ name: String, on dependencies: [String], resources: [Resource]? = nil) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .byName(name: $0) }, resources: resources,
        swiftSettings: strict + [.unsafeFlags(["-enable-testing"])])
}

/// The modules whose tests loop over pixels and are therefore optimised. All other tests are compiled without
/// optimisation, even in release builds, because optimising them takes longer than running them.
let testsOverPixels: Set = ["Develop", "Fusion"]

/// Leaves the debug information out of the tests of release builds, which takes a tenth of their compilation.
let plain: [SwiftSetting] = [.unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .release))]

/// Declares the tests of a module. They may link a system library to check the module's output.
func tests(_ name: String, on dependencies: [String], linking libraries: [String] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies.map { .byName(name: $0) }, path: "Tests/" + name,
        swiftSettings: strict + (testsOverPixels.contains(name) ? [] : [.unsafeFlags(["-Onone"])]) + plain,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

let package = Package(
    name: "gscap",
    products: [
        .library(name: "GSCapture", targets: ["GSCapture", "GStreamer", "RawImage"]),
        .library(name: "GSCaptureFoundation", targets: ["GSCaptureFoundation"]),
        .library(
            name: "RawDevelop", targets: ["Develop", "CameraRaw", "DNG", "PictureFiles", "PhotoMetadata", "RawImage"]),
        .library(name: "gstgscap", type: .dynamic, targets: ["gstgscap"]),
        .executable(name: "gscap", targets: ["gscap"]),
        // Reads cameras' own raw files; started by the command and the plugin, beside which it is installed.
        .executable(name: "gscap-libraw", targets: ["gscap-libraw"]),
    ],
    targets: [
        // Module maps of system libraries, and C shims.
        system("CGStreamer", pkgConfig: "gstreamer-app-1.0"),
        system("CGStreamerCheck", pkgConfig: "gstreamer-check-1.0"),
        system("CTIFF", pkgConfig: "libtiff-4"),
        system("CPNG", pkgConfig: "libpng"),
        system("CTurboJPEG", pkgConfig: "libturbojpeg"),
        system("CZlib", pkgConfig: "zlib"),
        // Used by the example RTSPStills alone, and without pkg-config, so that other products build without it.
        .systemLibrary(name: "CGStreamerRTSPServer", path: "Sources/C/CGStreamerRTSPServer"),
        // Libraries that are loaded with dlopen at run time, so they are not linked and need no pkg-config.
        c("CSharedLibrary"),
        c("CHEIF", on: ["CSharedLibrary"]),
        c("CAVIF", on: ["CSharedLibrary"]),
        c("CJXL", on: ["CSharedLibrary"]),
        c("CWebP", on: ["CSharedLibrary"]),
        c("CLensfun", on: ["CSharedLibrary"]),
        c("CLCMS", on: ["CSharedLibrary"]),
        c("CGStreamerShims", on: ["CGStreamer"]),
        c("CGscapVersion"),
        c("CGscapPlugin", on: ["CGStreamer", "CGscapVersion"]),
        c("CTIFFShims", on: ["CTIFF"]),
        c("CProcessor"),
        c("CHeap"),
        c("CRename"),
        c("CVideo4Linux"),
        c("CCameraRaw"),
        // Without pkg-config, since LibRaw's file for it has a flag that SwiftPM refuses (-fopenmp).
        .executableTarget(
            name: "gscap-libraw", dependencies: ["CCameraRaw"], linkerSettings: [.linkedLibrary("raw_r")]),

        // The inner loops over pixels, compiled from the same files for several processors, and their parameters and
        // memory layouts.
        .target(name: "KernelTypes", path: "Sources/Kernels/Types", swiftSettings: rules),
        .target(
            name: "KernelsBaseline", dependencies: ["CProcessor", "KernelTypes"], path: "Sources/Kernels/Baseline",
            swiftSettings: rules),
        kernels("V3"),  // AVX2, FMA, BMI
        kernels("V4", [.define("WIDEST_VECTORS")]),  // AVX-512
        .target(
            name: "Kernels", dependencies: ["KernelTypes", "KernelsBaseline", "KernelsV3", "KernelsV4", "CProcessor"],
            path: "Sources/Kernels/Choice", swiftSettings: rules),

        // Image processing and files, without GStreamer.
        // The error type of all modules.
        module("Errors"),
        module("Waiting"),
        module("PixelMemory"),
        module("Files", on: ["Errors", "CRename"]),
        module("JSON", on: ["Errors", "Files"]),
        module("RawImage", on: ["Errors", "Kernels", "PixelMemory", "Waiting"]),
        module("PhotoMetadata", on: ["RawImage", "Kernels"]),
        // Files with TIFF's structure: their directories, read, written, and copied.
        module("TIFF", on: ["Errors", "PhotoMetadata", "Files", "CTIFF", "CTIFFShims", "CZlib"]),
        module("LosslessJPEG", on: ["Errors", "Kernels", "KernelTypes"]),
        // The codecs of both picture files and DNG files.
        module("PictureCodecs", on: ["Errors", "RawImage", "PhotoMetadata", "CTurboJPEG", "CJXL"]),
        module(
            "PictureFiles",
            on: [
                "Errors", "RawImage", "PhotoMetadata", "PictureCodecs", "Kernels", "Waiting", "CJXL", "CZlib", "CHEIF",
                "CAVIF", "CWebP", "CLCMS",
            ]),
        module("MovieFiles", on: ["PhotoMetadata", "Files"]),
        module(
            "SimulatedSensor", on: ["Errors", "RawImage", "Kernels", "KernelTypes", "CTIFF", "CTIFFShims", "CPNG"]),
        module("Demosaic", on: ["RawImage", "PixelMemory", "Kernels", "KernelTypes"]),
        module("Fusion", on: ["Errors", "RawImage", "Demosaic", "PixelMemory", "Kernels", "KernelTypes"]),
        module(
            "DNG",
            on: [
                "RawImage", "PhotoMetadata", "PictureCodecs", "TIFF", "LosslessJPEG", "Kernels", "CTurboJPEG",
                "CJXL", "Files",
            ]),
        module("CameraRaw", on: ["Errors", "RawImage", "PhotoMetadata", "TIFF", "DNG", "CCameraRaw"]),
        module(
            "Develop",
            on: [
                "Errors", "RawImage", "PhotoMetadata", "PictureCodecs", "Demosaic", "PixelMemory", "Kernels",
                "KernelTypes", "CLensfun",
            ]),

        module("CaptureSettings", on: ["RawImage", "JSON"]),

        // Pipelines.
        module("GStreamer", on: ["Errors", "CGStreamer", "CGStreamerShims", "Waiting"]),
        // What a camera and the elements agree on: metadata and caps of frames, requests, messages, ledgers.
        module(
            "FrameStream", on: ["GStreamer", "RawImage", "PhotoMetadata", "CaptureSettings", "JSON", "Waiting"]),
        // Cameras: found, watched, opened and controlled, by back-ends.
        testableModule(
            "Cameras", on: ["Errors", "GStreamer", "RawImage", "Files", "Waiting", "CVideo4Linux"],
            resources: [.embedInCode("Sensors")]),
        module(
            "GscapElements",
            on: [
                "Cameras", "FrameStream", "GStreamer", "RawImage", "PhotoMetadata", "PictureFiles", "SimulatedSensor",
                "Demosaic",
                "Fusion", "DNG", "CameraRaw", "Develop", "CaptureSettings", "Files", "JSON", "Waiting", "CGscapVersion",
            ]),
        module("PipelineText", on: ["Errors"]),
        // Devices, settings of captures and their rules, and the plans that they compile to.
        testableModule(
            "CapturePlan",
            on: [
                "Cameras", "Errors", "GStreamer", "RawImage", "FrameStream", "GscapElements", "CaptureSettings",
                "Files", "JSON",
                "PipelineText", "Waiting",
            ]),
        // Recordings, and the movies of Live Photos.
        testableModule(
            "Movies",
            on: [
                "CapturePlan", "GStreamer", "RawImage", "FrameStream", "GscapElements", "CaptureSettings", "Files",
                "MovieFiles", "PipelineText", "Waiting",
            ]),
        testableModule(
            "GSCapture",
            on: [
                "CapturePlan", "Movies", "GStreamer", "RawImage", "FrameStream", "GscapElements", "CaptureSettings",
                "Files", "MovieFiles", "PipelineText", "Waiting",
            ]),
        // Data and URL for GSCapture, apart, so that programs without Foundation need not load its 10 MB library.
        module("GSCaptureFoundation", on: ["GSCapture"]),
        testableModule(
            "GscapCommand",
            on: [
                "Cameras", "Errors", "GSCapture", "GStreamer", "RawImage", "PhotoMetadata", "Demosaic", "Fusion",
                "PictureFiles", "DNG", "Develop", "FrameStream", "GscapElements", "PipelineText", "CameraRaw",
                "Kernels", "CaptureSettings", "Files", "JSON", "Waiting",
            ]),
        .executableTarget(
            name: "TakePhoto", dependencies: ["GSCapture", "RawImage"], path: "examples/TakePhoto", swiftSettings: rules
        ),
        .executableTarget(
            name: "PreviewAndThreePhotos", dependencies: ["GSCapture"], path: "examples/PreviewAndThreePhotos",
            swiftSettings: rules),
        .executableTarget(
            name: "RTSPStills", dependencies: ["GSCapture", "GStreamer", "CGStreamerRTSPServer"],
            path: "examples/rtsp-stills/RTSPStills", swiftSettings: rules),
        .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "GSCapture", "GStreamer", "FrameStream", "GscapElements", "RawImage", "PictureFiles", "Demosaic",
                "Fusion",
                "LosslessJPEG", "DNG", "Develop", "CAllocationCount", "CHeap",
            ],
            path: "Benchmarks",
            exclude: [
                "CAllocationCount", "develop.py", "lag.py", "fusion.py", "fusion_burst.py", "lossless_jpeg.py",
                "requirements.txt", "embedding.py", "embedded_press.c", "streaming.py",
            ],
            swiftSettings: strict),
        // The library of the plugin, which has the command's code, too, and the program that runs it.
        .target(
            name: "gstgscap", dependencies: ["GStreamer", "GscapElements", "GscapCommand", "CGscapPlugin", "CHeap"],
            exclude: ["exports.map"], swiftSettings: strict,
            linkerSettings: [
                .unsafeFlags([
                    "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/gstgscap/exports.map",
                ])
            ]),
        .executableTarget(name: "gscap"),

        // A clock that tests advance.
        .target(
            name: "TestClocks", dependencies: ["Waiting"], path: "Tests/Support/TestClocks", swiftSettings: strict),
        tests("Waiting", on: ["TestClocks", "Waiting"]),
        tests("Files", on: ["Files", "TemporaryFolders"]),
        tests("JSON", on: ["JSON", "RandomSequences"]),
        tests("PixelMemory", on: ["PixelMemory"]),
        tests("RawImage", on: ["RawImage", "Kernels", "KernelsBaseline", "KernelsV3"]),
        tests("SimulatedSensor", on: ["SimulatedSensor", "RawImage", "KernelTypes", "KernelsBaseline", "KernelsV3"]),
        // Scenes for the fusion tests. A separate target, so that `make quick` can optimise it.
        .target(
            name: "BurstScenes", dependencies: ["Fusion", "RawImage"], path: "Tests/Support/BurstScenes",
            swiftSettings: strict),
        tests(
            "Fusion",
            on: [
                "BurstScenes", "RandomSequences", "Fusion", "Demosaic", "Develop", "RawImage", "SimulatedSensor",
                "KernelTypes", "Kernels", "KernelsBaseline", "KernelsV3", "KernelsV4",
            ]),
        tests(
            "PictureFiles",
            on: [
                "PictureFiles", "PictureCodecs", "PhotoMetadata", "RawImage", "TestClocks", "KernelsBaseline",
                "KernelsV3", "CHEIF", "CTurboJPEG", "CZlib",
            ],
            linking: ["heif"]),
        // The random numbers and the seeds of tests over random sequences of calls, and how much of a long test runs.
        .target(name: "RandomSequences", path: "Tests/Support/RandomSequences", swiftSettings: strict),
        tests(
            "LosslessJPEG",
            on: ["LosslessJPEG", "Kernels", "KernelsBaseline", "KernelsV3", "RandomSequences"]),
        // Misbehaves in place of gscap-libraw, as LibRaw does with crafted files.
        .executableTarget(
            name: "MisbehavingReader", dependencies: ["CCameraRaw"], path: "Tests/Support/MisbehavingReader"),
        tests(
            "DNG",
            on: [
                "RandomSequences", "DNG", "LosslessJPEG", "CameraRaw", "CCameraRaw", "PhotoMetadata", "RawImage",
                "Kernels", "KernelsBaseline", "KernelsV3", "gscap-libraw", "MisbehavingReader",
            ]),
        tests(
            "Develop",
            on: [
                "Develop", "DNG", "SimulatedSensor", "Demosaic", "Fusion", "RawImage", "PixelMemory", "KernelTypes",
                "Kernels", "KernelsBaseline", "KernelsV3", "CLensfun",
            ],
            linking: ["lensfun"]),
        tests("PipelineText", on: ["PipelineText"]),
        tests("GStreamer", on: ["GStreamer", "TestClocks", "Waiting"]),
        tests(
            "FrameStream", on: ["FrameStream", "GStreamer", "RawImage", "RandomSequences", "TestClocks", "Waiting"]),
        tests(
            "Cameras", on: ["Cameras", "Errors", "RawImage", "GStreamer", "Files", "TemporaryFolders", "CVideo4Linux"]),
        // A folder that ends with its test.
        .target(name: "TemporaryFolders", path: "Tests/Support/TemporaryFolders", swiftSettings: strict),
        // Devices of Video4Linux in the process of a test, in place of the kernel's.
        .target(name: "CameraDouble", path: "Tests/Support/CameraDouble"),
        .testTarget(
            name: "CameraDoubleTests",
            dependencies: [
                "CameraDouble", "Cameras", "CVideo4Linux", "Errors", "FrameStream", "GscapElements", "GStreamer",
                "RawImage", "TemporaryFolders", "TestClocks",
            ],
            path: "Tests/CameraDouble", exclude: ["vectors.py"], resources: [.embedInCode("vectors.txt")],
            swiftSettings: strict + [.unsafeFlags(["-Onone"])] + plain,
            linkerSettings: [
                .unsafeFlags(
                    [
                        "open", "close", "ioctl", "mmap", "poll", "opendir", "fopen", "stat", "readlink",
                        "inotify_add_watch",
                    ].flatMap { ["-Xlinker", "--wrap=" + $0] })
            ]),
        .target(name: "CHarness", dependencies: ["CGStreamerCheck"], path: "Tests/Support/CHarness"),
        tests(
            "GSCapture",
            on: [
                "RandomSequences", "GSCapture", "GSCaptureFoundation", "Cameras", "CapturePlan", "Movies",
                "FrameStream",
                "GscapElements", "GStreamer", "RawImage", "DNG", "CaptureSettings", "Files", "JSON", "MovieFiles",
                "TemporaryFolders", "TestClocks", "Waiting",
            ]),
        tests("Movies", on: ["CapturePlan", "Movies", "GStreamer", "MovieFiles", "TemporaryFolders"]),
        tests(
            "Command",
            on: [
                "RandomSequences", "TemporaryFolders", "gscap", "gscap-libraw", "GscapCommand", "CameraRaw", "DNG",
                "Develop", "PictureCodecs", "PictureFiles", "RawImage", "TestClocks", "Waiting",
            ]),
        tests(
            "Elements",
            on: [
                "RandomSequences", "TemporaryFolders", "FrameStream", "GscapElements", "GStreamer", "RawImage",
                "PhotoMetadata", "DNG",
                "Demosaic", "Develop", "TestClocks", "Waiting", "CHarness",
            ]),
    ]
)

// The Debian package gscap-swift-dev contains only Sources, so targets in other folders are removed there.
package.targets.removeAll { target in
    guard let folder = target.path?.split(separator: "/").first else { return false }
    return !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(folder)")
}

// Tools/build/quick and Tools/build/cross build the tests of the modules GSCAP_MODULE, whose names are separated by
// commas; all targets that they do not need are removed, except for the module All. Tools/build/quick builds without
// optimisation; the loops over pixels are optimised all the same, because tests with millions of pixels would take
// minutes.
if let modules = Context.environment["GSCAP_MODULE"]?.split(separator: ",").map(String.init) {
    // Tests of the command run gst-launch-1.0, which loads the plugin.
    let products = modules.contains("Command") ? ["gstgscap"] : []
    let isAll = modules.contains("All")
    var needed = Set(isAll ? package.targets.map(\.name) : products + modules.map { $0 + "Tests" })
    var added = needed
    while !added.isEmpty {
        let dependencies = package.targets.filter { added.contains($0.name) }.flatMap(\.dependencies)
        let names = dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
        added = Set(names).subtracting(needed)
        needed.formUnion(added)
    }
    package.targets.removeAll { !needed.contains($0.name) }
    if !isAll { package.products.removeAll { !products.contains($0.name) } }
    for target in package.targets where target.name.hasPrefix("Kernels") || target.name == "BurstScenes" {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
    }
}

// libFuzzer provides the main function of the fuzz targets, so they need a separate build, for which Tools/checks/fuzz
// sets GSCAP_FUZZ.
if Context.environment["GSCAP_FUZZ"] != nil {
    let decoders: [Target.Dependency] = ["DNG", "RawImage"]
    for (target, dependencies) in [
        ("LosslessJPEG", ["LosslessJPEG"]), ("DNGReader", decoders), ("DNGLook", decoders),
        ("Renderer", decoders + ["Develop", "PictureFiles"]), ("CameraProfile", decoders + ["Develop"]),
        ("CubeLook", ["Develop", "RawImage"]), ("Sidecar", ["Develop", "RawImage"]),
        ("OutputProfile", ["PictureFiles", "RawImage"]), ("PipelineText", ["PipelineText"]),
        ("JSON", ["JSON"]),
    ] as [(String, [Target.Dependency])] {
        let hasWords = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Fuzz/\(target)/words")
        package.targets.append(
            .executableTarget(
                name: "Fuzz" + target, dependencies: dependencies, path: "Fuzz/" + target,
                exclude: ["Corpus"] + (hasWords ? ["words"] : []),
                swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
    }
}
