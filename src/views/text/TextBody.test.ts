import { describe, expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  enumeration,
  fwd,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
} from '#testing/btf-types.ts';
import { sampleModel } from '#testing/samples.ts';
import { tableOf } from '#testing/type-table.ts';
import { textOf } from '#testing/whole-text.ts';
import { TEXT_FORMATS, type TextFormat, TOOL_VERSIONS } from './state.ts';
import { blockOfType, textFileName, toolCommand, typeAtLine } from './TextBody.tsx';
import { lineText, type WholeText } from './whole-text.ts';

/** [1] int [2] dup {a} [3] dup {b} [4] holds both [5] {} as td [6] td [7] enum {A} [8] enum {B} [9] fwd [10] ptr [11] uses
 * [12] enum {C} [13] holds it. */
const TYPES: readonly TypeRecord[] = [
  int('int', 4),
  struct('dup', 4, [{ name: 'a', type: 1, bitOffset: 0 }]),
  struct('dup', 4, [{ name: 'b', type: 1, bitOffset: 0 }]),
  struct('both', 8, [
    { name: 'one', type: 2, bitOffset: 0 },
    { name: 'two', type: 3, bitOffset: 32 },
  ]),
  struct('', 4, [{ name: 'x', type: 1, bitOffset: 0 }]),
  typedef('td', 5),
  enumeration('', [['A', 0]]),
  enumeration('', [['B', 0]]),
  fwd('later'),
  ptr(9),
  struct('uses', 8, [{ name: 'p', type: 10, bitOffset: 0 }]),
  enumeration('', [['C', 0]]),
  struct('inPlace', 4, [{ name: 'e', type: 12, bitOffset: 0 }]),
];

const table = tableOf(btfBlob({ types: TYPES }).bytes);

/** Returns the first and the last line about a type. */
async function edges(format: TextFormat, id: number): Promise<readonly string[] | null> {
  const text = textOf(table, format);
  const block = blockOfType(text, format, table, typeId(id));
  return block && [lineText(text, block.first), lineText(text, block.end - 1)];
}

describe('a header', () => {
  it.each([
    [2, 'struct dup {', '};'],
    [3, 'struct dup___2 {', '};'],
    [6, 'typedef struct {', '} td;'],
    [9, 'struct later;', 'struct later;'],
    [11, 'struct uses {', '};'],
  ])('defines type %i from %s to %s', async (id, first, last) => {
    expect(await edges('c', id)).toEqual([first, last]);
  });

  it('distinguishes enums without a name', async () => {
    const text = textOf(table, 'c');
    const lines = [7, 8].map((id) => {
      const block = blockOfType(text, 'c', table, typeId(id));
      return block === null ? '' : lineText(text, block.first + 1);
    });
    expect(lines).toEqual(['\tA = 0,', '\tB = 0,']);
  });

  it('has no lines for types written inside others', async () => {
    expect(await edges('c', 1)).toBeNull();
    expect(await edges('c', 5)).toBeNull();
    expect(await edges('c', 10)).toBeNull();
    expect(await edges('c', 12)).toBeNull();
  });
});

