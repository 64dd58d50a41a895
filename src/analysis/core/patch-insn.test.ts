import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VOID } from '#model/ids.ts';
import { assemble, hex } from '#testing/assemble.ts';
import { type Decision, patchInsn } from './patch-insn.ts';

const bytesOf = (digits: string) => assemble('little', hex(digits)).bytes;
const textOf = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

const decision = (given: Partial<Decision>): Decision => ({
  origVal: 8n,
  newVal: 24n,
  validate: true,
  poison: false,
  failMemszAdjust: false,
  origSz: 0,
  newSz: 0,
  origTypeId: VOID,
  newTypeId: VOID,
  ...given,
});

function patch(digits: string, given: Partial<Decision> = {}, endian: 'little' | 'big' = 'little') {
  const { after, errno, steps } = patchInsn(bytesOf(digits), endian, decision(given));
  return { after: textOf(after), errno, steps: steps.map((step) => step.step) };
}

const LOAD = '79 11 08 00 00 00 00 00';
const MOVE = 'b7 01 00 00 08 00 00 00';
const WIDE = '18 01 00 00 08 00 00 00 00 00 00 00 00 00 00 00';
const POISON = '85 00 00 00 10 23 ad 0b';

describe('patchInsn', () => {
  it.each([
    ['a load', LOAD, {}, '79 11 18 00 00 00 00 00'],
    ['a store of a register', '7b 21 08 00 00 00 00 00', {}, '7b 21 18 00 00 00 00 00'],
    ['a store of a constant', '62 01 08 00 07 00 00 00', {}, '62 01 18 00 07 00 00 00'],
    ['a move', MOVE, {}, 'b7 01 00 00 18 00 00 00'],
    ['a shift of 32 bits', '64 01 00 00 08 00 00 00', {}, '64 01 00 00 18 00 00 00'],
    [
      'a ld_imm64',
      WIDE,
      { newVal: 0x1_0000_0002n },
      '18 01 00 00 02 00 00 00 00 00 00 00 01 00 00 00',
    ],
    [
      'a move of a negative number',
      'b7 01 00 00 ff ff ff ff',
      { origVal: 2n ** 64n - 1n, newVal: 2n ** 64n - 2n },
      'b7 01 00 00 fe ff ff ff',
    ],
    [
      'a move that is not validated',
      MOVE,
      { origVal: 1n, validate: false },
      'b7 01 00 00 18 00 00 00',
    ],
  ])('writes the number into %s', (_what, digits, given, after) => {
    expect(patch(digits, given)).toEqual({ after, errno: 0, steps: ['patched'] });
  });

  it('swaps the words of big-endian code', () => {
    expect(patch('79 11 00 08 00 00 00 00', {}, 'big').after).toBe('79 11 00 18 00 00 00 00');
    expect(patch('b7 10 00 00 00 00 00 08', {}, 'big').after).toBe('b7 10 00 00 00 00 00 18');
    expect(patch('b7 10 00 00 00 00 00 08', { poison: true }, 'big').after).toBe(
      '85 00 00 00 0b ad 23 10',
    );
  });

  it('poisons both halves of a ld_imm64', () => {
    expect(patch(LOAD, { poison: true })).toEqual({
      after: POISON,
      errno: 0,
      steps: ['substituted'],
    });
    expect(patch(WIDE, { poison: true })).toEqual({
      after: `${POISON} ${POISON}`,
      errno: 0,
      steps: ['substituted', 'substituted'],
    });
  });

  it.each([
    ['a wrong number', MOVE, { origVal: 9n }, -22, 'wrong-value'],
    ['a wrong offset', LOAD, { origVal: 9n }, -22, 'wrong-value'],
    ['an offset over 16 bits', LOAD, { newVal: 32768n }, -34, 'too-big'],
    [
      'a register in the place of the number',
      'bf 21 00 00 00 00 00 00',
      {},
      -22,
      'register-operand',
    ],
    ['a jump', '15 01 02 00 08 00 00 00', {}, -22, 'unrecognized'],
    ['a call', '85 00 00 00 08 00 00 00', {}, -22, 'unrecognized'],
    ['an old load from the packet', '30 00 00 00 08 00 00 00', {}, -22, 'unexpected-form'],
    ['a ld_imm64 of a map', WIDE.replace('18 01', '18 11'), {}, -22, 'unexpected-form'],
    [
      'a second half with registers',
      WIDE.replace(/00 00 00 00 00 00 00 00$/, '00 01 00 00 00 00 00 00'),
      {},
      -22,
      'unexpected-form',
    ],
    ['half a ld_imm64', '18 01 00 00 08 00 00 00', {}, -22, 'unexpected-form'],
    ['half an instruction', 'b7 01 00 00', {}, -22, 'no-insn'],
    ['nothing', '', {}, -22, 'no-insn'],
  ])('leaves alone %s', (_what, digits, given, errno, step) => {
    expect(patch(digits, given)).toEqual({ after: textOf(bytesOf(digits)), errno, steps: [step] });
  });

  it('looks at the number, then at the range, then at the size', () => {
    const bad = { failMemszAdjust: true, origSz: 8, newSz: 4 };
    expect(patch(LOAD, { ...bad, origVal: 9n, newVal: 40000n }).steps).toEqual(['wrong-value']);
    expect(patch(LOAD, { ...bad, newVal: 40000n }).steps).toEqual(['too-big']);
    expect(patch(LOAD, bad)).toEqual({
      after: POISON,
      errno: 0,
      steps: ['bad-access', 'substituted'],
    });
    // Only loads and stores have a size.
    expect(patch(MOVE, bad)).toMatchObject({ errno: 0, steps: ['patched'] });
  });

  it.each([
    [8, 4, '79', '61'],
    [4, 8, '61', '79'],
    [8, 1, '7b', '73'],
    [4, 2, '62', '6a'],
    [4, 8, '81', '99'],
  ])('turns an access of %i bytes into one of %i', (origSz, newSz, before, after) => {
    const found = patch(LOAD.replace('79', before), { origSz, newSz });
    expect(found.after.slice(0, 8)).toBe(`${after} 11 18`);
    expect(found.steps).toEqual(['patched', 'patched-mem-size']);
  });

  it('has written the offset where the size then does not fit', () => {
    expect(patch(LOAD, { origSz: 4, newSz: 8 })).toEqual({
      after: '79 11 18 00 00 00 00 00',
      errno: -22,
      steps: ['patched', 'wrong-mem-size'],
    });
    expect(patch(LOAD, { origSz: 8, newSz: 3 }).steps).toEqual(['patched', 'no-mem-size']);
  });

  it('keeps length and input, and either describes the patch or gives an error', () => {
    const bytes = fc.uint8Array({ minLength: 0, maxLength: 16 });
    const given = fc.record({
      origVal: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      newVal: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      validate: fc.boolean(),
      poison: fc.boolean(),
      failMemszAdjust: fc.boolean(),
      origSz: fc.nat(9),
      newSz: fc.nat(9),
    });
    fc.assert(
      fc.property(bytes, given, fc.constantFrom('little', 'big'), (insn, rest, endian) => {
        const before = insn.slice();
        const { after, errno, steps } = patchInsn(insn, endian, decision(rest));
        expect(insn).toEqual(before);
        expect(after).toHaveLength(insn.length);
        const wrote = steps.some(({ step }) => step === 'patched' || step === 'substituted');
        expect(errno < 0 || wrote).toBe(true);
        if (!wrote) expect(after).toEqual(before);
      }),
    );
  });
});
