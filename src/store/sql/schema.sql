-- The run file. Its names are an interface: people query it with sqlite3. SQLite keeps the comments in the tables.

CREATE TABLE run (
  -- What the run says about itself: one row, and in a merged file one for each run.
  id            INTEGER PRIMARY KEY,
  tool_version  TEXT NOT NULL,
  uuid          TEXT NOT NULL,     -- of the run, random
  command       TEXT NOT NULL,     -- run, limits, progress, audit, demo
  command_line  TEXT NOT NULL,     -- its words, quoted as for a shell
  folder        TEXT NOT NULL,     -- in which it was given
  shard         INTEGER,           -- this one of so many; NULL: the run is whole
  shards        INTEGER,
  shard_by      TEXT,              -- what chose it: --shard, or a variable of the environment
  devices       INTEGER,           -- that it was to use
  host          TEXT NOT NULL,     -- uname: system, release, machine
  environment   TEXT NOT NULL,     -- NAME=value lines: those variables that change a device
  origin        TEXT NOT NULL,     -- code of machine, user and command, by which resume knows its own; '': none
  started_ms    INTEGER NOT NULL   -- Unix time
);

CREATE TABLE asked (
  -- What a run was asked: its options by their whole names, whatever the command line abbreviates, and its operands.
  run           TEXT NOT NULL,     -- its uuid
  place         INTEGER NOT NULL,  -- in the order of the command line, operands last
  option        TEXT NOT NULL,     -- without dashes; '': an operand
  value         TEXT NOT NULL,     -- '' if it takes none
  PRIMARY KEY (run, place)
) WITHOUT ROWID;

CREATE TABLE device (
  -- A device that the run used. NULL is not known, or absent. Unsigned 64-bit numbers are stored
  -- as signed ones in all tables: from 2^63 on they are negative here.
  id            INTEGER PRIMARY KEY, -- in the order in which they were added
  wedged        INTEGER NOT NULL,  -- 1: it stopped working, or its worker could not be killed
  -- What its driver says; texts are the driver's own, cut to fit.
  platform      TEXT NOT NULL,
  name          TEXT NOT NULL,
  vendor        TEXT NOT NULL,
  driver_version TEXT NOT NULL,
  device_version TEXT NOT NULL,
  c_version     TEXT NOT NULL,
  extensions    TEXT NOT NULL,     -- those that matter for synchronization, separated by spaces
  uuid          TEXT,              -- lower-case hexadecimal
  pci           TEXT,              -- dddd:bb:dd.f
  platform_index INTEGER NOT NULL, -- in the listing of this run; not stable
  device_index  INTEGER NOT NULL,
  ordinal       INTEGER NOT NULL,  -- tells devices apart that are alike in all names
  kind          TEXT NOT NULL,     -- CPU, GPU, other
  compute_units INTEGER NOT NULL,
  address_bits  INTEGER NOT NULL,
  max_local_size INTEGER NOT NULL, -- work-items of a work-group
  local_memory_bytes   INTEGER NOT NULL,
  global_memory_bytes  INTEGER NOT NULL,
  max_allocation_bytes INTEGER NOT NULL,
  svm           INTEGER NOT NULL,  -- cl_device_svm_capabilities
  atomic_memory INTEGER,           -- cl_device_atomic_capabilities, if the driver answered
  atomic_fence  INTEGER,           -- likewise
  atomics_64    INTEGER NOT NULL,  -- 1: cl_khr_int64_base_atomics
  subgroup_progress INTEGER,       -- 1: sub-groups make progress independently of each other
  subgroup_width INTEGER,
  -- What was found by running kernels.
  cl30_works    INTEGER NOT NULL,  -- 1: kernels of dialect cl30 give right results
  cl30_log      TEXT,              -- why they do not
  cl12_works    INTEGER NOT NULL,
  cl12_log      TEXT,
  ptx_works     INTEGER NOT NULL,
  ptx_log       TEXT,
  dialect       TEXT NOT NULL,     -- the one used: none, cl30, cl12, ptx
  yield         INTEGER NOT NULL,  -- 1: sched_yield from inside a kernel works
  left_out      TEXT,              -- optional parts of kernels that the driver died of, by the work-items of a
                                   -- group: 64: yield; 256: yield, hints; NULL: it died of none
  channel       TEXT NOT NULL,     -- how the host reads a running kernel: none, shared, queue
  memory        TEXT NOT NULL,     -- for channel shared: device, svm, mapped
  read_latency_ns INTEGER,         -- from a change in the kernel to the host's seeing it, at most
  stop_latency_ns INTEGER,         -- from writing the stop word to the kernel's end
  loops_cut_at  INTEGER,           -- turns after which the driver ended a loop; NULL: not by loops_tried
  loops_tried   INTEGER NOT NULL,
  poll_ps       INTEGER,           -- picoseconds a poll, one group alone
  -- What its limits were searched with; the same search over the same observations gives the same rows.
  search_estimators TEXT NOT NULL, -- names separated by commas
  search_repeats    INTEGER NOT NULL, -- launches at the limit and one above
  search_given      TEXT,          -- group counts to try instead of searching, separated by commas
  search_live       INTEGER NOT NULL, -- 1: kernels had neither fuse nor stop word
  search_compute_units INTEGER NOT NULL,
  search_max_groups INTEGER NOT NULL, -- that a launch may have
  search_loops_cut_at  INTEGER,
  search_suspect_ns INTEGER NOT NULL, -- least times for the stall judge
  search_confirm_ns INTEGER NOT NULL,
  search_close_ns   INTEGER NOT NULL  -- and for the census
);

