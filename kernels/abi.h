/*
 * The board: what a kernel and the host know about each other.
 *
 * The board is one buffer of 32-bit words: first the control words, which all work-groups share, then an entry for
 * each work-group, which only that group writes, then the words by which the groups of a scenario's kernel
 * synchronize. The C compiler and every OpenCL compiler read this file, so it contains nothing but numbers.
 */
#ifndef GRIDLOCK_ABI_H
#define GRIDLOCK_ABI_H

/* Words between two control words: 128 bytes, so that no two of them share a cache line. */
#define GL_LINE 32u

/* Control words, as indexes into the board. */
#define GL_STOP (0u * GL_LINE)       /* stop word: 0, or why the launch must end (GL_STOP_* bits); latches */
#define GL_STARTED (1u * GL_LINE)    /* start tickets handed out */
#define GL_CENSUS (2u * GL_LINE)     /* census: arrivals, and GL_CLOSED once it is closed */
#define GL_CLOSE (3u * GL_LINE)      /* census: not 0 once the host asks to close it */
#define GL_ARRIVALS (4u * GL_LINE)   /* barrier: arrivals in all rounds; never reset */
#define GL_LOCK_NEXT (5u * GL_LINE)  /* discovery: next ticket of its lock */
#define GL_LOCK_NOW (6u * GL_LINE)   /* discovery: ticket whose holder is inside */
#define GL_DISCOVERED (7u * GL_LINE) /* discovery: groups found, and GL_CLOSED once the poll is closed */
#define GL_BEAT (8u * GL_LINE)       /* probe: changes while the kernel runs */
#define GL_PARAMETERS (9u * GL_LINE) /* what the host asks for: written before the launch, read-only there */

/* Parameters, as indexes into the board. */
#define GL_MODE (GL_PARAMETERS + 0u)        /* what to do: GL_MODE_* */
#define GL_GROUPS (GL_PARAMETERS + 1u)      /* work-groups that a barrier waits for */
#define GL_ROUNDS (GL_PARAMETERS + 2u)      /* barriers in one launch */
#define GL_FUSE_IDLE (GL_PARAMETERS + 3u)   /* fuse: polls without a change of the board */
#define GL_FUSE_TOTAL (GL_PARAMETERS + 4u)  /* fuse: polls in one launch, or since it was renewed, whatever happens */
#define GL_CLOSE_POLLS (GL_PARAMETERS + 5u) /* census: polls without an arrival until a group closes it; 0: never */
#define GL_SALT (GL_PARAMETERS + 6u)        /* 0; opaque to the compiler */
#define GL_PASS (GL_PARAMETERS + 7u)        /* which launch of a trial that needs several, from 0 */
#define GL_SEED (GL_PARAMETERS + 8u)        /* of delays, and of what the kernel draws at random */
#define GL_JITTER (GL_PARAMETERS + 9u)      /* gl_delay: the most polls, drawn at random */
#define GL_UNEVEN (GL_PARAMETERS + 10u)     /* gl_delay: polls for each 1 of the group's id modulo 8 */
#define GL_POLLS_A_MS (GL_PARAMETERS + 11u) /* gl_compute: polls that one group alone makes in a millisecond */
#define GL_RENEWED (GL_PARAMETERS + 12u)    /* how often the host has renewed GL_FUSE_TOTAL, for each group anew */
#define GL_OWN (GL_PARAMETERS + 16u)        /* the kernel's own parameters, in the order of its header */
#define GL_OWN_MOST 16u                     /* of these */

#define GL_CONTROL_WORDS (10u * GL_LINE)

/* Entry of a work-group: GL_CONTROL_WORDS + group * GL_ENTRY_WORDS + one of these. */
#define GL_ENTRY_WORDS GL_LINE
#define GL_TICKET 0u     /* start ticket, from 1; 0: not started */
#define GL_PHASE 1u      /* GL_PHASE_* */
#define GL_ROUND 2u      /* barrier at which the group has arrived, from 1 */
#define GL_WAIT_WORD 3u  /* index of the word that it waits for, while GL_PHASE_WAITING; so the next one */
#define GL_WAIT_GROUP 4u /* group that must write that word, or GL_GROUP_* */
#define GL_LOCKS_HELD 5u /* locks that the group holds */
#define GL_LATE 6u       /* 1: it started after the stop word was set, and left */
#define GL_SEEN 7u       /* witness: value of the awaited word when its last wait ended; until then scratch */
#define GL_ENDED 8u      /* why its last wait ended: GL_ENDED_* */
#define GL_POLLS 9u      /* polls in all of its waits; written at the end, and while the awaited word stands still */
/*
 * Polls since the last change when a wait was given up; until then the GL_RENEWED that it saw or, where nobody watches,
 * the most polls without a change of a wait that ended.
 */
