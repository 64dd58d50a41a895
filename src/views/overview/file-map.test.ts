import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { u32 } from '#testing/assemble.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { drawnParts, type FilePart, familySizes, fileParts, partAt } from './file-map.ts';
import { FAMILIES, type Family } from './section-family.ts';

function part(start: number, end: number, over: Partial<FilePart> = {}): FilePart {
  return { start, end, family: 'data', label: 'x', section: null, merged: 1, ...over };
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

  it('knows what each section is for and tells what lies in none', async () => {
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

describe('drawnParts', () => {
  it('leaves out alignment, but not what is large', () => {
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
      { numRuns: 40 },
    );
  });
});

it('finds the part of a byte', () => {
  const drawn = drawnParts([part(0, 60), part(60, 100)], 100);
  expect([0, 59, 60, 99, 100].map((offset) => partAt(drawn, offset))).toEqual([0, 0, 1, 1, -1]);
});
