/** Tests that the text of bpftool with BTF gives the bytes of the map again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { DumpError } from '#analysis/values/dump-error.ts';
import { encodeEntries } from '#analysis/values/encode-value.ts';
import { readMapDump } from '#analysis/values/map-dump.ts';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, ptr, struct, union } from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { ARRAY_PLAIN, DUMPED_BTF, PER_CPU_PLAIN } from '#testing/value-dumps.ts';
import { writeMapDump } from './value-json.ts';

const dumped = tableOf(new Uint8Array(Buffer.from(DUMPED_BTF, 'base64')));

function named(kind: string, name: string) {
  const id = findTypeKey(dumped, { kind, name, ordinal: 0 });
  if (id === null) throw new Error(`no ${kind} ${name}`);
  return id;
}

function again(text: string, by: Parameters<typeof encodeEntries>[1]): string {
  const dump = readMapDump(text);
  if (dump.form !== 'values') throw new Error('the dump has bytes');
  let out = '';
  writeMapDump((piece) => (out += piece), encodeEntries(dump.entries, by), by, 'plain');
  return out;
}

it.each([
  ['an array', ARRAY_PLAIN, 'val'],
  ['a map per CPU', PER_CPU_PLAIN, 'inner'],
])('reads the text of bpftool 7.1 for %s: it is the same when printed again', (_, text, value) => {
  const by = { types: dumped, key: named('typedef', 'u32'), value: named('struct', value) };
  // bpftool 7.1 writes `\n` for a backslash in a string.
  const mended = text.replace(`"it's\\"\\n"`, `"it's\\"\\\\"`);
  expect(again(mended, { ...by, endian: 'little' })).toBe(mended);
});

const TYPES = [
  int('u64', 8),
  int('u32', 4, { encoding: 1 }),
  struct('s', 40, [
    { name: 'wide', type: 1, bitOffset: 0 },
    { name: '', type: 4, bitOffset: 64 },
    { name: '', type: 5, bitOffset: 128 },
    { name: 'low', type: 2, bitOffset: 192, bitfieldSize: 3 },
    { name: 'high', type: 2, bitOffset: 195, bitfieldSize: 13 },
    { name: 'p', type: 6, bitOffset: 256 },
  ]),
  union('', 8, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'b', type: 2, bitOffset: 0 },
  ]),
  struct('', 8, [{ name: 'pair', type: 7, bitOffset: 0 }]),
  ptr(0),
  array(2, 2, 2),
];

describe('values of a struct with bit-fields and anonymous members', () => {
  it.each(['little', 'big'] as const)('come back in %s-endian', (endian) => {
    const types = tableOf(btfBlob({ types: TYPES, endian }).bytes);
    const by = { types, key: typeId(2), value: typeId(3), endian };
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 40, maxLength: 40 }), (value) => {
        // Bytes that no member covers are not in the text.
        value.fill(0, 26, 32);
        const entries = [{ key: new Uint8Array(4), values: [{ cpu: null, bytes: value }] }];
        for (const form of ['plain', 'json'] as const) {
          let text = '';
          writeMapDump((piece) => (text += piece), entries, by, form);
          if (form === 'json') text = `[${text.slice(text.indexOf('"formatted":') + 12, -3)}]`;
          const dump = readMapDump(text);
          expect(dump.form === 'values' ? encodeEntries(dump.entries, by) : null).toEqual(entries);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it.each([
    ['[{"key": 1,"value": {"wider": 1}}]', 'struct s has no member "wider"'],
    ['[{"key": 1,"value": {"wide": one}}]', '"one" is no value of u64'],
    ['[{"key": 1,"value": {"pair": [1,2,3]}}]', '3 elements, 2 expected'],
    ['[{"key": 1,"value": {"wide": {"x": 1}}}]', 'u64 has no parts'],
    ['[{"key": 1,"value": {', 'the dump is not complete'],
    ['[{"key": 1,"value": 1]', 'unexpected ]'],
  ])('are refused: %s', (text, message) => {
    const types = tableOf(btfBlob({ types: TYPES }).bytes);
    const by = { types, key: typeId(2), value: typeId(3), endian: 'little' } as const;
    expect(() => again(text, by)).toThrow(message);
    expect(() => again(text, by)).toThrow(DumpError);
  });
});

it('refuses a text that is nested without end', () => {
  expect(() => readMapDump(`[{"key":1,"value":${'['.repeat(100_000)}`)).toThrow(DumpError);
});
