import Foundation
import TestSupport
import Testing

extension ReaderTests {
    @Test("history tells each change with its author, fields and a token to go on from")
    func history() throws {
        let store = try ReaderStore()
        let id = try store.add("--title", "one", "--author", "share")
        try store.add("--title", "two")
        #expect(try store.reader("edit", id, "title=better", "--author", "me").status == 0)
        _ = try store.capture("set", "theme", "dark")
        #expect(try store.reader("delete", id).status == 0)
        let all = try store.reader("history", "--json")
        #expect(try all.strings("kind") == ["insert", "insert", "update", "insert", "delete"])
        #expect(try all.objects.map { $0["sequence"] as? Int } == [1, 2, 3, 4, 5])
        #expect(try all.objects[0]["author"] as? String == "share")
        #expect(try all.objects[2]["changed"] as? [String] == ["title"])
        #expect(try all.objects[0]["changed"] is NSNull)
        #expect(try all.objects.allSatisfy { $0["coalesced"] as? Bool == false })
        for (index, token) in try all.strings("token").enumerated() {
            let rest = try store.reader("history", "--json", "--since", token)
            #expect(rest.lines == Array(all.lines[(index + 1)...]))
        }
        let plain = try store.reader("history")
        #expect(plain.lines.count == 5)
        for (index, line) in plain.lines.enumerated() {
            let token = String(line.prefix { $0 != " " })
            #expect(try store.reader("history", "--since", token).lines.count == 4 - index)
        }
        #expect(try store.reader("history", id).lines.count == 3)
        #expect(try store.reader("history", "--by", "me").lines.count == 1)
        #expect(try store.reader("history", "--collection", "$values").status == 64)
        #expect(try store.reader("history", "--collection", "items", "-n", "2").lines.count == 2)
    }

    @Test("of the lines of one commit only the last one's token is behind it")
    func tokensOfACommit() throws {
        let store = try ReaderStore()
        try store.add("--title", "first")
        let lines = (0..<3).map { #"{"title":"\#($0)"}"# }.joined(separator: "\n")
        let file = store.beside("lines.jsonl")
        try Data(lines.utf8).write(to: URL(fileURLWithPath: file))
        let run = try ToolRunner.run("grouplog-capture", ["import", file, "--store", store.path])
        #expect(run.status == 0)
        let tokens = try store.reader("history", "--json").strings("token")
        #expect(tokens.count == 4)
        for (token, rest) in zip(tokens, [3, 3, 3, 0]) {
            #expect(try store.reader("history", "--since", token).lines.count == rest)
        }
    }

    @Test(
        "a token that leads nowhere has an answer of its own, and the status 3; garbage is refused")
    func badTokens() throws {
        let (store, other) = (try ReaderStore(), try ReaderStore())
        for title in ["one", "two"] { try store.add("--title", title) }
        try other.add("--title", "one")
        let tokens = try store.reader("history", "--json").strings("token")
        let foreign = try #require(try other.reader("history", "--json").strings("token").first)
        let future = tokens[1].replacing(/^2\./, with: "7.")
        let diverged = tokens[1].replacing(/^2\.[0-9a-f]+/, with: "2.00000000")
        for (token, word) in [
            (foreign, "is one of the store"), (future, "names commit 7"),
            (diverged, "is not the one that the token names"),
        ] {
            for command in ["history", "follow"] {
                let run = try store.reader(command, "--since", token)
                #expect(run.status == 3 && run.output.isEmpty)
                #expect(run.messages.contains(word), "\(run.messages)")
            }
        }
        for token in ["garbage", "", "1", "1.x", "2.0000000", tokens[0] + "0"] {
            let run = try store.reader("history", "--since", token)
            #expect(run.status == 64 && run.messages.contains("expected a token"))
        }
    }

    @Test("follow goes on behind a token, with neither a gap nor a repetition")
    func resume() throws {
        let store = try ReaderStore()
        for title in ["a", "b", "c"] { try store.add("--title", title) }
        let tokens = try store.reader("history", "--json").strings("token")
        #expect(try store.reader("compact").status == 0)
        try store.add("--title", "d")
        let run = try store.reader("follow", "--json", "--since", tokens[0], "--limit", "3")
        #expect(
            try run.objects.map { ($0["record"] as? [String: Any])?["title"] as? String }
                == ["b", "c", "d"])
        #expect(try run.objects.map { $0["coalesced"] as? Bool } == [true, true, false])
        #expect(try store.reader("follow", "--all", "--since", tokens[0]).status == 64)
    }

