// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// An error that explains why a picture file could not be encoded.
public typealias PictureFileError = GscapError
