#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

typedef int aligned_int __attribute__((aligned(16)));
typedef __u64 unaligned_u64 __attribute__((aligned(4)));
enum tiny { TINY_A, TINY_B = 200 } __attribute__((packed));
enum wide { WIDE_A = 1ULL << 40 };
enum under : unsigned short { UNDER_A = 7 };
enum later;

struct odd {
	char c;
	unaligned_u64 u;
	aligned_int a;
	enum tiny t;
	enum under un;
	enum wide w;
	_Atomic int counter;
	long double ld;
	__int128 big;
	int (*cb)(const int, char *const, ...);
	enum later *l;
	typeof(struct { int inner; }) anon;
	__typeof__(int *) p;
	int bits : sizeof(int) * 4;
	int a2['c' - 'a' + (1 ? 2 : 3)];
	void (*(*fn[2])(void))(struct odd *);
	char tail[] __attribute__((counted_by(c)));
};
_Static_assert(_Alignof(struct odd) >= 16, "alignment");
struct odd *keep;
const struct odd *const keep_const;
int compare(const void *a, const void *b) { return a < b; }
