import { describe, expect, it } from 'vitest';
import { programType } from './program-types.ts';
import { mapTypeName } from './programs.ts';

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

describe('mapTypeName', () => {
  it('is the word of bpf.h', () => {
    expect(mapTypeName(1)).toBe('BPF_MAP_TYPE_HASH');
    expect(mapTypeName(27)).toBe('BPF_MAP_TYPE_RINGBUF');
    expect(mapTypeName(33)).toBe('BPF_MAP_TYPE_ARENA');
    expect(mapTypeName(4000)).toBe('map type 4000');
  });
});
