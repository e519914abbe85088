internal import Files
internal import GSCapture
internal import GscapElements

// What is checked before the pipeline runs.

extension CaptureCommand {
    /// Throws if the name of the folder for the files is that of a picture.
    static func checkFolder(_ folder: String) throws(Failure) {
        guard !folder.hasSuffix("/"), !PhotoFolder.isFolder(folder), let format = PictureName.format(of: folder) else {
            return
        }
        throw Failure(
            .usage,
            "--output \(folder) is the name of a \(format) file, but it names the folder for the files; "
                + "--name names the files")
    }

    /// Throws unless a capture makes one file, which standard output can take.
    static func checkStandardOutput(
        _ options: Options, files: (partialValue: Int, overflow: Bool), _ console: Console
    ) throws(Failure) {
        try StandardFile.checkOutput(console)
        if let name = ["--deferred", "--live", "--motion-photo", "--after"].first(where: options.has) {
            throw Failure(.usage, "--output - takes the file of a photo, so it excludes \(name); name a folder")
        }
        guard !files.overflow, files.partialValue == 1 else {
            let count = files.overflow ? "many" : "\(files.partialValue)"
            throw Failure(
                .usage,
                "--output - takes one file, and this capture makes \(count): name one format, as in --format jpeg, and "
                    + "take one photo, or name a folder; ./- is the folder of that name")
        }
    }

    /// Returns the plan of a pipeline file, and the claims on the names of its sinks that number their files. Those
    /// sinks leave existing files alone, and other processes do not use their names meanwhile.
    static func plan(
        from file: String, _ options: Options, _ console: Console
    ) throws -> (PipelinePlan, [NameReservation]) {
        let keeps = !options.has("--overwrite")
        let plan = try PlanReader.plan(from: file, options: options, console: console, keepsFiles: keeps)
        guard !plan.keptLocations.isEmpty else { return (plan, []) }
        let claims = try plan.keptLocations.map { location in
            let slash = location.lastIndex(of: "/").map { location.index(after: $0) } ?? location.startIndex
            let folder = slash == location.startIndex ? "." : String(location[..<slash])
            guard let claim = try NameReservation.claim(String(location[slash...]), in: folder) else {
                throw Failure(.cannotCreate, "\(location): another gscap is storing files of these names")
            }
            return claim
        }
        // The first numbers are those after the claims, since another process may have stored files before.
        return (try PlanReader.plan(from: file, options: options, console: console, keepsFiles: keeps), claims)
    }

    /// Throws if a pipeline that is asked for photos cannot take or store any.
    static func checkStoresPhotos(_ plan: PipelinePlan) throws(Failure) {
        guard plan.shutter != nil else {
            throw Failure(
                .usage, "\(plan.file) has no rawshutter, so it can take no photos; --photos 0 runs it without any")
        }
        guard !plan.branches.isEmpty else {
            throw Failure(
                .usage,
                "no branch of \(plan.file) stores its photos: end one with filesink, multifilesink or appsink behind "
                    + "the rawshutter, or run it without photos by --photos 0")
        }
    }
}
