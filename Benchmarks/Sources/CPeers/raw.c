#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CPeers.h"

struct raw_log {
    int file;
    int lock;
    int flags;
    uint64_t end;
    uint64_t size;
    // The end of the log, in a page that all writers have mapped.
    volatile uint64_t *page;
    char path[1024];
    char lock_path[1024];
};

#if defined(__APPLE__)
static int synchronize(int file) { return fcntl(file, F_FULLFSYNC); }
#else
static int synchronize(int file) { return fdatasync(file); }
#endif

static bool write_all(int file, const void *bytes, size_t count, uint64_t offset) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t done = pwrite(file, next, count, (off_t)offset);
        if (done <= 0) return false;
        next += done;
        offset += (uint64_t)done;
        count -= (size_t)done;
    }
    return true;
}

const char *raw_open(const char *directory, int flags, raw_log **out) {
    raw_log *log = calloc(1, sizeof *log);
    log->flags = flags;
    snprintf(log->path, sizeof log->path, "%s/raw", directory);
    snprintf(log->lock_path, sizeof log->lock_path, "%s/raw.lock", directory);
    log->file = open(log->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (log->file < 0) return "raw: open failed";
    log->size = (uint64_t)lseek(log->file, 0, SEEK_END);
    log->end = log->size;
    log->lock = -1;
    if (flags & raw_locked) {
        log->lock = open(log->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (log->lock < 0 || ftruncate(log->lock, 4096) != 0) return "raw: no lock file";
        log->page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, log->lock, 0);
        if (log->page == MAP_FAILED) return "raw: mmap failed";
    }
    *out = log;
    return NULL;
}

// Zeros behind the end, an eighth of the log, from 16 KiB to 1 MiB: as GroupLog does it.
static bool make_slack(raw_log *log) {
    static const char zeros[1 << 20];
    uint64_t slack = log->end / 8 / 4096 * 4096;
    if (slack < 16 << 10) slack = 16 << 10;
    if (slack > sizeof zeros) slack = sizeof zeros;
    if (!write_all(log->file, zeros, slack, log->size)) return false;
    log->size += slack;
    return true;
}

static bool is_named(const char *path, int file) {
    struct stat named, open;
    return stat(path, &named) == 0 && fstat(file, &open) == 0 && named.st_ino == open.st_ino
        && named.st_dev == open.st_dev;
}

static const char *append_at_end(raw_log *log, const void *bytes, size_t count) {
    if ((log->flags & raw_slack) && log->end + count > log->size && !make_slack(log))
        return "raw: no room";
    if (!write_all(log->file, bytes, count, log->end)) return "raw: pwrite failed";
    log->end += count;
    if (log->end > log->size) log->size = log->end;
    return NULL;
}

static const char *append_locked(raw_log *log, const void *bytes, size_t count) {
    uint64_t around[2] = {0, 0};
    struct stat status;
    // Tried again after a pause, as GroupLog has to, whose waiting has a limit.
    while (flock(log->lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) return "raw: flock failed";
        usleep(20 + (useconds_t)(rand() % 80));
    }
    const char *error = NULL;
    if (!is_named(log->lock_path, log->lock) || stat(log->path, &status) != 0) {
        error = "raw: another file stands at the path";
    } else {
        log->end = log->page[0];
        log->size = (uint64_t)status.st_size;
        // Whether the end is one: a word of a record before it, and zeros behind it.
        if (log->end > 0 && pread(log->file, around, 16, (off_t)log->end - 8) < 8)
            error = "raw: pread failed";
        else if (log->end > 0 && (around[0] == 0 || around[1] != 0))
            error = "raw: the end is not where it should be";
        else
            error = append_at_end(log, bytes, count);
        log->page[0] = log->end;
    }
    flock(log->lock, LOCK_UN);
    return error;
}

const char *raw_append_bytes(raw_log *log, const void *bytes, size_t count) {
    const char *error = (log->flags & raw_locked) ? append_locked(log, bytes, count)
                                                  : append_at_end(log, bytes, count);
    if (error) return error;
    if ((log->flags & raw_synced) && synchronize(log->file) != 0) return "raw: sync failed";
    return NULL;
}

const char *raw_append(raw_log *log, const sample *record) {
    return raw_append_bytes(log, record, sizeof *record);
}

const char *raw_append_all(raw_log *log, const sample *records, size_t count) {
    return raw_append_bytes(log, records, count * sizeof *records);
}

uint64_t raw_size(const raw_log *log) { return log->page ? log->page[0] : log->end; }

void raw_close(raw_log *log) {
    if (log->page) munmap((void *)log->page, 4096);
    if (log->lock >= 0) close(log->lock);
    close(log->file);
    free(log);
}

// MARK: The table

struct raw_table {
    const sample *records;
    size_t size;
    uint64_t mask;
    // The number of a record plus one; 0 is empty.
    uint32_t *slots;
};

static uint64_t hash(const uint8_t id[16]) {
    uint64_t word;
    memcpy(&word, id, sizeof word);
    return word * 0x9E3779B97F4A7C15 >> 20;
}

const char *raw_table_open(const char *directory, raw_table **out) {
    char path[1024];
    struct stat status;
    snprintf(path, sizeof path, "%s/raw", directory);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) return "raw: open failed";
    raw_table *table = calloc(1, sizeof *table);
    table->size = (size_t)status.st_size;
    table->records = mmap(NULL, table->size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (table->records == MAP_FAILED) return "raw: mmap failed";
    size_t count = table->size / sizeof(sample), slots = 16;
    while (slots * 3 < count * 4) slots *= 2;
    table->mask = slots - 1;
    table->slots = calloc(slots, sizeof *table->slots);
    for (size_t index = 0; index < count; index++) {
        uint64_t slot = hash(table->records[index].id) & table->mask;
        while (table->slots[slot]) slot = (slot + 1) & table->mask;
        table->slots[slot] = (uint32_t)index + 1;
    }
    *out = table;
    return NULL;
}

bool raw_table_get(const raw_table *table, const uint8_t id[16], sample *out) {
    for (uint64_t slot = hash(id) & table->mask; table->slots[slot];
         slot = (slot + 1) & table->mask) {
        const sample *record = &table->records[table->slots[slot] - 1];
        if (memcmp(record->id, id, 16) == 0) {
            *out = *record;
            return true;
        }
    }
    return false;
}

void raw_table_close(raw_table *table) {
    munmap((void *)table->records, table->size);
    free(table->slots);
    free(table);
}
