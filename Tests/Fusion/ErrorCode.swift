import Fusion

/// The code of the fusion's error that some work ends with; nil when it ends well.
func errorCode(_ body: () throws -> Void) -> FusionError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? FusionError)?.code
    }
}
