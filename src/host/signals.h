/* SIGINT, SIGTERM and SIGHUP: they end the program, or are flags that loops read. */
#pragma once

/*
 * Installs the handlers; SIGHUP stays ignored where it is, as under nohup. Ignores SIGPIPE and SIGXFSZ: that a pipe is
 * closed, or a file as large as it may be, are errors of writing like any other.
 */
void signals_install(void);

/* From now on there is something to end in order, and only the third of them ends the program at once. */
void signals_defer(void);

/* The first of them that came, or 0. */
int signals_received(void);

/* How many came. The second asks to give up waiting. */
int signals_count(void);

/* In a child, before it becomes a program of somebody else's: these are handled and blocked as they came to us. */
void signals_restore(void);