    @Test("list --at shows what there was after a commit")
    func listAt() throws {
        let store = try ReaderStore()
        let id = try store.add("--title", "one")
        try store.add("--title", "two")
        _ = try store.reader("edit", id, "title=better")
        func titles(_ sequence: Int) throws -> Set<String> {
            Set(try store.reader("list", "--json", "--at", "\(sequence)").strings("title"))
        }
        #expect(try titles(0) == [])
        #expect(try titles(1) == ["one"])
        #expect(try titles(2) == ["one", "two"])
        #expect(try titles(3) == ["better", "two"])
        #expect(try store.reader("list", "--at", "4").status == 3)
        #expect(try store.reader("compact").status == 0)
        #expect(try store.reader("list", "--at", "2").status == 3)
        #expect(try titles(3) == ["better", "two"])
    }

    @Test("edit changes what it is told to and nothing else")
    func edit() throws {
        let store = try ReaderStore()
        let id = try store.add("--url", "http://a/", "--title", "one", "--tag", "x", "rating:=4")
        let before = try store.reader("get", "--json", id).object
        let run = try store.reader(
            "edit", id, "title=two", "tags=y,z", "note=new", "--remove", "rating", "--json")
        #expect(run.status == 0)
        #expect(try run.object["outcome"] as? String == "changed")
        let after = try store.reader("get", "--json", id).object
        #expect(after["title"] as? String == "two" && after["note"] as? String == "new")
        #expect(after["tags"] as? [String] == ["y", "z"] && after["rating"] == nil)
        #expect(after["url"] as? String == "http://a/")
        #expect(after["createdAt"] as? String == before["createdAt"] as? String)
        let same = try store.reader("edit", id, "title=two", "--json")
        #expect(try same.object["outcome"] as? String == "unchanged")
        #expect(try store.reader("history", id).lines.count == 2)
        for arguments in [
            ["edit", id], ["edit", id, "createdAt=never"], ["edit", id, "syncStatus=synced"],
            ["edit", id, "id=x"], ["edit", id, "--remove", "createdAt"],
            ["edit", id, "title=", "url=", "--remove", "text"], ["edit", id, "title:=1"],
        ] { #expect(try store.reader(arguments).status == 64, "\(arguments)") }
        #expect(try store.reader("get", "--json", id).output.contains(#""title":"two""#))
        _ = try store.reader("delete", id)
        let gone = try store.reader("edit", id, "title=three")
        #expect(gone.status == 1 && gone.messages.contains("was deleted"))
        #expect(try store.reader("count").output == "0\n")
    }

    @Test("cursors are set, listed and retired")
    func cursors() throws {
        let store = try ReaderStore()
        for title in ["one", "two"] { try store.add("--title", title) }
        let tokens = try store.reader("history", "--json").strings("token")
        #expect(try store.reader("cursor", "list", "--json").output == "")
        #expect(try store.reader("cursor", "set", "uploader", tokens[0]).status == 0)
        let list = try store.reader("cursor", "list", "--json").object
        #expect(list["name"] as? String == "uploader" && list["lag"] as? Int == 1)
        #expect(list["token"] as? String == tokens[0] && list["retired"] as? Bool == false)
        #expect(try store.reader("cursor", "list").lines.last?.contains("active") == true)
        #expect(try store.reader("status").output.contains("uploader behind by 1 commit"))
        #expect(try store.reader("history").lines.count == 2)
        #expect(try store.reader("cursor", "retire", "uploader").status == 0)
        #expect(try store.reader("cursor", "retire", "uploader").status == 1)
        #expect(try store.reader("cursor", "retire", "other").status == 1)
        #expect(try store.reader("cursor", "list", "--json").object["retired"] as? Bool == true)
        #expect(try store.reader("cursor", "set", "uploader", "7.00000000").status == 3)
    }

    @Test("status puts the counts of disk, cache and list side by side, and names what lags")
    func layerCounts() throws {
        let store = try ReaderStore()
        try store.add("--title", "one")
        let object = try store.reader("status", "--json").object
        let counts = try #require(object["counts"] as? [String: Any])
        for layer in ["disk", "cache", "results"] {
            #expect((counts[layer] as? [String: Any])?["count"] as? Int == 1)
            #expect((counts[layer] as? [String: Any])?["sequence"] as? Int == 1)
        }
        #expect(counts["lagging"] is NSNull)
        #expect(
            try store.reader("history", "--since", #require(object["token"] as? String)).output
                == "")
        let watching = try RunningTool(
            "grouplog-reader", ["status", "--watch", "--json", "--store", store.path])
        let pinned = try RunningTool(
            "grouplog-reader", ["status", "--watch", "--pinned", "--json", "--store", store.path])
        for tool in [watching, pinned] { #expect(try tool.lines(atLeast: 1).count == 1) }
        try store.add("--title", "two")
        for (tool, lagging) in [(watching, "null"), (pinned, #""cache""#)] {
            let lines = try tool.lines(atLeast: 2)
            #expect(lines.last?.contains(#""disk":{"count":2"#) == true)
            #expect(lines.last?.contains(#""lagging":\#(lagging)"#) == true)
            tool.interrupt()
            #expect(try tool.end().status == 130)
        }
        #expect(try store.reader("status", "--pinned").status == 64)
    }
}