#define GL_IDLE 10u
#define GL_COUNTED 11u   /* 1: census or discovery counted it */
#define GL_PROGRESS 11u  /* of a scenario's kernel, instead: its calls of gl_step */
#define GL_UNIT 12u      /* compute unit that it runs on, plus 1; 0: the dialect cannot tell */
#define GL_CLOCK_LOW 13u /* device clock at its start (ns in dialect ptx), low and high word; 0: cannot tell */
#define GL_CLOCK_HIGH 14u
#define GL_WAIT_VALUE 15u /* what the word is compared with */
#define GL_WAIT_HOW 16u   /* and how: GL_UNTIL_*, GL_HOW_OWN, and GL_HOW_LINE times the line in the kernel's file */
#define GL_STEPS 17u      /* waits begun, times GL_STEP_WAIT, plus locks taken or dropped, both modulo 2^16 */
#define GL_WAITS 18u      /* waits that ended */
#define GL_PROVEN 19u     /* of these, with a value that proves their condition */
#define GL_LEAVING 20u    /* 1: a wait ended without its condition, and the whole group leaves */
#define GL_CHECKED 21u    /* reads across groups that were checked */
#define GL_STALE 22u      /* of these, with the value of an earlier round */
#define GL_WRONG 23u      /* of these, with a value that is wrong in another way */
#define GL_BAD_AT 24u     /* the last bad one: where, what it should be, what it was */
#define GL_BAD_WANTED 25u
#define GL_BAD_GOT 26u
#define GL_SHAPE 27u    /* of a launch over a range: work-items of its first group in three dimensions */
#define GL_LAUNCHED 30u /* of a launch over a range: work-groups that it is divided into */
/* The same words in other launches. A lock's name is the index of its word on the board; 0: no lock. */
#define GL_WAIT_LOCK 27u  /* with GL_GROUP_HOLDER: the lock whose holder it waits for; 0: it does not say */
#define GL_LOCK_NAMES 28u /* locks that it holds, as many as it names: GL_NAMED_MOST at most, in any order */
#define GL_CLOCK_END 31u  /* low word of the device clock when it ended or gave up; 0: cannot tell */

/*
 * Behind the entries: the words by which the groups of a scenario's kernel synchronize, as many as its header asks for,
 * initially zero. Index of word i: GL_SYNC(groups) + i.
 */
#define GL_SYNC(groups) (GL_CONTROL_WORDS + (groups)*GL_ENTRY_WORDS)

/* Values. */
#define GL_CLOSED 0x80000000u
#define GL_REACHED 0x80000000u /* word - value is below this once the word has reached the value */

#define GL_MODE_CENSUS 1u
#define GL_MODE_BARRIER 2u
#define GL_MODE_DISCOVERY 3u
#define GL_MODE_CANARY 4u /* probe: start, note it, end */
#define GL_MODE_LOOP 5u   /* probe: count the turns of a loop whose condition stays true */
#define GL_MODE_POLL 6u   /* probe: poll a word GL_FUSE_TOTAL times */
#define GL_MODE_ECHO 7u   /* probe: beat until the stop word is set or the fuse blows */
#define GL_MODE_WORK 8u   /* a scenario's kernel: what it is for */

#define GL_UNTIL_REACHED 0u /* the word - value < GL_REACHED: words that only grow, and may wrap */
#define GL_UNTIL_EQUAL 1u
#define GL_UNTIL_DIFFERENT 2u
#define GL_UNTILS 4u  /* more than these */
#define GL_HOW_OWN 4u /* in a loop of the kernel's own, which may do more than read the word */
#define GL_HOW_LINE 8u

#define GL_STOP_HOST 1u
#define GL_STOP_IDLE 2u    /* the idle fuse of a group blew */
#define GL_STOP_TOTAL 4u   /* the total fuse of a group blew */
#define GL_STOP_CUT 8u     /* a group found its loop cut */
#define GL_STOP_BUSY 16u   /* when an idle fuse blew that no host watches, another group was in no wait that stood */
#define GL_STOP_PROVED 32u /* with GL_STOP_HOST: the device showed that nothing could change any more */

#define GL_STEP_WAIT 0x10000u
#define GL_NAMED_MOST 3u

#define GL_PHASE_NONE 0u
#define GL_PHASE_RUNNING 1u
/* It also stays after a wait that a fuse or the stop word ended, and after one for a word that only grows. */
#define GL_PHASE_WAITING 2u
#define GL_PHASE_DONE 3u
#define GL_PHASE_ITEMS 4u /* as WAITING, where each work-item waits by itself: at least one does */

