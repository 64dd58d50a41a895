import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { coreRecord } from '#analysis/core/core-records.ts';
import { coreIndex, typeId } from '#model/ids.ts';
import { u8, u16, u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  fwd,
  int,
  modifier,
  struct,
  typedef,
  typeTag,
} from '#testing/btf-types.ts';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { elfObject } from '#testing/elf-object.ts';
import { goldenOf } from '#testing/goldens.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import { coreRelocationText } from './core-relocation.ts';
import { disassembly } from './disassembly.ts';

const hasTool = spawnSync('llvm-objdump-19', ['--version']).status === 0;

const TYPES = [
  int('int', 4),
  array(1, 1, 4),
  struct('', 8, [{ name: 'a', type: 1, bitOffset: 0 }]),
  struct('s', 24, [
    { name: '', type: 3, bitOffset: 0 },
    { name: 'm', type: 2, bitOffset: 64 },
  ]),
  modifier('const', 4),
  typedef('s_t', 5),
  enumeration('e', [
    ['A', 7],
    ['B', -2],
  ]),
  fwd('fs'),
  fwd('fu', 'union'),
  typeTag('user', 1),
  modifier('const', 0),
  struct('broken', 8, [{ name: 'lost', type: 77, bitOffset: 0 }]),
  array(78, 1, 4),
  array(1, 1, 4),
];

async function text(kind: number, root: number, accessStr: string) {
  const { bytes } = btfBlob({ types: TYPES });
  const { types } = await openModel('a.btf', bytes);
  return types && coreRelocationText(types, { kind, root: typeId(root), accessStr });
}

type Case = readonly [kind: number, root: number, accessStr: string, text: string];

const FIRST: Case = [0, 4, '0:0:0', '<byte_off> [4] struct s::<anon 0>.a (0:0:0)'];

const CASES: readonly Case[] = [
  FIRST,
  [1, 5, '2:1:9', '<byte_sz> [5] const struct s::[2].m[9] (2:1:9)'],
  [0, 6, '0', '<byte_off> [6] typedef s_t:: (0)'],
  [2, 3, '0:0', '<field_exists> [3] struct <anon 3>::a (0:0)'],
  [8, 4, '0', '<type_exists> [4] struct s'],
  [11, 7, '0', '<enumval_value> [7] enum e::A = 7'],
  [11, 7, '1', '<enumval_value> [7] enum e::B = 18446744073709551614'],
  [8, 8, '0', '<type_exists> [8] fwd struct fs'],
  [8, 9, '0', '<type_exists> [9] fwd union fu'],
  [8, 1, '0', '<type_exists> [1] int'],
  [8, 14, '0', '<type_exists> [14] <anon 14>'],
  [8, 10, '0', '<type_exists> [10] type_tag("user") int'],
  [8, 0, '0', '<type_exists> [0] void'],
  [8, 11, '0', '<type_exists> [11] const void'],
  [8, 9999, '0', "<type_exists> [9999] '0' <unknown type id: 9999>"],
  [8, 4, '0:0', "<type_exists> [4] '0:0' <unexpected type-based relocation spec: should be '0'>"],
  [0, 4, '', "<byte_off> [4] '' <field spec too short>"],
  [0, 4, '0:', '<byte_off> [4] struct s:: (0:)'],
  [0, 4, '4294967296:1', '<byte_off> [4] struct s::m (4294967296:1)'],
  [
    0,
    4,
    '18446744073709551616',
    "<byte_off> [4] '18446744073709551616' <spec string is not a number>",
  ],
  [0, 4, '0;1', "<byte_off> [4] '0;1' <unexpected spec string delimiter: ';'>"],
  [0, 4, '0:2', "<byte_off> [4] '0:2' <member index 2 for spec sub-string 1 is out of range>"],
  [0, 4, '0:1:1:1', "<byte_off> [4] '0:1:1:1' <unexpected type kind 1 for spec sub-string 3>"],
  [0, 12, '0:0', "<byte_off> [12] '0:0' <unknown member type id 77 for spec sub-string 1>"],
  [0, 13, '0:0', "<byte_off> [13] '0:0' <unknown element type id 78 for spec sub-string 1>"],
  [10, 7, '2', "<enumval_exists> [7] '2' <bad value index: 2>"],
  [10, 7, '0:0', "<enumval_exists> [7] '0:0' <unexpected enumval relocation spec size>"],
  [10, 4, '0', "<enumval_exists> [4] '0' <unexpected type kind for enum relocation: 4>"],
  [0, 4, 'x', "<byte_off> [4] 'x' <spec string is not a number>"],
  [13, 4, '0', "<reloc kind #13> [4] '0' <unknown relocation kind: 13>"],
  [0xffffffff, 4, '0', "<reloc kind #4294967295> [4] '0' <unknown relocation kind: -1>"],
];

