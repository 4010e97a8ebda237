import TestSupport
import Testing

/// The protocol of locks, syncs and renames, with every order in which the steps of several
/// processes can follow each other, and a power loss after each of them.
@Suite struct ProtocolTests {
    /// Some processes at work at once.
    struct Case: Sendable, CustomTestStringConvertible {
        var kinds: [ProtocolStep.Kind]
        var setting: ProtocolSetting

        init(_ kinds: [ProtocolStep.Kind], _ setting: ProtocolSetting) {
            (self.kinds, self.setting) = (kinds, setting)
        }

        var testDescription: String {
            "\(kinds.map { "\($0)" }.joined(separator: ", ")), \(setting)"
        }
    }

    private static let cases =
        [
            Case(
                [.writer, .compactor],
                .init(appendsOfWriter: 2, crashes: 2, powerLosses: 1)),
            Case([.writer, .writer, .compactor], .init(crashes: 1)),
            Case([.writer, .writer], .init(appendsOfWriter: 2, crashes: 2, lockRemovals: 1)),
            Case([.writer, .compactor], .init(crashes: 1, lockRemovals: 1)),
            Case([.writer, .compactor, .compactor], .init()),
            Case([.writer, .compactor, .restorer], .init(crashes: 1)),
        ] + (isFull ? large : [])

    private static let large = [
        Case(
            [.writer, .compactor],
            .init(appendsOfWriter: 3, crashes: 2, powerLosses: 2, lockRemovals: 2)),
        Case([.writer, .writer, .compactor], .init(appendsOfWriter: 2, crashes: 1)),
        Case([.writer, .writer, .compactor], .init(crashes: 3, powerLosses: 1)),
        Case([.writer, .writer, .compactor], .init(crashes: 1, lockRemovals: 1)),
        Case([.writer, .compactor, .compactor], .init(crashes: 3, powerLosses: 1)),
        Case([.writer, .writer, .compactor, .compactor], .init()),
        Case(
            [.writer, .compactor, .restorer],
            .init(crashes: 2, powerLosses: 1, lockRemovals: 1)),
    ]

    @Test(
        "in whatever order processes take their steps, are killed and lose the power, what was promised stays, and one holds the lock",
        arguments: cases)
    func holds(_ one: Case) {
        let outcome = ProtocolSearch.run(one.kinds, one.setting)
        #expect(outcome.counterexample == nil)
        // A model in which nothing can happen has no faults either.
        #expect(outcome.stateCount > 1_000)
        print("\(one.testDescription): \(outcome.stateCount) states")
    }

    @Test(
        "each step is needed: without it there is a way to lose what was promised",
        arguments: ProtocolSetting.Omission.allCases)
    func bites(_ omission: ProtocolSetting.Omission) throws {
        var setting = ProtocolSetting()
        setting.omitted = omission
        let kinds: [ProtocolStep.Kind]
        switch omission {
        // Where only compactions replace a log, the loss of `log.new` tells as much.
        case .checkOfSource: kinds = [.writer, .compactor, .restorer]
        case .checkOfNewName, .lockForNewFile: kinds = [.writer, .compactor, .compactor]
        case .checkOfLogName:
            // The second append finds the log open.
            setting.appendsOfWriter = 2
            kinds = [.writer, .compactor]
        case .lockOfLog:
            setting.lockRemovals = 1
            kinds = [.writer, .writer]
        case .fileOfMark: kinds = [.writer, .restorer]
        case .lockOfNewLog:
            setting.lockRemovals = 1
            kinds = [.writer, .compactor]
        case .syncOfNewFile, .entryRule, .copyOfRest, .syncBeforeClosing:
            kinds = [.writer, .compactor]
        }
        let path = try #require(ProtocolSearch.run(kinds, setting).counterexample)
        print("without \(omission), after \(path.count - 1) steps: \(path.last ?? "")")
    }
}
