// Appends notes to a store and prints the id of each when it is durable.
//
//     writer-process STORE WRITER COUNT [END]
//
// Then it returns from its main program; with END `exit` it ends at once, without any of the work
// that the end of a program brings, and with `stay` it waits to be killed.

import Foundation
import GroupLog

let arguments = CommandLine.arguments
guard (4...5).contains(arguments.count), let count = Int(arguments[3]) else {
    fatalError("usage: writer-process STORE WRITER COUNT [exit|stay]")
}
let store = try Store(
    path: arguments[1],
    options: StoreOptions(role: .extension, author: arguments[2], lockTimeout: .seconds(120)))
for number in 0..<count {
    let note = Note(writer: arguments[2], number: number)
    try store[Note.self].append(note)
    try FileHandle.standardOutput.write(contentsOf: Data((note.id + "\n").utf8))
}
switch arguments.dropFirst(4).first {
case nil: break
case "exit": _exit(0)
case "stay": while true { pause() }
case let end?: fatalError("unknown end '\(end)'")
}
