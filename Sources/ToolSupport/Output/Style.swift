/// Colours of one stream.
package struct Style: Sendable {
    package let isColoured: Bool

    package init(isColoured: Bool) { self.isColoured = isColoured }

    /// `always` and `never` are the user's word. Otherwise colours go to a terminal that can show
    /// them, unless `NO_COLOR` is set to anything (https://no-color.org).
    package init(
        _ choice: ColorChoice, isTerminal: Bool, environment: (String) -> String?
    ) {
        isColoured =
            switch choice {
            case .always: true
            case .never: false
            case .auto:
                isTerminal && (environment("NO_COLOR") ?? "").isEmpty
                    && environment("TERM") != "dumb"
            }
    }

    package enum Colour: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case cyan = 36
    }

    /// The text in a colour (ECMA-48, SGR), or as it is. It has been made `visible` before.
    package func callAsFunction(_ text: String, _ colour: Colour?) -> String {
        guard isColoured, let colour, !text.isEmpty else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }
}

/// The values of `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
}
