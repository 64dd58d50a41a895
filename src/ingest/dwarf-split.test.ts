/** DWARF in several files, each opened alone: split files, packages of them, files that dwz made. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { sectionIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { kindOf, lastId, nameOf } from '#model/type-table.ts';
import { cstring, type Part, u8, u16, u32, u64, zeros } from '#testing/assemble.ts';
import { elfObject } from '#testing/elf-object.ts';
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

  it('has faults without a place in the file with the skeleton', async () => {
    const bytes = read(`split.${version}.dwo`);
    const { sections } = await open(`split.${version}.dwo`);
    const [info = sectionIndex(0)] = sectionsNamed(sections, '.debug_info.dwo');
    const start = Number(sections.declaredOffset[info]);
    const size = Number(sections.declaredSize[info]);
    // Codes that no abbreviation has, after the entry of the unit.
    bytes.fill(0x7f, start + (size >> 1), start + size);
    const opened = await ingest(bufferSource('first.o', read(`skeleton.${version}.o`)), {
      filesBeside: async function* () {
        yield bufferSource('first.dwo', bytes);
      },
    });
    if (opened.kind !== 'object') throw new Error('no object');
    const [fault] = opened.model.issues.filter(({ severity }) => severity !== 'note');
    expect(fault).toMatchObject({ region: 'first.dwo: .debug_info.dwo', span: null });
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

/** Skeleton units of DWARF 5 with the strings DW_AT_dwo_name and DW_AT_comp_dir, each once. */
function skeletons(count: number, dwoName: string, compDir: string): Uint8Array {
  const abbrev = [u8(1), u8(0x4a), u8(0), u8(0x76), u8(0x0e), u8(0x1b), u8(0x0e), zeros(4)];
  const units = Array.from({ length: count }, (_, index): readonly Part[] => [
    ...[u32(25), u16(5), u8(4), u8(8), u32(0)],
    // Each name begins at another character, so that all are distinct.
    ...[u64(BigInt(index + 1)), u8(1), u32(index), u32(dwoName.length + 1)],
  ]);
  const sections = [
    { name: '.debug_abbrev', data: abbrev },
    { name: '.debug_str', data: [cstring(dwoName), cstring(compDir)] },
    { name: '.debug_info', data: units.flat() },
  ];
  return elfObject({ sections, header: { machine: 62 } }).bytes;
}

describe('skeletons with long names', () => {
  const folder = Array.from({ length: 17 }, () => 'p'.repeat(60_000)).join('/');
  const read = async (dwoName: string, compDir: string) => {
    const asked: string[] = [];
    const source = bufferSource('prog', skeletons(100, dwoName, compDir));
    const opened = await ingest(source, {
      filesBeside: async function* (names) {
        for (const name of names) asked.push(name);
        yield* [];
      },
    });
    if (opened.kind !== 'object') throw new Error('no object');
    return { asked, faults: faults(opened.model) };
  };

  it('are looked for in the folder of the file alone where that of the compilation is long', async () => {
    const { asked } = await read('x'.repeat(104), folder);
    expect(asked).toHaveLength(101);
    expect(asked[1]).toBe('x'.repeat(104));
  });

  it('are not looked for, and not printed, where no system has such a name', async () => {
    const found = await read('y'.repeat(10_000), '/src');
    expect(found.asked).toEqual(['prog.dwp']);
    expect(found.faults).toEqual(['The types of 100 units are in other files']);
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
