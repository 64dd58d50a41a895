import { describe, expect, it } from 'vitest';
import { insnChange, patchVerdict, patchVerdicts } from './PatchSection.tsx';

describe('patchVerdict', () => {
  const local = { value: 8n, error: null, validate: true };

  it.each([
    ['agrees', 8n, local, 'Matches'],
    ['differs', 4n, local, 'Differs'],
    ['is not compared', 4n, { ...local, validate: false }, 'Not compared'],
    ['cannot be patched', null, local, 'Cannot be patched'],
    ['has no value', 4n, { value: null, error: 'why', validate: false }, 'No local value'],
  ])('%s', (_name, found, value, title) => {
    expect(patchVerdict(found, value).title).toBe(title);
  });
});

describe('patchVerdicts', () => {
  const matches = patchVerdict(8n, { value: 8n, error: null, validate: true });

  it('says what holds of the instruction', () => {
    expect(patchVerdicts(matches, false)).toEqual([matches]);
  });

  it('shows nothing as good under an instruction that is poisoned', () => {
    const shown = patchVerdicts(matches, true);
    expect(shown.map(({ tone }) => tone)).toEqual(['danger', 'neutral']);
    expect(shown.map(({ title }) => title)).toEqual(['Poisoned', 'Before: matches']);
  });
});

it.each([
  ['6111080000000000', '6111100000000000', ['off']],
  ['6111080000000000', '7911100000000000', ['code', 'off']],
  ['b701000004000000', 'b701000004000000', []],
  ['b701000004000000', '850000001023ad0b', ['code', 'regs', 'imm']],
  ['18010000020000000000000000000000', '18010000030000000000000001000000', ['imm', 'next_imm']],
])('%s to %s changes %j', (insnBefore, insnAfter, changed) => {
  const change = insnChange({ insnBefore, insnAfter });
  expect(change?.changed).toEqual(changed);
  expect(change?.before).toHaveLength(insnBefore.length / 2);
});

it('is empty without an instruction', () => {
  expect(insnChange({ insnBefore: '', insnAfter: '' })).toBeNull();
});
