import { describe, expect, it } from 'vitest';
import type { ComputedRelocation } from '#analysis/relocations/computed-relocation.ts';
import { limitText, linkedText, missingText, overflowText } from './computed-text.ts';

const PLAIN: ComputedRelocation = {
  formula: 'S + A',
  numbers: '0x10 + 0x0',
  terms: [
    { name: 'S', value: 16n, meaning: '' },
    { name: 'A', value: 0n, meaning: '' },
  ],
  value: 16n,
  range: { min: -128n, max: 127n, multipleOf: 1 },
  overflow: { first: false, by: { ld: false, lld: false }, stub: false },
  before: Uint8Array.of(0),
  after: Uint8Array.of(16),
  second: null,
  linked: null,
  relaxed: null,
  dynamic: null,
  group: null,
  pair: null,
  why: '',
};

const without = (...names: readonly string[]) => ({
  ...PLAIN,
  terms: names.map((name) => ({ name, value: null, meaning: '' })),
});

describe('missing addresses', () => {
  it('are named, with what to do', () => {
    expect(missingText(PLAIN)).toBe('');
    expect(missingText(without('S'))).toBe(
      'S is not known. Set addresses, or choose the linked file.',
    );
    expect(missingText(without('S', 'P'))).toMatch(/^S and P are not known\. Set/);
    expect(missingText(without('GE', 'A', 'P'))).toBe(
      'GE, A and P are not known: the linker places GOT entries. Choose the linked file.',
    );
  });
});

describe('limits', () => {
  it('say the distance on both sides, or by how much the value is outside', () => {
    expect(limitText(PLAIN)).toBe(
      'Limits -0x80 to 0x7f: 0x90 above the lowest, 0x6f below the highest',
    );
    expect(limitText({ ...PLAIN, value: 128n })).toMatch(/: 0x1 too high$/);
    expect(limitText({ ...PLAIN, value: -130n })).toMatch(/: 0x2 too low$/);
    expect(limitText({ ...PLAIN, value: null })).toBe('');
  });

  it('name the linkers that refuse the value', () => {
    const by = (ld: boolean | null, lld: boolean | null, stub = false) =>
      overflowText({ ...PLAIN, overflow: { first: ld ?? false, by: { ld, lld }, stub } });
    expect(by(false, false)).toBe('');
    expect(by(true, true)).toBe('The value does not fit: GNU ld and lld refuse it.');
    expect(by(null, true)).toBe('The value does not fit: lld refuses it.');
    expect(by(false, false, true)).toMatch(/calls through a stub/);
  });
});

describe('the linked file', () => {
  const textWith = (part: Partial<ComputedRelocation>) =>
    linkedText({ ...PLAIN, ...part }, 'a.out');

  it('has the bytes of the formula, or others', () => {
    expect(textWith({})).toBe('The place was not found in a.out.');
    const linked = Uint8Array.of(16);
    expect(textWith({ linked })).toBe('The linker wrote what the formula gives.');
    expect(textWith({ linked, relaxed: 'mov becomes lea' })).toMatch(/It may relax this type: mov/);
    expect(textWith({ linked, after: null, relaxed: 'x' })).toMatch(/cannot be compared/);
    expect(textWith({ linked, dynamic: 'R_X86_64_64 of f' })).toMatch(
      /writes here: R_X86_64_64 of f/,
    );
    expect(textWith({ linked, after: null })).toBe('The entry has no value of its own.');
  });
});
