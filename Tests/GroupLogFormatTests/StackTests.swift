import GroupLogFormat
import TestSupport
import Testing

@Suite struct StackTests {
    enum Shape: CaseIterable { case arrays, maps, keys, tags }

    private static func nested(_ shape: Shape) -> CBORValue {
        (0..<CBORValue.maximumDepth).reduce(CBORValue.text("x")) { value, _ in
            switch shape {
            case .arrays: .array([value])
            case .maps: .map([CBORPair(.unsigned(1), value)])
            case .keys: .map([CBORPair(value, .null)])
            case .tags: .tagged(7, value)
            }
        }
    }

    @Test("the deepest values are handled on a thread with little stack", arguments: Shape.allCases)
    func deepest(shape: Shape) throws {
        try onThread(stackSize: 256 << 10) {
            let value = Self.nested(shape)
            let back = try CBORValue.decode(try value.encoded())
            #expect(back == value)
            #expect(back.hashValue == value.hashValue)
            #expect(!back.diagnostic.isEmpty)
        }
    }
}
