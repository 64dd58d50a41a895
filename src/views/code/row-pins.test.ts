import { expect, it } from 'vitest';
import { coreIndex, relocIndex, sectionIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import type { Pin } from '#store/lesson/pins.ts';
import { rowPins } from './row-pins.ts';

const section = sectionIndex(3);
const pin = (number: number, selection: Selection): Pin => ({
  number,
  text: '',
  selection,
  span: null,
  isLit: false,
});
const pins = [
  pin(1, { kind: 'insn', section, insnOff: 16 }),
  pin(2, { kind: 'relocation', reloc: relocIndex(5) }),
  pin(3, { kind: 'core', core: coreIndex(5), step: null }),
  pin(4, { kind: 'insn', section: sectionIndex(4), insnOff: 16 }),
];

it('stands on the rows of what it is pinned to', () => {
  const on = (row: Parameters<typeof rowPins>[0]) =>
    rowPins(row, section, pins).map((p) => p.number);
  expect(on({ kind: 'word', insnOff: 16, insnIndex: 4, word: 0 })).toEqual([1]);
  expect(on({ kind: 'word', insnOff: 20, insnIndex: 5, word: 0 })).toEqual([]);
  expect(on({ kind: 'relocation', reloc: relocIndex(5) })).toEqual([2]);
  expect(on({ kind: 'core', core: coreIndex(5) })).toEqual([3]);
  expect(on(null)).toEqual([]);
});
