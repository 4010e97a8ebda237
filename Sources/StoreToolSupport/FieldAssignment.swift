package import GroupLogFormat
package import ToolSupport

/// `FIELD=TEXT` or `FIELD:=JSON`.
package struct FieldAssignment: Sendable {
    package let name: String
    package let value: CBORValue

    /// As the value of a field of a collection.
    ///
    /// A date is kept as one in `createdAt`. In `items` the known fields have their types, and
    /// `tags=a,b` is two tags.
    package func field(in collection: ToolCollection) throws(ToolError) -> RecordField {
        switch name {
        case ItemField.createdAt: return RecordField(name, try date(isRequired: collection.isItems))
        case ItemField.tags where collection.isItems: return RecordField(name, try tags())
        case _ where collection.isItems && ItemField.content.contains(name):
            guard value.text != nil || value == .null else { throw wrongType("a text") }
            return RecordField(name, value)
        default: return RecordField(name, value)
        }
    }

    private func date(isRequired: Bool) throws(ToolError) -> CBORValue {
        guard let text = value.text else {
            guard !isRequired || value.timestamp != nil else { throw wrongType("a date") }
            return value
        }
        do throws(TimestampError) {
            return .date(try Timestamp(text))
        } catch {
            guard isRequired else { return value }
            throw ToolError(.usage, "invalid value '\(text)' for '\(name)': \(error)")
        }
    }

    private func tags() throws(ToolError) -> CBORValue {
        switch value {
        case .text(let text): return .array(TagList.tags(text).map(CBORValue.text))
        case .array(let items) where items.allSatisfy({ $0.text != nil }): return value
        case .null: return value
        default: throw wrongType("an array of texts")
        }
    }

    private func wrongType(_ expected: String) -> ToolError {
        ToolError(.usage, "the field '\(name)' takes \(expected)")
    }
}

extension ValueReader where Value == FieldAssignment {
    /// An assignment to a field that can be stored.
    package static var assignment: ValueReader {
        ValueReader(show: { $0.name }) { text throws(ValueProblem) in
            guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw ValueProblem("expected FIELD=TEXT or FIELD:=JSON; an address goes with --url")
            }
            guard !text[..<sign].contains("://") else {
                throw ValueProblem("this looks like an address, which goes with --url")
            }
            let value = String(text[text.utf8.index(after: sign)...])
            let name = text[..<sign]
            guard name.utf8.last == UInt8(ascii: ":") else {
                return FieldAssignment(name: try fieldName(String(name)), value: .text(value))
            }
            let json: CBORValue
            do throws(InterchangeError) {
                json = try ExtendedJSON.value(of: value).value
            } catch {
                throw ValueProblem(error.description)
            }
            let end = text.utf8.index(before: sign)
            return FieldAssignment(name: try fieldName(String(text[..<end])), value: json)
        }
    }

    private static func fieldName(_ name: String) throws(ValueProblem) -> String {
        let limit = LogLayout.maximumNameLength
        guard (1...limit).contains(name.utf8.count) else {
            throw ValueProblem("a field's name has 1 to \(limit) bytes")
        }
        if name == ItemField.id { throw ValueProblem("the id is a record's key, and no field") }
        if name == ItemField.syncStatus { throw ValueProblem("'\(name)' is told, and never set") }
        return name
    }
}
