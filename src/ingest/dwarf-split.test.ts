/** DWARF in several files, each opened alone: split files, packages of them, files that dwz made. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { sectionIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { kindOf, lastId, nameOf } from '#model/type-table.ts';
import { sectionsNamed } from './elf.ts';
import { ingest, ingestBytes } from './ingest.ts';

const DWARF = `${import.meta.dirname}/../../testdata/dwarf`;

function read(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${DWARF}/${name}`));
}

async function open(name: string, bytes = read(name)): Promise<ObjectModel> {
  const opened = await ingestBytes(name, bytes);
  if (opened.kind !== 'object') throw new Error('no object');
  return opened.model;
}

/** Returns kinds and names of all types, sorted. */
function typesOf({ types }: ObjectModel): readonly string[] {
  if (types === null) return [];
  const count = lastId(types);
  const ids = Array.from({ length: count }, (_, i) => typeId(i + 1));
  return ids.map((id) => `${kindOf(types, id)} ${nameOf(types, id)}`).toSorted();
}

const faults = ({ issues }: ObjectModel) =>
  issues.filter(({ severity }) => severity !== 'note').map(({ message }) => message);

describe.each([4, 5])('split DWARF %i', (version) => {
  it('has the types of its unit, and no fault for addresses in the executable', async () => {
    const model = await open(`split.${version}.dwo`);
    expect(typesOf(model)).toContain('4 packed_by_value');
    expect(faults(model)).toEqual([]);
  });

  it('has the types of all its units as a package', async () => {
    const model = await open(`split.${version}.dwp`);
    const unit = typesOf(await open(`split.${version}.dwo`));
    const all = typesOf(model);
    expect(unit.filter((type) => !all.includes(type))).toEqual([]);
    // Types of the second unit, whose parts do not begin where the sections do.
    expect(all).toContain('12 second');
    expect(faults(model)).toEqual([]);
    expect(model.dwarf?.unitCount).toBe(2);
  });

  it.each(['dwo', 'dwp'])('is read beside the file with the skeleton as a .%s', async (form) => {
    const asked: string[] = [];
    const opened = await ingest(bufferSource('first.o', read(`skeleton.${version}.o`)), {
      filesBeside: async function* (names) {
        for (const name of names) asked.push(name);
        const isAsked = names.some((name) => name.endsWith(`.${form}`));
        if (isAsked) yield bufferSource('split', read(`split.${version}.${form}`));
      },
    });
    if (opened.kind !== 'object') throw new Error('no object');
    expect(faults(opened.model)).toEqual([]);
    expect(typesOf(opened.model)).toContain('4 packed_by_value');
    // The package has another unit, which this file does not state.
    expect(typesOf(opened.model)).not.toContain('12 second');
    const [first, second, ...others] = asked;
    expect(first).toBe('first.o.dwp');
    expect(second).toBe(form === 'dwp' ? undefined : `first.${version}.dwo`);
    expect(others.every((name) => name.endsWith(`/first.${version}.dwo`))).toBe(true);
    const dies = opened.model.dwarf?.dieOffset ?? new Float64Array();
    expect(dies.every((die) => die === -1)).toBe(true);
  });

  it('is named by the file with the skeleton', async () => {
    const model = await open(`skeleton.${version}.o`);
    expect(typesOf(model)).toEqual([]);
    expect(faults(model)).toEqual([
      `The types of 1 unit are in other files, as first.${version}.dwo`,
    ]);
  });

  it('reports a damaged index of a package', async () => {
    const bytes = read(`split.${version}.dwp`);
    const { sections } = await open(`split.${version}.dwp`);
    const [index = sectionIndex(0)] = sectionsNamed(sections, '.debug_cu_index');
    // The number of units.
    const at = Number(sections.declaredOffset[index]) + 8;
    bytes.fill(0xff, at, at + 4);
    const [fault] = faults(await open('damaged.dwp', bytes));
    expect(fault).toContain('.debug_cu_index');
  });
});

describe('a file with types in the second file that dwz made', () => {
  const withSupplement = async (supplement: Uint8Array | null) => {
    const source = bufferSource('supplement.so', read('supplement.so'));
    const opened = await ingest(source, {
      filesBeside: async function* ([name = '']) {
        if (supplement !== null) yield bufferSource(name, supplement);
      },
    });
    if (opened.kind !== 'object') throw new Error('no object');
    return opened.model;
  };
  const absent = 'Types that several files share are in another file, supplement.dwz';

  it('has the types of both', async () => {
    const model = await withSupplement(read('supplement.dwz'));
    expect(faults(model)).toEqual([]);
    const types = typesOf(model);
    expect(types).toContain('4 packed_by_value');
    expect(types).toContain('12 second');
    expect(types.length).toBeGreaterThan(typesOf(await open('supplement.dwz')).length);
    const { sections, dwarf } = model;
    const size = sections.byteLength[dwarf?.section ?? 0] ?? 0;
    const entries = dwarf?.dieOffset ?? new Float64Array();
    expect(entries.some((entry) => entry > 0)).toBe(true);
    expect(entries.every((entry) => entry < size)).toBe(true);
  });

  it('names the second file without it', async () => {
    expect(faults(await withSupplement(null))).toContain(absent);
  });

  it('does not read a file with another build id', async () => {
    const model = await withSupplement(read('shared.o'));
    expect(faults(model)).toContain(absent);
  });
});
