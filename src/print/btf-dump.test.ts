import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { u32 } from '#testing/assemble.ts';
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
  ptr,
  record,
  struct,
  type TypeRecord,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { type DumpOptions, rawRecord, writeJson, writeRaw } from './btf-dump.ts';
import { ByteText, gathered } from './byte-text.ts';

function rawText(t: TypeTable): string {
  const bytes = gathered((out) => {
    for (const _ of writeRaw(t, out));
  });
  return new TextDecoder().decode(bytes);
}

it('writes the record of each type and a newline', () => {
  const types = [int('int', 4), struct('s', 4, [{ name: 'a', type: 1, bitOffset: 0 }]), ptr(2)];
  const t = tableOf(btfBlob({ types }).bytes);
  const records = types.map((_, i) => `${rawRecord(t, typeId(i + 1))}\n`);
  expect(rawText(t)).toBe(records.join(''));
  expect(records[1]).toBe("[2] STRUCT 's' size=4 vlen=1\n\t'a' type_id=1 bits_offset=0\n");
});

it('writes a split file’s own types, with names of the base', () => {
  const base = tableOf(btfBlob({ types: [int('int', 4), struct('s', 0, [])] }).bytes);
  const strings = base.strEnd - base.strStart;
  const { bytes } = btfBlob({ types: [ptr(2), fwd(1), fwd('own')], baseStringLength: strings });
  const expected = `[3] PTR '(anon)' type_id=2\n[4] FWD 'int' fwd_kind=struct\n[5] FWD 'own' fwd_kind=struct\n`;
  expect(rawText(tableOf(bytes, base))).toBe(expected);
  const alone = { ...tableOf(bytes, base), base: null };
  expect(rawText(alone)).toBe(expected.replace("'int'", "'(invalid)'"));
});

it('lists unknown kinds', () => {
  const layout = Array.from({ length: 41 }, (_, kind) => ({
    infoSize: kind === 40 ? 4 : 0,
    elemSize: 0,
  }));
  const types = [record(0, { name: 'zero' }), record(40, { name: 'later', tail: () => [u32(7)] })];
  const t = tableOf(btfBlob({ types, layout }).bytes);
  expect(rawText(t)).toBe("[1] UNKNOWN 'zero'\n[2] UNKNOWN 'later'\n");
});

it('pauses inside a long record', () => {
  const strings = new Uint8Array(1 << 18).fill(0x62);
  strings[0] = 0;
  const members = Array.from({ length: 40 }, () => ({ name: 1, type: 0, bitOffset: 0 }));
  const t = tableOf(btfBlob({ types: [int(0, 4), struct(0, 0, members)], strings }).bytes);
  const lengths: number[] = [];
  const done: number[] = [];
  const out = new ByteText(() => undefined);
  for (const now of writeRaw(t, out)) {
    done.push(now);
    lengths.push(out.length);
  }
  expect(done.filter((now) => now === 1).length).toBeGreaterThan(5);
  expect(done.at(-1)).toBe(2);
  for (const [i, length] of lengths.entries()) {
    expect(length - (lengths[i - 1] ?? 0)).toBeLessThan(1 << 20);
  }
});

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

it('keeps names next to one that is not UTF-8', () => {
  const strings = Uint8Array.of(0, 0xff, 0x0a, 0x62, 0, 0xc3, 0xa9, 0);
  const members = [1, 5].map((name) => ({ name, type: 0, bitOffset: 0 }));
  const table = tableOf(btfBlob({ types: [struct(5, 0, members)], strings }).bytes);
  expect(rawRecord(table, typeId(1))).toBe(
    "[1] STRUCT 'é' size=0 vlen=2\n\t'\\xff\nb' type_id=0 bits_offset=0\n\t'é' type_id=0 bits_offset=0",
  );
});

it('is cut if names exceed the maximum length of a text', () => {
  const strings = new Uint8Array(1 << 20).fill(0x62);
  strings[0] = 0;
  const members = Array.from({ length: 100 }, () => ({ name: 1, type: 0, bitOffset: 0 }));
  const table = tableOf(btfBlob({ types: [struct(1, 0, members)], strings }).bytes);
  expect(rawRecord(table, typeId(1))).toHaveLength(1 << 26);
}, 30_000);

function jsonText(types: readonly TypeRecord[], options: DumpOptions = {}): string {
  const t = tableOf(btfBlob({ types }).bytes);
  const bytes = gathered((out) => {
    for (const _ of writeJson(t, out, options));
  });
  return new TextDecoder().decode(bytes);
}

