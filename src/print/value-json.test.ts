import { describe, expect, it } from 'vitest';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { decodeValue } from '#analysis/values/decode.ts';
import { type DumpEntry, hexBytes, parseMapDump } from '#analysis/values/map-dump.ts';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  enumeration,
  float,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
  variable,
} from '#testing/btf-types.ts';
import { isLong } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import {
  ARRAY_FORMATTED,
  ARRAY_PLAIN,
  DUMPED_BTF,
  DUMPED_VALUES,
  PER_CPU_JSON,
  PER_CPU_PLAIN,
} from '#testing/value-dumps.ts';
import { valueJson, writeMapDump } from './value-json.ts';

const dumped = tableOf(new Uint8Array(Buffer.from(DUMPED_BTF, 'base64')));

function named(kind: string, name: string) {
  const id = findTypeKey(dumped, { kind, name, ordinal: 0 });
  if (id === null) throw new Error(`no ${kind} ${name}`);
  return id;
}

function dump(
  entries: readonly DumpEntry[],
  value: string,
  form: 'plain' | 'json' | 'pretty',
): string {
  let text = '';
  const map = { types: dumped, key: named('typedef', 'u32'), value: named('struct', value) };
  writeMapDump((piece) => (text += piece), entries, map, form);
  return text;
}

/** Corrects bpftool 7.1, which writes `\n` for a backslash in a string. */
const mended = (text: string) => text.replace(`"it's\\"\\n"`, `"it's\\"\\\\"`);

describe('maps of a kernel', () => {
  const entries = DUMPED_VALUES.map((value, i) => ({
    key: Uint8Array.of(i, 0, 0, 0),
    values: [{ cpu: null, bytes: hexBytes(value) }],
  }));

  it('equals the text of bpftool, byte for byte', () => {
    expect(dump(entries, 'val', 'plain')).toBe(mended(ARRAY_PLAIN));
  });

  it('equals the JSON of bpftool', () => {
    for (const [i, entry] of entries.entries()) {
      const [, formatted] = dump([entry], 'val', 'json').split(',"formatted":');
      // bpftool names each anonymous struct "", which readers of JSON take for one member.
      const inParent = (ARRAY_FORMATTED[i] ?? '').replace(/"":\{([^{}]*)\}/g, '$1');
      expect(formatted).toBe(`${mended(inParent)}}]\n`);
    }
  });

  it('equals the text of bpftool for a map per CPU, read from the dump', () => {
    const perCpu = parseMapDump(PER_CPU_JSON);
    expect(perCpu[0]?.values.map(({ cpu }) => cpu)).toEqual([0, 1]);
    expect(dump(perCpu, 'inner', 'plain')).toBe(PER_CPU_PLAIN);
    expect(dump(perCpu, 'inner', 'json')).toBe(`${PER_CPU_JSON.trimEnd()}\n`);
  });
});

describe('the example of the document', () => {
  // The document's struct tmp_t { char a1:4; int a2:4; int :4; __u32 a3:4; int b; ___A b1:4; … };
  const types = [
    int('int', 4, { encoding: 1 }),
    int('char', 1, { encoding: 1 }),
    int('__u32', 4),
    enumeration(
      'A',
      ['A1', 'A2', 'A3', 'A4', 'A5'].map((name, i) => [name, i] as const),
    ),
    typedef('___A', 4),
    struct('tmp_t', 12, [
      { name: 'a1', type: 2, bitOffset: 0, bitfieldSize: 4 },
      { name: 'a2', type: 1, bitOffset: 4, bitfieldSize: 4 },
      { name: 'a3', type: 3, bitOffset: 12, bitfieldSize: 4 },
      { name: 'b', type: 1, bitOffset: 32, bitfieldSize: 0 },
      { name: 'b1', type: 5, bitOffset: 64, bitfieldSize: 4 },
      { name: 'b2', type: 4, bitOffset: 68, bitfieldSize: 4 },
    ]),
  ];
  const documented =
    '[{ "key": 0, "value": { "a1": 0x2, "a2": 0x4, "a3": 0x6, "b": 7, "b1": 0x8, "b2": 0xa } } ]';
  /** Removes spaces and newlines: in the document, the text is on one line. */
  const packed = (text: string) => text.replace(/\s+/g, '');

  it.each([
    ['little', '42 60 00 00 07000000 a8 000000'],
    ['big', '24 06 00 00 00000007 8a 000000'],
  ] as const)('is the same in %s-endian', (endian, value) => {
    const table = tableOf(btfBlob({ types, endian }).bytes);
    const entry = { key: new Uint8Array(4), values: [{ cpu: null, bytes: hexBytes(value) }] };
    let text = '';
    const map = { types: table, key: typeId(1), value: typeId(6) };
    writeMapDump((piece) => (text += piece), [entry], map, 'plain');
    expect(packed(text)).toBe(packed(documented));
  });

  it('is the same in the encoding before kind_flag, where each width is an INT', () => {
    const old = [
      int('char', 1, { encoding: 1, bits: 4 }),
      int('int', 4, { encoding: 1, bits: 4, bitOffset: 4 }),
      int('__u32', 4, { bits: 4, bitOffset: 12 }),
      int('int', 4, { encoding: 1 }),
      int('___A', 4, { bits: 4 }),
      struct('tmp_t', 12, [
        { name: 'a1', type: 1, bitOffset: 0 },
        { name: 'a2', type: 2, bitOffset: 0 },
        { name: 'a3', type: 3, bitOffset: 0 },
        { name: 'b', type: 4, bitOffset: 32 },
        { name: 'b1', type: 5, bitOffset: 64 },
        { name: 'b2', type: 5, bitOffset: 68 },
      ]),
    ];
    const table = tableOf(btfBlob({ types: old }).bytes);
    const value = decodeValue(table, typeId(6), hexBytes('42 60 00 00 07000000 a8 000000'));
    expect(packed(`[{"key":0,"value":${valueJson(value, { isPlain: true })}}]`)).toBe(
      packed(documented),
    );
  });
});