CREATE TABLE share (
  -- What a run was to do on a device, in points, footprints or tests.
  run           TEXT NOT NULL,     -- its uuid
  device        INTEGER NOT NULL REFERENCES device (id),
  planned       INTEGER NOT NULL,  -- in all shards
  own           INTEGER NOT NULL,  -- in this run's shard; like `planned` an estimate until it has ended
  ended         INTEGER NOT NULL,  -- 1: all of it was dealt with
  PRIMARY KEY (run, device)
) WITHOUT ROWID;

CREATE TABLE asserted (
  -- What a run was to show of a device, and whether it did; written when it had ended.
  run           TEXT NOT NULL,     -- its uuid
  device        INTEGER NOT NULL REFERENCES device (id),
  kind          TEXT NOT NULL,     -- the option that asks for it: at-least, against
  name          TEXT NOT NULL,     -- a footprint, a line of points, a promise, a model
  failed        INTEGER,           -- 1: it did not; NULL: undecided
  said          TEXT NOT NULL,     -- what was found
  PRIMARY KEY (run, device, kind, name)
) WITHOUT ROWID;

CREATE TABLE trial (
  -- One point of a sweep, launched once or in a batch. Its row is there before it runs; a trial
  -- whose duration_ns is NULL was begun and never ended.
  id            INTEGER PRIMARY KEY, -- in the order in which they were begun
  device        INTEGER NOT NULL REFERENCES device (id),
  run           INTEGER NOT NULL REFERENCES run (id),
  sequence      INTEGER NOT NULL,  -- tells batches of one point apart
  name          TEXT NOT NULL,     -- stable: the same point has the same name in every run
  position      INTEGER NOT NULL,  -- of the point in its device's plan, shards and filters left aside
  estimator     TEXT NOT NULL,     -- census, barrier, discovery; work: a scenario's kernel does its work;
                                   -- progress: a block of litmus tests; promise: a promise is measured
  dialect       TEXT NOT NULL,     -- cl30, cl12, ptx; none: the device's
  -- Of a scenario; all are NULL in other trials.
  scenario      TEXT,
  publication   INTEGER,           -- 1: it asks whether groups see what others wrote
  anti_pattern  INTEGER,           -- 1: the point shows what is not to be done
  kernel        TEXT,              -- its file is this with .cl
  options       TEXT,              -- of the build
  point         TEXT,              -- the sweep's values beside groups and dialect: NAME=VALUE, separated by commas
  fuse          INTEGER,           -- most polls of a group in one launch; NULL: calibrated
  seed          INTEGER,
  jitter        INTEGER,           -- polls
  uneven        INTEGER,           -- polls
  burners       INTEGER,           -- threads of the host that kept its processors busy
  held          INTEGER,           -- groups of a second queue that stayed resident meanwhile
  traffic       INTEGER,           -- MiB that those streamed through
  sync_words    INTEGER,           -- words of the board behind its entries
  names         TEXT,              -- what those are called: fork {i} = 0+32*i, i < 4; holders = 128; NULL: nothing
  dimensions    INTEGER,           -- of the range of work-items that it is launched over; NULL: over groups
  local_x       INTEGER,           -- of that range: work-items of a group; 0: left to the driver
  local_y       INTEGER,
  local_z       INTEGER,
  global_x      INTEGER,           -- and of the launch
  global_y      INTEGER,
  global_z      INTEGER,
  checks        INTEGER,           -- reads across groups that complete launches check; NULL: not fixed
  resident      INTEGER,           -- limit of this kernel, measured before; NULL: not known
  expected      TEXT,              -- verdicts that were predicted before it ran; NULL: none were
  allowed       TEXT,              -- where none were: those that are no surprise; NULL: not known
  expected_causes TEXT,            -- causes that were predicted, likewise
  expected_some TEXT,              -- verdicts of which at least one launch of the point has one, likewise
  expected_rate TEXT,              -- the largest share of the point's launches: VERDICT <= 1/200; likewise
  known         TEXT,              -- failure, flake: from the lists that the run was given
  known_verdicts TEXT,             -- of a known failure
  quoted        TEXT,              -- of a promise: what another run found of the device, as a sentence; or NULL
  -- Of a block of litmus tests; likewise.
  engine        TEXT,              -- table: one kernel reads all tests; compiled: each is a kernel of its own
  mapping       TEXT,              -- which group is which thread: plain, round-robin, chunked, hybrid, random,
                                   -- shuffled
  mapping_seed  INTEGER,           -- of random and shuffled
  guarded       INTEGER,           -- 1: the kernel has a barrier and a local array
  suite         TEXT,              -- what the block is for
  digest        TEXT,              -- FNV-1a, 64 bits, of its tests
  -- What it was launched with.
  local_size    INTEGER NOT NULL,  -- footprint: work-items of a group
  private_bytes INTEGER NOT NULL,  -- of each work-item
  local_memory_bytes INTEGER NOT NULL,
  -- The kernel of the user's whose limit is measured; NULL: there is none.
  source        TEXT,              -- its file, as it was given
  source_options TEXT,             -- of the build, as they were given
  source_kernel TEXT,
  group_dimensions INTEGER,
  group_x       INTEGER,           -- work-items of a group
  group_y       INTEGER,
  group_z       INTEGER,
  local_arguments TEXT,            -- bytes of local arguments that were given: 3=1024,5=64
  groups        INTEGER NOT NULL,  -- work-groups launched
  rounds        INTEGER NOT NULL,  -- barriers in one launch
  repeats       INTEGER NOT NULL,  -- launches, at most; of a block: of each test
  enough_stalls INTEGER NOT NULL,  -- the batch ends once so many launches were no pass; 0: never
  gap_ns        INTEGER NOT NULL,  -- the longest time without a change seen before
  proven_groups INTEGER NOT NULL,  -- known before to be resident together
  suspect_ns    INTEGER NOT NULL,  -- that later stalls of a batch must stand, at least
  confirm_ns    INTEGER NOT NULL,  -- and the first one
  close_ns      INTEGER NOT NULL,  -- time without an arrival after which a census is closed
  live          INTEGER NOT NULL,  -- 1: neither fuse nor stop word
  -- What was found of a promise; NULL in other trials.
  offered       INTEGER,           -- 1: the device has what is promised
  promise_undecided INTEGER,       -- 1: it could not be measured
  promised      INTEGER,           -- the amount, in the promise's unit; 1 or 0: yes or no
  measured      INTEGER,
  tries         INTEGER,           -- how often it was tried,
  fails         INTEGER,           -- and not as promised
  finding       TEXT,              -- what happened, as a sentence
  -- How it ended.
  duration_ns   INTEGER,           -- of the whole trial
  build_ns      INTEGER,           -- of it, building programs
  kernel_max_local_size INTEGER,   -- work-items of a group, as the driver says of this kernel
  kernel_preferred_multiple INTEGER,
  -- Of a kernel of the user's that was built: what the driver says of it, and of what was launched.
  entry_way     TEXT,              -- call: a kernel that calls it was appended; insert: text was put into it
  original_local_bytes INTEGER,
  original_private_bytes INTEGER,
  original_most_items INTEGER,
  original_registers INTEGER,      -- 0: the driver does not tell
  measured_local_bytes INTEGER,
  measured_private_bytes INTEGER,
  measured_most_items INTEGER,
  measured_registers INTEGER,
  group_local_bytes INTEGER,       -- of the original: of a group, with its local arguments
  promised_groups INTEGER,         -- clGetKernelMaxConcurrentWorkGroupCountINTEL; 0: the driver has no such answer
  local_arguments_taken TEXT,      -- sizes of local arguments that nobody gave
  left_out      TEXT,              -- optional parts of its kernels that the driver died of, so that it ran without
                                   -- them: yield, hints; NULL: none
  -- What the driver failed of, of a kernel of the user's; NULL: it did not, or this is not known.
  tried_text    TEXT,              -- OpenCL C that it was given: the user's, or with what measures it
  tried_options TEXT,              -- of the build
  tried_kernel  TEXT,              -- that was launched; NULL: the build was not over
  tried_arguments TEXT,            -- of that: b, l, v, i, d, s, w and a number for each (device/subject.h)
  processors    INTEGER,           -- that it could use, all together; NULL: the system did not tell of others
  others_used   INTEGER,           -- thousandths of a processor that other processes used meanwhile
  pressure      INTEGER,           -- thousandths of the time in which some process waited for a processor
  rungs         TEXT,              -- rungs of the kill ladder that were climbed, separated by spaces
  stderr_tail   TEXT,              -- the worker's last words
  note          TEXT               -- what failed, in words
);
CREATE INDEX trial_device ON trial (device);
CREATE INDEX trial_name ON trial (name);

