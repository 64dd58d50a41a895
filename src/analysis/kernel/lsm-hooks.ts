/**
 * LSM hooks that only some programs may use, or none. Source: kernel/bpf/bpf_lsm.c:
 * sleepable_lsm_hooks, bpf_lsm_disabled_hooks.
 */
import { byVersion, type DependsOn } from './dependency.ts';
import type { LoadKernel } from './kernel.ts';
import { type Backport, hasChange } from './version.ts';

const PREFIX = 'bpf_lsm_';
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Hooks that sleepable programs may use in each kernel that has the hook. Later kernels have more. */
const SLEEPABLE = words(`bpf bpf_map bpf_prog bprm_check_security bprm_committed_creds
  bprm_committing_creds bprm_creds_for_exec bprm_creds_from_file capget capset cred_prepare
  file_ioctl file_lock file_open file_receive inode_create inode_getattr inode_getxattr
  inode_mknod inode_need_killpriv inode_post_setxattr inode_readlink inode_rename inode_rmdir
  inode_setattr inode_setxattr inode_symlink inode_unlink kernel_module_request kernel_read_file
  mmap_file netlink_send path_notify release_secctx sb_alloc_security sb_eat_lsm_opts
  sb_kern_mount sb_mount sb_remount sb_set_mnt_opts sb_show_options sb_statfs sb_umount settime
  socket_accept socket_bind socket_connect socket_create socket_getpeername
  socket_getpeersec_dgram socket_getsockname socket_getsockopt socket_listen socket_post_create
  socket_recvmsg socket_sendmsg socket_shutdown socket_socketpair syslog task_alloc task_prctl
  task_setscheduler task_to_inode`);

const DISABLED = words(`vm_enough_memory inode_need_killpriv inode_getsecurity inode_listsecurity
  inode_copy_up_xattr getselfattr getprocattr setprocattr key_getsecurity audit_rule_match
  ismaclabel`);
const DISABLED_SINCE: Backport = { since: '6.12', maybeSince: '6.6' };

/** Returns true for a hook, as `bpf_lsm_file_open`, that a sleepable program may use. */
export function isSleepableHook(name: string): boolean {
  return name.startsWith(PREFIX) && SLEEPABLE.has(name.slice(PREFIX.length));
}

/** Returns whether a kernel lets no program use a hook; null if its version is not known. */
export function disabledHook(name: string, kernel: LoadKernel): boolean | null {
  const isListed = name.startsWith(PREFIX) && DISABLED.has(name.slice(PREFIX.length));
  return isListed ? hasChange(kernel, DISABLED_SINCE) : false;
}

/** Returns what an uncertain answer of `disabledHook` depends on. */
export function disabledBy(kernel: LoadKernel): DependsOn {
  return byVersion(kernel, DISABLED_SINCE.since, DISABLED_SINCE.maybeSince);
}
