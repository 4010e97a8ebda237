// Works on a store of notes, as one of several processes, and prints a line for each change when it
// is durable.
//
//     writer-process STORE NAME COUNT [ROLE [PREFIX]...]
//
// Ends after so many rounds, or as soon as there is a file STORE.stop. For the roles see `Worker`;
// one that changes notes does so with those whose ids have one of the prefixes.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let count = Int(arguments[3]),
    let role = Worker.Role(rawValue: arguments.count > 4 ? arguments[4] : "append")
else {
    fatalError("usage: writer-process STORE NAME COUNT [ROLE [PREFIX]...]")
}
let worker = try Worker(
    path: arguments[1], name: arguments[2], role: role, others: Array(arguments.dropFirst(5)))
for round in 0..<count {
    if worker.isToStop { break }
    try worker.work(round)
}
worker.end()
