import { describe, expect, it } from 'vitest';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { assemble, i16, i32, u8 } from '#testing/assemble.ts';
import { callText, helperName } from './helpers.ts';

function call(imm: number, srcReg = 0) {
  const { bytes } = assemble('little', u8(0x85), u8(srcReg << 4), i16(0), i32(imm));
  const insn = decodeInsn(bytes, 0, 'little');
  if (insn === null) throw new Error('eight bytes are an instruction');
  return insn;
}

describe('helperName', () => {
  // Numbers of helpers from the start, the middle and the end of the kernel's list.
  it.each([
    [1, 'bpf_map_lookup_elem'],
    [6, 'bpf_trace_printk'],
    [14, 'bpf_get_current_pid_tgid'],
    [51, 'bpf_redirect_map'],
    [113, 'bpf_probe_read_kernel'],
    [131, 'bpf_ringbuf_reserve'],
    [158, 'bpf_get_current_task_btf'],
    [181, 'bpf_loop'],
    [209, 'bpf_user_ringbuf_drain'],
    [211, 'bpf_cgrp_storage_delete'],
  ])('%i is %s', (number, name) => {
    expect(helperName(number)).toBe(name);
  });

  it.each([0, -1, 212, 195896080])('%i is no helper', (number) => {
    expect(helperName(number)).toBeNull();
  });
});

describe('callWords', () => {
  it('names helpers', () => {
    expect(callText(call(5))).toBe('Helper 5: bpf_ktime_get_ns().');
    expect(callText(call(500))).toBe('There is no helper with number 500.');
  });

  it('explains the poison calls that libbpf writes', () => {
    expect(callText(call(0xbad2310))).toContain('CO-RE relocation');
    expect(callText(call(2001000003))).toContain('the load of map 3');
    expect(callText(call(2002000017))).toContain('extern 17');
  });

  it('leaves calls of BPF functions and kernel functions to their relocations', () => {
    expect(callText(call(5, 1))).toBeNull();
    expect(callText(call(5, 2))).toBeNull();
  });
});
