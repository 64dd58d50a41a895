import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { isCode } from '#model/sections.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';
import { codeListing } from './code-listing.ts';
import { type Jump, jumpLanes, lanesOf } from './jump-lanes.ts';

/** Returns rows as text, inner lane first; a jump begins at `b`, ends at `e`, passes at `|`. */
function drawn(jumps: readonly Jump[], rows: number): string[] {
  const { partsAt } = lanesOf(jumps);
  return Array.from({ length: rows }, (_, row) => {
    const cells = [' ', ' ', ' '];
    for (const { lane, from, to } of partsAt(row)) {
      cells[lane] = row === from ? 'b' : row === to ? 'e' : '|';
    }
    return cells.join('').trimEnd();
  });
}

describe('lanes of jumps', () => {
  it('are further from the text for longer jumps', () => {
    const jumps = [
      { from: 0, to: 5 },
      { from: 3, to: 1 },
      { from: 4, to: 5 },
    ];
    expect(drawn(jumps, 7)).toEqual([' b', 'e|', '||', 'b|', 'b|', 'ee', '']);
  });

  it('hold a jump to itself', () => {
    expect(drawn([{ from: 1, to: 1 }], 3)).toEqual(['', 'b', '']);
  });

  it('omit a jump that needs a seventh lane', () => {
    const jumps = Array.from({ length: 20 }, (_, i) => ({ from: i, to: 40 }));
    const { count, partsAt } = lanesOf(jumps);
    expect(count).toBe(6);
    expect(partsAt(40)).toHaveLength(6);
  });
});

it('finds the jumps of an object, each between two instructions', async () => {
  const model = await sampleModel('bitfields.bpf.o');
  let jumps = 0;
  for (let i = 1; i < model.sections.count; i++) {
    const section = sectionIndex(i);
    if (!isCode(model.sections, section)) continue;
    const start = model.sections.fileOffset[i] ?? 0;
    const end = start + (model.sections.byteLength[i] ?? 0);
    const bytes = sampleBytes('bitfields.bpf.o').subarray(start, end);
    const listing = codeListing(model, section, bytes);
    const lanes = jumpLanes(model, bytes, listing);
    for (let row = 0; row < listing.count; row++) {
      for (const { from, to } of lanes.partsAt(row)) {
        expect(listing.rowAt(from)?.kind).toBe('insn');
        expect(listing.rowAt(to)?.kind).toBe('insn');
        if (row === from) jumps++;
      }
    }
  }
  expect(jumps).toBeGreaterThan(3);
});
