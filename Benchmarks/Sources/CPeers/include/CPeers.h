// What GroupLog is measured beside: bare loops in C that do the least that could work, and SQLite and
// LMDB, which are loaded at run time where they are installed.
//
// A function that can fail gives NULL for success, else a sentence.
#ifndef CPEERS_H
#define CPEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The sample record: 128 bytes.
typedef struct {
    uint8_t id[16];
    char url[60];
    char title[40];
    double date;
    char status[4];
} sample;

// The record of a number: always the same, with an id that looks random.
void sample_make(uint64_t number, sample *out);

// MARK: Raw

enum {
    raw_slack = 1,   // write into zeros that were written ahead
    raw_locked = 2,  // take a flock, check the names, prove the end and note the new one
    raw_synced = 4,  // fdatasync each append, after the lock is released
};
typedef struct raw_log raw_log;
const char *raw_open(const char *directory, int flags, raw_log **out);
const char *raw_append(raw_log *log, const sample *record);
// Writes many records as they are with one call and one fdatasync.
const char *raw_append_all(raw_log *log, const sample *records, size_t count);
uint64_t raw_size(const raw_log *log);
void raw_close(raw_log *log);

// A hash table in memory over records in a mapped file.
typedef struct raw_table raw_table;
const char *raw_table_open(const char *directory, raw_table **out);
bool raw_table_get(const raw_table *table, const uint8_t id[16], sample *out);
void raw_table_close(raw_table *table);

// MARK: SQLite: WAL, a table with the id as its primary key, statements prepared once

typedef struct sqlite_peer sqlite_peer;
const char *sqlite_peer_load(void);
const char *sqlite_peer_version(void);
const char *sqlite_peer_open(const char *path, const char *synchronous, sqlite_peer **out);
const char *sqlite_peer_append(sqlite_peer *peer, const sample *record);
// One transaction.
const char *sqlite_peer_append_all(sqlite_peer *peer, const sample *records, size_t count);
const char *sqlite_peer_execute(sqlite_peer *peer, const char *statement);
const char *sqlite_peer_get(sqlite_peer *peer, const uint8_t id[16], sample *out);
const char *sqlite_peer_newest(sqlite_peer *peer, sample *out, size_t count);
const char *sqlite_peer_count(sqlite_peer *peer, uint64_t *out);
void sqlite_peer_close(sqlite_peer *peer);

// MARK: LMDB: one unnamed database, ids to the other 112 bytes

typedef struct lmdb_peer lmdb_peer;
const char *lmdb_peer_load(void);
const char *lmdb_peer_version(void);
const char *lmdb_peer_open(const char *path, bool synced, lmdb_peer **out);
// One transaction.
const char *lmdb_peer_append_all(lmdb_peer *peer, const sample *records, size_t count);
const char *lmdb_peer_begin_reading(lmdb_peer *peer);
// With the view that was begun, or renewing it first.
const char *lmdb_peer_get(lmdb_peer *peer, const uint8_t id[16], bool renewing, sample *out);
const char *lmdb_peer_count(lmdb_peer *peer, uint64_t *out);
void lmdb_peer_close(lmdb_peer *peer);

// MARK: Processes, threads, time

// User and system time of this process.
int64_t cpu_nanoseconds(void);
int64_t wall_nanoseconds(void);
void sleep_until(int64_t wall_nanoseconds);

typedef struct {
    int status;  // as waitpid gives it
    int64_t nanoseconds;
    // Of an inspected process, as it ended: what it alone had in memory, and what it read.
    uint64_t private_bytes;
    uint64_t read_bytes;
} process_result;

// Runs a program to its end, its output thrown away; `inspected` stops it as it ends, for a look.
const char *process_run(const char *const arguments[], bool inspected, process_result *out);
// Starts a program; its output is read from `output`.
const char *process_start(const char *const arguments[], int32_t *process, int32_t *output);
// Reads a started program's output and waits for its end.
const char *process_finish(int32_t process, int32_t output, char *text, size_t size);

void threads_run(int count, void (*body)(int index, void *context), void *context);

// Writes to the standard error.
void say(const char *text);

// The bytes that a file takes on the disk.
uint64_t allocated_bytes(const char *path);

#endif
