// SPDX-License-Identifier: MIT
// What a program takes from the running kernel by name: variables (.ksyms), kernel
// functions, and answers of the kernel's configuration (.kconfig).
//
// Look at: VAR and FUNC with linkage "extern", in DATASECs for which the file has
// no section at all; symbols that are UND and, where the name may be missing, WEAK;
// a call to a kernel function: R_BPF_64_32 to an undefined symbol, held as call -1.
// In .rel.BTF the extern names have R_BPF_64_ABS32, all others R_BPF_64_NODYLD32.
#include "include/bpf_helpers.h"

struct task_struct {
	int pid;
	int tgid;
} __attribute__((preserve_access_index));

struct bpf_cpumask;

enum libbpf_tristate { TRI_NO, TRI_YES, TRI_MODULE };

// .kconfig: the loader makes a map of these from /proc/config.gz or its equal.
extern int LINUX_KERNEL_VERSION __kconfig;
extern unsigned long CONFIG_HZ __kconfig;
extern _Bool CONFIG_CGROUPS __kconfig;
extern enum libbpf_tristate CONFIG_NETFILTER __kconfig __weak;
extern char CONFIG_DEFAULT_HOSTNAME[16] __kconfig __weak;
extern _Bool CONFIG_NO_SUCH_THING __kconfig __weak;

// .ksyms without a type: only the address, from /proc/kallsyms.
extern const void init_task_thread __ksym __weak;
extern const void schedule __ksym;
// With a type: found in the kernel's BTF; one of them lives once a CPU.
extern const struct task_struct init_task __ksym __weak;
extern const int cpu_number __ksym __weak;

// Kernel functions: strong ones must exist, weak ones may be asked for.
extern struct task_struct *bpf_task_acquire(struct task_struct *task) __ksym;
extern void bpf_task_release(struct task_struct *task) __ksym;
extern struct bpf_cpumask *bpf_cpumask_create(void) __ksym __weak;
extern void bpf_cpumask_release(struct bpf_cpumask *mask) __ksym __weak;
extern int bpf_no_such_kfunc(struct task_struct *task, __u64 flags) __ksym __weak;

static void *(*const bpf_per_cpu_ptr)(const void *variable, __u32 cpu) = (void *)153;

__u64 answers[8];

SEC("tp_btf/task_newtask")
int take(__u64 *ctx)
{
	struct task_struct *task = (void *)ctx[0];
	struct task_struct *held;
	const int *cpu;

	answers[0] = LINUX_KERNEL_VERSION;
	answers[1] = CONFIG_HZ;
	if (CONFIG_CGROUPS)
		answers[2] = CONFIG_NETFILTER;
	if (CONFIG_NO_SUCH_THING)
		answers[3] = CONFIG_DEFAULT_HOSTNAME[0];

	answers[4] = (__u64)&schedule;
	if (&init_task_thread)
		answers[5] = (__u64)&init_task_thread;
	if (&init_task)
		answers[6] = init_task.pid;
	if (&cpu_number) {
		cpu = bpf_per_cpu_ptr(&cpu_number, 0);
		if (cpu)
			answers[7] = *cpu;
	}

	held = bpf_task_acquire(task);
	if (!held)
		return 0;
	if (bpf_no_such_kfunc)
		bpf_no_such_kfunc(held, 0);
	bpf_task_release(held);
	if (bpf_cpumask_create) {
		struct bpf_cpumask *mask = bpf_cpumask_create();

		if (mask)
			bpf_cpumask_release(mask);
	}
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
