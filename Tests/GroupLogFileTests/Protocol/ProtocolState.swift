/// A store's directory and the processes at work on it, with nothing left but what the protocol of
/// locks, syncs and renames is about (FORMAT.md, "Lock protocol" and "Compaction").
///
/// It shares no code with the implementation: files are lists of records, and a name is a number.
struct ProtocolState: Hashable {
    typealias FileNumber = UInt8
    typealias ProcessNumber = UInt8

    /// Up to eight records in the order in which they were written, four bits each.
    struct RecordList: Hashable {
        private(set) var packed: UInt32 = 0
        private(set) var count: UInt8 = 0

        subscript(index: UInt8) -> UInt8 { UInt8(packed >> (4 * UInt32(index)) & 15) }

        mutating func append(_ record: UInt8) {
            packed |= UInt32(record) << (4 * UInt32(count))
            count += 1
        }

        func prefix(_ length: UInt8) -> RecordList {
            var list = RecordList()
            for index in 0..<min(length, count) { list.append(self[index]) }
            return list
        }

        /// As a set: a bit a record.
        var members: UInt16 {
            var set: UInt16 = 0
            for index in 0..<count { set |= 1 << UInt16(self[index]) }
            return set
        }
    }

    /// A log, under whatever name or none.
    struct File: Hashable {
        var records = RecordList()
        /// So many records survive a power loss at least; perhaps more, in their order.
        var syncedCount: UInt8 = 0
        /// Whether it ends with the frame that closes it.
        var isClosed = false
        /// Who holds its `flock`.
        var holder: ProcessNumber?
    }

    /// A lock file with its page.
    struct LockFile: Hashable {
        var holder: ProcessNumber?
        /// The log that the page speaks of, and whether its entry is marked durable.
        var pageLog: FileNumber?
        var isMarked = false
    }

    /// What a process does next; see `ProtocolSteps`.
    struct Process: Hashable {
        var kind: ProtocolStep.Kind
        var step: ProtocolStep
        /// The files that are open.
        var lockFile: FileNumber?
        var log: FileNumber?
        /// Whether the entry of the open log is known to be durable.
        var isEntryDurable = false
        /// What a compactor copies, where to, and how much it has copied.
        var source: FileNumber?
        var target: FileNumber?
        var copiedCount: UInt8 = 0
        /// What a writer has still to append.
        var remaining: UInt8 = 0
        /// Whether it has taken the lock and checked all names.
        var isInside = false
    }

    var files: [File]
    var lockFiles: [LockFile]
    /// What the names `log`, `log.new` and `lock` lead to.
    var logName: FileNumber
    var newName: FileNumber?
    var lockName: FileNumber?
    /// The logs that the name `log` may lead to after a power loss: a bit each.
    var possibleLogs: UInt8
    /// The logs whose mark was ever written to the lock page, which is never synced.
    var everMarked: UInt8 = 0
    var processes: [Process]
    /// The records whose append has returned, and those acknowledged as durable: a bit each.
    var returned: UInt16
    var acknowledged: UInt16
    var powerLossesLeft: UInt8
    var crashesLeft: UInt8
    var lockRemovalsLeft: UInt8

    /// A store with one durable record, found by the processes.
    init(_ kinds: [ProtocolStep.Kind], _ setting: ProtocolSetting) {
        var log = File()
        log.records.append(0)
        log.syncedCount = 1
        files = [log]
        lockFiles = [LockFile(holder: nil, pageLog: 0, isMarked: true)]
        (logName, newName, lockName) = (0, nil, 0)
        (possibleLogs, everMarked) = (1, 1)
        processes = kinds.map {
            Process(
                kind: $0, step: $0.firstStep,
                remaining: $0 == .writer ? setting.appendsOfWriter : 0)
        }
        (returned, acknowledged) = (1, 1)
        powerLossesLeft = setting.powerLosses
        crashesLeft = setting.crashes
        lockRemovalsLeft = setting.lockRemovals
    }

    // MARK: What holds in every state

    /// What is wrong with this state; nil where nothing is.
    var fault: String? {
        if processes.count(where: \.isInside) > 1 { return "two hold the lock" }
        let named = files[Int(logName)]
        if returned & ~named.records.members != 0 { return "an append that returned is gone" }
        if named.isClosed { return "the log is closed, and none has its place" }
        // Each file keeps what was synced at least, so that is the worst it can come to.
        for (number, file) in files.enumerated() where possibleLogs & 1 << UInt8(number) != 0 {
            if acknowledged & ~file.records.prefix(file.syncedCount).members != 0 {
                return "a power loss takes what was acknowledged: log \(number) may be found"
            }
            if file.isClosed { return "a power loss leaves the closed log \(number) alone" }
        }
        return nil
    }

    // MARK: The disk

    mutating func makeFile() -> FileNumber {
        files.append(File())
        return FileNumber(files.count - 1)
    }

    mutating func synchronize(_ file: FileNumber) {
        files[Int(file)].syncedCount = files[Int(file)].records.count
    }

    mutating func renameNewLog() {
        guard let new = newName else { return }
        logName = new
        newName = nil
        possibleLogs |= 1 << logName
    }

    mutating func synchronizeNames() { possibleLogs = 1 << logName }

    /// A process dies, and its locks go with its descriptors.
    mutating func kill(_ process: ProcessNumber) {
        unlock(process)
        let kind = processes[Int(process)].kind
        processes[Int(process)] = Process(kind: kind, step: .gone)
    }

    mutating func unlock(_ process: ProcessNumber) {
        for index in files.indices where files[index].holder == process {
            files[index].holder = nil
        }
        for index in lockFiles.indices where lockFiles[index].holder == process {
            lockFiles[index].holder = nil
        }
        processes[Int(process)].isInside = false
    }

    /// All states in which a power loss may leave the disk. Processes that had begun are gone.
    func afterPowerLoss() -> [ProtocolState] {
        var base = self
        base.powerLossesLeft -= 1
        for process in processes.indices where hasBegun(processes[process]) {
            base.kill(ProcessNumber(process))
        }
        // The name `log.new` may be there or not; whoever begins there removes it.
        base.newName = nil
        var states: [ProtocolState] = []
        for log in files.indices where possibleLogs & 1 << UInt8(log) != 0 {
            for count in files[log].syncedCount...files[log].records.count {
                // The page was never synced: it is any that was ever written.
                for isMarked in [false, true]
                where !isMarked || everMarked & 1 << UInt8(log) != 0 {
                    var state = base
                    state.logName = FileNumber(log)
                    state.possibleLogs = 1 << UInt8(log)
                    state.files[log].records = files[log].records.prefix(count)
                    state.files[log].syncedCount = count
                    state.returned &= state.files[log].records.members
                    state.lockFiles = [LockFile(pageLog: FileNumber(log), isMarked: isMarked)]
                    state.lockName = 0
                    states.append(state)
                }
            }
        }
        return states
    }

    private func hasBegun(_ process: Process) -> Bool {
        process.step != process.kind.firstStep || process.lockFile != nil
    }
}