#define GL_ENDED_NONE 0u
#define GL_ENDED_HELD 1u  /* the condition held */
#define GL_ENDED_STOP 2u  /* the stop word was set */
#define GL_ENDED_IDLE 3u  /* its own idle fuse blew */
#define GL_ENDED_TOTAL 4u /* its own total fuse blew */
#define GL_ENDED_CUT 5u   /* none of these: the driver cut the loop */

#define GL_GROUP_NOBODY 0xffffffffu
#define GL_GROUP_ALL 0xfffffffeu    /* every group that has not arrived at this round */
#define GL_GROUP_HOLDER 0xfffffffdu /* the group that holds the lock; of a semaphore, any that does */
#define GL_GROUP_HOST 0xfffffffcu   /* the host */
#define GL_GROUP_OWNER 0xfffffffbu  /* the group whose id plus 1 is the word's value */
#define GL_GROUP_ANY 0xfffffffau    /* any group that has not ended */
#define GL_GROUP_SELF 0xfffffff9u   /* another work-item of the same group */

/* Turns of a spin between two looks at the stop word and the fuses; a power of two. */
#define GL_LOOK_POLLS 16u

/* Waits between two looks at the stop word by a loop whose waits are over as soon as they begin; a power of two. */
#define GL_LOOK_WAITS 64u

/* Turns of a spin without a change of its word after which the group shows that it still turns; a power of two. */
#define GL_BEAT_POLLS 64u

/* Turns of a spin between two sched_yield calls, on a CPU whose driver takes inline assembly. */
#define GL_YIELD_POLLS 1024u

/* --- pages of litmus tests --- */

/*
 * A launch of a litmus test has a page instead of a board: control words, then a word for each group, by its id, then
 * the locations of each instance of the test, two words each. All but the fuses and numbers is initially zero. Below
 * groups a launch has one group, and what is said of groups is of its sub-groups or work-items, as GL_LEVEL says.
 */
#define GL_PAGE_STOP (0u * GL_LINE)        /* stop word, as GL_STOP */
#define GL_PAGE_STARTS (1u * GL_LINE)      /* groups that started */
#define GL_PAGE_ENDS (GL_PAGE_STARTS + 1u) /* groups whose threads ended */
#define GL_PAGE_GROUPS (2u * GL_LINE)      /* work-groups; read-only there, as what follows */
#define GL_PAGE_THREADS (GL_PAGE_GROUPS + 1u)
#define GL_PAGE_FUSE_IDLE (GL_PAGE_GROUPS + 2u)  /* looks in which no group started or ended */
#define GL_PAGE_FUSE_TOTAL (GL_PAGE_GROUPS + 3u) /* looks of one group, whatever happens */
#define GL_PAGE_TEST (GL_PAGE_GROUPS + 4u)       /* where the test begins in the table of codes */
#define GL_PAGE_SALT (GL_PAGE_GROUPS + 5u)       /* 0; opaque to the compiler */
#define GL_PAGE_JITTER (GL_PAGE_GROUPS + 6u) /* the most polls of a group, at random, before its first instruction */
#define GL_PAGE_SEED (GL_PAGE_GROUPS + 7u)   /* of these */
#define GL_PAGE_STRIDE (GL_PAGE_GROUPS + 8u) /* each so manieth group is a thread, and the others end at once */
#define GL_PAGE_SUB_GROUPS (GL_PAGE_GROUPS + 9u) /* in the group, as was found before; 0: nobody asks */
#define GL_PAGE_LANES (GL_PAGE_GROUPS + 10u)     /* work-items of the first of them */
#define GL_PAGE_CHANGED (GL_PAGE_STOP + 1u)      /* not 0: in this launch there are others */
#define GL_PAGE_SLOTS (3u * GL_LINE)
#define GL_PAGE_MEMORY(groups) (GL_PAGE_SLOTS + (groups))

/*
 * The word of a group: 0 if it has not started, or GL_SLOT_STARTED | looks << 16 | why its loop ended << 8 | where its
 * thread is. While it runs, that is where it was at its last look; looks are counted modulo GL_SLOT_LOOKS.
 * GL_SLOT_LATE: the stop word was set when the group had started, or when its thread had ended.
 */
#define GL_LEVEL_GROUP 0
#define GL_LEVEL_SUB_GROUP 1
#define GL_LEVEL_ITEM 2
#define GL_LEVEL_LANE 3
#define GL_SLOT_STARTED 0x80000000u
#define GL_SLOT_LOOKS 0x8000u
#define GL_SLOT_LATE 0x8000u
#define GL_SLOT_WHY(word) ((word) >> 8 & 0x7fu) /* GL_ENDED_*; NONE: it runs; CUT: neither of them */
#define GL_SLOT_POSITION(word) ((word)&0xffu)

/* Instructions between two looks at the stop word and the fuses; a power of two. */
#define GL_LOOK_STEPS 16u

#endif
