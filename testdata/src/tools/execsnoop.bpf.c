// SPDX-License-Identifier: MIT
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define ARGSIZE 128
#define DEFAULT_MAXARGS 20
#define TASK_COMM_LEN 16

struct event {
	pid_t pid;
	pid_t ppid;
	uid_t uid;
	int retval;
	int args_count;
	unsigned int args_size;
	char comm[TASK_COMM_LEN];
	char args[ARGSIZE];
};

const volatile bool filter_cg = false;
const volatile bool ignore_failed = true;
const volatile uid_t targ_uid = (uid_t)-1;
const volatile int max_args = DEFAULT_MAXARGS;

static const struct event empty_event = {};

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__type(key, u32);
	__type(value, u32);
	__uint(max_entries, 1);
} cgroup_map SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 10240);
	__type(key, pid_t);
	__type(value, struct event);
} execs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(u32));
} events SEC(".maps");

static __always_inline bool valid_uid(uid_t uid)
{
	return uid != (uid_t)-1;
}

SEC("tracepoint/syscalls/sys_enter_execve")
int tracepoint__syscalls__sys_enter_execve(struct trace_event_raw_sys_enter *ctx)
{
	u64 id = bpf_get_current_pid_tgid();
	pid_t pid = (pid_t)id, tgid = id >> 32;
	uid_t uid = (u32)bpf_get_current_uid_gid();
	struct task_struct *task;
	struct event *event;

	if (filter_cg && !bpf_current_task_under_cgroup(&cgroup_map, 0))
		return 0;
	if (valid_uid(targ_uid) && targ_uid != uid)
		return 0;
	if (bpf_map_update_elem(&execs, &pid, &empty_event, BPF_NOEXIST))
		return 0;
	event = bpf_map_lookup_elem(&execs, &pid);
	if (!event)
		return 0;
	task = (struct task_struct *)bpf_get_current_task();
	event->pid = tgid;
	event->uid = uid;
	event->ppid = (pid_t)BPF_CORE_READ(task, real_parent, tgid);
	event->args_count = max_args;
	bpf_probe_read_user_str(event->args, ARGSIZE, (const char *)ctx->args[0]);
	return 0;
}

SEC("tracepoint/syscalls/sys_exit_execve")
int tracepoint__syscalls__sys_exit_execve(struct trace_event_raw_sys_exit *ctx)
{
	pid_t pid = (u32)bpf_get_current_pid_tgid();
	struct event *event = bpf_map_lookup_elem(&execs, &pid);

	if (!event)
		return 0;
	if (ignore_failed && ctx->ret < 0)
		goto cleanup;
	event->retval = ctx->ret;
	bpf_get_current_comm(&event->comm, sizeof(event->comm));
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, event, sizeof(*event));
cleanup:
	bpf_map_delete_elem(&execs, &pid);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
