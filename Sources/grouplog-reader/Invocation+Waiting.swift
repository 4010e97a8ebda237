import GroupLog
import GroupLogFile
import GroupLogSystem
import ToolSupport

extension Invocation {
    /// Has `look` look at a store, and again whenever that may have changed, or after so long, until it
    /// gives false or the command is to end.
    func keepLooking(
        at store: Store, milliseconds: Int, _ look: () throws -> Bool
    ) throws -> ExitStatus {
        // Before the first look: what comes after that ends the wait.
        let watch = store.engine.watch()
        var patience = Patience()
        while true {
            var goesOn = true
            do {
                goesOn = try look()
                patience.restore()
            } catch let error as StoreError where Patience.mayPass(error) {
                // A log that is being replaced in place cannot be read for a moment.
                guard patience.isLeft else { throw error }
            }
            try output.flush()
            if Interrupt.isRequested { return .interrupted }
            if output.isReaderGone { throw StandardStream.Failure.brokenPipe }
            guard goesOn else { return .done }
            pause(watch, milliseconds: milliseconds)
        }
    }

    /// Waits in steps, since a signal that comes just before a wait does not end it, and nobody tells
    /// of a reader that is gone.
    private func pause(_ watch: any VolumeWatch, milliseconds: Int) {
        let step = 200
        var rest = milliseconds
        while rest > 0, !Interrupt.isRequested, !output.isReaderGone {
            guard watch.wait(milliseconds: min(rest, step)) == .timedOut else { return }
            rest -= step
        }
    }
}
