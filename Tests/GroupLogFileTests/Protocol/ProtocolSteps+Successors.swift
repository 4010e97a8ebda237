/// One step of one process, as it changes the state. Nil where it has to wait.
struct ProtocolMachine {
    let setting: ProtocolSetting

    private func isOmitted(_ part: ProtocolSetting.Omission) -> Bool { setting.omitted == part }

    /// All states that can come next, with what happens.
    func successors(of state: ProtocolState) -> [(what: String, state: ProtocolState)] {
        var result: [(what: String, state: ProtocolState)] = []
        for index in state.processes.indices {
            let process = state.processes[index]
            guard process.step != .gone else { continue }
            let number = ProtocolState.ProcessNumber(index)
            if let next = advance(number, in: state) {
                result.append(("\(process.kind) \(index): \(process.step)", next))
            }
            if state.crashesLeft > 0 {
                var next = state
                next.kill(number)
                next.crashesLeft -= 1
                result.append(("\(process.kind) \(index) is killed", next))
            }
        }
        if state.lockRemovalsLeft > 0, state.lockName != nil {
            var next = state
            next.lockName = nil
            next.lockRemovalsLeft -= 1
            result.append(("the lock file is removed", next))
        }
        if state.powerLossesLeft > 0 {
            result += state.afterPowerLoss().map { ("power loss", $0) }
        }
        return result
    }

    private func advance(
        _ number: ProtocolState.ProcessNumber, in state: ProtocolState
    ) -> ProtocolState? {
        var state = state
        var process = state.processes[Int(number)]
        let isDone: Bool
        switch process.step {
        case .openLock, .lockLock, .checkLockName, .openLog, .lockLog, .checkLogName:
            isDone = takeLock(number, &process, &state)
        case .append, .unlock, .syncLog, .syncNames, .setMark, .acknowledge:
            isDone = write(number, &process, &state)
        case .replace:
            restore(number, &state)
            process.step = .gone
            isDone = true
        case .gone: return nil
        default: isDone = compact(number, &process, &state)
        }
        guard isDone else { return nil }
        if process.step == .gone {
            state.kill(number)
        } else {
            state.processes[Int(number)] = process
        }
        return state
    }

    // MARK: The lock

    private func takeLock(
        _ number: ProtocolState.ProcessNumber, _ process: inout ProtocolState.Process,
        _ state: inout ProtocolState
    ) -> Bool {
        switch process.step {
        case .openLock:
            if process.lockFile == nil {
                if state.lockName == nil {
                    state.lockFiles.append(.init())
                    state.lockName = UInt8(state.lockFiles.count - 1)
                }
                process.lockFile = state.lockName
            }
            process.step = .lockLock
        case .lockLock:
            guard let file = process.lockFile, state.lockFiles[Int(file)].holder == nil else {
                return false
            }
            state.lockFiles[Int(file)].holder = number
            process.step = .checkLockName
        case .checkLockName:
            guard process.lockFile == state.lockName else {
                beginAgain(number, &process, &state)
                return true
            }
            process.step = .openLog
        case .openLog:
            if process.log == nil {
                process.log = state.logName
                process.isEntryDurable = false
            }
            process.step = isOmitted(.lockOfLog) ? .checkLogName : .lockLog
        case .lockLog:
            guard let log = process.log, state.files[Int(log)].holder == nil else { return false }
            state.files[Int(log)].holder = number
            process.step = .checkLogName
        default:
            guard process.log == state.logName || isOmitted(.checkOfLogName) else {
                beginAgain(number, &process, &state)
                return true
            }
            readPage(&process, &state)
            process.isInside = true
            switch process.kind {
            case .writer: process.step = .append
            case .restorer: process.step = .replace
            case .compactor:
                process.step = process.target == nil ? .checkSource : .checkSourceAgain
            }
        }
        return true
    }

    /// Unlocks, and closes both files so that the names are opened anew.
    private func beginAgain(
        _ number: ProtocolState.ProcessNumber, _ process: inout ProtocolState.Process,
        _ state: inout ProtocolState
    ) {
        state.unlock(number)
        (process.lockFile, process.log, process.isInside) = (nil, nil, false)
        process.step = .openLock
    }

    private func readPage(
        _ process: inout ProtocolState.Process, _ state: inout ProtocolState
    ) {
        guard let lockFile = process.lockFile, let log = process.log else { return }
        let page = state.lockFiles[Int(lockFile)]
        if page.isMarked, page.pageLog == log || isOmitted(.fileOfMark) {
            process.isEntryDurable = true
        }
        state.lockFiles[Int(lockFile)].pageLog = log
        state.lockFiles[Int(lockFile)].isMarked = process.isEntryDurable
    }

    /// Marks the page, if the lock is to be had at once and the log still has the name.
    private func mark(_ process: ProtocolState.Process, _ state: inout ProtocolState) {
        guard let lock = state.lockName, state.lockFiles[Int(lock)].holder == nil,
            let log = process.log, log == state.logName, state.files[Int(log)].holder == nil
        else { return }
        state.lockFiles[Int(lock)].pageLog = log
        state.lockFiles[Int(lock)].isMarked = true
        state.everMarked |= 1 << log
    }

    // MARK: A writer, and what a compactor does as one does

    private func write(
        _ number: ProtocolState.ProcessNumber, _ process: inout ProtocolState.Process,
        _ state: inout ProtocolState
    ) -> Bool {
        guard let log = process.log else { return false }
        // Each append of each writer is a record of its own; 0 was there before.
        let appends = setting.appendsOfWriter
        let record = 1 + (number + 1) * appends - process.remaining
        switch process.step {
        case .append:
            state.files[Int(log)].records.append(record)
            process.step = .unlock
        case .unlock:
            state.unlock(number)
            process.isInside = false
            if process.kind == .compactor {
                // The new log was synced before.
                process.step = isOmitted(.syncBeforeClosing) ? .closeOld : .syncNames
            } else {
                state.returned |= 1 << UInt16(record)
                process.step = .syncLog
            }
        case .syncLog:
            state.synchronize(log)
            let isNamed = process.isEntryDurable || isOmitted(.entryRule)
            process.step = isNamed ? .acknowledge : .syncNames
        case .syncNames:
            state.synchronizeNames()
            process.isEntryDurable = true
            process.step = .setMark
        case .setMark:
            mark(process, &state)
            process.step = process.kind == .compactor ? .closeOld : .acknowledge
        default:
            state.acknowledged |= 1 << UInt16(record)
            process.remaining -= 1
            process.step = process.remaining == 0 ? .gone : .openLock
        }
        return true
    }
}
