#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CPeers.h"
#include "library.h"

// The part of SQLite's interface that is used here (sqlite.org/c3ref); its header need not be there.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
enum { sqlite_ok = 0, sqlite_row = 100, sqlite_done = 101 };
static int (*open)(const char *, sqlite3 **);
static int (*close)(sqlite3 *);
static int (*exec)(sqlite3 *, const char *, void *, void *, char **);
static int (*busy_timeout)(sqlite3 *, int);
static int (*prepare_v2)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
static int (*finalize)(sqlite3_stmt *);
static int (*step)(sqlite3_stmt *);
static int (*reset)(sqlite3_stmt *);
static int (*bind_blob)(sqlite3_stmt *, int, const void *, int, void (*)(void *));
static int (*bind_text)(sqlite3_stmt *, int, const char *, int, void (*)(void *));
static int (*bind_double)(sqlite3_stmt *, int, double);
static int (*bind_int64)(sqlite3_stmt *, int, long long);
static const void *(*column_blob)(sqlite3_stmt *, int);
static const unsigned char *(*column_text)(sqlite3_stmt *, int);
static int (*column_bytes)(sqlite3_stmt *, int);
static double (*column_double)(sqlite3_stmt *, int);
static long long (*column_int64)(sqlite3_stmt *, int);
static const char *(*errmsg)(sqlite3 *);
static const char *(*libversion)(void);

struct sqlite_peer {
    sqlite3 *database;
    sqlite3_stmt *insert, *select, *newest, *count;
};

const char *sqlite_peer_load(void) {
    static void *library;
    if (library) return NULL;
    const char *const names[] = {"libsqlite3.so.0", "libsqlite3.dylib", NULL};
    void *found = library_open(names);
    if (!found) return "SQLite (libsqlite3.so.0) is not installed";
    LOAD(found, open, "sqlite3_");
    LOAD(found, close, "sqlite3_");
    LOAD(found, exec, "sqlite3_");
    LOAD(found, busy_timeout, "sqlite3_");
    LOAD(found, prepare_v2, "sqlite3_");
    LOAD(found, finalize, "sqlite3_");
    LOAD(found, step, "sqlite3_");
    LOAD(found, reset, "sqlite3_");
    LOAD(found, bind_blob, "sqlite3_");
    LOAD(found, bind_text, "sqlite3_");
    LOAD(found, bind_double, "sqlite3_");
    LOAD(found, bind_int64, "sqlite3_");
    LOAD(found, column_blob, "sqlite3_");
    LOAD(found, column_text, "sqlite3_");
    LOAD(found, column_bytes, "sqlite3_");
    LOAD(found, column_double, "sqlite3_");
    LOAD(found, column_int64, "sqlite3_");
    LOAD(found, errmsg, "sqlite3_");
    LOAD(found, libversion, "sqlite3_");
    library = found;
    return NULL;
}

const char *sqlite_peer_version(void) { return libversion(); }

static const char *failure(const sqlite_peer *peer) {
    static _Thread_local char text[200];
    snprintf(text, sizeof text, "SQLite: %s", errmsg(peer->database));
    return text;
}

const char *sqlite_peer_execute(sqlite_peer *peer, const char *statement) {
    return exec(peer->database, statement, NULL, NULL, NULL) == sqlite_ok ? NULL : failure(peer);
}

static bool prepare(sqlite_peer *peer, const char *text, sqlite3_stmt **out) {
    return prepare_v2(peer->database, text, -1, out, NULL) == sqlite_ok;
}

const char *sqlite_peer_open(const char *path, const char *synchronous, sqlite_peer **out) {
    sqlite_peer *peer = calloc(1, sizeof *peer);
    char pragma[64];
    snprintf(pragma, sizeof pragma, "PRAGMA synchronous = %s", synchronous);
    if (open(path, &peer->database) != sqlite_ok) return "SQLite cannot open the database";
    busy_timeout(peer->database, 60000);
    const char *error = sqlite_peer_execute(peer, "PRAGMA journal_mode = WAL");
    if (!error) error = sqlite_peer_execute(peer, pragma);
    if (!error)
        error = sqlite_peer_execute(
            peer,
            "CREATE TABLE IF NOT EXISTS items (id BLOB PRIMARY KEY NOT NULL, url TEXT NOT NULL, "
            "title TEXT NOT NULL, date REAL NOT NULL, status TEXT NOT NULL)");
    if (error) return error;
    if (!prepare(peer, "INSERT INTO items VALUES (?, ?, ?, ?, ?)", &peer->insert)
        || !prepare(peer, "SELECT * FROM items WHERE id = ?", &peer->select)
        || !prepare(peer, "SELECT * FROM items ORDER BY rowid DESC LIMIT ?", &peer->newest)
        || !prepare(peer, "SELECT count(*) FROM items", &peer->count))
        return failure(peer);
    *out = peer;
    return NULL;
}

const char *sqlite_peer_append(sqlite_peer *peer, const sample *record) {
    sqlite3_stmt *insert = peer->insert;
    bind_blob(insert, 1, record->id, sizeof record->id, NULL);
    bind_text(insert, 2, record->url, sizeof record->url, NULL);
    bind_text(insert, 3, record->title, sizeof record->title, NULL);
    bind_double(insert, 4, record->date);
    bind_text(insert, 5, record->status, sizeof record->status, NULL);
    int result = step(insert);
    reset(insert);
    return result == sqlite_done ? NULL : failure(peer);
}

const char *sqlite_peer_append_all(sqlite_peer *peer, const sample *records, size_t count) {
    const char *error = sqlite_peer_execute(peer, "BEGIN IMMEDIATE");
    for (size_t index = 0; index < count && !error; index++)
        error = sqlite_peer_append(peer, &records[index]);
    return error ? error : sqlite_peer_execute(peer, "COMMIT");
}

static void take(sqlite3_stmt *row, int column, void *field, size_t size) {
    const void *text = column == 0 ? column_blob(row, column) : (const void *)column_text(row, column);
    if (text && (size_t)column_bytes(row, column) == size) memcpy(field, text, size);
}

static void take_row(sqlite3_stmt *row, sample *out) {
    take(row, 0, out->id, sizeof out->id);
    take(row, 1, out->url, sizeof out->url);
    take(row, 2, out->title, sizeof out->title);
    out->date = column_double(row, 3);
    take(row, 4, out->status, sizeof out->status);
}

const char *sqlite_peer_get(sqlite_peer *peer, const uint8_t id[16], sample *out) {
    bind_blob(peer->select, 1, id, 16, NULL);
    int result = step(peer->select);
    if (result == sqlite_row) take_row(peer->select, out);
    reset(peer->select);
    return result == sqlite_row ? NULL : "SQLite has no such record";
}

const char *sqlite_peer_newest(sqlite_peer *peer, sample *out, size_t count) {
    size_t found = 0;
    bind_int64(peer->newest, 1, (long long)count);
    while (found < count && step(peer->newest) == sqlite_row) take_row(peer->newest, &out[found++]);
    reset(peer->newest);
    return found == count ? NULL : "SQLite has too few records";
}

const char *sqlite_peer_count(sqlite_peer *peer, uint64_t *out) {
    int result = step(peer->count);
    if (result == sqlite_row) *out = (uint64_t)column_int64(peer->count, 0);
    reset(peer->count);
    return result == sqlite_row ? NULL : failure(peer);
}

void sqlite_peer_close(sqlite_peer *peer) {
    finalize(peer->insert);
    finalize(peer->select);
    finalize(peer->newest);
    finalize(peer->count);
    close(peer->database);
    free(peer);
}
