import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endian } from '#bytes/span.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { assemble, hex } from '#testing/assemble.ts';
import { runs } from '#testing/runs.ts';
import { insnText, listedLength, shownInsnText } from './insn.ts';

type Case = { readonly little: string; readonly big: string; readonly text: string };

const cases = readFileSync(new URL('./insn.golden.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Case => {
    const [little = '', big = '', ...text] = line.split('\t');
    return { little, big, text: text.join('\t') };
  });

function decode(digits: string, endian: Endian) {
  const insn = decodeInsn(assemble(endian, hex(digits)).bytes, 0, endian);
  if (insn === null) throw new Error(`no instruction in ${digits}`);
  return insn;
}

function textOf(digits: string, endian: Endian = 'little'): string {
  return insnText(decode(digits, endian));
}

describe('insnText', () => {
  it.each(['little', 'big'] as const)('prints what llvm-objdump prints, %s-endian', (endian) => {
    const ours = cases.map((c) => `${c[endian]}\t${textOf(c[endian], endian)}`);
    expect(ours).toEqual(cases.map((c) => `${c[endian]}\t${c.text}`));
  });

  it('is tried on all 256 opcodes', () => {
    expect(new Set(cases.map((c) => c.little.slice(0, 2))).size).toBe(256);
  });

  it('prints <unknown> for a ld_imm64 without its second half', () => {
    expect(textOf('18 01 00 00 07 00 00 00')).toBe('<unknown>');
    expect(textOf('18 01 00 00 07 00 00 00 00 00 00 00 00 00 00')).toBe('<unknown>');
  });

  it('has a printable line for any bytes, and the same in both byte orders', () => {
    const u16 = fc.integer({ min: 0, max: 0xffff });
    const u32 = fc.integer({ min: 0, max: 0xffffffff });
    const u4 = fc.integer({ min: 0, max: 15 });
    const u8 = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(u8, u4, u4, u16, u32, u32, (opcode, dst, src, off, imm, nextImm) => {
        const text = (endian: Endian) => {
          const bytes = new Uint8Array(16);
          const view = new DataView(bytes.buffer);
          view.setUint8(0, opcode);
          view.setUint8(1, endian === 'little' ? (src << 4) | dst : (dst << 4) | src);
          view.setUint16(2, off, endian === 'little');
          view.setUint32(4, imm, endian === 'little');
          view.setUint32(12, nextImm, endian === 'little');
          const insn = decodeInsn(bytes, 0, endian);
          return insn === null ? null : insnText(insn);
        };
        expect(text('little')).toMatch(/^[\x20-\x7e\t]+$/);
        expect(text('little')).not.toMatch(/undefined|NaN|null/);
        expect(text('big')).toBe(text('little'));
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('insnText in decimal', () => {
  it.each([
    ['85 10 00 00 ff ff ff ff', 'call -0x1', 'call -1'],
    [`18 01${' 00'.repeat(14)}`, 'r1 = 0x0 ll', 'r1 = 0 ll'],
    ['7b 21 f8 ff 00 00 00 00', '*(u64 *)(r1 - 0x8) = r2', '*(u64 *)(r1 - 8) = r2'],
  ])('of %s is %s with hexadecimal numbers', (digits, hexadecimal, decimal) => {
    expect(textOf(digits)).toBe(hexadecimal);
    expect(insnText(decode(digits, 'little'), true)).toBe(decimal);
  });
});

describe('shownInsnText', () => {
  it.each([
    ['0d 01 00 00 00 00 00 00', '<unknown>', 'gotox r1'],
    [
      'db 12 08 00 00 01 00 00',
      'lock *(u64 *)(r2 + 0x8) += r1',
      'r2 = load_acquire((u64 *)(r1 + 0x8))',
    ],
    ['d3 12 f8 ff 00 01 00 00', '<unknown>', 'r2 = load_acquire((u8 *)(r1 - 0x8))'],
    ['cb 12 08 00 10 01 00 00', '<unknown>', 'store_release((u16 *)(r2 + 0x8), r1)'],
    ['db 12 08 00 20 01 00 00', '<unknown>', '<unknown>'],
    ['b7 01 00 00 01 00 00 00', 'r1 = 0x1', 'r1 = 0x1'],
  ])('of %s names what LLVM 19 prints as %s', (digits, tool, shown) => {
    expect(textOf(digits)).toBe(tool);
    expect(shownInsnText(decode(digits, 'little'))).toBe(shown);
  });
});

describe('listedLength', () => {
  it.each([
    ['an instruction of one slot', 'b7 01 00 00 07 00 00 00', 8],
    ['an unknown opcode', 'ff 01 00 00 07 00 00 00', 8],
    ['a ld_imm64', '18 01 00 00 07 00 00 00 00 00 00 00 00 00 00 00', 16],
    ['a ld_imm64 with a source register', '18 11 00 00 07 00 00 00 00 00 00 00 00 00 00 00', 16],
    ['a ld_imm64 of a register that does not exist', `18 0c${' 00'.repeat(14)}`, 8],
    ['a ld_imm64 with an off', `18 01 01${' 00'.repeat(13)}`, 8],
    ['half a ld_imm64', '18 01 00 00 07 00 00 00', 1],
    ['half a ld_imm64 with an off', '18 01 01 00 07 00 00 00', 8],
  ])('of %s is what llvm-objdump puts on one line', (_name, digits, length) => {
    expect(listedLength(decode(digits, 'little'))).toBe(length);
  });
});
