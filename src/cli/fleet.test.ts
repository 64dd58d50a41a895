/**
 * Runs the ten questions of docs/fleet.md in DuckDB on an exported atlas. The rows must equal the
 * atlas's answers, and the results of a scan of each BTF.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareKernels } from '#analysis/atlas/kernel-name.ts';
import { type Answer, type Ask, answerOf } from '#analysis/atlas/questions.ts';
import { runQuery } from '#analysis/query/run-query.ts';
import { eachStoredRow, STORED_NAMES, storedColumns } from '#analysis/query/stored-tables.ts';
import { bufferSource } from '#bytes/source.ts';
import { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { typeId } from '#model/ids.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { corpusKernels, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { openDuckDb } from '#testing/duckdb.ts';
import {
  byteSize,
  type ScannedMember,
  scannedMembers,
  scannedPrototype,
  scannedValue,
  typesNamed,
  typeText,
} from '#testing/plain-scan.ts';
import { nodeIo } from './node-io.ts';
import { run } from './run.ts';

const document = readFileSync(
  fileURLToPath(new URL('../../docs/fleet.md', import.meta.url)),
  'utf8',
);
const [, views = ''] = /\n## DuckDB\n\n```sql\n(.*?)```/s.exec(document) ?? [];
const questions = [...document.matchAll(/\n### (\d+)\. ([^\n]*)\n.*?```sql\n(.*?)```/gs)].map(
  ([, number = '', title = '', sql = '']) => ({ number: Number(number), title, sql }),
);

/**
 * Names of the small kernels, with versions. One name has characters that are invalid in a folder's
 * name.
 */
const SMALL_NAMES = new Map([
  ['small-1-amd64', '6.1.0-9-amd64'],
  ['small-1-armhf', '6.1.0-10+deb12-armmp'],
  ['small-1-s390x', '6.1-rc3-s390x'],
  ['small-2-amd64', '6.12.117-amd64'],
  ['small-2-arm64', '6.12.9 (mine/own)=100%-arm64'],
  ['small-3-amd64', '6.18-amd64'],
]);

/** A kernel with few types, so that functions differ between the kernels. */
const OLD = {
  id: '5.4.0-old-amd64',
  bytes: btfBlob({
    types: [
      int('int', 4, { encoding: 1 }),
      struct('task_struct', 12, [
        { name: 'flags', type: 1, bitOffset: 0 },
        { name: 'pid', type: 1, bitOffset: 32 },
        { name: 'tgid', type: 1, bitOffset: 64 },
      ]),
    ],
  }).bytes,
};

const folder = mkdtempSync(join(tmpdir(), 'btfscope-fleet-'));
const kernels = new Map<string, TypeTable>();
let atlas: AtlasFile;
let rowsOf: (sql: string) => Promise<Record<string, unknown>[]>;

async function command(...words: string[]): Promise<void> {
  const lines: string[] = [];
  const io = { ...nodeIo, warn: (line: string) => lines.push(line) };
  expect({ status: await run(words, io), lines }).toEqual({ status: 0, lines: [] });
}

