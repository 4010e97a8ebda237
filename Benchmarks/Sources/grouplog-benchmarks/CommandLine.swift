/// What the command line asks for.
struct Invocation {
    var plan: Plan
    var questions: [any Question.Type] = []
    var isMarkdown = false
    var plotPath: String?
    var isHelp = false

    static let help = """
        OVERVIEW: How GroupLog stands beside its peers, measured in one run.

        USAGE: grouplog-benchmarks [QUESTION...] [OPTION...]

        QUESTIONS (all, where none is named):
        \(questionList)

        OPTIONS:
          --quick             three rounds of a tenth of the work
          --rounds N          how many rounds each contender has (default: 5)
          --records N         how large the large stores are (default: 100000)
          --ten-million       also captures into a store of ten million records
          --directory DIR     where the stores are made (default: the current directory)
          --only TEXT         only contenders with this text in their names, for a profiler
          --markdown          prints tables in Markdown
          --svg FILE          draws a plot into a file
          --help              prints this

        Contenders take turns, in another order each round; the figures are medians, and ratios to the
        first contender. SQLite and LMDB take part where they are installed.

        """

    private static var questionList: String {
        grouplog_benchmarks.questions.map { question in
            let padding = String(repeating: " ", count: max(1, 20 - question.name.count))
            return "  " + question.name + padding + question.summary
        }.joined(separator: "\n")
    }

    init(_ arguments: [String]) throws {
        plan = Plan(directory: ".")
        var rest = arguments[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else {
                throw PeerError(description: "'\(option)' needs a value; see --help")
            }
            return value
        }
        func count(of option: String) throws -> Int {
            let text = try value(of: option)
            guard let count = Int(text), count > 0, count <= 100_000_000 else {
                throw PeerError(description: "'\(text)' is no count for '\(option)'; see --help")
            }
            return count
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick":
                plan.isQuick = true
                plan.rounds = 3
            case "--rounds": plan.rounds = try count(of: argument)
            case "--records": plan.recordCount = try count(of: argument)
            case "--ten-million": plan.hasTenMillion = true
            case "--directory": plan.directory = try value(of: argument)
            case "--only": plan.only = try value(of: argument)
            case "--markdown": isMarkdown = true
            case "--svg": plotPath = try value(of: argument)
            case "--help", "-h": isHelp = true
            default:
                guard
                    let question = grouplog_benchmarks.questions.first(where: {
                        $0.name == argument
                    })
                else {
                    throw PeerError(description: "there is no '\(argument)'; see --help")
                }
                questions.append(question)
            }
        }
        if questions.isEmpty { questions = grouplog_benchmarks.questions }
    }
}