function json(types: readonly TypeRecord[], id: number, hex: string, isPlain = false): string {
  const table = tableOf(btfBlob({ types }).bytes);
  return valueJson(decodeValue(table, typeId(id), hexBytes(hex)), { isPlain }, false);
}

describe('values that bpftool cannot print, or prints differently', () => {
  it.each([
    [4, '0000c03f', '1.5'],
    [8, '000000000000f87f', '"NaN"'],
    [8, '0000000000000080', '-0.0'],
    [2, '003c', '1'],
    [16, '01000000000000000000000000000000', '"0x1"'],
  ])('is a float of %i bytes', (size, hex, text) => {
    expect(json([float('f', size)], 1, hex)).toBe(text);
  });

  it.each([
    ['41', '"A"', '"A"'],
    ['0a', '0xa', String.raw`"\u000a"`],
    ['fe', '0xfe', String.raw`"\u00fe"`],
  ])('is a char of the encoding CHAR: %s', (hex, plain, quoted) => {
    const types = [int('char', 1, { encoding: 2 })];
    expect(json(types, 1, hex, true)).toBe(plain);
    expect(json(types, 1, hex)).toBe(quoted);
  });

  it('has members of anonymous structs in their parent, as in C, in JSON only', () => {
    const types = [
      int('int', 4, { encoding: 1 }),
      struct('s', 16, [
        { name: '', type: 3, bitOffset: 0 },
        { name: '', type: 4, bitOffset: 64 },
      ]),
      struct('', 8, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: '', type: 5, bitOffset: 32 },
      ]),
      struct('', 8, [{ name: 'b', type: 1, bitOffset: 0 }]),
      union('', 4, [{ name: 'c', type: 1, bitOffset: 0 }]),
    ];
    const hex = '01000000 02000000 03000000 00000000';
    expect(JSON.parse(json(types, 2, hex))).toEqual({ a: 1, c: 2, b: 3 });
    expect(json(types, 2, hex)).toBe('{"a":1,"c":2,"b":3}');
    expect(json(types, 2, hex, true)).toBe('{"":{"a":1,"":{"c":2}},"":{"b":3}}');
  });

  it('is null where bytes are missing', () => {
    const types = [
      int('int', 4, { encoding: 1 }),
      struct('s', 8, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: 'b', type: 1, bitOffset: 32 },
      ]),
    ];
    expect(json(types, 2, '01000000ff')).toBe('{"a":1,"b":null}');
  });

  it('writes each variable of a section as an object', () => {
    const types = [
      int('int', 4, { encoding: 1 }),
      int('char', 1, { encoding: 1 }),
      array(2, 1, 4),
      struct('s', 4, [{ name: 'a', type: 1, bitOffset: 0 }]),
      variable('n', 1),
      variable('txt', 3),
      variable('st', 4),
      datasec('.data', 12, [
        [5, 0, 4],
        [6, 4, 4],
        [7, 8, 4],
      ]),
    ];
    expect(json(types, 8, 'f9ffffff 61620000 02000000')).toBe(
      '{".data":[{"n":-7},{"txt":"ab"},{"st":{"a":2}}]}',
    );
  });
});

it('terminates on circular types', () => {
  const types = [
    int('int', 4),
    struct('loop', 4, [
      { name: 'again', type: 2, bitOffset: 0 },
      { name: 'and', type: 2, bitOffset: 0 },
    ]),
    array(1, 1, 0xffffffff),
    array(3, 1, 0xffffffff),
    ptr(2),
  ];
  const table = tableOf(btfBlob({ types }).bytes);
  for (const id of [2, 3, 4]) {
    const value = decodeValue(table, typeId(id), new Uint8Array(64));
    const text = valueJson(value, { isPlain: false, limit: 1000 }, false);
    expect(() => JSON.parse(text)).not.toThrow();
    expect(text).toContain('"…"');
  }
});

it.runIf(isLong)('terminates quickly if a union repeats a long string', () => {
  const members = Array.from({ length: 2000 }, (_, i) => ({
    name: `m${i}`,
    type: 2,
    bitOffset: 0,
  }));
  const types = [int('char', 1, { encoding: 1 }), array(1, 1, 60_000), union('u', 60_000, members)];
  const t = tableOf(btfBlob({ types }).bytes);
  const value = decodeValue(t, typeId(3), new Uint8Array(60_000).fill(0x61));
  const text = valueJson(value, { isPlain: false });
  expect(text.length).toBeLessThan(40_000_000);
  expect(text).toContain('…');
});
