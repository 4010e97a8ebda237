#include "CGroupLog.h"

#if defined(__linux__)
#include <sys/eventfd.h>

int grouplog_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
#else
#include <errno.h>

int grouplog_event_descriptor(void) {
    errno = ENOSYS;
    return -1;
}
#endif
