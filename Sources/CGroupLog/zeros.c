// Finding the end of what was written, over the zeros behind it.

#include "CGroupLog.h"

#include <string.h>

size_t grouplog_trailing_zeros(const void *bytes, size_t count) {
    const uint8_t *p = bytes;
    size_t end = count;
    while (end >= 64) {
        uint64_t words[8];
        memcpy(words, p + end - 64, 64);
        if (words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6] | words[7])
            break;
        end -= 64;
    }
    while (end > 0 && p[end - 1] == 0) end--;
    return count - end;
}
