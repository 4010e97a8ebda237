#include "CGroupLog.h"

#include <string.h>

size_t grouplog_find_pair(const void *bytes, size_t count, uint8_t first, uint8_t second)
{
    const uint8_t *start = bytes;
    size_t offset = 0;
    while (offset + 1 < count) {
        const uint8_t *found = memchr(start + offset, first, count - 1 - offset);
        if (found == NULL)
            return count;
        offset = (size_t)(found - start);
        if (found[1] == second)
            return offset;
        offset++;
    }
    return count;
}
