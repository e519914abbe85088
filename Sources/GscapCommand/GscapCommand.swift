// GscapCommand
