import { describe, expect, it } from 'vitest';
import type { ReachCode } from './flow.ts';
import { reachOf } from './reach.ts';

type Slot = readonly [opcode: number, dst: number, src: number, off: number, imm: number];

const MOV = (dst: number, imm: number): Slot => [0xb7, dst, 0, 0, imm];
const MOV_X = (dst: number, src: number): Slot => [0xbf, dst, src, 0, 0];
const LDX = (dst: number, src: number): Slot => [0x79, dst, src, 0, 0];
const JEQ = (dst: number, imm: number, off: number): Slot => [0x15, dst, 0, off, imm];
const JNE = (dst: number, imm: number, off: number): Slot => [0x55, dst, 0, off, imm];
const JGT = (dst: number, imm: number, off: number): Slot => [0x25, dst, 0, off, imm];
const JLE = (dst: number, imm: number, off: number): Slot => [0xb5, dst, 0, off, imm];
const JA = (off: number): Slot => [0x05, 0, 0, off, 0];
const HELPER: Slot = [0x85, 0, 0, 0, 5];
const CALL = (imm: number): Slot => [0x85, 0, 1, 0, imm];
const TRAP: Slot = [0x85, 0, 0, 0, 195_896_080];
const EXIT: Slot = [0x95, 0, 0, 0, 0];

/** Returns the verdict on each trap of a program. The imm of a call is the slot of its target. */
function verdicts(slots: readonly Slot[], starts: readonly number[] = [0]) {
  const bytes = new Uint8Array(8 * slots.length);
  const view = new DataView(bytes.buffer);
  for (const [at, [opcode, dst, src, off, imm]] of slots.entries()) {
    bytes[8 * at] = opcode;
    bytes[8 * at + 1] = dst | (src << 4);
    view.setInt16(8 * at + 2, off, true);
    view.setInt32(8 * at + 4, imm, true);
  }
  const code: ReachCode = {
    bytes,
    endian: 'little',
    type: 'KPROBE',
    starts,
    entries: [],
    callee: (slot) => {
      const [opcode, , src, , imm = 0] = slots[slot] ?? [];
      return opcode === 0x85 && src === 1 ? slot + 1 + imm : null;
    },
    loaded: () => null,
    target: () => null,
    helpers: new Map(
      [...slots.entries()].flatMap(([slot, [opcode, , src, , imm]]) =>
        opcode === 0x85 && src === 0 ? [[slot, imm] as const] : [],
      ),
    ),
    kfuncs: new Map(),
    unknown: new Set(),
  };
  const traps = [...slots.keys()].filter((slot) => slots[slot] === TRAP);
  const reached = reachOf(code, traps);
  return traps.map((slot) => reached.get(slot));
}

