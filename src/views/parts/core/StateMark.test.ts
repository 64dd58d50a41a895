import { describe, expect, it } from 'vitest';
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { typeId } from '#model/ids.ts';
import { changeText } from './StateMark.tsx';

const record: CoreObjectRecord = {
  index: 0,
  kind: 0,
  root: typeId(1),
  accessStr: '0:0',
  hasAccessStr: true,
  sectionName: '.text',
  relocIndexInSection: 0,
  insnOff: 0,
  func: null,
  eliminated: false,
  insnLength: 8,
};
const decision = {
  origVal: 8n,
  newVal: 8n,
  validate: true,
  poison: false,
  failMemszAdjust: false,
  origSz: 4,
  newSz: 4,
  origTypeId: 0,
  newTypeId: 0,
};
const text = (status: CoreResult['status'], over: Partial<typeof decision> | null) =>
  changeText({
    record,
    status,
    decision: over === null ? null : { ...decision, ...over },
    matched: [{ table: 0, id: typeId(2) }],
  });

describe('changeText', () => {
  it.each([
    ['ok', {}, '8'],
    ['ok', { newVal: 16n }, '8 → 16'],
    ['ok', { newSz: 8 }, '8, 4 → 8 bytes'],
    ['ok', { newVal: 16n, newSz: 8 }, '8 → 16, 4 → 8 bytes'],
    ['ok', { origVal: 2n ** 64n - 1n, newVal: 1n }, '-1 → 1'],
    ['poisoned', { newVal: 0n }, '8 → invalid'],
    ['failed', {}, '8 → refused'],
    ['failed', null, ''],
  ] as const)('%s %o is %s', (status, over, expected) => {
    expect(text(status, over)).toBe(expected);
  });
});
