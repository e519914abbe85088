/// The registry of subcommands: the only list of them in the program.
///
/// Only the dispatcher refers to the registry, so that no subcommand depends on the others.
enum Subcommands {
    /// Every subcommand, in the order of `gscap --help`.
    static var all: [any Subcommand.Type] {
        [
            PlanCommand.self, InspectCommand.self, FuseCommand.self, DevelopCommand.self, ConvertCommand.self,
            VerifyCommand.self, FinishCommand.self, RecordCommand.self, DevicesCommand.self, DoctorCommand.self,
            CompletionCommand.self,
        ]
    }

    /// Returns the subcommand of that name, or nil if there is none.
    static func named(_ name: String) -> (any Subcommand.Type)? { all.first { $0.name.rawValue == name } }

    /// Returns the help of a command, also of `gscap` itself.
    static func help(of command: CommandName) -> CommandHelp {
        all.first { $0.name == command }?.help ?? CaptureCommand.help
    }
}
