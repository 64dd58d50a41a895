import { describe, expect, it } from 'vitest';
import type { GroupStop } from '#analysis/objects/relocation-facts.ts';
import { relocIndex, sectionIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import { shownStops, stopOfSelection } from './GroupWalk.tsx';

const reloc = relocIndex(3);
const insn: Selection = { kind: 'insn', section: sectionIndex(1), insnOff: 4 };
const stops: GroupStop[] = [
  { reloc, selection: { kind: 'relocation', reloc }, role: 'ldah', address: 0n },
  { reloc, selection: insn, role: 'lda', address: 4n },
];

describe('stopOfSelection', () => {
  it('is the stop that is selected, else the first of the entry', () => {
    expect(stopOfSelection(stops, insn, reloc)).toBe(1);
    expect(stopOfSelection(stops, { kind: 'relocation', reloc }, reloc)).toBe(0);
    expect(stopOfSelection(stops, { kind: 'bytes', start: 0, end: 1 }, reloc)).toBe(0);
    expect(stopOfSelection(stops, insn, relocIndex(9))).toBe(1);
    expect(stopOfSelection([], insn, reloc)).toBe(-1);
  });
});

describe('shownStops', () => {
  it('is all of them, or 24 around the current one', () => {
    expect(shownStops(24, 0)).toEqual({ start: 0, end: 24 });
    expect(shownStops(1000, 0)).toEqual({ start: 0, end: 24 });
    expect(shownStops(1000, 500)).toEqual({ start: 488, end: 512 });
    expect(shownStops(1000, 999)).toEqual({ start: 976, end: 1000 });
  });
});
