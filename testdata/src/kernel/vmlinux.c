// SPDX-License-Identifier: MIT
// Functions and variables of the small kernel: what makes the compiler describe the types.
#include "vmlinux.h"
#include "filler.h"

struct task_struct *current_task;
struct net init_net;
struct bpf_prog *first_prog;
struct bio *first_bio;
struct packed_bits packed_bits;
struct gone_later gone_later;
siginfo_t last_signal;
enum scx_flags scx_flags;
enum tcp_state tcp_state;
enum signed_level signed_level;
#if VERSION >= 2
struct twin_holder twin_holder;
#else
struct twin twin;
#endif
#if VERSION != 2
struct missing_in_second missing_in_second;
#endif

struct task_struct *bpf_task_acquire(struct task_struct *task)
{
	task->usage.refs.counter++;
	return task;
}

void bpf_task_release(struct task_struct *task)
{
	task->usage.refs.counter--;
}

int tcp_v4_connect(struct sock *sk, struct in6_addr *address, int length)
{
	struct tcp_sock *tp = (struct tcp_sock *)sk;

	tp->snd_cwnd = length;
	return address->in6_u.u6_addr32[0] == 0;
}

int vfs_read(struct file *file, char *to, size_t count, loff_t *at)
{
	*at += count;
	return to && file->f_inode->i_ino;
}

void do_exit(long code)
{
	current_task->exit_code = (int)code;
}

int begin_new_exec(struct linux_binprm *binprm)
{
	current_task->in_execve = 1;
	return binprm->secureexec ? -1 : 0;
}

int netif_receive_skb(struct sk_buff *skb)
{
	skb->dev->stats.rx_packets++;
	return skb->len;
}

unsigned long find_vma(struct vm_area_struct *area)
{
	return area->vm_start;
}

void __x64_sys_read(const struct pt_regs *regs)
{
	current_task->jobctl = regs->orig_ax;
}
