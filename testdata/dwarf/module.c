/* A kernel module with DWARF and split BTF: some of its types are in the kernel. */
typedef _Bool bool;
struct list_head { struct list_head *next; struct list_head *prev; };
struct thing { int id; bool busy:1; struct list_head entry; void (*release)(struct thing *); };
struct __attribute__((packed)) by_value { char tag; long value; };
#define SECTION(name) __attribute__((section(name), used))
static const char license[] SECTION(".modinfo") = "license=GPL";
static const char name[] SECTION(".modinfo") = "name=things";
char __this_module[64] SECTION(".gnu.linkonce.this_module");
struct thing first_thing = { .id = 7 };
static __attribute__((noinline)) int drops(int used, int unused, struct thing *t) { return used * t->id; }
static inline int always_inlined(int x) { return x * 3; }
int on_stack(int a, int b, int c, int d, int e, int f, int g, struct by_value v) { return a + v.value; }
int things_add(struct thing *t) { t->entry.next = &first_thing.entry; return drops(2, 3, t) + always_inlined(t->id); }
