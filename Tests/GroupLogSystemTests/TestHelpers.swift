import TestSupport
import Foundation
import GroupLogSystem

extension TemporaryDirectory {
    /// Makes a file with these bytes, without any of the code that is tested.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}

extension FileDescriptor {
    /// As `write(_:at:)`, for an array.
    borrowing func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) -> Int {
        let span = unsafe bytes.span.bytes
        return try write(span, at: offset)
    }
}

/// The error of a system call that has to fail.
func failure(_ body: () throws(SystemError) -> Void) -> Errno? {
    do throws(SystemError) {
        try body()
        return nil
    } catch {
        return error.errno
    }
}

extension FileDescriptor {
    /// Runs the body while this open file description has the file's lock. No other one has it
    /// then, be it of this process or of another; a child made by fork(2) shares it.
    ///
    /// The result says whether the lock was had; what the body throws, the call throws.
    borrowing func withExclusiveLock<R, E: Error>(
        _ wait: LockWait, _ body: () throws(E) -> R
    ) throws(E) -> Result<R, LockWait.Failure> {
        do throws(LockWait.Failure) {
            try wait.acquire { () throws(SystemError) in try tryLock() }
        } catch {
            return .failure(error)
        }
        // Unlocking fails only for a descriptor that is not open, and this one is.
        defer { try? unlock() }
        return .success(try body())
    }
}
