/* Source of the objects in this folder; build.sh compiles it for each machine. */
extern int far_data[4];
extern int far_function(int);
static int counters[3] = {1, 2, 3};
int *const table[2] = {&far_data[1], &counters[2]};
__thread int per_thread = 7;

int near_function(int x) { return x + counters[1]; }

int _start(int x) {
  per_thread += x;
  counters[0] = far_function(x) + far_data[2];
  return near_function(x) + *table[x & 1];
}