CREATE TABLE source (
  -- The files that the run was made of, beside those that the program carries.
  name          TEXT PRIMARY KEY,  -- as it was given
  digest        TEXT NOT NULL      -- FNV-1a, 64 bits, of a scenario's text and its kernel's
) WITHOUT ROWID;

CREATE TABLE observation (
  -- The facts of one launch, without opinion; of a block, whether it came to its end. Where no board was
  -- read, what it tells is NULL.
  trial         INTEGER NOT NULL REFERENCES trial (id),
  launch        INTEGER NOT NULL,  -- of the trial, from 0
  outcome       TEXT NOT NULL,     -- ended, left-running, killed, crashed, device-lost, build-failed,
                                   -- unsupported, cl-error, interrupted
  groups        INTEGER NOT NULL,  -- launched
  judged        INTEGER NOT NULL,  -- 1: the host saw no change for the suspicion's time and ended it
  confirmed     INTEGER NOT NULL,  -- 1: this stall, or one like it in the batch, stood the longer time
  churned       INTEGER NOT NULL,  -- 1: the host saw changes without progress for long, and ended it
  relapsed      INTEGER NOT NULL,  -- 1: it was thought to have stalled, and went on
  overdue       INTEGER NOT NULL,  -- 1: its time was up, and the host ended it
  seed          INTEGER,           -- of its delays, and of what its kernel drew by lot
  busy          INTEGER,           -- groups that were in no wait when the host ended it
  busy_at       INTEGER,           -- the first of them
  started       INTEGER,           -- groups
  waiting       INTEGER,           -- of these, waiting when the launch ended or was stopped
  ready         INTEGER,           -- of these, with what they waited for already true
  done          INTEGER,           -- reached their end with all conditions true
  late          INTEGER,           -- started after the stop word was set
  counted       INTEGER,           -- by census or discovery
  witnesses     INTEGER,           -- done, and each wait ended with a value that proves its condition
  ended_stop    INTEGER,           -- groups whose last wait was ended by the stop word
  ended_idle    INTEGER,           -- by their idle fuse
  ended_total   INTEGER,           -- by their total fuse
  ended_cut     INTEGER,           -- by the driver
  busy_total    INTEGER,           -- of ended_total: those whose board had changed lately
  checked       INTEGER,           -- reads across groups that the kernel checked, in all groups
  stale         INTEGER,           -- of these, with the value of an earlier round
  wrong         INTEGER,           -- of these, with a value that is wrong in another way
  differing     INTEGER,           -- elements of the results that are not what the host computed
  bad_result    INTEGER,           -- the first of them: which result of the kernel, from 1
  bad_at        INTEGER,           -- which element
  bad_wanted    INTEGER,           -- what it should be, as bits
  bad_got       INTEGER,
  stop          INTEGER,           -- the stop word at the end (GL_STOP_* bits)
  shape_x       INTEGER,           -- of a launch over a range: work-items of the first group
  shape_y       INTEGER,
  shape_z       INTEGER,
  launched      INTEGER,           -- likewise: groups that the driver divided it into
  starved_from  INTEGER,           -- group from which a chain of waits leads to never_started
  never_started INTEGER,           -- group
  circle_at     INTEGER,           -- group that waits, through others, for itself
  circle_groups INTEGER,           -- groups of that circle
  circle_certain INTEGER,          -- 1: each of its waits names whom it waits for; 0: rules before the fourth
  items_at      INTEGER,           -- group that waits for another of its own work-items
  unlock_at     INTEGER,           -- group that waits for a lock which nobody is left to drop
  uneven_at     INTEGER,           -- group that ended before a round in which others wait for it
  lost_at       INTEGER,           -- group that waits for a round to which all have come
  signal_at     INTEGER,           -- group that waits for one that has ended, or for itself
  duration_ns   INTEGER NOT NULL,  -- launch to end, on the host's clock
  device_ns     INTEGER,           -- by event profiling
  handover_ps   INTEGER,           -- the median of a hand-over from group to group, as the kernel measured it
  gap_ns        INTEGER,           -- the longest time without a change while changes still came
  still_ns      INTEGER,           -- from when something moved last to the end
  close_ns      INTEGER,           -- time without an arrival after which the host closed the census
  polls         INTEGER,           -- the most polls of one group
  code          INTEGER,           -- OpenCL error; signal of a crash, or minus its exit status
  board         BLOB,              -- one launch of a trial has it: its words (kernels/abi.h), packed as
                                   -- src/base/packed.h says
  board_alike   TEXT,              -- instead: a board of the same device that is alike in all but times, units and order
  samples       BLOB,              -- of that launch, by --samples: how its groups came there, as words
                                   -- (src/judge/samples.h), likewise
  PRIMARY KEY (trial, launch)
);

