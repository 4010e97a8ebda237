private import CGroupLog

/// Has large blocks of memory go back to the system as soon as they are freed, for the whole of the
/// process. A program that has texts of many megabytes pass through it calls this first; otherwise
/// glibc keeps what one of them took for the next. Elsewhere they go back anyhow.
package func returnLargeBlocks() { grouplog_return_large_blocks() }

/// Has the processor fetch elements of an array that will be needed soon, side by side instead of one
/// after another.
package func prefetch(_ words: [UInt32], at indexes: [Int]) {
    unsafe words.withUnsafeBufferPointer { words in
        guard let start = words.baseAddress else { return }
        for index in indexes where index >= 0 && index < words.count {
            unsafe grouplog_prefetch(start + index)
        }
    }
}
