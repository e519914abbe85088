// Compares gscap's elements with GStreamer's own, on the same frames in the same run, and prints ratios: below 1 is
// cheaper. Words on the command line pick comparisons by their keys.

import CAllocationCount
import GStreamer
import Glibc
import GscapElements

if CommandLine.arguments.dropFirst().first == "lossless-jpeg" {
    try LosslessJPEGBenchmark.run(Array(CommandLine.arguments.dropFirst(2)))
    exit(0)
}
if CommandLine.arguments.dropFirst().first == "fuse" {
    try FusionBenchmark.fuse(Array(CommandLine.arguments.dropFirst(2)))
    exit(0)
}
if CommandLine.arguments.dropFirst().first == "develop" {
    try DevelopBenchmark.run(Array(CommandLine.arguments.dropFirst(2)))
    exit(0)
}

// GStreamer's elements allocate each picture anew. Freed memory is kept, so that they do not pay for fresh pages either.
mallopt(M_ARENA_MAX, 1)
mallopt(M_MMAP_THRESHOLD, 1 << 30)
mallopt(M_TRIM_THRESHOLD, .max)

try GscapPlugin.register()

let width = 4032
let height = 3024
let wanted = CommandLine.arguments.dropFirst()
let comparisons = [
    ("ring", StreamBenchmark.shutterIdle), ("preview", FrameBenchmark.preview), ("full", FrameBenchmark.full),
    ("demosaic", DemosaicBenchmark.fast), ("demosaic", DemosaicBenchmark.best), ("dng", FrameBenchmark.dng),
]

print("\(width)×\(height), medians, ours : peer")
if wanted.isEmpty || wanted.contains("idle") { try IdleBenchmark.run(width: width, height: height) }
for (key, make) in comparisons where wanted.isEmpty || wanted.contains(key) {
    try make(width, height).run()
}
if wanted.isEmpty || wanted.contains("dng") {
    // What a pixel costs must not depend on how many there are.
    for (width, height) in [(1152, 864), (8064, 6048)] { try FrameBenchmark.dng(width: width, height: height).run() }
}
if wanted.isEmpty || wanted.contains("fusion") { try FusionBenchmark.run() }
