import Testing

/// What the tool prints of one small log, to the letter.
@Suite struct DumpGoldenTests {
    @Test("the summary says what a log is and what is in it")
    func summary() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let run = try dump("summary", dump.log)
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(
            run.output.replacing(dump.log, with: "LOG") == #"""
                log             LOG
                size            4672 bytes
                version         0.1
                store id        10111213-1415-1617-1819-1a1b1c1d1e1f
                generation      1
                salt            0x0123456789abcdef
                header at 0     good
                header at 4096  good
                frames          3, offsets 4160..<4608
                records         6: 5 put, 1 delete
                collection      items: 4 live, 6 records
                sequences       1...3
                times           2026-01-02T03:04:05.000001Z ... 2026-01-02T03:04:05.000003Z
                author          (none): 3 records
                author          app: 2 records
                author          share: 1 record
                slack at 4608   64 bytes
                damage          none seen

                """#)
    }

    @Test("frames are listed with all that is between them")
    func frames() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let run = try dump("frames", dump.log)
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(
            run.output.replacing(dump.log, with: "LOG") == #"""
                offset  length  sequence  time                         flags        records  author  state
                  4160     128         1  2026-01-02T03:04:05.000001Z                     2  app     good
                  4288     216         2  2026-01-02T03:04:05.000002Z  independent        3          good
                  4504     104         3  2026-01-02T03:04:05.000003Z                     1  share   good
                  4608      64                                                                       slack

                """#)
    }

    @Test("records are listed in the order of the log")
    func records() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let run = try dump("records", dump.log)
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(
            run.output.replacing(dump.log, with: "LOG") == #"""
                offset  frame  sequence  kind    collection  key  size  state  value
                  4224   4160         1  put     items       a      27  good   {"title": "one"}
                  4251   4160         1  delete  items       -7     28  good
                  4348   4288         2  put     items       b      25  good   {"title": "b"}
                  4373   4288         2  put     items       c      25  good   {"title": "c"}
                  4398   4288         2  put     items       d      25  good   {"title": "d"}
                  4570   4504         3  put     items       a      27  good   {"title": "two"}

                """#)
    }

    @Test("a log without damage verifies")
    func verification() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let run = try dump("verify", dump.log)
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(
            run.output.replacing(dump.log, with: "LOG") == #"""
                4672 bytes, 3 frames, 6 records: no damage

                """#)
    }

    @Test("the uses of the bytes add up")
    func statistics() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let run = try dump("stats", dump.log)
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(
            run.output.replacing(dump.log, with: "LOG") == #"""
                use                         bytes  share
                log headers                  4160  89.0%
                frame headers and trailers    120   2.6%
                payload heads and names        94   2.0%
                record headers                120   2.6%
                keys                           13   0.3%
                live values                    18   0.4%
                dead values                     6   0.1%
                spares                         66   1.4%
                padding                        11   0.2%
                damage                          0   0.0%
                unfinished                      0   0.0%
                slack                          64   1.4%
                all                          4672

                record length  records   share
                17 to 32             6  100.0%

                collection  records  live  live value bytes  dead value bytes
                items             6     4                18                 6

                """#)
    }

    @Test("the map draws each block as what it is used for")
    func map() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let run = try dump("map", dump.log)
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(
            run.output.replacing(dump.log, with: "LOG") == #"""
                   0  H...............................................................Hf-###f#
                4608  .

                H  log header
                #  live records
                -  dead records and deletions
                f  nothing but frame headers and names
                .  slack
                Each sign is 64 bytes.

                """#)
    }

    @Test("hex names each field of a frame")
    func hex() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let run = try dump("hex", dump.log, "4504")
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(
            run.output.replacing(dump.log, with: "LOG") == #"""
                4504  frame header
                4504  f1 47                    marker
                4506  00 00                    flags             none
                4508  68 00 00 00              length            104
                4512  03 00 00 00 00 00 00 00  sequence          3
                4520  43 f3 4c f6 5e 47 06 00  time              1767323045000003 = 2026-01-02T03:04:05.000003Z
                4528  52 25 22 b5              payload checksum  0xb5222552 good
                4532  50 66 78 bf              checksum          0xbf786650 good
                4536  payload head
                4536  01 00 00 00              record count      1
                4540  03 00                    name count        3
                4542  02 00                    author            2 = share
                4544  22 00 00 00              size              34
                4548  05 69 74 65 6d 73        name 0            items
                4554  05 74 69 74 6c 65        name 1            title
                4560  05 73 68 61 72 65        name 2            share
                4566  84 3f 32 46              checksum          0x46323f84 good
                4570  record
                4570  01                       kind              put
                4571  01                       flags             indexed
                4572  00 00                    collection        0 = items
                4574  01                       key type          text
                4575  00                       provenance length 0
                4576  01 00                    key length        1
                4578  42 00 00 00              frame distance    66
                4582  06 00 00 00              value length      6
                4586  0f db b0 fb              checksum          0xfbb0db0f good
                4590  61                       key               a
                4591  a1 01 63 74 77 6f        value             {"title": "two"}
                4597  00 00 00                 padding
                4600  frame trailer
                4600  50 66 78 bf              checksum          0xbf786650 good
                4604  0d 00 00                 length            104
                4607  e7                       end marker

                """#)
    }

    @Test("records as JSON have stable keys")
    func recordsJSON() throws {
        let dump = try DumpRunner(try DumpSampleLog.small().bytes)
        let run = try dump("records", "--json", "--limit", "2", dump.log)
        #expect(run.status == 0 && run.messages.isEmpty)
        #expect(
            run.output.replacing(dump.log, with: "LOG") == #"""
                {"offset":4224,"length":27,"state":"good","frame":4160,"kind":"put","flags":1,"collection":"items","keyType":"text","key":"a","sequence":1,"creation":1,"time":1767323045000001,"date":"2026-01-02T03:04:05.000001Z","author":"app","value":{"title":"one"}}
                {"offset":4251,"length":28,"state":"good","frame":4160,"kind":"delete","flags":0,"collection":"items","keyType":"integer","key":-7,"sequence":1,"creation":1,"time":1767323045000001,"date":"2026-01-02T03:04:05.000001Z","author":"app","value":null}

                """#)
    }
}
