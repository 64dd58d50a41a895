import { describe, expect, it } from 'vitest';
import { isLog } from './detect.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const is = (text: string, tail = '') => isLog(bytes(text), bytes(tail));

describe('a log', () => {
  it.each([
    'hello\n[423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)',
    '0: R1=ctx() R10=fp0\n0: (b7) r0 = 0\n1: (95) exit\n',
    'processed 2 insns (limit 1000000) max_states_per_insn 0 total_states 0\n',
    "libbpf: prog 'p': BPF program load failed: -EACCES\n",
    'Nov 29 00:27:01 host app[1]: libbpf: failed to find valid kernel BTF\n',
    '\x1b[31m17: (79) r1 = *(u64 *)(r0 +8)\x1b[0m\r\n',
    'load program: permission denied: R1 type=ctx expected=fp (20 line(s) omitted)',
    'Verification failed: Memory Safety: out of bounds\n',
    'R0 invalid mem access ‘map_value_or_null’\n',
    '[  1.5] failed to validate module [m] BTF: -22\n',
  ])('is found by one line: %s', async (text) => {
    expect(await is(text)).toBe(true);
    expect(await is('anything\n', `something\n${text}`)).toBe(true);
  });

  it('has names of any bytes, but no zeros', async () => {
    const line = [...bytes('0: (b7) r0 = 0\n; '), 0xff, 0xfe, 1, 2];
    expect(await isLog(Uint8Array.from(line), Uint8Array.of())).toBe(true);
    expect(await isLog(Uint8Array.from([...line, 0]), Uint8Array.of())).toBe(false);
  });

  it('is no source text that quotes one, and no other text', async () => {
    const quoted = '__msg("0: (b7) r0 = 0")\nlibbpf: x\n';
    for (const start of ['/* a */', '// a', '#include <a.h>', '#!/bin/sh', '<!doctype html>']) {
      expect(await is(`${start}\n${quoted}`)).toBe(false);
    }
    expect(await is('static const unsigned char x[] = { 0x7f, 0x45, 0x4c, 0x46 };')).toBe(false);
    expect(await is('{"a": [1, 2]}')).toBe(false);
    expect(await is('The register R1 is read.\n1: (a) first\n12: (34) of them\n')).toBe(false);
    expect(await is('')).toBe(false);
  });

  it('is found by a line that the caller knows, whose forms are loaded then', async () => {
    const known = (line: string) => line === 'error parsing ELF';
    let loads = 0;
    const load = async () => {
      loads += 1;
      return known;
    };
    const isKnown = (text: string) => isLog(bytes(text), bytes(''), load);
    expect(await isKnown('a\nerror parsing ELF\n')).toBe(true);
    expect(await isKnown('a\nb\n')).toBe(false);
    expect(loads).toBe(2);
    // What is known by its form, or is no text, does not need the rows of all loaders.
    expect(await isKnown('0: (b7) r0 = 0\n')).toBe(true);
    expect(await isKnown('error parsing ELF\n\0')).toBe(false);
    expect(await isKnown('')).toBe(false);
    expect(loads).toBe(2);
  });
});