it('finds the record of every type in the raw text and in JSON', async () => {
  expect(await edges('raw', 4)).toEqual([
    "[4] STRUCT 'both' size=8 vlen=2",
    "\t'two' type_id=3 bits_offset=32",
  ]);
  expect((await edges('json', 4))?.[0]).toMatch(/^\{"id":4,/);
});

it('finds no type between definitions, in other lines, and after the end', async () => {
  const text = textOf(table, 'c');
  const count = text.lineStarts.length;
  const none = Array.from({ length: count + 2 }, (_, line) => line).filter((line) => {
    const shown = lineText(text, line);
    return shown === '' || shown.startsWith('#');
  });
  expect(none.length).toBeGreaterThan(5);
  for (const line of none) expect(typeAtLine(text, 'c', table, line), `line ${line}`).toBeNull();
});

it('does not look for ever at a text that is all one line', () => {
  const bytes = new Uint8Array(100).fill(0x7b);
  const text: WholeText = { bytes, lineStarts: Uint32Array.of(0), isCut: true };
  for (const format of TEXT_FORMATS) expect(typeAtLine(text, format, table, 0)).toBeNull();
});

function definedIn(types: TypeTable, format: TextFormat): TypeId[] {
  const ids = Array.from({ length: lastId(types) }, (_, i) => typeId(i + 1));
  if (format === 'raw' || format === 'json') return ids;
  return ids.filter((id) => kindOf(types, id) === BtfKind.STRUCT && nameOf(types, id) !== '');
}

describe.each(['kinds.btf', 'exec_trace.bpf.o'])('%s', (name) => {
  it.each(TEXT_FORMATS)('every type of the text is found again by its line: %s', async (format) => {
    const { types } = await sampleModel(name);
    if (types === null) throw new Error('no types');
    const text = textOf(types, format);
    let found = 0;
    for (const id of definedIn(types, format)) {
      const block = blockOfType(text, format, types, id);
      if (block === null) continue;
      found++;
      for (const line of [block.first, block.end - 1]) {
        expect(typeAtLine(text, format, types, line), `[${id}]`).toEqual({ type: id, block });
      }
    }
    expect(found).toBeGreaterThan(0);
  });
});

it.each(TOOL_VERSIONS.pahole)('finds structs of one name that differ in pahole %s', (pahole) => {
  const signed = enumeration('', [['A', -1]], { signed: true });
  const types = tableOf(
    btfBlob({
      types: [
        int('int', 4),
        signed,
        struct('s', 4, [{ name: 'e', type: 2, bitOffset: 0 }]),
        struct('s', 8, [{ name: 'e', type: 2, bitOffset: 0 }]),
      ],
    }).bytes,
  );
  const text = textOf(types, 'pahole', { pahole });
  for (const id of [3, 4]) {
    const block = blockOfType(text, 'pahole', types, typeId(id), { pahole });
    const line = block?.first ?? -1;
    expect(typeAtLine(text, 'pahole', types, line, { pahole })).toEqual({ type: id, block });
  }
});

const alone = { file: 'vmlinux', base: null };
const onBase = { file: 'dm-crypt.ko', base: 'vmlinux' };

it.each([
  ['c', alone, 'bpftool btf dump file vmlinux format c'],
  ['raw', alone, 'bpftool btf dump file vmlinux format raw'],
  ['json', alone, 'bpftool -j btf dump file vmlinux'],
  ['pahole', alone, 'pahole -F btf vmlinux'],
  ['c', onBase, 'bpftool -B vmlinux btf dump file dm-crypt.ko format c'],
  ['json', onBase, 'bpftool -j -B vmlinux btf dump file dm-crypt.ko'],
  ['pahole', onBase, 'pahole -F btf --btf_base vmlinux dm-crypt.ko'],
] as const)('%s', (format, files, command) => {
  expect(toolCommand(format, files)).toBe(command);
});

it('names the format of a text from DWARF', () => {
  const files = { file: 'prog', base: null };
  expect(toolCommand('pahole', files, { isOfDwarf: true })).toBe('pahole -F dwarf prog');
});

it.each([
  ['my prog.o', "'my prog.o'"],
  ["it's.o", "'it'\\''s.o'"],
  ['-rf', './-rf'],
  ['$(x).o', "'$(x).o'"],
  ['a.o(b.o)', "'a.o(b.o)'"],
])('keeps the shell from reading %s as anything but a name', (file, word) => {
  expect(toolCommand('pahole', { file, base: null })).toBe(`pahole -F btf ${word}`);
});

it.each([
  ['c', 'vmlinux', 'vmlinux.h'],
  ['c', 'vmlinux-6.18.btf', 'vmlinux-6.18.h'],
  ['json', 'prog.bpf.o', 'prog.bpf.btf.json'],
  ['raw', 'dm-crypt.ko', 'dm-crypt.btf.txt'],
  ['pahole', '.o', 'types.pahole.txt'],
] as const)('saves %s of %s as %s', (format, file, name) => {
  expect(textFileName(format, file)).toBe(name);
});
