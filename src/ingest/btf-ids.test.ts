import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BtfIdGroupType,
  type BtfIdTable,
  btfIdGroupName,
  btfIdKind,
  btfIdName,
} from '#model/btf-ids.ts';
import { type Part, u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { func, funcProto, int, struct } from '#testing/btf-types.ts';
import { type ElfSymbol, elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { runs } from '#testing/runs.ts';

/** Types 1 to 5: int, its prototype, b_kfunc, a_kfunc, task_struct. Functions are not sorted. */
const TYPES = btfBlob({
  types: [
    int('int', 4),
    funcProto(1, []),
    func('b_kfunc', 2),
    func('a_kfunc', 2),
    struct('task_struct', 4, []),
  ],
}).bytes;

const label = (name: string, value: number, size = 0): ElfSymbol => ({
  name,
  value,
  size,
  bind: 0,
  shndx: '.BTF_ids',
});

async function open(words: readonly Part[], symbols: readonly ElfSymbol[]) {
  const { bytes } = elfObject({
    sections: [
      { name: '.BTF', data: TYPES },
      { name: '.BTF_ids', flags: 2, data: words },
    ],
    symbols,
  });
  const { btfIds, issues } = await openModel('vmlinux', bytes);
  return { btfIds, codes: issues.map((i) => i.code).filter((code) => code.startsWith('btf-ids')) };
}

/** Returns `set: kind name = id` for each row, with the flags if there are any. */
function lines(ids: BtfIdTable): string[] {
  return Array.from({ length: ids.count }, (_, row) => {
    const flags = ids.flags[row] ? ` flags ${ids.flags[row]}` : '';
    return `${btfIdGroupName(ids, row)}: ${btfIdKind(ids, row)} ${btfIdName(ids, row)} = ${ids.id[row]}${flags}`;
  });
}

describe('.BTF_ids', () => {
  const SECTION = [5, 0, 2, 1, 3, 16, 4, 2].map((value) => u32(value));
  const SYMBOLS = [
    label('task_ids', 0),
    label('__BTF_ID__struct__task_struct__12', 0, 4),
    label('kfuncs', 8),
    label('__BTF_ID__set8__kfuncs', 8, 24),
    label('__BTF_ID__func__a_kfunc__13', 16, 4),
    label('__BTF_ID__func__b_kfunc__14', 24, 4),
  ];

  it('are named by symbols in a list, by the types in a set, which is sorted', async () => {
    const { btfIds, codes } = await open(SECTION, SYMBOLS);
    expect(codes).toEqual([]);
    expect(lines(btfIds)).toEqual([
      'task_ids: struct task_struct = 5',
      'task_ids:  BTF_ID_UNUSED = 0',
      'kfuncs: func b_kfunc = 3 flags 16',
      'kfuncs: func a_kfunc = 4 flags 2',
    ]);
    expect([...btfIds.byteOffset]).toEqual([0, 4, 16, 24]);
    expect([...btfIds.groups.type]).toEqual([BtfIdGroupType.list, BtfIdGroupType.set8]);
    expect([...btfIds.groups.cnt]).toEqual([2, 2]);
    expect([...btfIds.groups.flags]).toEqual([0, 1]);
  });

  it('have their offsets in the file', async () => {
    const { btfIds } = await open(SECTION, SYMBOLS);
    const object = elfObject({
      sections: [
        { name: '.BTF', data: TYPES },
        { name: '.BTF_ids', flags: 2, data: SECTION },
      ],
      symbols: SYMBOLS,
    });
    expect(btfIds.fileOffset).toBe(object.sectionOffset('.BTF_ids'));
  });

  it('have names from symbols before the build fills them in', async () => {
    const zeros = SECTION.map(() => u32(0));
    expect(lines((await open(zeros, SYMBOLS)).btfIds)).toEqual([
      'task_ids: struct task_struct = 0',
      'task_ids:  BTF_ID_UNUSED = 0',
      'kfuncs: func a_kfunc = 0',
      'kfuncs: func b_kfunc = 0',
    ]);
  });

  it('have no name from a type outside the labels of the set', async () => {
    const words = [1, 5, 4].map((value) => u32(value));
    const { btfIds } = await open(words, [
      label('__BTF_ID__set__s', 0, 8),
      label('__BTF_ID__func__a_kfunc__1', 4, 4),
    ]);
    expect(lines(btfIds)).toEqual(['s:   = 5', ': func a_kfunc = 4']);
  });

  it('are words without symbols, named if the types have the name', async () => {
    const { btfIds } = await open(SECTION, []);
    expect(btfIds.groups.type).toEqual(Uint8Array.of(BtfIdGroupType.words));
    expect(lines(btfIds).slice(0, 2)).toEqual([': struct task_struct = 5', ':   = 0']);
    expect(btfIds.count).toBe(8);
  });

  it('report a set that overlaps the next set, and half a word', async () => {
    const words = [9, 3, 4].map((value) => u32(value));
    const cut = await open(words, [label('__BTF_ID__set__s', 0, 8), label('list', 8)]);
    expect(cut.codes).toEqual(['btf-ids.set-past-end']);
    expect(lines(cut.btfIds)).toEqual(['s: func b_kfunc = 3', 'list: func a_kfunc = 4']);
    const half = await open([...words, { length: () => 2, write: () => undefined }], []);
    expect(half.codes).toEqual(['btf-ids.length']);
    expect(half.btfIds.count).toBe(3);
  });

  it('are empty without such a section', async () => {
    const { bytes } = elfObject({ sections: [{ name: '.BTF', data: TYPES }] });
    expect((await openModel('prog.o', bytes)).btfIds.count).toBe(0);
  });

  it('never count more than there are words, for any section and symbols', async () => {
    const symbols = fc.array(
      fc.record({
        name: fc.constantFrom('l', '__BTF_ID__set__s', '__BTF_ID__set8__t', '__BTF_ID__func__f__1'),
        at: fc.nat(80),
        size: fc.nat(200),
      }),
      { maxLength: 6 },
    );
    const words = fc.array(fc.oneof(fc.nat(9), fc.constant(0xffffffff)), { maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(words, symbols, async (values, placed) => {
        const { btfIds } = await open(
          values.map((value) => u32(value)),
          placed.map(({ name, at, size }) => label(name, at, size)),
        );
        expect(btfIds.count).toBeLessThanOrEqual(values.length);
        for (const [row, at] of btfIds.byteOffset.entries()) {
          expect(btfIds.id[row]).toBe(values[at / 4]);
          expect(btfIds.group[row]).toBeLessThan(btfIds.groups.count);
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
