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
