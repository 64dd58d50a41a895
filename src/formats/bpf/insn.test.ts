import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endian } from '#bytes/span.ts';
import { assemble, hex } from '#testing/assemble.ts';
import {
  decodeInsn,
  type Insn,
  insnClass,
  insnOffsets,
  isCall,
  isConditionalJump,
  isExit,
  isLdImm64,
  jumpTarget,
} from './insn.ts';

const bytesOf = (digits: string) => assemble('little', hex(digits)).bytes;

function decode(digits: string, offset = 0, endian: Endian = 'little'): Insn {
  const insn = decodeInsn(bytesOf(digits), offset, endian);
  if (insn === null) throw new Error(`no instruction at ${offset}`);
  return insn;
}

const EXIT = ' 95 00 00 00 00 00 00 00';

/** Random code. Half of the opcodes are ld_imm64, so that instructions of one and two slots mix. */
const code = fc
  .tuple(fc.array(fc.boolean()), fc.uint8Array({ maxLength: 200 }))
  .map(([wide, bytes]) => bytes.map((b, i) => (i % 8 === 0 && wide[i / 8] === true ? 0x18 : b)));
const endianness = fc.constantFrom<Endian>('little', 'big');

describe('decodeInsn', () => {
  it('reads the fields of an instruction, with their signs', () => {
    expect(decode('7b 21 f8 ff fe ff ff ff')).toEqual({
      offset: 0,
      length: 8,
      opcode: 0x7b,
      dstReg: 1,
      srcReg: 2,
      off: -8,
      imm: -2,
      nextImm: 0,
      imm64: 0n,
      truncated: false,
    });
  });

  it('swaps words and registers in big-endian code', () => {
    const little = decode('7b 21 f8 ff 04 03 02 01');
    expect(decode('7b 12 ff f8 01 02 03 04', 0, 'big')).toEqual(little);
  });

  it('joins both halves of a ld_imm64, without sign', () => {
    const little = decode(`${EXIT} 18 13 00 00 fe ff ff ff 00 00 00 00 ff ff ff ff`, 8);
    expect(little).toEqual({
      offset: 8,
      length: 16,
      opcode: 0x18,
      dstReg: 3,
      srcReg: 1,
      off: 0,
      imm: -2,
      nextImm: -1,
      imm64: 0xfffffffffffffffen,
      truncated: false,
    });
    expect(decode(`${EXIT} 18 31 00 00 ff ff ff fe 00 00 00 00 ff ff ff ff`, 8, 'big')).toEqual(
      little,
    );
  });

  it('returns half a ld_imm64 at the end of the code', () => {
    const cut = '18 01 00 00 07 00 00 00 00 00 00 00 01 00 00';
    expect(decode(cut)).toMatchObject({
      length: 8,
      imm: 7,
      nextImm: 0,
      imm64: 0n,
      truncated: true,
    });
  });

  it.each([-8, -1, 1, 8, 1e9])('is null at offset %i of eight bytes', (offset) => {
    expect(decodeInsn(bytesOf(EXIT), offset, 'little')).toBeNull();
  });

  it('decodes any eight bytes and stays inside', () => {
    fc.assert(
      fc.property(code, fc.nat(220), endianness, (bytes, offset, endian) => {
        const insn = decodeInsn(bytes, offset, endian);
        expect(insn === null).toBe(offset + 8 > bytes.length);
        if (insn === null) return;
        expect(insn.offset).toBe(offset);
        expect(insn.offset + insn.length).toBeLessThanOrEqual(bytes.length);
        expect(insn.length === 16 || insn.truncated).toBe(isLdImm64(insn));
        expect(BigInt.asIntN(32, insn.imm64)).toBe(insn.length === 16 ? BigInt(insn.imm) : 0n);
        expect(BigInt.asIntN(32, insn.imm64 >> 32n)).toBe(BigInt(insn.nextImm));
      }),
    );
  });
});

