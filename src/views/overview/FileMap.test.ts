import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '#bytes/long-work.ts';
import type { Span } from '#bytes/span.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { u32 } from '#testing/assemble.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { runs } from '#testing/runs.ts';
import { drawnSteps, familySizes, partAt } from './FileMap.tsx';
import {
  FAMILIES,
  type Family,
  type FilePart,
  filePartSteps,
  type PartList,
} from './file-parts.ts';

function part(start: number, end: number, over: Partial<FilePart> = {}): FilePart {
  return { start, end, family: 'data', label: 'x', section: null, merged: 1, ...over };
}

function fileParts(model: ObjectModel): FilePart[] {
  return plain(finish(filePartSteps(model)));
}

function plain(parts: PartList): FilePart[] {
  return Array.from({ length: parts.length }, (_, row) => parts.at(row)).filter(
    (each) => each !== undefined,
  );
}

function drawnParts(parts: readonly FilePart[], fileSize: number) {
  const list: PartList = {
    length: parts.length,
    startOf: (row) => parts[row]?.start ?? 0,
    endOf: (row) => parts[row]?.end ?? 0,
    isGap: (row) => parts[row]?.family === 'gap',
    familyOf: (row) => parts[row]?.family ?? 'other',
    at: (row) => parts[row],
  };
  return finish(drawnSteps(list, fileSize));
}

describe('fileParts', () => {
  const object = elfObject({
    sections: [
      { name: 'xdp', flags: 6, data: new Uint8Array(16) },
      { name: '.data', flags: 3, data: [u32(1)] },
      { name: '.bss', type: 8, flags: 3, size: 64 },
      { name: '.debug_info', data: new Uint8Array(5) },
    ],
  });

  it('is the file from its first byte to its last, in order', async () => {
    const model = await openModel('a.o', object.bytes);
    const parts = fileParts(model);
    expect(parts[0]).toMatchObject({ start: 0, end: 64, family: 'header', label: 'ELF header' });
    expect(parts.at(-1)).toMatchObject({ end: object.bytes.length, label: 'section headers' });
    for (const [index, { start }] of parts.entries()) {
      expect(start).toBe(index === 0 ? 0 : parts[index - 1]?.end);
    }
  });

  it('has the purpose of each section and the bytes outside of all', async () => {
    const model = await openModel('a.o', object.bytes);
    const parts = fileParts(model);
    const families = new Map(parts.map(({ label, family }) => [label, family]));
    expect(families.get('xdp')).toBe('code');
    expect(families.get('.data')).toBe('data');
    expect(families.get('.debug_info')).toBe('debug');
    expect(families.get('.shstrtab')).toBe('symbols');
    expect(families.get('in no section')).toBe('gap');
    expect(families.has('.bss')).toBe(false);
  });

  it('never leaves the file, however the headers lie', async () => {
    const { bytes } = elfObject({ sections: [{ name: '.data', flags: 3, size: 1 << 20 }] });
    const model = await openModel('a.o', bytes);
    for (const { start, end } of fileParts(model)) {
      expect(start).toBeLessThan(end);
      expect(end).toBeLessThanOrEqual(model.size);
    }
  });
});

describe('the number of a part', () => {
  it('is found by the selection', async () => {
    const { bytes, sectionIndex: indexOf } = elfObject({
      sections: [
        { name: 'xdp', flags: 6, data: new Uint8Array(16) },
        { name: '.bss', type: 8, flags: 3, size: 64 },
      ],
    });
    const model = await openModel('a.o', bytes);
    const parts = finish(filePartSteps(model));
    const all = plain(parts);
    for (const [row, { start, end, section }] of all.entries()) {
      const selection =
        section === null
          ? ({ kind: 'bytes', start, end } as const)
          : ({ kind: 'section', section } as const);
      expect(parts.rowOf(selection)).toBe(row);
    }
    const xdp = all.find(({ label }) => label === 'xdp');
    expect(xdp).toBeDefined();
    // A selection of bytes has no row, even if they are all bytes of a section.
    const { start, end } = xdp ?? { start: 0, end: 0 };
    expect(parts.rowOf({ kind: 'bytes', start, end })).toBeNull();
    const without = [0, indexOf('.bss'), 999].map(sectionIndex);
    for (const section of without) expect(parts.rowOf({ kind: 'section', section })).toBeNull();
    expect(parts.at(all.length)).toBeUndefined();
  });
});

