import { expect, it } from 'vitest';
import { tableOf } from '#analysis/types/type-table-for-tests.ts';
import { typeId } from '#model/ids.ts';
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
        [0, 8, 4],
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
    "[8] DATASEC '.bss' size=4 vlen=3\n\ttype_id=9 offset=0 size=4 (VAR 'v')\n\ttype_id=99 offset=4 size=4\n\ttype_id=0 offset=8 size=4 (UNKNOWN '(anon)')",
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

it('keeps names beside one that is no UTF-8', () => {
  const strings = Uint8Array.of(0, 0xff, 0x0a, 0x62, 0, 0xc3, 0xa9, 0);
  const members = [1, 5].map((name) => ({ name, type: 0, bitOffset: 0 }));
  const table = tableOf(btfBlob({ types: [struct(5, 0, members)], strings }).bytes);
  expect(rawRecord(table, typeId(1))).toBe(
    "[1] STRUCT 'é' size=0 vlen=2\n\t'\\xff\nb' type_id=0 bits_offset=0\n\t'é' type_id=0 bits_offset=0",
  );
});

it('is cut where names add up to more than a text can hold', () => {
  const strings = new Uint8Array(1 << 20).fill(0x62);
  strings[0] = 0;
  const members = Array.from({ length: 100 }, () => ({ name: 1, type: 0, bitOffset: 0 }));
  const table = tableOf(btfBlob({ types: [struct(1, 0, members)], strings }).bytes);
  expect(rawRecord(table, typeId(1))).toHaveLength(1 << 26);
}, 30_000);
