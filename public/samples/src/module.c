// SPDX-License-Identifier: MIT
// A kernel module, for its types only: pahole writes them against kernel.btf, so
// that what the kernel has already is not there a second time.
//
// Look at: the first id is the one after kernel.btf's last, string offsets count
// on from its strings, and task_struct or list_head are ids of the base. Open
// without the base, nothing of it can be named.
#include "include/kernel.h"

enum watch_mode { WATCH_NONE, WATCH_EXEC, WATCH_EXIT, WATCH_ALL };

struct watch_rule {
	struct list_head list;
	enum watch_mode mode;
	pid_t session;
	kuid_t uid;
	u64 hits;
};

struct watch_stats {
	u32 rules;
	u32 matches : 24;
	u32 mode : 8;
	struct task_struct *last;
};

static struct watch_rule first = { { &first.list, &first.list }, WATCH_ALL };
struct watch_stats watch_stats;

pid_t task_session_nr(const struct task_struct *task);

static bool rule_matches(const struct watch_rule *rule, const struct task_struct *task)
{
	return rule->uid.val == task->cred->uid.val && rule->session == task_session_nr(task);
}

bool watch_exec(struct task_struct *task, struct linux_binprm *binprm)
{
	if (!binprm->argc || !rule_matches(&first, task))
		return 0;
	first.hits++;
	watch_stats.matches++;
	watch_stats.last = task;
	return 1;
}

void watch_set_mode(enum watch_mode mode)
{
	first.mode = mode;
	watch_stats.mode = mode;
}
