/// The head of an item: what it is and how much of it follows (RFC 8949, section 3).
package struct CBORHead: Hashable {
    /// The eight major types.
    @frozen
    package enum Major: UInt8 {
        case unsigned, negative, bytes, text, array, map, tag, simple
    }

    package let major: Major
    /// The five low bits of the first byte: 24 to 27 say how wide the argument is.
    package let info: UInt8
    /// The number, the length, the count, the tag number or the bits of a float; 0 where the
    /// length is indefinite.
    package let argument: UInt64

    @usableFromInline
    init(major: Major, info: UInt8, argument: UInt64) {
        self.major = major
        self.info = info
        self.argument = argument
    }

    /// A string, array or map that goes on until a break; or that break itself.
    @inlinable
    package var isIndefinite: Bool { info == 31 }

    /// The byte that ends an item of indefinite length.
    @inlinable
    package var isBreak: Bool { info == 31 && major == .simple }

    /// The number of a float's head.
    package var float: CBORFloat? {
        guard major == .simple else { return nil }
        switch info {
        case 25: return .half(UInt16(truncatingIfNeeded: argument))
        case 26: return .single(UInt32(truncatingIfNeeded: argument))
        case 27: return .double(argument)
        default: return nil
        }
    }

    /// The simple value of its head.
    package var simple: UInt8? {
        major == .simple && info <= 24 ? UInt8(truncatingIfNeeded: argument) : nil
    }

    package static let null = CBORHead(major: .simple, info: 22, argument: 22)
    package static let undefined = CBORHead(major: .simple, info: 23, argument: 23)
}
