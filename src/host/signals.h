/* SIGINT, SIGTERM and SIGHUP, as flags that loops read. */
#ifndef GRIDLOCK_HOST_SIGNALS_H
#define GRIDLOCK_HOST_SIGNALS_H

/* Installs the handlers, and ignores SIGPIPE: writing to a closed pipe is an error like any other. */
void signals_install(void);

/* The first of them that came, or 0. */
int signals_received(void);

/* How many came. The second asks to give up waiting. */
int signals_count(void);

#endif
