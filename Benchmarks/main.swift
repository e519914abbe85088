// Compares gscap's elements with GStreamer's on the same frames in the same run, and prints the ratios ours : peer:
// below 1 gscap is faster. Arguments select comparisons by their keys.

import CAllocationCount
import CHeap
import GStreamer
import Glibc
import GscapElements

// As in the command gscap.
gscap_keep_heap_small()

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
if CommandLine.arguments.dropFirst().first == "digests" {
    try DigestBenchmark.run(width: 4032, height: 3024)
    exit(0)
}
if CommandLine.arguments.dropFirst().first == "press" {
    try GscapPlugin.register()
    try await PressBenchmark.run(width: 4032, height: 3024, Set(CommandLine.arguments.dropFirst(2)))
    exit(0)
}
if CommandLine.arguments.dropFirst().first == "busy" {
    try GscapPlugin.register()
    try BusyPressBenchmark.run()
    exit(0)
}
if CommandLine.arguments.dropFirst().first == "embedded" {
    try GscapPlugin.register()
    let presses = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 20
    try await EmbeddedPressBenchmark.run(presses: presses, width: 4032, height: 3024)
    exit(0)
}
if CommandLine.arguments.dropFirst().first == "soak" {
    try GscapPlugin.register()
    let words = CommandLine.arguments.dropFirst(2)
    exit(
        try await SoakBenchmark.run(
            seconds: words.first.flatMap { Int($0) } ?? 3600, movie: words.count > 1 ? words.last : nil))
}
if CommandLine.arguments.dropFirst().first == "movie", CommandLine.arguments.count == 4 {
    try GscapPlugin.register()
    let seconds = Int(CommandLine.arguments[2]) ?? 3600
    exit(try await LongMovieBenchmark.run(seconds: seconds, path: CommandLine.arguments[3]))
}
if CommandLine.arguments.dropFirst().first == "attach" {
    try GscapPlugin.register()
    let cycles = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1000
    exit(try await AttachBenchmark.run(cycles: cycles))
}
if CommandLine.arguments.dropFirst().first == "live" {
    try GscapPlugin.register()
    exit(try await LivePhotoBenchmark.run())
}
if CommandLine.arguments.dropFirst().first == "constituents" {
    try GscapPlugin.register()
    let captures = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 500
    exit(try await ConstituentBenchmark.run(captures: captures))
}
if CommandLine.arguments.dropFirst().first == "rapid" {
    try GscapPlugin.register()
    exit(try await RapidPressBenchmark.run(rate: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 10))
}

// GStreamer's elements allocate memory for each picture. Freed memory stays in the heap, so that the peers' times do
// not include page faults, which gscap's pools avoid.
mallopt(M_ARENA_MAX, 1)
mallopt(M_MMAP_THRESHOLD, 1 << 30)
mallopt(M_TRIM_THRESHOLD, .max)

try GscapPlugin.register()

let width = 4032
let height = 3024
let selected = CommandLine.arguments.dropFirst()
let comparisons = [
    ("ring", StreamBenchmark.shutterIdle), ("preview", FrameBenchmark.preview), ("full", FrameBenchmark.full),
    ("demosaic", DemosaicBenchmark.fast), ("demosaic", DemosaicBenchmark.best), ("dng", FrameBenchmark.dng),
]

print("\(width)×\(height), medians, ours : peer")
if selected.isEmpty || selected.contains("idle") { try IdleBenchmark.run(width: width, height: height) }
for (key, make) in comparisons where selected.isEmpty || selected.contains(key) {
    try make(width, height).run()
}
if selected.isEmpty || selected.contains("dng") {
    // The time per pixel must not depend on the picture's size, so the DNG comparison is repeated with a small and a
    // large one.
    for (width, height) in [(1152, 864), (8064, 6048)] { try FrameBenchmark.dng(width: width, height: height).run() }
}
if selected.isEmpty || selected.contains("fusion") { try FusionBenchmark.run() }
