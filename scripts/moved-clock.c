// Preloaded into Node, PostgreSQL and the browser by the calendar step (scripts/calendar.mjs): the
// system's time is CLOCK_AHEAD_SECONDS later, or earlier where that is negative. What measures
// durations, CLOCK_MONOTONIC, is left alone. Only system calls, because PostgreSQL asks for the time
// in signal handlers, where libfaketime answers the real one and its time limits never end.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t ahead;

__attribute__((constructor)) static void read_ahead(void) {
  const char *seconds = getenv("CLOCK_AHEAD_SECONDS");
  if (seconds != NULL) ahead = atoll(seconds);
}

int clock_gettime(clockid_t clock, struct timespec *found) {
  int result = (int)syscall(SYS_clock_gettime, clock, found);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    found->tv_sec += ahead;
  return result;
}

int gettimeofday(struct timeval *restrict found, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  found->tv_sec = now.tv_sec;
  found->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *found) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (found != NULL) *found = now.tv_sec;
  return now.tv_sec;
}
