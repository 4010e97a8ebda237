// Appends notes to a store and prints the id of each when it is durable.
//
//     writer-process STORE WRITER COUNT

import Foundation
import GroupLog

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
    fatalError("usage: writer-process STORE WRITER COUNT")
}
let store = try Store(
    path: arguments[1],
    options: StoreOptions(role: .extension, author: arguments[2], lockTimeout: .seconds(120)))
for number in 0..<count {
    let note = Note(writer: arguments[2], number: number)
    try store[Note.self].append(note)
    try FileHandle.standardOutput.write(contentsOf: Data((note.id + "\n").utf8))
}
