// SPDX-License-Identifier: MIT
// A toy kernel, for its types only: built for x86-64, and its BTF written by pahole
// as the one of a real kernel is. It is the base of module.btf and a target for the
// CO-RE records of exec_trace.bpf.o.
//
// Look at: no DATASEC, and no FUNC with global linkage: pahole 1.24 says static of
// all. PIDTYPE_SID is 4 here and 3 in exec_trace, total_vm is 0:0:3 here and 0:0:1
// there, and task_struct has no `state`.
#include "include/kernel.h"

enum { TASK_RUNNING = 0, TASK_INTERRUPTIBLE = 1, TASK_DEAD = 0x80 };

struct task_struct *current_task;
static struct list_head all_tasks = { &all_tasks, &all_tasks };

struct task_struct *bpf_task_acquire(struct task_struct *task)
{
	task->usage.refs.counter++;
	return task;
}

void bpf_task_release(struct task_struct *task)
{
	task->usage.refs.counter--;
}

static void list_add(struct list_head *entry, struct list_head *head)
{
	entry->next = head->next;
	entry->prev = head;
	head->next->prev = entry;
	head->next = entry;
}

pid_t pid_nr(const struct pid *pid)
{
	return pid->numbers[pid->level].nr;
}

pid_t task_session_nr(const struct task_struct *task)
{
	return pid_nr(task->signal->pids[PIDTYPE_SID]);
}

int begin_new_exec(struct linux_binprm *binprm)
{
	struct task_struct *task = current_task;

	task->in_execve = 1;
	task->mm = task->active_mm = binprm->mm;
	task->comm[0] = binprm->filename[0];
	return binprm->secureexec ? -1 : 0;
}

void wake_up_new_task(struct task_struct *task)
{
	task->__state = TASK_RUNNING;
	list_add(&task->tasks, &all_tasks);
	list_add(&task->real_parent->children, &task->children);
}

bool uid_eq(kuid_t left, kuid_t right)
{
	return left.val == right.val;
}

bool may_signal(const struct task_struct *from, const struct task_struct *to)
{
	return uid_eq(from->cred->euid, to->real_cred->uid);
}

void do_exit(long code)
{
	struct task_struct *task = current_task;

	task->exit_code = (int)code;
	task->__state = TASK_DEAD;
}

long syscall_enter(struct pt_regs *regs, size_t count)
{
	return regs->orig_ax < count ? (long)regs->di : -1;
}