beforeAll(async () => {
  const manifest: { file: string; name: string }[] = [];
  mkdirSync(join(folder, 'k'));
  const all = corpusKernels().map((kernel) => ({ ...kernel, bytes: readCorpusFile(kernel) }));
  for (const { id, bytes } of [...all, ...(isLargeCorpus ? [] : [OLD])]) {
    const name = SMALL_NAMES.get(id) ?? id;
    const opened = await ingestBytes(name, bytes);
    if (opened.kind !== 'object' || opened.model.types === null) throw new Error(name);
    kernels.set(name, opened.model.types);
    writeFileSync(join(folder, 'k', `vmlinux-${id}.btf`), bytes);
    manifest.push({ file: `vmlinux-${id}.btf`, name });
  }
  const path = join(folder, 'fleet.btfatlas');
  const names = join(folder, 'names.json');
  writeFileSync(names, JSON.stringify(manifest));
  const build = ['atlas', 'build', '--questions-only'];
  await command(...build, path, join(folder, 'k'), '--manifest', names);
  await command('atlas', 'export', path, '--parquet', join(folder, 'fleet'));
  await command(...build, join(folder, 'again.btfatlas'), join(folder, 'fleet'));
  atlas = await AtlasFile.open(bufferSource('fleet', new Uint8Array(readFileSync(path))));
  rowsOf = await openDuckDb();
  for (const view of views.split(';\n').filter((each) => each.trim() !== '')) {
    await rowsOf(view.replace("'fleet/", `'${join(folder, 'fleet')}/`));
  }
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STRUCT = [BtfKind.STRUCT];
type Row = Readonly<Record<string, unknown>>;

async function asked(ask: Ask, name: string, item = ''): Promise<Answer> {
  return await answerOf(atlas, { ask, name, item });
}

/** Returns the rows of all kernels as a list, sorted by kernel name. */
function byName(rows: ReadonlyMap<string, Row>): Row[] {
  const names = [...rows.keys()].sort((a, b) => (a < b ? -1 : 1));
  return names.map((kernel) => ({ kernel, ...rows.get(kernel) }));
}

const answered = ({ kernels: found }: Answer) => new Map(Object.entries(found));

/** Scans the types of each kernel. Returns the result for each kernel, unless it is null. */
function scanned<T>(scan: (types: TypeTable) => T | null | undefined): Map<string, T> {
  const found = new Map<string, T>();
  for (const [name, types] of kernels) {
    const own = scan(types);
    if (own !== null && own !== undefined) found.set(name, own);
  }
  return found;
}

/** Returns each value with its number of kernels. The rows have no order. */
function counted(rows: Iterable<Row>): Row[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Array.from(counts, ([key, count]) => ({ ...JSON.parse(key), kernels: count }));
}

function memberScan(struct: string, member: string): Map<string, ScannedMember> {
  return scanned((types) => {
    const [id] = typesNamed(types, STRUCT, struct);
    return id && scannedMembers(types, id).find(({ name }) => name === member);
  });
}

const without = (have: ReadonlyMap<string, unknown>, all: Iterable<string>) =>
  [...all].filter((kernel) => !have.has(kernel)).sort();
const rowsOfKernels = (names: readonly string[]) => names.map((kernel) => ({ kernel }));
const allNames = () => atlas.directory.kernels.map(({ name }) => name);
const memberRow = ({ bit_offset, bits, type }: Row) => ({ bit_offset, bits, type_name: type });
const mapped = <T>(rows: ReadonlyMap<string, T>, row: (each: T) => Row) =>
  new Map(Array.from(rows, ([kernel, each]) => [kernel, row(each)]));

/** Per question of docs/fleet.md: the atlas's answer, and the rows from a scan of the kernels. */
const EXPECTED: Readonly<
  Record<number, { atlas: () => Promise<readonly Row[]>; scan: () => readonly Row[] }>
> = {
  1: {
    atlas: async () =>
      byName(mapped(answered(await asked('member', 'task_struct', 'pid')), memberRow)),
    scan: () =>
      byName(
        mapped(memberScan('task_struct', 'pid'), ({ bitOffset, bits, type }) => ({
          bit_offset: bitOffset,
          bits,
          type_name: type,
        })),
      ),
  },
  2: {
    atlas: async () => [{ kernel: (await asked('member', 'task_struct', '__state')).first }],
    scan: () => {
      const having = [...memberScan('task_struct', '__state').keys()].sort(compareKernels);
      return [{ kernel: having[0] }];
    },
  },
  3: {
    atlas: async () => {
      const { struct_but_no_member: lacking = [] } = await asked('member', 'task_struct', 'state');
      return rowsOfKernels(lacking.toSorted());
    },
    scan: () => rowsOfKernels(without(memberScan('task_struct', 'state'), kernels.keys())),
  },
  4: {
    atlas: async () => {
      const { layouts = {} } = await asked('struct', 'sk_buff');
      return Object.entries(layouts).map(([layout, own]) => ({ layout, kernels: own.length }));
    },
    // Compare the number of kernels per layout: layout ids differ between atlases.
    scan: () => {
      const layouts = scanned((types) => {
        const [id] = typesNamed(types, STRUCT, 'sk_buff');
        return id && { size: sizeOrTypeOf(types, id), members: scannedMembers(types, id) };
      });
      return counted(layouts.values()).map((row) => ({ kernels: row.kernels }));
    },
  },
  5: {
    atlas: async () =>
      byName(
        mapped(answered(await asked('struct', 'file')), ({ size, definitions }) => ({
          size,
          definitions,
        })),
      ),
    scan: () =>
      byName(
        scanned((types) => {
          const ids = typesNamed(types, STRUCT, 'file');
          const [id] = ids;
          return id && { size: sizeOrTypeOf(types, id), definitions: ids.length };
        }),
      ),
  },
  6: {
    atlas: async () => {
      const have = answered(await asked('func', 'bpf_task_acquire'));
      return rowsOfKernels(without(have, allNames()));
    },
    scan: () => {
      const have = scanned((types) => typesNamed(types, [BtfKind.FUNC], 'bpf_task_acquire')[0]);
      return rowsOfKernels(without(have, kernels.keys()));
    },
  },
  7: {
    atlas: async () =>
      counted(
        mapped(answered(await asked('func', 'vfs_read')), ({ prototype }) => ({
          prototype,
        })).values(),
      ),
    scan: () =>
      counted(
        scanned((types) => {
          const [id] = typesNamed(types, [BtfKind.FUNC], 'vfs_read');
          return id && { prototype: scannedPrototype(types, id) };
        }).values(),
      ),
  },
  8: {
    atlas: async () =>
      counted(
        mapped(answered(await asked('enumerator', 'pid_type', 'PIDTYPE_SID')), ({ value }) => ({
          value,
        })).values(),
      ),
    scan: () =>
      counted(
        scanned((types) => {
          const value = scannedValue(types, 'pid_type', 'PIDTYPE_SID');
          return value === null ? null : { value: Number(value) };
        }).values(),
      ),
  },
  9: {
    atlas: async () =>
      counted(
        mapped(answered(await asked('typedef', 'size_t')), ({ type, size }) => ({
          type_name: type,
          size,
        })).values(),
      ),
    scan: () =>
      counted(
        scanned((types) => {
          const [id] = typesNamed(types, [BtfKind.TYPEDEF], 'size_t');
          const target = typeId(id === undefined ? 0 : sizeOrTypeOf(types, id));
          return id && { type_name: typeText(types, target, ''), size: byteSize(types, target) };
        }).values(),
      ),
  },
  10: {
    atlas: async () => {
      const rows: Row[] = [];
      for (const name of everyMember()) {
        const found = await asked('member', 'task_struct', name);
        if (found.count !== kernels.size) continue;
        const offsets = Object.values(found.kernels).map(({ bit_offset }) => bit_offset);
        rows.push({ name, offsets: new Set(offsets).size });
      }
      return rows;
    },
    scan: () =>
      everyMember().flatMap((name) => {
        const found = memberScan('task_struct', name);
        const offsets = new Set(Array.from(found.values(), ({ bitOffset }) => bitOffset));
        return found.size === kernels.size ? [{ name, offsets: offsets.size }] : [];
      }),
  },
};

/** Returns the names of all members that `task_struct` has on any kernel. */
function everyMember(): string[] {
  const names = new Set<string>();
  for (const types of kernels.values()) {
    const [id] = typesNamed(types, STRUCT, 'task_struct');
    for (const { name } of id === undefined ? [] : scannedMembers(types, id)) names.add(name);
  }
  return [...names];
}

/** Returns the result of `sql` as the page's Query view computes it. */
async function queried(sql: string): Promise<Row[]> {
  const result = await runQuery(sql, [{ name: 'fleet', atlas }], {
    maxRows: 1_000_000,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  if (result.kind === 'error') throw new Error(result.message);
  const { columns, count } = result;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
  );
}

/** Returns the rows as sorted texts, so that their order does not matter. */
const sorted = (rows: readonly Row[], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort();

describe('docs/fleet.md', () => {
  it('has ten questions', () => {
    expect(questions.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each(questions)('$number: $title', { timeout: 600_000 }, async ({ number, sql }) => {
    const rows = await rowsOf(sql);
    expect(rows.length).toBeGreaterThan(0);
    const [first = {}] = rows;
    const expected = EXPECTED[number];
    const byAtlas = (await expected?.atlas()) ?? [];
    expect(sorted(rows, Object.keys(first))).toEqual(sorted(byAtlas, Object.keys(first)));
    const byScan = expected?.scan() ?? [];
    const columns = Object.keys(byScan[0] ?? {});
    expect(sorted(rows, columns)).toEqual(sorted(byScan, columns));
    // The page's query engine runs the same SQL on the atlas.
    const own = await queried(sql.trim().replace(/;$/, ''));
    expect(sorted(own, Object.keys(first))).toEqual(sorted(rows, Object.keys(first)));
  });

  it('has the columns of each table', () => {
    for (const table of STORED_NAMES) {
      const [, cells = ''] =
        new RegExp(`\\| \`${table}\` *\\|[^|]*\\|([^|]*)\\|`).exec(document) ?? [];
      const columns = [...cells.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      expect(columns).toEqual(storedColumns(table).map(({ name }) => name));
    }
  });
});

/** Returns one hash per kernel, over all its rows. */
async function digests(from: AtlasFile): Promise<string[]> {
  const hashes = from.directory.kernels.map(() => createHash('sha256'));
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
  await eachStoredRow(from, (kernel, row) => hashes[kernel]?.update(JSON.stringify(row, text)));
  return hashes.map((hash) => hash.digest('hex'));
}

describe('a set of Parquet files', () => {
  it('makes an atlas of the same kernels with the same definitions', {
    timeout: 600_000,
  }, async () => {
    const again = await AtlasFile.open(await nodeIo.open(join(folder, 'again.btfatlas')));
    const described = ({ directory }: AtlasFile) =>
      directory.kernels.map((kernel) => ({ ...kernel, block: null, base: -1 }));
    expect(described(again)).toEqual(described(atlas));
    expect(await digests(again)).toEqual(await digests(atlas));
  });

  it('is refused with a reason where a file is no Parquet, or lacks a column', async () => {
    if (isLargeCorpus) return;
    const place = join(folder, 'bad/kernels/kernel=a');
    mkdirSync(place, { recursive: true });
    const failing = async (bytes: Uint8Array) => {
      writeFileSync(join(place, 'kernels.parquet'), bytes);
      const lines: string[] = [];
      const io = { ...nodeIo, warn: (line: string) => lines.push(line) };
      const out = join(folder, 'bad.btfatlas');
      expect(await run(['atlas', 'build', out, join(folder, 'bad')], io)).toBe(1);
      return lines.join();
    };
    expect(await failing(new Uint8Array(100))).toMatch(
      /kernels\.parquet cannot be read as Parquet/,
    );
    const other = join(folder, 'fleet/modules/kernel=6.18-amd64/modules.parquet');
    expect(await failing(readFileSync(other))).toMatch(/there is no column version/);
  });
});
