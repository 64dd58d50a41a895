// SPDX-License-Identifier: MIT
// For GCC's BPF compiler, which has no helpers by constant pointer and of CO-RE
// only the access index.
#define __core __attribute__((preserve_access_index))
#define SEC(name) __attribute__((section(name), used))

typedef unsigned int u32;
typedef unsigned long long u64;

struct list_head {
	struct list_head *next, *prev;
} __core;

struct mm_struct {
	struct {
		unsigned long total_vm;
		int map_count;
	};
} __core;

struct task_struct {
	int tgid;
	int pid;
	struct mm_struct *mm;
	struct list_head children;
	char comm[16];
} __core;

struct gone_later {
	u32 only_first;
	u32 always;
	u32 array[4];
} __core;

struct plain {
	int a : 3;
	int b : 29;
	union {
		u64 wide;
		char bytes[8];
	};
	double d;
};

enum state { OFF, ON = 5 };

u64 out[8];
static enum state state = ON;
struct plain plain = { 1, 2, { 3 }, 0 };

static u64 __attribute__((noinline)) sum_of(const u32 *numbers, int count)
{
	u64 sum = 0;

	for (int i = 0; i < count; i++)
		sum += numbers[i];
	return sum;
}

SEC("raw_tp/x")
int by_gcc(struct task_struct *task)
{
	struct gone_later *gone = (void *)task;

	out[0] = task->tgid;
	out[1] = (u64)task->mm;
	out[2] = task->pid;
	out[3] = gone->always;
	out[4] = gone->only_first;
	out[5] = sum_of((const u32 *)out, 2) + plain.b;
	return state == ON;
}

char LICENSE[] SEC("license") = "GPL";
