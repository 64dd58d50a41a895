import { describe, expect, it } from 'vitest';
import { tableInFile, tableOf } from '#analysis/type-table-for-tests.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  enum64,
  enumeration,
  float,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  record,
  struct,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import {
  corpusEdges,
  corpusObjects,
  corpusRoot,
  corpusTargets,
  readCorpusFile,
  readCorpusText,
} from '#testing/corpus.ts';
import { goldenOf } from '#testing/goldens.ts';
import { rawRecord } from './raw-record.ts';

const t = tableOf(
  btfBlob({
    layout: Array.from({ length: 31 }, () => ({ infoSize: 0, elemSize: 0 })),
    types: [
      int('int', 4, { encoding: 1 }),
      int('odd', 4, { encoding: 3, bits: 5, bitOffset: 2 }),
      struct('s', 8, [
        { name: 'a', type: 1, bitOffset: 0, bitfieldSize: 3 },
        { name: '', type: 1, bitOffset: 32, bitfieldSize: 0 },
      ]),
      enumeration('e', [['A', -1]]),
      enumeration('f', [['A', -1]], { signed: true }), // 5
      enum64('g', [['A', -1n]]),
      enum64('h', [['A', -1n]], { signed: true }),
      datasec('.bss', 4, [
        [9, 0, 4],
        [99, 4, 4],
      ]),
      variable('v', 1, 0),
      func('x', 11, 7), // 10
      funcProto(0, [
        ['n', 1],
        ['', 0],
      ]),
      fwd('u', 'union'),
      declTag('t', 3, 1),
      float(9999, 8),
      typeTag('user', 1), // 15
      array(1, 1, 5),
      union('w', 0, []),
      record(30, { name: 'later', sizeOrType: 4 }),
      modifier('restrict', 1),
    ],
  }).bytes,
);

it.each([
  [0, ''],
  [1, "[1] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED"],
  [2, "[2] INT 'odd' size=4 bits_offset=2 nr_bits=5 encoding=UNKN"],
  [
    3,
    "[3] STRUCT 's' size=8 vlen=2\n\t'a' type_id=1 bits_offset=0 bitfield_size=3\n\t'(anon)' type_id=1 bits_offset=32",
  ],
  [4, "[4] ENUM 'e' encoding=UNSIGNED size=4 vlen=1\n\t'A' val=4294967295"],
  [5, "[5] ENUM 'f' encoding=SIGNED size=4 vlen=1\n\t'A' val=-1"],
  [6, "[6] ENUM64 'g' encoding=UNSIGNED size=8 vlen=1\n\t'A' val=18446744073709551615ULL"],
  [7, "[7] ENUM64 'h' encoding=SIGNED size=8 vlen=1\n\t'A' val=-1LL"],
  [
    8,
    "[8] DATASEC '.bss' size=4 vlen=2\n\ttype_id=9 offset=0 size=4 (VAR 'v')\n\ttype_id=99 offset=4 size=4",
  ],
  [9, "[9] VAR 'v' type_id=1, linkage=static"],
  [10, "[10] FUNC 'x' type_id=11 linkage=(unknown)"],
  [11, "[11] FUNC_PROTO '(anon)' ret_type_id=0 vlen=2\n\t'n' type_id=1\n\t'(anon)' type_id=0"],
  [12, "[12] FWD 'u' fwd_kind=union"],
  [13, "[13] DECL_TAG 't' type_id=3 component_idx=1"],
  [14, "[14] FLOAT '(invalid)' size=8"],
  [15, "[15] TYPE_TAG 'user' type_id=1"],
  [16, "[16] ARRAY '(anon)' type_id=1 index_type_id=1 nr_elems=5"],
  [17, "[17] UNION 'w' size=0 vlen=0"],
  [18, "[18] UNKNOWN 'later'"],
  [19, "[19] RESTRICT '(anon)' type_id=1"],
  [20, ''],
])('[%i]', (id, text) => {
  expect(rawRecord(t, typeId(id))).toBe(text);
});

function rawText(table: TypeTable): string {
  let text = '';
  for (let i = 0; i < table.count; i++) text += `${rawRecord(table, typeId(table.firstId + i))}\n`;
  return text;
}

describe.skipIf(corpusRoot === null)('bpftool', () => {
  it('says the same of every object and random target', () => {
    const different: string[] = [];
    let compared = 0;
    for (const entry of [...corpusObjects(), ...corpusTargets()]) {
      const golden = goldenOf(entry.id, 'btf.raw.txt');
      if (golden === null || golden.rc !== 0) continue;
      const table = tableInFile(readCorpusFile(entry));
      if (table === null || rawText(table) !== golden.text) different.push(entry.id);
      compared++;
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  });

  it('says the same of the files at the edge', () => {
    const edges = corpusEdges().filter((edge) => edge.kind === 'btf');
    const different: string[] = [];
    let compared = 0;
    for (const edge of edges) {
      // Its golden is by a bpftool that still reads 16 bits of vlen.
      if (!edge.row.has('golden_raw') || edge.name === 'btf_vlen_reserved_bits.btf') continue;
      const base = edges.find((other) => other.name === edge.base);
      if (edge.base !== null && base === undefined) continue;
      const baseTable = base === undefined ? null : tableOf(readCorpusFile(base));
      const ours = rawText(tableOf(readCorpusFile(edge), baseTable)).split('\n');
      const golden = readCorpusText(edge.row.text('golden_raw')).split('\n');
      // Bytes that are no UTF-8 are U+FFFD in the golden and escapes here.
      const same = golden.every((line, i) => line === ours[i] || line.includes('\ufffd'));
      if (!same || ours.length !== golden.length) different.push(edge.name);
      compared++;
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(20);
  });
});
