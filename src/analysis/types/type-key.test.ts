import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { lastId } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { fwd, int, ptr, record, struct, typedef } from '#testing/btf-types.ts';
import {
  corpusEdges,
  corpusKernel,
  corpusModules,
  kernelIds,
  readCorpusFile,
} from '#testing/corpus.ts';
import { tableOf } from '#testing/type-table.ts';
import { findTypeKey, formatTypeKey, parseTypeKey, typeKeyOf } from './type-key.ts';

const t = tableOf(
  btfBlob({
    types: [
      int('foo', 4),
      struct('foo', 4, []),
      struct('', 4, []),
      struct('foo', 8, []),
      struct('', 8, []),
      fwd('foo'),
      typedef('a~b:c%20 é', 1),
      ptr(1),
      ptr(2),
      record(42, { name: 'future' }),
      struct('fo', 1, []),
    ],
  }).bytes,
);

it.each([
  [0, 'void:~0'],
  [1, 'int:foo'],
  [2, 'struct:foo'],
  [3, 'struct:~0'],
  [4, 'struct:foo~1'],
  [5, 'struct:~1'],
  [6, 'fwd:foo'],
  [7, 'typedef:a%7Eb%3Ac%2520%20%C3%A9'],
  [8, 'ptr:~0'],
  [9, 'ptr:~1'],
])('[%i] is %s', (id, text) => {
  const key = typeKeyOf(t, typeId(id));
  expect(formatTypeKey(key)).toBe(text);
  expect(parseTypeKey(text)).toEqual(key);
  expect(findTypeKey(t, key)).toBe(id);
});

it('distinguishes nameless types where some name an empty string', () => {
  const strings = new Uint8Array([...new TextEncoder().encode('\0foo\0')]);
  const types = [struct(0, 4, []), struct(4, 4, []), struct(0, 4, []), struct(99, 4, [])];
  const nameless = tableOf(btfBlob({ types, strings }).bytes);
  for (const id of [1, 2, 3, 4].map(typeId)) {
    expect(findTypeKey(nameless, typeKeyOf(nameless, id))).toBe(id);
  }
});

it('counts names by their text, wherever they are stored', () => {
  const strings = new Uint8Array([...new TextEncoder().encode('\0foo\0barfoo\0')]);
  const types = [struct(1, 4, []), struct(8, 4, []), struct(5, 4, [])];
  const shared = tableOf(btfBlob({ types, strings }).bytes);
  expect(typeKeyOf(shared, typeId(2))).toEqual({ kind: 'struct', name: 'foo', ordinal: 1 });
  expect(findTypeKey(shared, { kind: 'struct', name: 'foo', ordinal: 1 })).toBe(2);
});

it('distinguishes names that are not UTF-8', () => {
  const strings = new Uint8Array([0, 0xff, 0, 0xfe, 0]);
  const odd = tableOf(btfBlob({ types: [struct(3, 4, []), struct(1, 4, [])], strings }).bytes);
  const key = typeKeyOf(odd, typeId(2));
  expect(key).toEqual({ kind: 'struct', name: '\\xff', ordinal: 0 });
  expect(findTypeKey(odd, key)).toBe(2);
});

it.each([
  ['struct', 'foo', 2],
  ['struct', 'bar', 0],
  ['union', 'foo', 0],
  ['nonsense', 'foo', 0],
])('finds no %s:%s~%i', (kind, name, ordinal) => {
  expect(findTypeKey(t, { kind, name, ordinal })).toBeNull();
});

it('returns void for ids that do not exist', () => {
  expect(typeKeyOf(t, typeId(99))).toEqual({ kind: 'void', name: '', ordinal: 0 });
});

it.each([
  '',
  'struct',
  'struct:%zz',
  'struct:a~',
  'struct:a~1~2',
  'class:a',
  'struct:a~x',
  ' struct:a',
])('%j is not a key', (text) => {
  expect(parseTypeKey(text)).toBeNull();
});

it('comes back from text, whatever the name', () => {
  const name = fc.string({ unit: 'binary' }).map((s) => s.replace(/\p{Cs}/gu, ''));
  fc.assert(
    fc.property(name, fc.nat(999_999_999), (text, ordinal) => {
      const key = { kind: 'struct', name: text, ordinal };
      expect(parseTypeKey(formatTypeKey(key))).toEqual(key);
    }),
  );
});

describe('corpus', () => {
  it('finds every sampled type of a kernel and of a module on it', () => {
    const kernel = corpusKernel(kernelIds.first);
    const module = corpusModules().find((entry) => entry.name === `${kernelIds.first}-veth.btf`);
    if (module === undefined) throw new Error('corpus without veth');
    const base = tableOf(readCorpusFile(kernel));
    const split = tableOf(readCorpusFile(module), base);
    for (let id = 1; id <= lastId(split); id += id < split.firstId ? 977 : 41) {
      const key = typeKeyOf(split, typeId(id));
      expect([id, findTypeKey(split, parseTypeKey(formatTypeKey(key)) ?? key)]).toEqual([id, id]);
    }
  });

  it('finds every type of the blob with strange names', () => {
    const edge = corpusEdges().find((row) => row.name === 'btf_names.btf');
    if (edge === undefined) throw new Error('corpus without btf_names.btf');
    const strange = tableOf(readCorpusFile(edge));
    expect(strange.count).toBeGreaterThan(5);
    for (let id = 1; id <= lastId(strange); id++) {
      const key = typeKeyOf(strange, typeId(id));
      expect([id, findTypeKey(strange, parseTypeKey(formatTypeKey(key)) ?? key)]).toEqual([id, id]);
    }
  });
});
