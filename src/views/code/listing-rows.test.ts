import { describe, expect, it } from 'vitest';
import { codeListing } from '#analysis/code/code-listing.ts';
import { sectionSpan } from '#analysis/selection/selection.ts';
import { coreIndex, relocIndex, sectionIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import type { Pin } from '#store/session/pins.ts';
import { sampleObject, sectionCalled } from '#testing/samples.ts';
import { selectedInsn } from './CodeView.tsx';
import { litRow, rowPins, selectionOfRow } from './listing-rows.ts';

async function listingOf(sample: string, name: string) {
  const { model, source } = await sampleObject(sample);
  const section = sectionCalled(model, name);
  const span = sectionSpan(model, section) ?? { start: 0, end: 0 };
  const bytes = await source.read(span.start, span.end);
  return { model, section, bytes, listing: codeListing(model, section, bytes) };
}

describe('rows and selections', () => {
  it('say the same in both directions for every row that can be selected', async () => {
    for (const [sample, name] of [
      ['doc_call.bpf.o', '.text'],
      ['exec_trace.bpf.o', 'kprobe/do_exit'],
    ] as const) {
      const { model, section, listing } = await listingOf(sample, name);
      let selectable = 0;
      for (let i = 0; i < listing.count; i++) {
        const kind = listing.rowAt(i)?.kind;
        if (kind === 'function' || kind === 'source') continue;
        const selection = selectionOfRow(listing, section, i, null);
        if (selection === null) throw new Error(`row ${i} selects nothing`);
        const place = selectedInsn(model, selection);
        expect(place && litRow(listing, place, selection)).toBe(i);
        selectable += 1;
      }
      expect(selectable).toBeGreaterThan(10);
    }
  });

  it('step over headings and source lines, down and up', async () => {
    const { section, listing } = await listingOf('exec_trace.bpf.o', 'kprobe/do_exit');
    const kinds = Array.from({ length: listing.count }, (_, i) => listing.rowAt(i)?.kind);
    const source = kinds.indexOf('source', 5);
    const below = selectionOfRow(listing, section, source, source - 1);
    const above = selectionOfRow(listing, section, source, source + 1);
    expect(below).toEqual(selectionOfRow(listing, section, source + 1, null));
    expect(above).toEqual(selectionOfRow(listing, section, source - 1, null));
    // Rows above the first instruction cannot be selected.
    const first = kinds.indexOf('insn');
    expect(selectionOfRow(listing, section, first - 1, first)).toBeNull();
  });

  it('light the instruction for a CO-RE record of another one', async () => {
    const { section, listing } = await listingOf('doc_call.bpf.o', '.text');
    const selection: Selection = { kind: 'core', core: coreIndex(0), step: null };
    expect(listing.rowAt(litRow(listing, { section, insnOff: 0x10 }, selection) ?? -1)?.kind).toBe(
      'insn',
    );
    expect(litRow(listing, { section, insnOff: 0x1000 }, selection)).toBeNull();
  });
});

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

it('is on the rows of its pin', () => {
  const on = (row: Parameters<typeof rowPins>[0]) =>
    rowPins(row, section, pins).map((p) => p.number);
  expect(on({ kind: 'word', insnOff: 16, insnIndex: 4, word: 0 })).toEqual([1]);
  expect(on({ kind: 'word', insnOff: 20, insnIndex: 5, word: 0 })).toEqual([]);
  expect(on({ kind: 'relocation', reloc: relocIndex(5) })).toEqual([2]);
  expect(on({ kind: 'core', core: coreIndex(5) })).toEqual([3]);
  expect(on(null)).toEqual([]);
});
