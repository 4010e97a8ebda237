#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/ptrace.h>
#endif

#include "CPeers.h"

extern char **environ;

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t cpu_nanoseconds(void) { return now(CLOCK_PROCESS_CPUTIME_ID); }

int64_t wall_nanoseconds(void) { return now(CLOCK_MONOTONIC); }

void sleep_until(int64_t moment) {
    int64_t rest;
    while ((rest = moment - wall_nanoseconds()) > 0) {
        struct timespec time = {rest / 1000000000, rest % 1000000000};
        nanosleep(&time, NULL);
    }
}

static int spawn(const char *const arguments[], int output, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output >= 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int code = posix_spawnp(process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

#if defined(__linux__)
// The number behind the name of a line in a file of /proc; 0 where there is none.
static uint64_t number(pid_t process, const char *file, const char *name) {
    char path[64], line[256];
    uint64_t found = 0;
    size_t length = strlen(name);
    snprintf(path, sizeof path, "/proc/%d/%s", process, file);
    FILE *lines = fopen(path, "r");
    while (lines && fgets(line, sizeof line, lines))
        if (strncmp(line, name, length) == 0) found = strtoull(line + length, NULL, 10);
    if (lines) fclose(lines);
    return found;
}

// ptrace(2): a process that is traced from its start stops as it exits, its memory still in place.
static const char *run_inspected(const char *const arguments[], process_result *out) {
    pid_t process = fork();
    if (process == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    if (process < 0) return "fork failed";
    int status = 0;
    if (waitpid(process, &status, 0) != process || !WIFSTOPPED(status))
        return "the process cannot be inspected";
    ptrace(PTRACE_SETOPTIONS, process, NULL, PTRACE_O_TRACEEXIT);
    ptrace(PTRACE_CONT, process, NULL, NULL);
    while (waitpid(process, &status, 0) == process && WIFSTOPPED(status)) {
        int signal = WSTOPSIG(status);
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
            out->private_bytes = number(process, "smaps_rollup", "Private_Dirty:") << 10;
            out->read_bytes = number(process, "io", "rchar:");
            signal = 0;
        }
        ptrace(PTRACE_CONT, process, NULL, signal);
    }
    out->status = status;
    return NULL;
}
#else
static const char *run_inspected(const char *const arguments[], process_result *out) {
    return "processes can be inspected on Linux only";
}
#endif

const char *process_run(const char *const arguments[], bool inspected, process_result *out) {
    memset(out, 0, sizeof *out);
    if (inspected) return run_inspected(arguments, out);
    pid_t process;
    int64_t start = wall_nanoseconds();
    if (spawn(arguments, -1, &process) != 0) return "the program cannot be started";
    while (waitpid(process, &out->status, 0) < 0)
        if (errno != EINTR) return "waitpid failed";
    out->nanoseconds = wall_nanoseconds() - start;
    return NULL;
}

const char *process_start(const char *const arguments[], int32_t *process, int32_t *output) {
    int ends[2];
    if (pipe(ends) != 0) return "pipe failed";
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int code = spawn(arguments, ends[1], process);
    close(ends[1]);
    *output = ends[0];
    return code == 0 ? NULL : "the program cannot be started";
}

const char *process_finish(int32_t process, int32_t output, char *text, size_t size) {
    size_t used = 0;
    ssize_t count;
    while (used + 1 < size && (count = read(output, text + used, size - used - 1)) > 0)
        used += (size_t)count;
    text[used] = 0;
    close(output);
    int status;
    if (waitpid(process, &status, 0) != process) return "waitpid failed";
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "a process failed";
}

typedef struct {
    int index;
    void (*body)(int, void *);
    void *context;
} thread_start;

static void *run_thread(void *argument) {
    thread_start *start = argument;
    start->body(start->index, start->context);
    return NULL;
}

void threads_run(int count, void (*body)(int index, void *context), void *context) {
    pthread_t threads[64];
    thread_start starts[64];
    for (int index = 0; index < count && index < 64; index++) {
        starts[index] = (thread_start){index, body, context};
        pthread_create(&threads[index], NULL, run_thread, &starts[index]);
    }
    for (int index = 0; index < count && index < 64; index++) pthread_join(threads[index], NULL);
}

void say(const char *text) { fputs(text, stderr); }

uint64_t allocated_bytes(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (uint64_t)status.st_blocks * 512 : 0;
}
