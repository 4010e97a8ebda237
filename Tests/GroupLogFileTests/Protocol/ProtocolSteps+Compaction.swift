/// The steps of a compactor, and of somebody who restores a backup.
extension ProtocolMachine {
    func compact(
        _ number: ProtocolState.ProcessNumber, _ process: inout ProtocolState.Process,
        _ state: inout ProtocolState
    ) -> Bool {
        switch process.step {
        case .look:
            process.source = state.logName
            process.step = setting.omitted == .lockForNewFile ? .removeNew : .openLock
        case .checkSource, .checkSourceAgain:
            let next: ProtocolStep = process.step == .checkSource ? .removeNew : .copyRest
            let isSame = process.log == process.source || setting.omitted == .checkOfSource
            process.step = isSame ? next : .gone
        case .removeNew:
            state.newName = nil
            process.step = .makeNew
        case .makeNew:
            guard state.newName == nil else {
                process.step = .gone
                return true
            }
            process.target = state.makeFile()
            state.newName = process.target
            process.step = .unlockMade
        case .unlockMade:
            state.unlock(number)
            process.isInside = false
            process.step = .copy
        case .copy:
            copy(&process, &state)
            process.step = .openLock
        case .copyRest:
            if setting.omitted != .copyOfRest { copy(&process, &state) }
            process.step = .syncNew
        case .syncNew:
            if setting.omitted != .syncOfNewFile, let target = process.target {
                state.synchronize(target)
            }
            process.step = .checkNew
        default: return putInPlace(number, &process, &state)
        }
        return true
    }

    private func putInPlace(
        _ number: ProtocolState.ProcessNumber, _ process: inout ProtocolState.Process,
        _ state: inout ProtocolState
    ) -> Bool {
        guard let target = process.target, let old = process.log else { return false }
        switch process.step {
        case .checkNew:
            let isSame = state.newName == target || setting.omitted == .checkOfNewName
            guard isSame, state.newName != nil, state.files[Int(target)].holder == nil else {
                process.step = .gone
                return true
            }
            let isLocked = setting.omitted != .lockOfLog && setting.omitted != .lockOfNewLog
            if isLocked { state.files[Int(target)].holder = number }
            process.step = .rename
        case .rename:
            state.renameNewLog()
            if state.files[Int(old)].holder == number { state.files[Int(old)].holder = nil }
            (process.log, process.isEntryDurable) = (target, false)
            process.step = .setPage
        case .setPage:
            if let lock = process.lockFile, setting.omitted != .fileOfMark {
                state.lockFiles[Int(lock)].pageLog = target
                state.lockFiles[Int(lock)].isMarked = false
            }
            process.step = .unlock
        default:
            if let source = process.source, state.files[Int(source)].holder == nil {
                state.files[Int(source)].isClosed = true
            }
            process.step = .gone
        }
        return true
    }

    /// Copies what the source has and was not copied yet.
    private func copy(
        _ process: inout ProtocolState.Process, _ state: inout ProtocolState
    ) {
        guard let source = process.source, let target = process.target else { return }
        let records = state.files[Int(source)].records
        for index in process.copiedCount..<records.count {
            state.files[Int(target)].records.append(records[index])
        }
        process.copiedCount = records.count
    }

    /// A copy of the log, synced and locked, takes its place by rename.
    func restore(_ number: ProtocolState.ProcessNumber, _ state: inout ProtocolState) {
        let copy = state.makeFile()
        state.files[Int(copy)].records = state.files[Int(state.logName)].records
        state.synchronize(copy)
        state.files[Int(copy)].holder = number
        state.logName = copy
        state.possibleLogs |= 1 << copy
    }
}
