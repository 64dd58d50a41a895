/**
 * Functions that the kernel refuses to trace by their names. Source: kernel/bpf/verifier.c:
 * btf_id_deny, noreturn_deny, check_attach_btf_id, in Linux 5.10 to 7.1.
 */
import { byVersion, type DependsOn } from './dependency.ts';
import type { LoadKernel } from './kernel.ts';
import { type Backport, hasChange, isSince, type Version } from './version.ts';

/** Why the kernel refuses a function by its name. */
export type ListFault = DependsOn & {
  readonly rule: 'deny list' | 'noreturn';
  /** The kernel's log line, exactly; null if it prints none, or if its text is not known. */
  readonly line: string | null;
  readonly isSure: boolean;
};

const DENIED_5_13: Backport = { since: '5.13', maybeSince: '5.4' };
const DENIED_6_3: Backport = { since: '6.3', maybeSince: '5.15' };
const DENIED_6_6: Backport = { since: '6.6', maybeSince: '5.15' };

/** `btf_id_deny`: no tracing program may be attached. */
const DENIED: ReadonlyMap<string, Backport> = new Map([
  ['migrate_disable', DENIED_5_13],
  ['migrate_enable', DENIED_5_13],
  ['rcu_read_unlock_strict', DENIED_5_13],
  ['preempt_count_add', DENIED_6_3],
  ['preempt_count_sub', DENIED_6_3],
  ['__rcu_read_lock', DENIED_6_6],
  ['__rcu_read_unlock', DENIED_6_6],
  ['___migrate_enable', { since: '6.18', maybeSince: '6.18' }],
]);

/** `noreturn_deny`: functions that do not return. */
const NO_RETURN: ReadonlySet<string> = new Set([
  'do_exit',
  'do_group_exit',
  'kthread_complete_and_exit',
  'make_task_dead',
  '__ia32_sys_exit',
  '__ia32_sys_exit_group',
  '__x64_sys_exit',
  '__x64_sys_exit_group',
  '__module_put_and_kthread_exit',
  'kunit_try_catch_throw',
]);

/** The list came with 6.15; stable updates of 6.6 and 6.12 have it, too. */
const NO_RETURN_SINCE: Backport = { since: '6.15', maybeSince: '6.6' };

/** In the list of Linux 6.15 to 6.18; not in 7.1. */
const NO_RETURN_UNTIL: ReadonlyMap<string, Version> = new Map([['kthread_exit', '6.19']]);

/** Returns why the kernel refuses a tracing program on a function that is in `btf_id_deny`. */
export function deniedFunction(name: string, kernel: LoadKernel): ListFault | null {
  const since = DENIED.get(name);
  const isDenied = since === undefined ? false : hasChange(kernel, since);
  if (since === undefined || isDenied === false) return null;
  // Linux 6.17 may have the line: it is in 6.18 and not in 6.16.
  const line =
    isSince(kernel, '6.18') === true
      ? `Attaching tracing programs to function '${name}' is rejected.`
      : null;
  const decides = byVersion(kernel, since.since, since.maybeSince);
  return { rule: 'deny list', line, isSure: isDenied === true, ...decides };
}

/** Returns why the kernel refuses fexit, fmod_ret and fsession of a function that never returns. */
export function noReturnFunction(name: string, kernel: LoadKernel): ListFault | null {
  const until = NO_RETURN_UNTIL.get(name);
  if (until === undefined ? !NO_RETURN.has(name) : isSince(kernel, until) === true) return null;
  const isListed = hasChange(kernel, NO_RETURN_SINCE);
  if (isListed === false) return null;
  const isSure = isListed === true && (until === undefined || isSince(kernel, until) === false);
  const { since, maybeSince } = NO_RETURN_SINCE;
  const decides = byVersion(kernel, since, maybeSince, ...(until === undefined ? [] : [until]));
  return { rule: 'noreturn', line: noReturnLine(name, kernel), isSure, ...decides };
}

function noReturnLine(name: string, kernel: LoadKernel): string | null {
  if (isSince(kernel, '7.0') === true) {
    return `Attaching fexit/fsession/fmod_ret to __noreturn function '${name}' is rejected.`;
  }
  if (isSince(kernel, '7.0') !== false) return null;
  if (isSince(kernel, '6.18') === true) {
    return `Attaching fexit/fmod_ret to __noreturn function '${name}' is rejected.`;
  }
  return isSince(kernel, '6.17') === false
    ? 'Attaching fexit/fmod_ret to __noreturn functions is rejected.'
    : null;
}