describe('coreRelocationText', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'btfscope-core-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  it.each(CASES)('kind %i of [%i] by %s', async (kind, root, accessStr, expected) => {
    expect(await text(kind, root, accessStr)).toBe(expected);
  });

  it.skipIf(!hasTool).each(['little', 'big'] as const)(
    'equals llvm-objdump, which prints the first record at the start of an instruction, %s-endian',
    async (endian) => {
      const blob = btfBlob({
        endian,
        types: TYPES,
        strings: ['.text', ...CASES.map(([, , str]) => str)],
      });
      const record = ([kind, root, accessStr]: Case, insnOff: number) =>
        [insnOff, root, blob.stringOff(accessStr), kind].map(u32);
      const { bytes } = elfObject({
        endian,
        sections: [
          { name: '.text', flags: 6, data: CASES.flatMap(() => [u8(0xb7), u8(0), u16(0), u32(1)]) },
          { name: '.BTF', data: blob.bytes },
          {
            name: '.BTF.ext',
            data: [
              ...[u16(0xeb9f), u8(1), u8(0), u32(32)],
              ...[0, 0, 0, 0, 0, 12 + 16 * (2 * CASES.length + 1), 16].map(u32),
              ...[blob.stringOff('.text'), 2 * CASES.length + 1].map(u32),
              ...CASES.flatMap((spec, i) => record(spec, 8 * i)),
              // Adds a second record for each instruction, and a record inside an instruction.
              ...CASES.flatMap((_, i) => record(FIRST, 8 * i)),
              ...record(FIRST, 4),
            ],
          },
        ],
      });
      const path = join(scratch, endian);
      writeFileSync(path, bytes);
      const theirs = execFileSync('llvm-objdump-19', ['-dr', path], { encoding: 'utf8' });
      const { model, source } = await openObject(path, bytes);
      const lines: string[] = [];
      const options = { path, raw: true, lines: false, decimal: false };
      for await (const batch of disassembly(model, source, options)) lines.push(...batch);
      expect(lines).toEqual(theirs.split('\n').slice(0, -1));
      const texts = lines.flatMap((line) => line.match(/(?<=: {2}CO-RE ).*/) ?? []);
      expect(texts).toEqual(CASES.map(([, , , expected]) => expected));
    },
  );
});

describe('objects of the corpus', () => {
  it('read as llvm-objdump prints them', async () => {
    let compared = 0;
    for (const object of corpusObjects()) {
      const golden = goldenOf(object.id, 'objdump.txt');
      const theirs = golden?.text.match(/(?<=: {2}CO-RE ).*/g) ?? [];
      if (theirs.length === 0) continue;
      const { types, ext, ...model } = await openModel(object.name, readCorpusFile(object));
      if (types === null) continue;
      const ours = Array.from({ length: ext.core.count }, (_, i) =>
        coreRelocationText(types, coreRecord({ types, ext, ...model }, coreIndex(i))),
      );
      // llvm-objdump omits records for code without a symbol: its lines are a part of ours.
      for (const line of theirs) expect(ours, object.id).toContain(line);
      compared += theirs.length;
    }
    expect(compared).toBeGreaterThan(1000);
  }, 60_000);
});

it('reads the records of alpha, bravo, charlie and delta as the document prints them', async () => {
  const model = await sampleModel('doc_core.bpf.o');
  const { types, ext } = model;
  if (types === null) throw new Error('the example has types');
  const texts = Array.from({ length: ext.core.count }, (_, row) => {
    const text = coreRelocationText(types, coreRecord(model, coreIndex(row)));
    return `${ext.core.insnOff[row]?.toString(16)}: ${text}`;
  });
  expect(texts).toEqual([
    '0: <byte_off> [2] struct foo::a (0:0)',
    '10: <byte_off> [2] struct foo::a (0:0)',
    '20: <byte_off> [2] struct foo::b (0:1)',
    '30: <byte_sz> [2] struct foo::b (0:1)',
    '40: <field_exists> [2] struct foo::b (0:1)',
    '50: <signed> [2] struct foo::b (0:1)',
    '60: <lshift_u64> [2] struct foo::c (0:2)',
    '70: <rshift_u64> [2] struct foo::c (0:2)',
    '88: <type_exists> [2] struct foo',
    '98: <type_size> [2] struct foo',
    'a8: <type_matches> [2] struct foo',
    'b8: <local_type_id> [2] struct foo',
    'd0: <target_type_id> [2] struct foo',
    'f0: <enumval_exists> [16] enum bar::U = 0',
    '108: <enumval_value> [16] enum bar::V = 1',
  ]);
});