describe('drawnParts', () => {
  it('leaves out alignment, but not large gaps', () => {
    const parts = [part(0, 100), part(100, 104, { family: 'gap' }), part(104, 1000)];
    expect(drawnParts(parts, 1000)).toHaveLength(2);
    const holed = [part(0, 100), part(100, 600, { family: 'gap' }), part(600, 1000)];
    expect(drawnParts(holed, 1000)).toHaveLength(3);
  });

  it('draws what two parts share once', () => {
    const drawn = drawnParts([part(0, 60), part(40, 100), part(50, 55)], 100);
    expect(drawn.map(({ shown }) => shown)).toEqual([60, 40]);
  });

  it('joins small neighbours when there are many, and keeps the large ones apart', () => {
    const parts = Array.from({ length: 1000 }, (_, i) => {
      const start = i * 100;
      return part(start, start + (i % 100 === 50 ? 100 : 10), { label: `s${i}` });
    });
    const drawn = drawnParts(parts, 100_000);
    expect(drawn.length).toBeLessThanOrEqual(81);
    expect(drawn.filter(({ label }) => /^s\d*50$/.test(label))).toHaveLength(10);
    expect(drawn.reduce((sum, { merged }) => sum + merged, 0)).toBe(1000);
  });

  const families = Object.keys(FAMILIES) as Family[];
  const anyParts = fc
    .array(
      fc.record({
        start: fc.nat(10_000),
        length: fc.integer({ min: 1, max: 5000 }),
        family: fc.constantFrom(...families),
      }),
      { maxLength: 300 },
    )
    .map((rows) =>
      rows
        .map(({ start, length, family }) => part(start, start + length, { family }))
        .sort((a, b) => a.start - b.start || a.end - b.end),
    );

  it('never draws a byte twice, and few enough parts to point at', () => {
    fc.assert(
      fc.property(anyParts, (parts) => {
        const drawn = drawnParts(parts, 16_000);
        const covered = new Set(
          parts.flatMap(({ start, end }) =>
            Array.from({ length: end - start }, (_, i) => start + i),
          ),
        );
        const shown = drawn.reduce((sum, each) => sum + each.shown, 0);
        expect(shown).toBeLessThanOrEqual(covered.size);
        expect(drawn.length).toBeLessThanOrEqual(81);
        expect(drawn.every((each) => each.shown > 0)).toBe(true);
        const sizes = familySizes(drawn).reduce((sum, { size }) => sum + size, 0);
        expect(sizes).toBe(shown);
      }),
      { numRuns: runs(40) },
    );
  });
});

/** Returns all parts of a small file, computed with plain arrays, to compare with the result. */
function partsInFull(model: ObjectModel): FilePart[] {
  const { fileOffset, byteLength, count } = model.sections;
  const inSections = Array.from({ length: count }, (_, i) => sectionIndex(i)).slice(1);
  const known: (Span & { readonly section?: SectionIndex })[] = [
    ...(model.headers[0] === undefined ? [] : [model.headers[0].span]),
    {
      start: model.sections.headerOffset[0] ?? 0,
      end: (model.sections.headerOffset[0] ?? 0) + count * model.sections.headerSize,
    },
    ...inSections.map((section) => {
      const start = fileOffset[section] ?? 0;
      return { start, end: start + (byteLength[section] ?? 0), section };
    }),
  ].filter(({ start, end }) => end > start && start < model.size);
  known.sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: FilePart[] = [];
  let reached = 0;
  for (const { start, end, section = null } of known) {
    if (start > reached) parts.push(part(reached, start, { family: 'gap' }));
    parts.push(part(start, Math.min(end, model.size), { section }));
    reached = Math.max(reached, Math.min(end, model.size));
  }
  if (reached < model.size) parts.push(part(reached, model.size, { family: 'gap' }));
  return parts;
}

function drawnInFull(parts: readonly FilePart[], fileSize: number) {
  let end = 0;
  const seen = parts.flatMap((each) => {
    const shown = each.end - Math.max(each.start, end);
    end = Math.max(end, each.end);
    const isAlignment = each.family === 'gap' && shown < Math.max(16, fileSize / 500);
    return shown > 0 && !isAlignment ? [{ ...each, shown }] : [];
  });
  if (seen.length <= 80) return seen.map(({ shown }) => shown);
  const largest = new Set(seen.toSorted((a, b) => b.shown - a.shown).slice(0, 40));
  const lengths: number[] = [];
  let wasLarge = true;
  for (const each of seen) {
    const isLarge = largest.has(each);
    if (isLarge || wasLarge) lengths.push(each.shown);
    else lengths.push((lengths.pop() ?? 0) + each.shown);
    wasLarge = isLarge;
  }
  return lengths;
}

describe('parts that are made when viewed', () => {
  const sections = fc.array(
    fc.record({
      size: fc.integer({ min: 0, max: 40 }),
      // Distance in bytes by which the declared offset is changed.
      moved: fc.constantFrom(0, 0, 0, -16, 8, 1 << 20),
    }),
    { maxLength: 120, size: 'max' },
  );

  it('is the same as all parts in full, wherever the sections lie', async () => {
    await fc.assert(
      fc.asyncProperty(sections, async (rows) => {
        const { bytes } = elfObject({
          sections: rows.map(({ size }, i) => ({ name: `s${i}`, data: new Uint8Array(size) })),
        });
        const opened = await openModel('a.o', bytes);
        const fileOffset = opened.sections.fileOffset.map((offset, i) =>
          Math.max(0, offset + (rows[i - 1]?.moved ?? 0)),
        );
        const model = { ...opened, sections: { ...opened.sections, fileOffset } };
        const found = plain(finish(filePartSteps(model)));
        const places = (parts: readonly FilePart[]) =>
          parts.map(({ start, end, section }) => [start, end, section]);
        expect(places(found)).toEqual(places(partsInFull(model)));
        const drawn = finish(drawnSteps(finish(filePartSteps(model)), model.size));
        expect(drawn.map(({ shown }) => shown)).toEqual(drawnInFull(found, model.size));
      }),
      { numRuns: runs(60) },
    );
  });
});

it('finds the part of a byte', () => {
  const drawn = drawnParts([part(0, 60), part(60, 100)], 100);
  expect([0, 59, 60, 99, 100].map((offset) => partAt(drawn, offset))).toEqual([0, 0, 1, 1, -1]);
});