CREATE TABLE board (
  -- Large boards of limits: of those that are alike (src/core/likeness.h) the first one.
  device        INTEGER NOT NULL REFERENCES device (id),
  alike         TEXT NOT NULL,     -- FNV-1a, 64 bits, of what they have in common
  trial         TEXT NOT NULL,     -- name of the trial that it is of
  board         BLOB NOT NULL,     -- packed likewise
  PRIMARY KEY (device, alike)
);

CREATE TABLE verdict (
  -- What a launch means by one version of the rules. It follows from trial and observation alone,
  -- so that newer rules can replace it.
  trial         INTEGER NOT NULL,
  launch        INTEGER NOT NULL,
  rules         INTEGER NOT NULL,  -- their version
  verdict       TEXT NOT NULL,     -- pass, stale, wrong, starved, deadlock, stalled, livelock, cut, hang, crash,
                                   -- device-lost, build-failed, error, wedged, inconclusive, incomplete,
                                   -- unsupported, not-run
  cause         TEXT,              -- why: loop-cut, livelock, not-published, occupancy, not-dispatched,
                                   -- circular-wait, work-items, lost-unlock, unequal-trips, lost-arrival,
                                   -- lost-signal, stale-data, slow, unknown; NULL: it passed, or no board explains it
  PRIMARY KEY (trial, launch),
  FOREIGN KEY (trial, launch) REFERENCES observation (trial, launch)
) WITHOUT ROWID;

