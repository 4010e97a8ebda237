// What GroupLog does in C: checksums on the processor's own instructions, chosen at run time, and
// calls of the C library that Swift does not import.
#ifndef CGROUPLOG_H
#define CGROUPLOG_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli; polynomial 0x1EDC6F41, reflected 0x82F63B78, initial value and final
/// exclusive-or 0xFFFFFFFF; RFC 3720, appendix B.4) of `count` bytes, going on from `crc`, the
/// result of an earlier call, or 0 at the start. Uses the processor's CRC instructions where it
/// has them.
uint32_t grouplog_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same answer from tables alone: the path of other processors, and the reference of the tests.
uint32_t grouplog_crc32c_portable(uint32_t crc, const void *bytes, size_t count);

/// The length of the run of zero bytes at the end of `bytes`: `count` if all are zero.
size_t grouplog_trailing_zeros(const void *bytes, size_t count);

/// Where in `bytes` the two bytes first stand side by side; `count` where they do not.
size_t grouplog_find_pair(const void *bytes, size_t count, uint8_t first, uint8_t second);

/// Tells the processor that the bytes at an address will be needed soon. Any address will do.
static inline void grouplog_prefetch(const void *address) { __builtin_prefetch(address); }

/// Has memory blocks of 1 MiB and more go back to the system as soon as they are freed. For programs,
/// at their start: it holds for the whole process.
void grouplog_return_large_blocks(void);

/// A descriptor that can be read as soon as 8 bytes were written to it (eventfd(2)): closed on exec,
/// never blocking. -1 with `errno` where there can be none.
int grouplog_event_descriptor(void);

#endif
