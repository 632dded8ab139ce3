/* Text that drivers gave, made fit for messages. */
#ifndef GRIDLOCK_CORE_TEXT_H
#define GRIDLOCK_CORE_TEXT_H

/* Takes terminal colours (ANSI escape sequences) out of `text`, and puts '?' for all that is no printable ASCII. */
void text_make_plain(char *text);

#endif
