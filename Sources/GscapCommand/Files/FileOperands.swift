/// The inputs of a command and its output: a file, or a folder for one file per input.
struct FileOperands {
    let inputs: [String]
    /// The output; a folder's path ends with a slash, and `-` is standard output.
    let target: String
    let isFolder: Bool

    /// Reads the operands: the inputs, and the output as `--output` or as the last of two operands. `usage` is the
    /// command with an input and an output, for the error message.
    init(_ options: Options, usage: String) throws(Failure) {
        if let target = options.value("--output"), !options.operands.isEmpty {
            self.init(inputs: options.operands, target: target)
        } else if options.value("--output") == nil, options.operands.count == 2 {
            self.init(inputs: [options.operands[0]], target: options.operands[1])
        } else {
            throw Failure(.usage, "an input and an output are needed: \(usage)")
        }
        if isFolder { return }
        guard inputs.count == 1, !PhotoFolder.isFolder(inputs[0]) else {
            throw Failure(.usage, "\(target) is a single file: for many photos name a folder, as in -o pictures/")
        }
    }

    private init(inputs: [String], target: String) {
        self.inputs = inputs
        isFolder = !StandardFile.isOutput(target) && (target.hasSuffix("/") || PhotoFolder.isFolder(target))
        self.target = isFolder && !target.hasSuffix("/") ? target + "/" : target
    }
}
