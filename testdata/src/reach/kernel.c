// SPDX-License-Identifier: MIT
// Two small kernels: the new one (-DNEW) has what is `fresh`, the old one what is `stale`.
typedef unsigned int u32;
typedef unsigned long long u64;

struct part {
	int id;
#ifdef NEW
	int fresh;
#endif
};

struct task_struct {
	int pid;
#ifdef NEW
	u64 width;
	int fresh;
	struct part *fresh_part;
#else
	u32 width;
	int stale;
#endif
	struct part part;
	int last;
};

enum state {
	STATE_ON = 1,
#ifdef NEW
	STATE_FRESH = 2,
#else
	STATE_STALE = 2,
#endif
};

#ifdef NEW
struct fresh_type {
	int value;
};
#else
struct stale_type {
	int value;
};
#endif

struct task_struct first_task;
enum state state_now;

int both_kfunc(int x)
{
	return x;
}

#ifdef NEW
struct fresh_type fresh_value;

int fresh_kfunc(int x)
{
	return x + fresh_value.value;
}
#else
struct stale_type stale_value;

int stale_kfunc(int x)
{
	return x + stale_value.value;
}
#endif
