import Fusion

/// Returns the code of the fusion error that `body` throws; nil if it throws none.
func errorCode(_ body: () throws -> Void) -> FusionError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? FusionError)?.code
    }
}
