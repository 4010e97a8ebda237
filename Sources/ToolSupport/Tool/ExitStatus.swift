/// What a tool tells the program that started it. From 64 on these are the numbers of sysexits(3).
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case notFound = 1
    case conflict = 3
    case usage = 64
    case badData = 65
    case noInput = 66
    case cannotCreate = 73
    case io = 74
    case locked = 75
    case noPermission = 77
    case interrupted = 130

    /// For the manual page.
    package var meaning: String {
        switch self {
        case .done:
            """
            Done. A list or search without a hit is done, and so is output whose reader has closed \
            the pipe.
            """
        case .notFound: "There is no record of this id or key."
        case .conflict: "Somebody else has changed the same."
        case .usage: "The command line cannot be understood."
        case .badData: "Data is damaged or cannot be understood, or part of an import was refused."
        case .noInput: "There is no such store or file."
        case .cannotCreate: "A store or file cannot be created."
        case .io: "Reading or writing failed, or the disk is full."
        case .locked: "The lock was held for too long. Trying again may help."
        case .noPermission: "The system does not permit it."
        case .interrupted: "Interrupted."
        }
    }
}