describe('insnOffsets', () => {
  it('steps over both slots of a ld_imm64, and counts a truncated ld_imm64', () => {
    const wide = ` 18${' 00'.repeat(15)}`;
    expect([...insnOffsets(bytesOf(EXIT + wide + EXIT), 'little')]).toEqual([0, 8, 24]);
    expect([...insnOffsets(bytesOf(`${EXIT} 18${' 00'.repeat(14)}`), 'little')]).toEqual([0, 8]);
    expect([...insnOffsets(bytesOf(' 00'.repeat(7)), 'little')]).toEqual([]);
  });

  it('cuts the code into instructions without gaps; only a tail under eight bytes is left', () => {
    fc.assert(
      fc.property(code, endianness, (bytes, endian) => {
        const offsets = insnOffsets(bytes, endian);
        expect(offsets.buffer.byteLength).toBe(offsets.length * 4);
        let end = 0;
        for (const offset of offsets) {
          expect(offset).toBe(end);
          end += decodeInsn(bytes, offset, endian)?.length ?? Number.NaN;
        }
        expect(bytes.length - end).toBeGreaterThanOrEqual(0);
        expect(bytes.length - end).toBeLessThan(8);
      }),
    );
  });
});

describe('jumpTarget', () => {
  it.each([
    ['goto +1', '05 00 01 00 00 00 00 00', 24],
    ['goto -1, onto itself', '05 00 ff ff 00 00 00 00', 8],
    ['goto -3, before the code', '05 00 fd ff 00 00 00 00', -8],
    ['gotol by imm', '06 00 05 00 02 00 00 00', 32],
    ['gotol, further than 32 bits of bytes', '06 00 00 00 ff ff ff 7f', 8 * (2 + 0x7fffffff)],
    ['may_goto', 'e5 00 02 00 09 00 00 00', 32],
    ['if r1 == 7', '15 01 02 00 07 00 00 00', 32],
    ['if w1 s<= w2', 'de 21 fe ff 00 00 00 00', 0],
    ['call of a BPF function', '85 10 00 00 03 00 00 00', 40],
    ['call that waits for its relocation', '85 10 00 00 ff ff ff ff', 8],
    ['call of a helper', '85 00 00 00 03 00 00 00', null],
    ['call of a kernel function', '85 20 00 00 03 00 00 00', null],
    ['callx', '8d 01 00 00 03 00 00 00', null],
    ['exit', '95 00 02 00 00 00 00 00', null],
    ['ja in the place of the register form', '0d 00 02 00 00 00 00 00', null],
    ['may_goto of class jmp32', 'e6 00 02 00 00 00 00 00', null],
    ['call of class jmp32', '86 10 02 00 01 00 00 00', null],
    ['exit of class jmp32', '96 00 02 00 00 00 00 00', null],
    ['an operation without meaning', 'f5 00 02 00 00 00 00 00', null],
    ['arithmetic', '07 01 02 00 07 00 00 00', null],
    ['64-bit arithmetic with the number of a jump', '17 01 02 00 07 00 00 00', null],
  ])('%s at byte 8', (_name, digits, target) => {
    expect(jumpTarget(decode(`${EXIT} ${digits}`, 8))).toBe(target);
  });
});

describe('instruction predicates', () => {
  const withOpcode = (opcode: number) =>
    decode(`${opcode.toString(16).padStart(2, '0')} 00 00 00 00 00 00 00`);
  const opcodes = (test: (insn: Insn) => boolean) =>
    [...Array(256).keys()].filter((opcode) => test(withOpcode(opcode)));

  it.each([
    [0x18, 'ld'],
    [0x61, 'ldx'],
    [0x7a, 'st'],
    [0xdb, 'stx'],
    [0xb4, 'alu'],
    [0x95, 'jmp'],
    [0x16, 'jmp32'],
    [0xbf, 'alu64'],
  ] as const)('%i is of class %s', (opcode, name) => {
    expect(insnClass(withOpcode(opcode))).toBe(name);
  });

  it('recognises calls, exits and 64-bit loads by their opcode', () => {
    expect(opcodes(isCall)).toEqual([0x85]);
    expect(opcodes(isExit)).toEqual([0x95]);
    expect(opcodes(isLdImm64)).toEqual([0x18]);
  });

  it('recognises eleven comparisons, with imm and register, in both jump classes', () => {
    const conditional = opcodes(isConditionalJump);
    expect(conditional).toHaveLength(11 * 2 * 2);
    expect(conditional.filter((opcode) => opcode < 0x20)).toEqual([0x15, 0x16, 0x1d, 0x1e]);
    expect(conditional.at(-1)).toBe(0xde);
  });
});
