/* The other unit: see first.c. */
typedef unsigned long long u64;
enum wide { WIDE = 0x123456789abcULL, SMALL = 1 };
struct shared { int id; u64 flags:33, kind:4; enum wide w; };
struct differs { long a; };
#ifdef __clang__
#define TAGGED __attribute__((btf_decl_tag("tagged")))
#define USER __attribute__((btf_type_tag("user")))
#else
#define TAGGED
#define USER
#endif
struct tagged { int plain; int marked TAGGED; int USER *pointer; };

extern int counter;
static __attribute__((noinline)) long same_name(struct shared *s, long k) { return s->id * k; }
int with_tags(struct tagged *t TAGGED) { return t->marked + *t->pointer + counter; }
long second(struct shared *s, struct differs *d) { return same_name(s, 7) + d->a; }
int variadic(const char *format, ...) { return format[0]; }
