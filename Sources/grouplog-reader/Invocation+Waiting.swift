import GroupLogFile
import GroupLogSystem
import ToolSupport

extension Invocation {
    /// Waits until the watched store may have changed, or for so long. Ends also when the command is
    /// to end: in steps, since a signal that comes just before a wait does not end it, and nobody
    /// tells of a reader that is gone.
    func pause(_ watch: any VolumeWatch, milliseconds: Int) {
        let step = 200
        var rest = milliseconds
        while rest > 0, !Interrupt.isRequested, !output.isReaderGone {
            guard watch.wait(milliseconds: min(rest, step)) == .timedOut else { return }
            rest -= step
        }
    }
}
