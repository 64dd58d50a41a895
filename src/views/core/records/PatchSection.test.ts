import { describe, expect, it } from 'vitest';
import { insnChange, patchVerdict } from './PatchSection.tsx';

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
