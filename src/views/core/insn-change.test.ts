import { expect, it } from 'vitest';
import { insnChange } from './insn-change.ts';

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

it('is nothing where there is no instruction', () => {
  expect(insnChange({ insnBefore: '', insnAfter: '' })).toBeNull();
});
