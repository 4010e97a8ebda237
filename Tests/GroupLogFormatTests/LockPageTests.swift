import Testing

@testable import GroupLogFormat

@Suite struct LockPageTests {
    @Test("a lock page comes back, and with any bit flipped it counts as empty")
    func page() {
        let page = LockPage(salt: 1, end: 2, durableGeneration: 3, durableFile: 4)
        let bytes = page.encoded()
        #expect(bytes.count == LockPage.size)
        #expect(unsafe LockPage.decode(bytes.span.bytes) == page)
        for bit in 0..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(unsafe LockPage.decode(changed.span.bytes) == nil)
        }
        for cut in bytes.indices {
            #expect(unsafe LockPage.decode(Array(bytes[..<cut]).span.bytes) == nil)
        }
    }

    @Test("the parts of the page do not overlap, and the header's copy is found in it")
    func layout() {
        var bytes = [UInt8](repeating: 0, count: LogLayout.lockPageSize)
        let header = HeaderTests.header
        let holder = LockHolder(processID: 7, name: "app", purpose: "writing", since: 8)
        let page = LockPage(salt: header.salt, end: 4160, durableGeneration: 1, durableFile: 0)
        for (part, offset) in [
            (page.encoded(), 0), (header.encoded(), LockPage.headerOffset),
            (holder.encoded(), LockPage.holderOffset),
        ] {
            #expect(bytes[offset..<offset + part.count].allSatisfy { $0 == 0 })
            bytes.replaceSubrange(offset..<offset + part.count, with: part)
        }
        #expect(unsafe LockPage.decode(bytes.span.bytes) == page)
        #expect(unsafe LockPage.headerCopy(bytes.span.bytes) == header)
        #expect(unsafe LockHolder.decode(bytes.span.bytes) == holder)
    }

    @Test("a holder's name is cut between characters, and what is no holder is none")
    func holder() {
        let long = String(repeating: "é", count: 50)
        let holder = LockHolder(processID: 1, name: long, purpose: long, since: 0)
        let bytes = [UInt8](repeating: 0, count: LockPage.holderOffset) + holder.encoded()
        #expect(bytes.count == LockPage.holderOffset + LockHolder.size)
        let read = unsafe LockHolder.decode(bytes.span.bytes)
        #expect(read?.name == String(repeating: "é", count: 31))
        #expect(read?.purpose == String(repeating: "é", count: 15))
        for (offset, byte) in [(0, 0), (3, 0xFF), (16, 64), (17, 0xFF), (80, 32)] {
            var changed = bytes
            changed[LockPage.holderOffset + offset] = UInt8(byte)
            #expect(unsafe LockHolder.decode(changed.span.bytes) == nil)
        }
        #expect(unsafe LockHolder.decode([UInt8]().span.bytes) == nil)
    }
}
