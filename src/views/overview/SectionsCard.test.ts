import { beforeAll, describe, expect, it } from 'vitest';
import { relocationCounts } from '#analysis/relocations/sections.ts';
import { finish } from '#bytes/long-work.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { elfObject, rel } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import type { SortOrder } from '#ui/table-settings.ts';
import { nextOrder, sectionOrderSteps, sectionRow } from './SectionsCard.tsx';

const object = elfObject({
  sections: [
    { name: 'xdp', flags: 6, data: new Uint8Array(32) },
    {
      name: '.relxdp',
      type: 9,
      flags: 0x40,
      link: '.symtab',
      info: 'xdp',
      entsize: 16,
      data: [...rel(64, 0, 1, 1), ...rel(64, 16, 1, 1)],
    },
    { name: '.bss', type: 8, flags: 3, size: 4096 },
  ],
  symbols: [{ name: 'g', shndx: '.bss', type: 1 }],
});

let model: ObjectModel;
beforeAll(async () => {
  model = await openModel('a.o', object.bytes);
});

const row = (name: string) => sectionRow(model, sectionIndex(object.sectionIndex(name)));

describe('sectionRow', () => {
  it('speaks like llvm-readelf', () => {
    expect(row('xdp')).toMatchObject({ name: 'xdp', typeName: 'PROGBITS', flags: 'AX', size: 32n });
    expect(row('.bss')).toMatchObject({ typeName: 'NOBITS', flags: 'WA', size: 4096n });
    expect(row('.relxdp')).toMatchObject({ typeName: 'REL', flags: 'I', size: 32n });
  });

  it('explains link and info', () => {
    const relxdp = row('.relxdp');
    expect(relxdp.link).toEqual({ number: object.sectionIndex('.symtab'), name: '.symtab' });
    expect(relxdp.info).toEqual({ number: object.sectionIndex('xdp'), name: 'xdp' });
    // The sh_info of a symbol table counts local symbols. It does not refer to a section.
    expect(row('.symtab').info).toEqual({ number: 1, name: '' });
    expect(row('xdp')).toMatchObject({ link: null, info: null });
  });

  it('is total: a section that does not exist has no name and no bytes', () => {
    expect(sectionRow(model, sectionIndex(999))).toMatchObject({ name: '', size: 0n, link: null });
  });
});

it('counts the relocations on each section', () => {
  const counts = relocationCounts(model);
  expect(counts[object.sectionIndex('xdp')]).toBe(2);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
});

const orderedSections = (of: ObjectModel, counts: Uint32Array, order: SortOrder | null) =>
  finish(sectionOrderSteps(of, counts, order));

describe('orderedSections', () => {
  const names = (columnId: string, direction: 'ascending' | 'descending') =>
    [...orderedSections(model, relocationCounts(model), { columnId, direction })].map(
      (i) => sectionRow(model, sectionIndex(i)).name,
    );

  it('is the order of the file unless a column is asked for', () => {
    const order = orderedSections(model, relocationCounts(model), null);
    expect([...order]).toEqual(Array.from({ length: model.sections.count }, (_, i) => i));
  });

  it('sorts by what a column shows', () => {
    expect(names('size', 'descending')[0]).toBe('.bss');
    expect(names('size', 'ascending')[0]).toBe('');
    expect(names('relocations', 'descending')[0]).toBe('xdp');
  });

  it('goes falling, rising, and back to the file', () => {
    const first = nextOrder(null, 'size');
    const second = nextOrder(first, 'size');
    expect(first).toEqual({ columnId: 'size', direction: 'descending' });
    expect(second).toEqual({ columnId: 'size', direction: 'ascending' });
    expect(nextOrder(second, 'size')).toBeNull();
    expect(nextOrder(second, 'offset')).toEqual({ columnId: 'offset', direction: 'descending' });
  });
});
