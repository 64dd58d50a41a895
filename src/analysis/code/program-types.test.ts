import { describe, expect, it } from 'vitest';
import { programType } from './program-types.ts';

describe('programType', () => {
  it.each([
    ['xdp', 'xdp', ''],
    ['?xdp', 'xdp', ''],
    ['kprobe/do_unlinkat', 'kprobe', 'do_unlinkat'],
    ['kprobe', 'kprobe', ''],
    ['kprobe.multi/tcp_*', 'kprobe.multi', 'tcp_*'],
    ['tp/syscalls/sys_enter_openat', 'tp', 'syscalls/sys_enter_openat'],
    ['cgroup/connect4', 'cgroup/connect4', ''],
    ['xdp.frags/devmap', 'xdp.frags/devmap', ''],
    // libbpf 1.x takes no endings that it does not know, and no beginnings.
    ['xdp/mine', '', ''],
    ['kprobes/x', '', ''],
    ['.text', '', ''],
    ['', '', ''],
  ])('%j', (name, kind, attachTo) => {
    expect(programType(name)).toEqual({ kind, attachTo });
  });
});
