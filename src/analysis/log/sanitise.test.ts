import { describe, expect, it } from 'vitest';
import { sanitised } from './sanitise.ts';

describe('a line for others', () => {
  it.each([
    ['0: (18) r1 = 0xffff8881048bb000      ; R1=map_ptr()', '0: (18) r1 = 0x…      ; R1=map_ptr()'],
    ['0: (18) r1 = 0x7f00123456', '0: (18) r1 = 0x…'],
    ['BUG: at ffffffff81000040 and ffffc90000123456', 'BUG: at … and …'],
  ])('has no address: %s', (line, expected) => {
    expect(sanitised(line)).toBe(expected);
  });

  it.each([
    '7: R1=scalar(umax=0xffffffff,var_off=(0x0; 0xffffffffffffffff))',
    '7: R1=scalar(smin=0xffffffff80000000,var_off=(0x0; 0xffffffff00000000))',
    '7: (18) r1 = 0x0',
    '7: (18) r1 = 0x12345678',
    '; a = b / c / d; @ prog.bpf.c:12',
    '; /* a / b */ x /= 2;',
    "libbpf: loading kernel BTF '/sys/kernel/btf/vmlinux': 0",
  ])('keeps what is no address, path or host: %s', (line) => {
    expect(sanitised(line)).toBe(line);
  });

  it.each([
    [
      "libbpf: failed to load object '/home/ann/work/x.bpf.o'",
      "libbpf: failed to load object '…/x.bpf.o'",
    ],
    ['; x = 1; @ /src/a/prog.bpf.c:12', '; x = 1; @ …/prog.bpf.c:12'],
    ['open /home/ann/: failed', 'open …/: failed'],
  ])('has no folder: %s', (line, expected) => {
    expect(sanitised(line)).toBe(expected);
  });

  it.each([
    ['Nov 29 00:27:01 ann-pc app[12]: libbpf: x', 'Nov 29 00:27:01 host app[12]: libbpf: x'],
    ['2026-11-28T10:00:00.123Z db1.example.org app: x', '2026-11-28T10:00:00.123Z host app: x'],
  ])('has no host name: %s', (line, expected) => {
    expect(sanitised(line)).toBe(expected);
  });

  it('takes time in proportion to the line', () => {
    const lines = ['/a'.repeat(50_000), `${'0x'.repeat(50_000)}`, `x${'/'.repeat(100_000)}`];
    for (const line of lines) expect(sanitised(line).length).toBeLessThanOrEqual(line.length + 1);
  });
});
