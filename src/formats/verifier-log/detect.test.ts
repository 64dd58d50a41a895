import { describe, expect, it } from 'vitest';
import { isLog } from './detect.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const is = (text: string, tail = '') => isLog(bytes(text), bytes(tail));

describe('a log', () => {
  it.each([
    '0: R1=ctx() R10=fp0\n0: (b7) r0 = 0\n1: (95) exit\n',
    'processed 2 insns (limit 1000000) max_states_per_insn 0 total_states 0\n',
    "libbpf: prog 'p': BPF program load failed: -EACCES\n",
    'Nov 29 00:27:01 host app[1]: libbpf: failed to find valid kernel BTF\n',
    '\x1b[31m17: (79) r1 = *(u64 *)(r0 +8)\x1b[0m\r\n',
    'load program: permission denied: R1 type=ctx expected=fp (20 line(s) omitted)',
    'Verification failed: Memory Safety: out of bounds\n',
    'R0 invalid mem access ‘map_value_or_null’\n',
    '[  1.5] failed to validate module [m] BTF: -22\n',
  ])('is found by one line: %s', (text) => {
    expect(is(text)).toBe(true);
    expect(is('anything\n', `something\n${text}`)).toBe(true);
  });

  it('has names of any bytes, but no zeros', () => {
    const line = [...bytes('0: (b7) r0 = 0\n; '), 0xff, 0xfe, 1, 2];
    expect(isLog(Uint8Array.from(line), Uint8Array.of())).toBe(true);
    expect(isLog(Uint8Array.from([...line, 0]), Uint8Array.of())).toBe(false);
  });

  it('is no source text that quotes one, and no other text', () => {
    const quoted = '__msg("0: (b7) r0 = 0")\nlibbpf: x\n';
    for (const start of ['/* a */', '// a', '#include <a.h>', '#!/bin/sh', '<!doctype html>']) {
      expect(is(`${start}\n${quoted}`)).toBe(false);
    }
    expect(is('static const unsigned char x[] = { 0x7f, 0x45, 0x4c, 0x46 };')).toBe(false);
    expect(is('{"a": [1, 2]}')).toBe(false);
    expect(is('The register R1 is read.\n1: (a) first\n12: (34) of them\n')).toBe(false);
    expect(is('')).toBe(false);
  });

  it('is found by a line that the caller knows', () => {
    const known = (line: string) => line === 'error parsing ELF';
    expect(isLog(bytes('a\nerror parsing ELF\n'), bytes(''), known)).toBe(true);
  });
});
