import Foundation
import TestSupport
import Testing

@testable import GroupLogSystem

// What concerns a process as a whole runs in a process of its own.
#if os(Linux)
    @Suite struct ProcessTests {
        @Test("every descriptor closes on exec")
        func closeOnExec() throws {
            let directory = try TemporaryDirectory()
            let fifo = directory.path("fifo")
            #expect(unsafe mkfifo(fifo, 0o600) == 0)
            let held = unsafe open(fifo, O_RDWR | O_CLOEXEC)
            defer { close(held) }
            let path = try directory.file("log", [1])
            let file = try FileDescriptor.open(path, .readWrite)
            let opened = try FileDescriptor.openDirectory(directory.path)
            let input = try ByteInput.open(fifo)
            let numbers = [file.number, opened.number, input.number]
            #expect(Set(numbers).count == 3)
            for number in numbers {
                let info = try String(
                    contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8)
                let line = try #require(
                    info.split(separator: "\n").first { $0.hasPrefix("flags:") })
                let octal = line.split(whereSeparator: \.isWhitespace)[1]
                let flags = try #require(Int(octal, radix: 8))
                #expect(flags & 0o2000000 != 0, "\(linkOfDescriptor(number) ?? "?")")
            }
            withExtendedLifetime(numbers) {}
        }

        @Test("a file never takes the place of a closed standard stream")
        func standardNumbers() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                close(0)
                close(1)
                let first = try FileDescriptor.open(directory.path("a"), .readWrite, .exclusive)
                let second = try FileDescriptor.open(directory.path("b"), .readWrite, .exclusive)
                print("what a program prints")
                _ = fflush(nil)
                guard first.number > 2, second.number > 2, try first.status().size == 0,
                    try second.status().size == 0, fcntl(0, F_GETFD) == -1,
                    fcntl(first.number, F_GETFD) == FD_CLOEXEC
                else { exit(1) }
                exit(0)
            }
        }

        @Test("a write that a limit cuts short gives its count, one beyond it the error")
        func shortWrites() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                _ = signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
                guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
                else { exit(2) }
                let file = try FileDescriptor.open(directory.path("log"), .readWrite, .exclusive)
                let bytes = [UInt8](repeating: 7, count: 10_000)
                guard try file.write(bytes, at: 96) == 4000 else { exit(3) }
                let error = failure { () throws(SystemError) in
                    _ = try file.write(bytes, at: 4096)
                }
                guard error == .fileTooLarge, Errno.fileTooLarge.isOutOfSpace else { exit(4) }
                guard try file.status().size == 4096 else { exit(5) }
                exit(0)
            }
        }

        @Test("a child made by fork has another fork generation, its parent keeps its own")
        func forkGeneration() async {
            await #expect(processExitsWith: .success) {
                typealias Fork = @convention(c) () -> Int32
                let before = ProcessIdentity.forkGeneration
                guard let symbol = unsafe dlsym(nil, "fork") else { exit(2) }
                let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
                if child == 0 { _exit(ProcessIdentity.forkGeneration == before ? 3 : 0) }
                var status: Int32 = -1
                unsafe _ = waitpid(child, &status, 0)
                guard status == 0, ProcessIdentity.forkGeneration == before else { exit(4) }
                exit(0)
            }
        }

        @Test("an interruption is a flag at first, and ends waiting for input")
        func interrupt() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                let fifo = directory.path("fifo")
                guard unsafe mkfifo(fifo, 0o600) == 0 else { exit(2) }
                let writer = unsafe open(fifo, O_RDWR | O_CLOEXEC)
                guard writer > 2 else { exit(2) }
                Interrupt.install()
                guard !Interrupt.isRequested else { exit(3) }
                let input = try ByteInput.open(fifo)
                Thread.detach(name: "signals") {
                    Clock.sleep(microseconds: 20_000)
                    kill(getpid(), SIGTERM)
                }
                let error = failure { () throws(SystemError) in _ = try input.next() }
                guard error == .interrupted, Interrupt.signalNumber == SIGTERM else { exit(4) }
                exit(0)
            }
        }

        @Test("a second interruption ends the process as it always did")
        func secondInterrupt() async {
            await #expect(processExitsWith: .signal(SIGINT)) {
                _ = signal(SIGINT, SIG_DFL)
                Interrupt.install()
                // The thread of a test may block signals, so it waits until another has it.
                kill(getpid(), SIGINT)
                let deadline = Deadline(secondsFromNow: 60)
                while !Interrupt.isRequested && !deadline.hasPassed {
                    Clock.sleep(microseconds: 100)
                }
                guard Interrupt.signalNumber == SIGINT else { exit(1) }
                kill(getpid(), SIGINT)
                Clock.sleep(microseconds: 60_000_000)
            }
        }

        @Test("an interruption that was ignored from the start stays ignored")
        func ignoredInterrupt() async {
            await #expect(processExitsWith: .success) {
                _ = signal(SIGINT, SIG_IGN)
                Interrupt.install()
                let handler = signal(SIGINT, SIG_DFL)
                let (found, ignored) = unsafe (
                    unsafeBitCast(handler, to: Int.self), unsafeBitCast(SIG_IGN, to: Int.self)
                )
                exit(found == ignored ? 0 : 1)
            }
        }

        @Test("a closed pipe is told apart from other failures, and stays closed")
        func brokenPipe() async {
            await #expect(processExitsWith: .success) {
                ignoreSIGPIPE()
                var ends: [Int32] = [0, 0]
                guard unsafe pipe(&ends) == 0 else { exit(2) }
                close(ends[0])
                let stream = StandardStream(ends[1], path: "pipe", gathers: 100)
                try stream.write("gathered")
                for _ in 0..<2 {
                    do throws(StandardStream.Failure) {
                        try stream.flush()
                        exit(3)
                    } catch {
                        guard error == .brokenPipe else { exit(4) }
                    }
                }
                exit(0)
            }
        }
    }
#endif
