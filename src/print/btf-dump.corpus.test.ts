/** Compares raw and JSON dumps of whole files with bpftool's. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
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
  ptr,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import {
  type CorpusFile,
  corpusEdges,
  corpusKernels,
  corpusModules,
  corpusObjects,
  corpusRows,
  corpusTargets,
  isLargeCorpus,
  readCorpusFile,
  readCorpusText,
} from '#testing/corpus.ts';
import { type GoldenName, goldenOf } from '#testing/goldens.ts';
import { openModel } from '#testing/open-model.ts';
import { tableOf } from '#testing/type-table.ts';
import { writeJson, writeRaw } from './btf-dump.ts';
import { type ByteText, gathered } from './byte-text.ts';

type Format = {
  readonly golden: GoldenName;
  readonly write: (t: TypeTable, out: ByteText) => Generator<number, void>;
  /** Arguments of bpftool before and after the path of the file. */
  readonly before: readonly string[];
  readonly behind: readonly string[];
};

/** Writes JSON as the installed bpftool does. */
const json71 = (t: TypeTable, out: ByteText) => writeJson(t, out, { bpftool: '7.1' });

const formats: readonly Format[] = [
  { golden: 'btf.raw.txt', write: writeRaw, before: [], behind: ['format', 'raw'] },
  { golden: 'btf.json', write: json71, before: ['-j'], behind: [] },
];

/** Writers of the formats in which bpftool 7.8 differs from 7.1. */
const golden2026: Partial<Record<GoldenName, Format['write']>> = { 'btf.json': writeJson };

const LAST = 0xffffffff;
const ODD = 'a\t\n\r\f\b\\"\'/\x01\x1f\x7f\v\x07é€<>&% ';
const OUTSIDE = 999_999;

/** Types of every kind, with extreme values, unusual names, and ids that do not exist. */
const oddTypes: readonly TypeRecord[] = [
  int(ODD, 4, { encoding: 1 }),
  ...Array.from({ length: 16 }, (_, encoding) =>
    int('int', 4, { encoding, bits: 5, bitOffset: 255 }),
  ),
  struct('flagged', 8, [
    { name: 'a', type: 1, bitOffset: 0, bitfieldSize: 3 },
    { name: '', type: 1, bitOffset: 0xffffff, bitfieldSize: 255 },
    { name: 'b', type: 1, bitOffset: 32, bitfieldSize: 0 },
  ]),
  struct(ODD, LAST, [
    { name: ODD, type: 1, bitOffset: 0 },
    { name: OUTSIDE, type: LAST, bitOffset: LAST },
  ]),
  struct('empty', 0, []),
  union('', 4, [{ name: 'u', type: 2, bitOffset: 8 }]),
  enumeration('unsigned', [
    ['A', -1],
    ['B', 0x7fffffff],
  ]),
  enumeration(
    'signed',
    [
      ['A', -1],
      ['B', -0x80000000],
    ],
    { signed: true, size: 1 },
  ),
  enumeration('empty', []),
  enum64('unsigned', [
    ['A', -1n],
    ['B', 0x100000000n],
    [ODD, 0n],
  ]),
  enum64(
    'signed',
    [
      ['A', -1n],
      ['B', -(1n << 63n)],
      ['C', (1n << 63n) - 1n],
    ],
    { signed: true },
  ),
  enum64('empty', []),
  // Items of .bss: a name that needs escapes, no name, void, a missing type, and two other types.
  datasec('.bss', LAST, [
    [1, 0, 4],
    [OUTSIDE, 4, 4],
    [0, LAST, LAST],
    [LAST, 0, 0],
    [21, 0, 0],
    [30, 1, 2],
  ]),
  datasec('.empty', 4, []),
  ...[0, 1, 2, 3, LAST].map((linkage) => variable('v', 1, linkage)),
  ...[0, 1, 2, 3, 0xffff].map((linkage) => func('f', 1, linkage)),
  funcProto(LAST, [
    [ODD, LAST],
    ['', 0],
  ]),
  funcProto(0),
  fwd('u', 'union'),
  fwd('', 'struct'),
  ...[-1, 0, 7, -0x80000000, 0x7fffffff].map((index) => declTag(ODD, 3, index)),
  float(OUTSIDE, 8),
  typeTag('user', 1),
  array(1, 2, 3),
  array(LAST, LAST - 1, LAST - 2),
  ptr(0),
  modifier('const', LAST),
  modifier('volatile', 1_000_000_000),
  modifier('restrict', 999_999_999),
  typedef('t', 0x80000000),
];