it('is a list of objects on one line', () => {
  const members = [
    { name: 'a', type: 1, bitOffset: 3, bitfieldSize: 2 },
    { name: '', type: 2, bitOffset: 8, bitfieldSize: 0 },
  ];
  const text = jsonText([int('int', 4, { encoding: 1 }), ptr(1), struct('s', 4, members)]);
  expect(text).toMatch(/^\{"types":\[.*\]\}\n$/);
  expect(JSON.parse(text)).toEqual({
    types: [
      { id: 1, kind: 'INT', name: 'int', size: 4, bits_offset: 0, nr_bits: 32, encoding: 'SIGNED' },
      { id: 2, kind: 'PTR', name: '(anon)', type_id: 1 },
      {
        ...{ id: 3, kind: 'STRUCT', name: 's', size: 4, vlen: 2 },
        members: [
          { name: 'a', type_id: 1, bits_offset: 3, bitfield_size: 2 },
          { name: '(anon)', type_id: 2, bits_offset: 8 },
        ],
      },
    ],
  });
  expect(jsonText([])).toBe('{"types":[]}\n');
});

it.each([
  ['an ENUM without sign, widened', enumeration('', [['A', -1]]), '"val":18446744073709551615'],
  ['an ENUM with sign', enumeration('', [['A', -1]], { signed: true }), '"val":-1}'],
  ['an ENUM64 without sign', enum64('', [['A', -1n]]), '"val":18446744073709551615}'],
  ['an ENUM64 with sign', enum64('', [['A', -1n]], { signed: true }), '"val":-1}'],
  ['no pointee of a DATASEC', datasec('', 4, [[1, 0, 4]]), '[{"type_id":1,"offset":0,"size":4}]'],
  ['a VAR', variable('v', 1, 9), '"type_id":1,"linkage":"(unknown)"}'],
  ['a FUNC', func('f', 1, 2), '"type_id":1,"linkage":"extern"}'],
  ['no parameters', funcProto(3), '"ret_type_id":3,"vlen":0,"params":[]}'],
  ['a FWD', fwd('u', 'union'), '"fwd_kind":"union"}'],
  ['a DECL_TAG', declTag('t', 1), '"component_idx":-1}'],
  ['a name outside all strings', fwd(9999), '"name":"(invalid)"'],
  ['escapes', fwd('\t\n\f\r\b"\\/\'\x01é'), `"name":"\\t\\n\\f\\r\\b\\"\\\\/'\x01é"`],
])('spells %s as bpftool does', (_what, type, expected) => {
  expect(jsonText([type])).toContain(expected);
});

it('spells a backslash as a newline in 7.1', () => {
  expect(jsonText([fwd("a\\b'")], { bpftool: '7.1' })).toContain(`"name":"a\\nb'"`);
});

describe('roots', () => {
  const types = [int('int', 4), ptr(1), funcProto(1, [['a', 1]])];

  it('are printed in the given order, including void, without the types that they refer to', () => {
    const roots = [3, 0, 2].map(typeId);
    const t = tableOf(btfBlob({ types }).bytes);
    const raw = gathered((out) => {
      for (const _ of writeRaw(t, out, { roots }));
    });
    expect(new TextDecoder().decode(raw)).toBe(
      "[3] FUNC_PROTO '(anon)' ret_type_id=1 vlen=1\n\t'a' type_id=1\n" +
        "[0] UNKNOWN '(anon)'\n[2] PTR '(anon)' type_id=1\n",
    );
    expect(JSON.parse(jsonText(types, { roots })).types).toEqual([
      expect.objectContaining({ id: 3, kind: 'FUNC_PROTO' }),
      { id: 0, kind: 'UNKNOWN', name: '(anon)' },
      { id: 2, kind: 'PTR', name: '(anon)', type_id: 1 },
    ]);
  });

  it('can be types of the base', () => {
    const base = tableOf(btfBlob({ types }).bytes);
    const { bytes } = btfBlob({
      types: [ptr(3)],
      baseStringLength: base.strEnd - base.strStart,
    });
    const raw = gathered((out) => {
      for (const _ of writeRaw(tableOf(bytes, base), out, { roots: [4, 1].map(typeId) }));
    });
    expect(new TextDecoder().decode(raw)).toBe(
      "[4] PTR '(anon)' type_id=3\n" +
        "[1] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=(none)\n",
    );
  });
});
