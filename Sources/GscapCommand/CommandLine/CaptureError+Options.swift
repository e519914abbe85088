internal import CaptureSettings
internal import Files
internal import GSCapture

/// Errors of captures in the words of the command line.
extension CaptureError {
    /// The place and the message, in which settings have the names of their options.
    var commandText: String {
        let setting = (cause as? SettingProblem)?.setting ?? PhotoSetting.named(by: place)
        let place = setting.map(Self.name) ?? place
        return place.isEmpty ? commandMessage : "\(place): \(commandMessage)"
    }

    /// The message, with the options of the command in place of the library's settings and advice.
    var commandMessage: String {
        if isNameTaken {
            return message.replacing(Self.existingFileAdvice, with: "choose another name, or use --overwrite")
        }
        if isNotCreated {
            return message.replacing(Self.folderAdvice, with: "choose another with --output")
        }
        return (cause as? SettingProblem)?.text.text(Self.name) ?? message
    }

    private static func name(_ setting: PhotoSetting) -> String {
        setting.option.isEmpty ? setting.property : setting.option
    }
}
