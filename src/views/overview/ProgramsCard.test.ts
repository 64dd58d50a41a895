import { describe, expect, it } from 'vitest';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { sectionIndex } from '#model/ids.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { u32, u64 } from '#testing/assemble.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { dataGroups } from '#views/data/data-entries.ts';
import { mapOfSelection, mapRows } from './ProgramsCard.tsx';

const rowsOf = async (file: string) => mapRows(await sampleModel(file), () => null);

describe('mapRows', () => {
  it('has each section of variables once, also in an object without BTF', async () => {
    const { bytes } = elfObject({
      sections: [
        { name: '.rodata', flags: 2, data: [u32(7)] },
        { name: '.data', flags: 3, data: [u32(5)] },
        { name: '.rodata.cst16', flags: 2, data: [u64(1), u64(2)] },
      ],
      symbols: [
        { name: '', type: 3, bind: 0, shndx: '.rodata' },
        { name: 'lim', size: 4, type: 1, shndx: '.rodata' },
        { name: 'dat', size: 4, type: 1, shndx: '.data' },
      ],
    });
    const model = await openModel('a.o', bytes);
    expect(model.types).toBeNull();
    expect(mapRows(model, () => null).map(({ name }) => name)).toEqual([
      '.rodata',
      '.data',
      '.rodata.cst16',
    ]);
    expect(
      dataGroups(model, () => null).map(({ name, entries }) => [name, entries.length]),
    ).toEqual([
      ['.rodata', 1],
      ['.data', 1],
      ['.rodata.cst16', 0],
    ]);
  });

  it('describes a definition in BTF', async () => {
    const [started] = await rowsOf('exec_trace.bpf.o');
    expect(started).toMatchObject({
      name: 'started',
      type: 'HASH',
      key: 'pid_t, 4 bytes',
      maxEntries: 16384n,
      more: '',
    });
  });

  it('describes the contents of a map', async () => {
    const next = (await rowsOf('xdp_counter.bpf.o')).find(({ name }) => name === 'next');
    expect(next).toMatchObject({ key: '4 bytes', value: '4 bytes', more: 'holds programs' });
  });

  it('ends with the maps that libbpf makes of variables', async () => {
    const rows = (await rowsOf('xdp_counter.bpf.o')).slice(4);
    expect(rows.map(({ name, type, value }) => `${name} ${type} ${value}`)).toEqual([
      '.rodata ARRAY 5 bytes',
      '.data ARRAY 8 bytes',
      '.bss ARRAY 12 bytes',
    ]);
  });

  it('names flags, and marks a map without BTF as unknown', async () => {
    const file = elfObject({
      sections: [{ name: '.maps', flags: 3, data: [u64(0)] }],
      symbols: [{ name: 'bare', size: 8, type: 1, shndx: '.maps' }],
    });
    const [bare] = mapRows(await openModel('a.o', file.bytes), () => null);
    expect(bare).toMatchObject({ name: 'bare', selection: { kind: 'symbol' }, type: '' });
    expect(bare?.more).toContain('no BTF');
    const old = elfObject({
      sections: [{ name: 'maps', flags: 3, data: [u32(1), u32(4), u32(1024), u32(8), u32(1)] }],
      symbols: [{ name: 'old', size: 20, type: 1, shndx: 'maps' }],
    });
    const model = await openModel('a.o', old.bytes);
    const { fileOffset, byteLength } = model.sections;
    const bytesOf: SectionBytes = (section) => {
      const start = fileOffset[section] ?? 0;
      return old.bytes.subarray(start, start + (byteLength[section] ?? 0));
    };
    expect(mapRows(model, () => null)).toMatchObject([{ name: 'old', type: '', more: '' }]);
    expect(mapRows(model, bytesOf)).toMatchObject([
      {
        type: 'HASH',
        key: '4 bytes',
        value: '1024 bytes',
        maxEntries: 8n,
        more: 'BPF_F_NO_PREALLOC',
      },
    ]);
  });

  it('has none in files without BPF', async () => {
    expect(await rowsOf('kinds.btf')).toEqual([]);
  });
});

it('finds the row of a map by its VAR, its symbol, and the section that it is made of', async () => {
  const rows = await rowsOf('xdp_counter.bpf.o');
  for (const [index, { selection, symbol }] of rows.entries()) {
    if (selection !== null) expect(mapOfSelection(rows, selection)).toBe(index);
    if (symbol !== null) expect(mapOfSelection(rows, { kind: 'symbol', symbol })).toBe(index);
  }
  expect(mapOfSelection(rows, NO_SELECTION)).toBe(-1);
  expect(mapOfSelection(rows, { kind: 'section', section: sectionIndex(1) })).toBe(-1);
});
