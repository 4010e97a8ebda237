/// One thing that is asked of GroupLog and its peers.
protocol Question {
    /// How the command line calls it.
    static var name: String { get }
    static var summary: String { get }
    static func ask(_ bench: inout Bench) throws
}

/// All of them, in the order of the table.
var questions: [any Question.Type] {
    [
        DurableAppend.self, JournalledAppend.self, UnsyncedAppend.self, ManyProcesses.self,
        ManyThreads.self, BulkLoad.self, LargeTransaction.self, BytesOnDisk.self, RandomGet.self,
        OpenAndNewest.self, RefreshNothingNew.self, ResultsChange.self, CaptureProcess.self,
        CompactionBeside.self,
    ]
}
