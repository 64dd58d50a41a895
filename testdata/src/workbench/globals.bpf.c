#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

typedef struct { int x, y; } point_t;
struct config { _Bool on; const char *name; point_t at[2]; union { int i; float f; }; };

int zero, one = 1;
point_t origin = { 0 }, corner = { .y = 2 };
const volatile struct config cfg = { .on = 0, .at = { [1] = { 3, 4 } } };
static const int table[] = { 1, 2, 4, [6] = 8 };
static int calls;
const char greeting[] = "hello";
__u64 hist[3][4] SEC(".data.hist");
volatile const __u8 mode = 0;
int weak_one __weak = 3;
long hidden_one __hidden;

SEC("socket")
int index_of(struct __sk_buff *skb)
{
	int i = calls++ & 7;

	if (i >= (int)(sizeof(table) / sizeof(table[0])))
		return cfg.at[1].x;
	return table[i] + one;
}

char _license[] SEC("license") = "GPL";
