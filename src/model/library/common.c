#define EACH_min(x, y) ((y) < (x) ? (y) : (x))
#define EACH_max(x, y) ((x) < (y) ? (y) : (x))