const BPFTOOL = 'bpftool';
const hasBpftool = spawnSync(BPFTOOL, ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the whole dump. Expects that the final yielded count is the number of types of `t`. */
function dump(t: TypeTable, { write }: Format): Uint8Array {
  const yielded: number[] = [];
  const bytes = gathered((out) => {
    for (const done of write(t, out)) yielded.push(done);
  });
  expect(yielded).toEqual(yielded.toSorted((a, b) => a - b));
  expect(yielded.at(-1) ?? 0).toBe(t.count);
  return bytes;
}

/** Returns bpftool's output for a blob. `base` is the path of the base of split BTF, or null. */
function bpftool(blob: Uint8Array, { before, behind }: Format, base: string | null): Uint8Array {
  const file = join(folder, 'types.btf');
  writeFileSync(file, blob);
  const args = [...(base === null ? [] : ['-B', base]), ...before, 'btf', 'dump', 'file', file];
  return execFileSync(BPFTOOL, [...args, ...behind], { maxBuffer: 1 << 28 });
}

/** Returns the place of the first difference and the text around it; null for equal texts. */
function difference(ours: Uint8Array, theirs: Uint8Array): string | null {
  if (Buffer.compare(ours, theirs) === 0) return null;
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at++;
  const around = (bytes: Uint8Array) =>
    JSON.stringify(new TextDecoder().decode(bytes.subarray(Math.max(0, at - 60), at + 40)));
  return `byte ${at}: ${around(ours)}, but bpftool has ${around(theirs)}`;
}

describe.each(formats)('$golden', (format) => {
  it.skipIf(!isLargeCorpus)(
    'is the golden of every object and random target',
    async () => {
      const different: string[] = [];
      let compared = 0;
      for (const entry of [...corpusObjects(), ...corpusTargets()]) {
        const golden = goldenOf(entry.id, format.golden);
        if (golden === null || golden.rc !== 0) continue;
        const { types } = await openModel(entry.name, readCorpusFile(entry));
        const text = types === null ? '' : new TextDecoder().decode(dump(types, format));
        if (text !== golden.text) different.push(entry.id);
        compared++;
      }
      expect(different).toEqual([]);
      expect(compared).toBeGreaterThan(200);
    },
    60_000,
  );

  it.skipIf(!isLargeCorpus)(
    'is what bpftool 7.8 prints of every object and random target',
    async () => {
      const newest = { ...format, write: golden2026[format.golden] ?? format.write };
      const different: string[] = [];
      let compared = 0;
      for (const entry of [...corpusObjects(), ...corpusTargets()]) {
        const { golden: name } = format;
        const golden = goldenOf(entry.id, name, 'goldens-2026') ?? goldenOf(entry.id, name);
        if (golden === null || golden.rc !== 0) continue;
        const { types } = await openModel(entry.name, readCorpusFile(entry));
        const text = types === null ? '' : new TextDecoder().decode(dump(types, newest));
        if (text !== golden.text) different.push(entry.id);
        compared++;
      }
      expect(different).toEqual([]);
      expect(compared).toBeGreaterThan(300);
    },
    60_000,
  );

  it('is the same in either byte order', () => {
    const [little, big] = (['little', 'big'] as const).map((endian) =>
      dump(tableOf(btfBlob({ types: oddTypes, endian }).bytes), format),
    );
    expect(little).toEqual(big);
  });

  it.skipIf(!hasBpftool)('is what the tool prints for odd names, numbers and ids', () => {
    const { bytes } = btfBlob({ types: oddTypes });
    const ours = dump(tableOf(bytes), format);
    expect(difference(ours, bpftool(bytes, format, null))).toBeNull();
    const empty = btfBlob().bytes;
    expect(dump(tableOf(empty), format)).toEqual(new Uint8Array(bpftool(empty, format, null)));
  });

  it.skipIf(!hasBpftool)('is what the tool prints for split BTF', () => {
    const base = btfBlob({ types: oddTypes }).bytes;
    const table = tableOf(base);
    const { bytes } = btfBlob({ types: oddTypes, baseStringLength: table.strEnd - table.strStart });
    const file = join(folder, 'base.btf');
    writeFileSync(file, base);
    const ours = dump(tableOf(bytes, table), format);
    expect(difference(ours, bpftool(bytes, format, file))).toBeNull();
  });
});

it('has the golden raw text of the edge files', () => {
  const edges = corpusEdges().filter((edge) => edge.kind === 'btf');
  const different: string[] = [];
  let compared = 0;
  for (const edge of edges) {
    // The bpftool of this golden reads only 16 bits of vlen.
    if (!edge.row.has('golden_raw') || edge.name === 'btf_vlen_reserved_bits.btf') continue;
    const base = edges.find((other) => other.name === edge.base);
    if (edge.base !== null && base === undefined) continue;
    const baseTable = base === undefined ? null : tableOf(readCorpusFile(base));
    const [raw] = formats;
    const ours = raw === undefined ? null : dump(tableOf(readCorpusFile(edge), baseTable), raw);
    const golden = readCorpusText(edge.row.text('golden_raw'));
    if (ours === null || new TextDecoder().decode(ours) !== golden) different.push(edge.name);
    compared++;
  }
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(20);
}, 60_000);

const kernels = corpusKernels();
const modules = corpusModules().filter(({ name }) => name.endsWith('.btf'));

describe.skipIf(!hasBpftool)('bpftool on this machine', () => {
  it.each(kernels.map((kernel) => [kernel.id, kernel] as const))(
    'prints the same of kernel %s and its modules',
    (id, kernel) => {
      const bytes = readCorpusFile(kernel);
      const base = join(folder, 'base.btf');
      writeFileSync(base, bytes);
      const table = tableOf(bytes);
      expectSame(table, bytes, null);
      for (const module of modules.filter(({ name }) => name.startsWith(`${id}-`))) {
        const blob = readCorpusFile(module);
        expectSame(tableOf(blob, table), blob, base);
      }
    },
    60_000,
  );

  it.skipIf(!isLargeCorpus)('finds the kernel of every module', () => {
    const belongs = (module: CorpusFile) =>
      kernels.some(({ id }) => module.name.startsWith(`${id}-`));
    expect(modules.filter((module) => !belongs(module))).toEqual([]);
    expect(modules.length).toBeGreaterThan(5);
  });
});

function expectSame(t: TypeTable, blob: Uint8Array, base: string | null): void {
  for (const format of formats) {
    expect(difference(dump(t, format), bpftool(blob, format, base))).toBeNull();
  }
}

it.runIf(isLargeCorpus).each(formats)('$golden of inlined functions is the golden', (format) => {
  const blobOf = (name: string) => readCorpusFile({ id: name, name, file: `inline/${name}` });
  const different: string[] = [];
  let compared = 0;
  for (const row of corpusRows('inline/index.jsonl')) {
    const goldens = row.row('goldens');
    const key = format.golden.replace('btf.', '');
    const file = row.text('file');
    if (!goldens.has(key) || !file.endsWith('.btf')) continue;
    let base: TypeTable | null = null;
    for (const name of row.texts('base')) base = tableOf(blobOf(name), base);
    const text = new TextDecoder().decode(dump(tableOf(blobOf(file), base), format));
    if (text !== readCorpusText(`inline/${goldens.text(key)}`)) different.push(file);
    compared++;
  }
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(40);
});