describe('the verifier comes to an instruction', () => {
  it.each<[string, readonly Slot[], string]>([
    ['never, behind a check that answers 0', [MOV(1, 0), JEQ(1, 0, 1), TRAP, EXIT], 'never'],
    [
      'for certain, behind a check that answers 1',
      [MOV(1, 1), JEQ(1, 0, 1), TRAP, EXIT],
      'certain',
    ],
    ['for certain, on the only way', [LDX(1, 1), TRAP, EXIT], 'certain'],
    [
      'for certain, behind a comparison with memory',
      [LDX(1, 1), JEQ(1, 0, 1), TRAP, EXIT],
      'certain',
    ],
    ['perhaps, behind a comparison with an unknown', [JEQ(6, 0, 1), TRAP, EXIT], 'perhaps'],
    [
      'perhaps, behind two comparisons that contradict each other',
      [LDX(1, 1), JGT(1, 10, 2), JLE(1, 20, 1), TRAP, EXIT],
      'perhaps',
    ],
    [
      'never, where the answer is copied',
      [MOV(1, 0), MOV_X(6, 1), HELPER, JEQ(6, 0, 1), TRAP, EXIT],
      'never',
    ],
    [
      'perhaps, where a call may have changed the answer',
      [MOV(1, 0), HELPER, JEQ(1, 0, 1), TRAP, EXIT],
      'perhaps',
    ],
    [
      'for certain, where both ways lead to it',
      [LDX(1, 1), JEQ(1, 0, 2), MOV(2, 1), JA(1), MOV(2, 2), TRAP, EXIT],
      'certain',
    ],
    [
      'for certain, where one of two ways brings the constant',
      [LDX(1, 1), MOV(2, 0), JEQ(1, 0, 1), MOV(2, 1), JEQ(2, 0, 1), TRAP, EXIT],
      'certain',
    ],
    [
      'never, where a comparison has told the value',
      [LDX(1, 1), JNE(1, 7, 3), JEQ(1, 7, 1), TRAP, EXIT, EXIT],
      'never',
    ],
    ['never, behind the end', [EXIT, TRAP, EXIT], 'never'],
    ['never, beside a loop that ends by memory', [LDX(1, 1), JNE(1, 0, -2), EXIT, TRAP], 'never'],
  ])('%s', (_name, slots, verdict) => {
    expect(verdicts(slots)).toEqual([verdict]);
  });

  it('behind another such instruction, as if that were repaired', () => {
    const both = [MOV_X(6, 1), TRAP, LDX(1, 6), JEQ(1, 0, 1), TRAP, EXIT];
    expect(verdicts(both)).toEqual(['certain', 'certain']);
    const dead = [MOV(6, 0), TRAP, JEQ(6, 0, 1), TRAP, EXIT];
    expect(verdicts(dead)).toEqual(['certain', 'never']);
  });

  it('of a subprogram as it comes to its call', () => {
    const sub = (...main: Slot[]) => [...main, EXIT, TRAP, EXIT];
    expect(verdicts(sub(CALL(1)), [0, 2])).toEqual(['certain']);
    expect(verdicts(sub(LDX(1, 1), JEQ(1, 0, 1), CALL(1)), [0, 4])).toEqual(['certain']);
    expect(verdicts(sub(MOV(1, 1), JEQ(6, 0, 1), CALL(1)), [0, 4])).toEqual(['perhaps']);
    expect(verdicts(sub(MOV(1, 0), JEQ(1, 0, 1), CALL(1)), [0, 4])).toEqual(['never']);
  });

  it('of a subprogram whose call every way leads through, beside others that it does not', () => {
    // Both branches of the comparison reach the call.
    const joined = [LDX(1, 1), JEQ(1, 0, 1), MOV(2, 1), CALL(1), EXIT, TRAP, EXIT];
    expect(verdicts(joined, [0, 5])).toEqual(['certain']);
    const early = [LDX(1, 1), JEQ(1, 0, 1), EXIT, CALL(1), EXIT, TRAP, EXIT];
    expect(verdicts(early, [0, 5])).toEqual(['certain']);
    const looped = [LDX(1, 1), CALL(2), JNE(1, 0, -2), EXIT, TRAP, EXIT];
    expect(verdicts(looped, [0, 4])).toEqual(['certain']);
  });

  it('of subprograms in a chain, each with two calls of the next', () => {
    const count = 60;
    const slots: Slot[] = [];
    const starts = Array.from({ length: count + 1 }, (_, i) => 5 * i);
    for (let i = 0; i < count; i++) {
      slots.push(LDX(1, 1), JEQ(1, 0, 1), CALL(2), CALL(1), EXIT);
    }
    expect(verdicts([...slots, TRAP, EXIT], starts)).toEqual(['certain']);
    const seldom = slots.map((slot, i) => (i % 5 === 3 ? MOV(2, 0) : slot));
    expect(verdicts([...seldom, TRAP, EXIT], starts)).toEqual(['perhaps']);
  });

  it('behind a may_goto, whether it is taken or not', () => {
    const mayGoto: Slot = [0xe5, 0, 0, 1, 0];
    expect(verdicts([mayGoto, TRAP, EXIT])).toEqual(['certain']);
  });

  it('in arithmetic of 32 bits, too', () => {
    // w1 = 1; w1 <<= 31; w1 s>>= 31 gives -1 in 32 bits.
    const shifted: Slot[] = [
      [0xb4, 1, 0, 0, 1],
      [0x64, 1, 0, 0, 31],
      [0xc4, 1, 0, 0, 31],
    ];
    expect(verdicts([...shifted, [0x16, 1, 0, 1, -1], TRAP, EXIT])).toEqual(['never']);
    expect(verdicts([...shifted, JEQ(1, -1, 1), TRAP, EXIT])).toEqual(['certain']);
  });
});
