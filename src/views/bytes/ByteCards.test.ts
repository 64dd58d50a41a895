import { expect, it } from 'vitest';
import { insnAround, insnWindow } from './ByteCards.tsx';

// Instructions: r1 = 8 ll; r0 = 0; exit. Three more bytes follow.
const code = Uint8Array.of(
  ...[0x18, 1, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
  ...[0xb7, 0, 0, 0, 0, 0, 0, 0],
  ...[0x95, 0, 0, 0, 0, 0, 0, 0],
  ...[1, 2, 3],
);

function at(byteOffset: number) {
  const { start, end } = insnWindow(byteOffset, code.length);
  const insn = insnAround(code.subarray(start, end), start, byteOffset, 'little');
  return insn === null ? null : [insn.offset, insn.length, insn.opcode];
}

it.each([
  ['the first byte', 0, [0, 16, 0x18]],
  ['imm of the first half', 5, [0, 16, 0x18]],
  ['the second half', 8, [0, 16, 0x18]],
  ['imm of the second half', 15, [0, 16, 0x18]],
  ['the next instruction', 16, [16, 8, 0xb7]],
  ['the last instruction', 31, [24, 8, 0x95]],
  ['what is left over', 33, null],
])('%s', (_what, byteOffset, insn) => {
  expect(at(byteOffset)).toEqual(insn);
});
