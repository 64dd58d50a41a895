// too-many-insns -: a loop in a loop takes more than a million instructions.
#include "vmlinux.h"

#ifdef FIX
#define ROUNDS 50
#else
#define ROUNDS 700
#endif

SEC("tc")
int loop_too_many(struct __sk_buff *skb)
{
	__u64 hash = skb->hash;

	for (int i = 0; i < ROUNDS; i++) { /* FROM */
		for (int j = 0; j < ROUNDS; j++) { /* EXIT FROM */
			hash = hash * 31 + j; /* FAIL */
			barrier_var(hash);
		}
	}
	return hash & 1;
}

char LICENSE[] SEC("license") = "GPL";
