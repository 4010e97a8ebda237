import Foundation
import GroupLog

/// What one process does to a store, a round at a time.
struct Worker {
    enum Role: String {
        /// Appends notes of all lengths.
        case append
        /// The same, and then ends at once, without any of the work that the end of a program brings.
        case exit
        /// The same, and then waits to be killed.
        case stay
        /// Appends short ones.
        case short
        /// The same, and goes on to the next where there is no store for a moment.
        case patient
        /// Appends 30,000 at once, as an import does.
        case load
        /// Changes and deletes notes of other writers, and counts in one that all share.
        case change
        /// Compacts, as often as it can; as patient.
        case compact
        /// Lists, and prints what is wrong.
        case list
        /// Appends what there is no room for, and prints what does not fail as that.
        case full
        /// The same, and the signal that comes with it does what it does by default.
        case exposed
    }

    private let store: Store
    private let name: String
    private let role: Role
    /// How the ids of the notes begin that it changes.
    private let others: [String]

    init(path: String, name: String, role: Role, others: [String]) throws {
        self.name = name
        self.role = role
        self.others = others
        if role == .exposed { Self.expose() }
        let storeRole: StoreOptions.Role =
            switch role {
            case .append, .exit, .stay, .short, .patient, .load, .full, .exposed: .extension
            case .change, .compact: .app
            case .list: .readOnly
            }
        let options = StoreOptions(role: storeRole, author: name, lockTimeout: .seconds(120))
        var opened: Store?
        while opened == nil {
            opened = try Self.patiently(role) { try Store(path: path, options: options) }
        }
        guard let opened else { fatalError("the store is open by now") }
        store = opened
    }

    /// Lets the signal of the limit do what it does by default. Whoever ignores or blocks a signal, as
    /// a test's threads do, hands that on to the processes that it starts.
    private static func expose() {
        signal(SIGXFSZ, SIG_DFL)
        var limit = sigset_t()
        unsafe sigemptyset(&limit)
        unsafe sigaddset(&limit, SIGXFSZ)
        unsafe pthread_sigmask(SIG_UNBLOCK, &limit, nil)
    }

    var isToStop: Bool { FileManager.default.fileExists(atPath: store.path + ".stop") }

    func work(_ round: Int) throws {
        switch role {
        case .append, .exit, .stay: try append(Note(writer: name, number: round))
        case .short, .patient: try append(Note(writer: name, number: Note.shortNumber(round)))
        case .load: try load(round)
        case .change: try change(round)
        case .compact: try compact()
        case .list: try list()
        case .full, .exposed: try appendInVain(round)
        }
    }

    /// What the process does when it has done its work.
    func end() {
        switch role {
        case .exit: _exit(0)
        case .stay: while true { pause() }
        case .append, .short, .patient, .load, .change, .compact, .list, .full, .exposed: return
        }
    }

    private func say(_ line: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }

    private func append(_ note: Note) throws {
        let isDone: Void? = try Self.patiently(role) { try store[Note.self].append(note) }
        if isDone != nil { try say(note.id) }
    }

    private func load(_ round: Int) throws {
        let count = 30_000
        let notes = (0..<count).lazy.map { number in
            // Empty ones.
            Note(writer: name, number: (round * count + number) * Note.lengths.count)
        }
        try store[Note.self].append(contentsOf: notes)
        try say("loaded \(count)")
    }

    /// Nil where the directory was away, be it only for the sync of it at the end.
    private static func patiently<R>(_ role: Role, _ body: () throws -> R) throws -> R? {
        do {
            return try body()
        } catch let error as StoreError
            where [.patient, .compact].contains(role) && [.noStore, .io].contains(error.code)
        {
            Thread.sleep(forTimeInterval: 0.0005)
            return nil
        }
    }

    /// Says what it is about to do, and then that it is done.
    private func change(_ round: Int) throws {
        let notes = store[Note.self]
        if round % 4 == 0 {
            try say("try count")
            try notes.update(Note.counter) { $0.text = String((Int($0.text) ?? 0) + 1) }
            try say("count")
        }
        let mine = try notes.newest(limit: 30).filter { note in
            others.contains { note.id.hasPrefix($0) }
        }
        guard let note = mine.randomElement() else { return Thread.sleep(forTimeInterval: 0.001) }
        let text = "\(Note.editedPrefix)\(name)/\(round)"
        let what = round % 3 == 0 ? "delete \(note.id)" : "edit \(note.id) \(text)"
        try say("try " + what)
        if round % 3 == 0 {
            guard try notes.delete(note.id) else { fatalError("\(note.id) was gone already") }
        } else {
            try notes.update(note.id) { $0.text = text }
        }
        try say(what)
    }

    private func compact() throws {
        do {
            let report = try Self.patiently(role) { try store.compact() }
            if report != nil { try say("compacted") }
        } catch StoreError.Code.superseded {
            try say("superseded")
        }
    }

    private func appendInVain(_ round: Int) throws {
        // The note of a million bytes.
        let note = Note(writer: name, number: Note.lengths.count - 1)
        do {
            try store[Note.self].append(note)
            try say("there was room")
        } catch let error as StoreError where error.code == .noSpace {
            if round == 0 { try say("no space") }
        }
    }

    private func list() throws {
        let view = try store.view()
        if !view.receipt.isClean { try say("damaged: \(view.receipt)") }
        for note in try view[Note.self].newest(limit: 20) where !note.isWhole && !note.isEdited {
            if note.id != Note.counter { try say("not whole: \(note.id)") }
        }
        let count = view[Note.self].count()
        if try view[Note.self].newest().count != count { try say("listed other than counted") }
    }
}
