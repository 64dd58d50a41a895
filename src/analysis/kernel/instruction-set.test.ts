import { describe, expect, it } from 'vitest';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { openObject } from '#testing/open-model.ts';
import { refusedInsn } from './insn-fields.ts';
import { insnNeed } from './insn-needs.ts';
import type { Version } from './version.ts';

type Fields = readonly [opcode: number, registers: number, off: number, imm: number];

function insnOf([opcode, registers, off, imm]: Fields, second = 0) {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  bytes[0] = opcode;
  bytes[1] = registers;
  view.setInt16(2, off, true);
  view.setInt32(4, imm, true);
  view.setInt32(12, second, true);
  const insn = decodeInsn(bytes, 0, 'little');
  if (insn === null) throw new Error('16 bytes have an instruction');
  return insn;
}

const CONTEXT = { hasSecondSlot: true, hasArena: false };
const FETCH: Fields = [0xdb, 0x21, 0, 1];
const SIGNED_LOAD: Fields = [0x91, 0x21, 0, 0];
const SIGNED_DIVISION: Fields = [0x37, 0x02, 1, 3];
const MAY_GOTO: Fields = [0xe5, 0, 0, 0];
const LONG_JUMP: Fields = [0x06, 0, 0, 1];

describe('an instruction that a kernel does not know', () => {
  // Lines are those of Linux 5.10.223, 6.1.176, 6.12.95, 6.18.15 and 7.1.13.
  it.each<[string, Fields, Version, string | null]>([
    ['fetch-and-add', FETCH, '5.10', 'always BPF_STX uses reserved fields'],
    ['fetch-and-add', FETCH, '5.12', null],
    ['add', [0xdb, 0x21, 0, 0], '5.10', null],
    ['or', [0xdb, 0x21, 0, 0x40], '5.10', 'always BPF_STX uses reserved fields'],
    [
      'atomic operation 10',
      [0xdb, 0x21, 0, 0x10],
      '6.1',
      'reached BPF_ATOMIC uses invalid atomic opcode 10',
    ],
    ['load-acquire', [0xdb, 0x21, 0, 0x100], '6.15', null],
    ['load-acquire of a byte', [0xd3, 0x21, 0, 0x100], '6.12', 'always unknown opcode d3'],
    ['load with sign extension', SIGNED_LOAD, '6.1', 'always BPF_LDX uses reserved fields'],
    ['load with sign extension', SIGNED_LOAD, '6.6', null],
    ['load of no mode', [0xb9, 0x21, 0, 0], '6.18', 'always BPF_LDX uses reserved fields'],
    ['load of no mode', [0xb9, 0x21, 0, 0], '7.1', 'always unknown opcode b9'],
    ['signed division', SIGNED_DIVISION, '6.1', 'reached BPF_ALU uses reserved fields'],
    ['signed division', SIGNED_DIVISION, '6.6', null],
    ['move with sign extension', [0xbf, 0x22, 8, 0], '6.1', 'reached BPF_MOV uses reserved fields'],
    ['move with offset 5', [0xbf, 0x22, 5, 0], '7.1', 'always BPF_MOV uses reserved fields'],
    ['byte swap', [0xd7, 0x02, 0, 16], '6.1', 'always unknown opcode d7'],
    ['long jump', LONG_JUMP, '5.10', 'always unknown opcode 06'],
    ['long jump', LONG_JUMP, '6.1', 'perhaps unknown opcode 06'],
    ['may_goto', [0xe5, 0, 1, 0], '6.6', 'always unknown opcode e5'],
    ['may_goto of 0', MAY_GOTO, '6.12', 'reached invalid may_goto off 0 imm 0'],
    ['may_goto of 0', MAY_GOTO, '6.18', null],
    ['call of a register', [0x8d, 0x01, 0, 0], '7.1', 'always unknown opcode 8d'],
    ['kfunc call', [0x85, 0x20, 0, 7], '5.12', 'reached BPF_CALL uses reserved fields'],
    ['kfunc call', [0x85, 0x20, 0, 7], '5.13', null],
    ['exit with a number', [0x95, 0, 0, 1], '6.18', 'reached BPF_EXIT uses reserved fields'],
    ['exit with a number', [0x95, 0, 0, 1], '7.1', 'always BPF_EXIT uses reserved fields'],
    ['32-bit jump', [0x16, 0, 0, 1], '5.0', 'always unknown opcode 16'],
    ['address of a function', [0x18, 0x41, 0, 4], '5.12', 'always unrecognized bpf_ld_imm64 insn'],
    ['register 12', [0xb7, 0x0c, 0, 0], '6.1', 'reached R12 is invalid'],
    [
      'address space cast without an arena',
      [0xbf, 0x22, 1, 1],
      '6.9',
      'reached addr_space_cast insn can only be used in a program that has an associated arena',
    ],
  ])('%s %j on %s: %s', (_name, fields, version, answer) => {
    const refusal = refusedInsn(insnOf(fields), CONTEXT, version);
    const word = refusal?.isSure === false ? 'perhaps' : refusal?.pass;
    expect(refusal === null ? null : `${word} ${refusal.line}`).toBe(answer);
  });

  it('has a name and a first version', () => {
    expect(insnNeed(insnOf(FETCH))).toMatchObject({
      what: 'an atomic fetch-and-add',
      since: '5.12',
    });
    expect(insnNeed(insnOf([0xdb, 0x21, 0, 0]))).toBeNull();
    expect(insnNeed(insnOf([0x8d, 0x01, 0, 0]))?.since).toBeNull();
  });
});

describe('a program with such instructions', () => {
  const TEXT = `
    __attribute__((section("xdp"), used)) int program(void *ctx) {
      static long count;
      long first = __sync_fetch_and_add(&count, 1);
      return first + __sync_fetch_and_add(&count, 2);
    }`;
  const verdictOn = async (release: string | null) => {
    const { model, source } = await openObject('a.o', compileBpf(TEXT, '-mcpu=v3'));
    const verdict = judgeLoad(await loadObject(model, source), {
      name: 'kernel',
      vmlinux: null,
      modules: [],
      config: 'none',
      kallsyms: null,
      release,
      unameVersion: null,
    });
    return verdict.programs.flatMap(({ reasons }) => reasons);
  };

  it('is refused by an old kernel, with one reason for all of a kind', async () => {
    const [reason, ...others] = await verdictOn('5.10.0');
    expect(others).toEqual([]);
    expect(reason).toMatchObject({
      outcome: 'rejected',
      step: 'instruction',
      line: 'BPF_STX uses reserved fields',
    });
    expect(reason?.text).toMatch(
      /^insn \d+ is an atomic fetch-and-add, which Linux has since 5\.12; this kernel is 5\.10\. Do not use .* 1 more instruction is of this kind\.$/,
    );
  });

  it('is not refused by a new one, and depends on the version if that is unknown', async () => {
    expect(await verdictOn('5.15.0')).toEqual([]);
    const [reason] = await verdictOn(null);
    expect(reason).toMatchObject({ outcome: 'may-fail', dependsOn: 'release' });
    expect(reason?.text).toContain("since 5.12; this kernel's version is not known.");
  });
});