CREATE TABLE litmus (
  -- What a test of a block came to. A test that was not run may have no row.
  trial         INTEGER NOT NULL REFERENCES trial (id),
  test          INTEGER NOT NULL,  -- its place in the block, from 0
  program       TEXT NOT NULL,     -- as `gridlock litmus` reads it: location,check,exchange,jump, ...
  ran           INTEGER NOT NULL,  -- launches that ended or stalled, and are decided
  stalled       INTEGER NOT NULL,  -- of these
  undecided     INTEGER NOT NULL,  -- beside these: stalls that did not come back with more time
  confirmed     INTEGER NOT NULL,  -- 1: of the stalls, at least one stood for much longer
  cut           INTEGER NOT NULL,  -- 1: the driver ended a loop, and nothing is known of the test
  duration_ns   INTEGER NOT NULL,  -- of all its launches
  stall_ns      INTEGER,           -- the shortest time in which a launch was seen to have stalled
  -- Where it stood in the confirmed stall, or else in the last one; NULL if it always ended.
  groups        INTEGER,           -- of the launch
  started       INTEGER,           -- of these, before it was stopped
  ended         INTEGER,           -- of these
  stuck         INTEGER,           -- instances with a thread that had started and not ended
  instance      INTEGER,           -- one of them, which the rest is about
  threads_started INTEGER,         -- a bit for each thread
  threads_ended INTEGER,           -- likewise
  memory        INTEGER,           -- a bit for each location
  positions     TEXT,              -- each thread's next instruction, separated by spaces; -: it had not started
  starved       INTEGER,           -- 1: whatever its started threads do, none ends: another must start
  PRIMARY KEY (trial, test)
) WITHOUT ROWID;
