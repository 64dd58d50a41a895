/* One of two units whose types and functions pahole merges, keeps apart and leaves out. */
typedef unsigned long long u64;
enum wide { WIDE = 0x123456789abcULL, SMALL = 1 };
struct shared { int id; u64 flags:33, kind:4; enum wide w; };
struct differs { int a; };
struct __attribute__((packed)) packed_by_value { char tag; long value; };
struct only_declared;

int counter = 1;
int per_cpu __attribute__((section(".data..percpu"))) = 2;
_Complex float unused_number(void);

static __attribute__((noinline)) int same_name(struct shared *s) { return s->id; }
static __attribute__((noinline)) int drops(int used, int unused, struct shared *s) { return used * s->id; }
static inline int always_inlined(int x) { return x * 3; }
int on_stack(int a, int b, int c, int d, int e, int f, int g, int h, struct packed_by_value p)
{ return a + h + p.value; }
int first(struct shared *s, struct differs *d, struct only_declared *o)
{ static int calls; return same_name(s) + drops(3, 4, s) + always_inlined(d->a) + ++calls + (o != 0); }
