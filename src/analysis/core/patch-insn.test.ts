import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endian } from '#bytes/span.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { typeId, VOID } from '#model/ids.ts';
import { assemble, hex } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, enum64, enumeration, fwd, int, struct } from '#testing/btf-types.ts';
import { coreRows } from '#testing/goldens.ts';
import { tableOf } from '#testing/type-table.ts';
import { CORE_KINDS, coreKindName } from './core-kinds.ts';
import { walkAccess } from './parse-spec.ts';
import { type Decision, localValue, patchedField, patchedValue, patchInsn } from './patch-insn.ts';
import { loadUnit } from './spec-value.ts';

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
    // Only loads and stores have an access size; a move is patched without a size check.
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

function patchOf(digits: string, endian: 'little' | 'big' = 'little') {
  const insn = decodeInsn(assemble(endian, hex(digits)).bytes, 0, endian);
  if (insn === null) return null;
  const field = patchedField(insn);
  return field === null ? null : { field, value: patchedValue(insn) };
}

describe('patchedField and patchedValue', () => {
  it.each([
    [
      'a move of a constant',
      'b7 01 00 00 ff ff ff ff',
      { field: 'imm', value: 0xffffffffffffffffn },
    ],
    ['a load', '79 11 08 00 00 00 00 00', { field: 'off', value: 8n }],
    [
      'a store of a constant',
      '62 0a fc ff 07 00 00 00',
      { field: 'off', value: 0xfffffffffffffffcn },
    ],
    [
      'a ld_imm64',
      '18 01 00 00 04 00 00 00 00 00 00 00 01 00 00 00',
      { field: 'imm64', value: 0x100000004n },
    ],
    ['an addition of a register', '0f 21 00 00 00 00 00 00', null],
    ['a jump', '15 01 02 00 05 00 00 00', null],
    ['a ld_imm64 of a map', '18 11 00 00 04 00 00 00 00 00 00 00 00 00 00 00', null],
    ['half a ld_imm64', '18 01 00 00 04 00 00 00', null],
  ])('%s', (_name, digits, expected) => {
    expect(patchOf(digits)).toEqual(expected);
  });
});

describe('instructions of the corpus', () => {
  it('hold the value that libbpf found there before it patched', () => {
    let compared = 0;
    for (const row of coreRows('"target":"self"')) {
      if (row.text('status') !== 'ok' || !row.flag('validate')) continue;
      // Rows do not state the byte order; in the wrong order the value differs from the
      // expectation.
      const found = [patchOf(row.text('insn_before')), patchOf(row.text('insn_before'), 'big')];
      expect(found.map((patch) => patch?.value?.toString())).toContain(row.text('orig_val'));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(1000);
  }, 60_000);
});

/** Types with `struct foo` of the kernel document, then types for cases that it omits. */
const t = tableOf(
  btfBlob({
    types: [
      int('int', 4, { encoding: 1 }),
      struct('foo', 12, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: 'b', type: 1, bitOffset: 32 },
        { name: 'c', type: 3, bitOffset: 64, bitfieldSize: 15 },
      ]),
      int('unsigned int', 4),
      enumeration('bar', [
        ['U', 0],
        ['V', 0xfffffffe],
      ]),
      enum64('wide', [['W', 1n << 40n]]),
      array(1, 1, 3),
      struct('arrays', 12, [{ name: 'x', type: 6, bitOffset: 0 }]),
      fwd('opaque'),
      struct('packed', 9, [{ name: 'bits', type: 3, bitOffset: 7, bitfieldSize: 32 }]),
      int('long', 8),
      struct('tight', 16, [{ name: 'bits', type: 10, bitOffset: 60, bitfieldSize: 10 }]),
    ],
  }).bytes,
);

const value = (root: number, accessStr: string, kind: number, endian: Endian = 'little') =>
  localValue(t, walkAccess(t, typeId(root), accessStr, kind), kind, endian);
const numberOf = (name: string) => CORE_KINDS.findIndex((kind) => kind.name === name);

describe('localValue', () => {
  it.each([
    ['byte_off', '0:1', 4n],
    ['byte_sz', '0:1', 4n],
    ['field_exists', '0:1', 1n],
    ['signed', '0:1', 1n],
    ['signed', '0:2', 0n],
    ['lshift_u64', '0:2', 49n],
    ['rshift_u64', '0:2', 49n],
    ['type_exists', '0', 1n],
    ['type_size', '0', 12n],
    ['type_matches', '0', 1n],
    ['local_type_id', '0', 2n],
    ['target_type_id', '0', 2n],
  ])('%s of %s is as in the document', (kind, accessStr, expected) => {
    expect(value(2, accessStr, numberOf(kind)).value).toBe(expected);
  });

  it('counts the bits of a bit-field from the other end in big-endian programs', () => {
    expect(value(2, '0:2', 4, 'big').value).toBe(32n);
  });

  it('is not validated where compilers may disagree', () => {
    expect(value(2, '0:2', 0).validate).toBe(false);
    expect(value(2, '0:2', 5).validate).toBe(true);
    expect(value(2, '0', 6).validate).toBe(false);
    expect(value(2, '0:1', 0).validate).toBe(true);
  });

  it('extends the sign of 32-bit enumerators, and of no others', () => {
    expect(value(4, '1', 11).value).toBe(2n ** 64n - 2n);
    expect(value(5, '0', 11).value).toBe(1n << 40n);
  });

  it('gives offsets and sizes of array elements and refuses the rest', () => {
    expect(value(7, '0:0:2', 0).value).toBe(8n);
    expect(value(7, '0:0:2', 1).value).toBe(4n);
    expect(value(7, '0:0', 1).value).toBe(12n);
    expect(value(7, '0:0:2', 3)).toMatchObject({ value: null });
  });

  it('doubles the load until it holds the bit-field, and gives up past 8 bytes', () => {
    expect(value(9, '0:0', 1)).toMatchObject({ value: 8n });
    expect(value(11, '0:0', 3).error).toContain('no aligned load');
    expect(loadUnit(7, 32, 4)).toEqual({ byteSize: 8, byteOffset: 0 });
  });

  it('has no size for a forward declaration', () => {
    expect(value(8, '0', 9)).toMatchObject({ value: null, error: 'the type has no size' });
  });
});

describe('coreKindName', () => {
  it('is the word of libbpf, or what llvm-objdump writes for others', () => {
    expect(CORE_KINDS.map((kind) => kind.number)).toEqual([...CORE_KINDS.keys()]);
    expect(coreKindName(5)).toBe('rshift_u64');
    expect(coreKindName(13)).toBe('reloc kind #13');
  });
});
