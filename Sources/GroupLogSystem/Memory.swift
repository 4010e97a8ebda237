private import CGroupLog

/// Has large blocks of memory go back to the system as soon as they are freed, for the whole of the
/// process. A program that has texts of many megabytes pass through it calls this first; otherwise
/// glibc keeps what one of them took for the next. Elsewhere they go back anyhow.
package func returnLargeBlocks() { grouplog_return_large_blocks() }
