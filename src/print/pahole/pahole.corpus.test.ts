/** Compares whole files with goldens of pahole 1.24 and 1.31, and with an installed 1.24. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { gathered } from '#print/byte-text.ts';
import {
  atLeast,
  type CorpusFile,
  corpusEdges,
  corpusKernel,
  corpusKernels,
  corpusModules,
  corpusObjects,
  corpusTargets,
  isLargeCorpus,
  kernelIds,
  readCorpusFile,
} from '#testing/corpus.ts';
import { type Golden, goldenOf, kernelGolden } from '#testing/goldens.ts';
import { openModel } from '#testing/open-model.ts';
import { type PaholeOptions, paholeOf, writePahole } from './pahole.ts';

/** Options for the installed version of pahole. */
const INSTALLED: PaholeOptions = { pahole: '1.24' };
const hasPahole =
  spawnSync('pahole', ['--version'], { encoding: 'utf8' }).stdout?.trim() === 'v1.24';

const folder = mkdtempSync(join(tmpdir(), 'btfscope-pahole-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns pahole's output for a file; null if pahole rejects the file or crashes. */
function pahole(file: string, ...options: readonly string[]): Uint8Array | null {
  const limits = { maxBuffer: 1 << 28, timeout: 20_000 };
  const { status, stdout } = spawnSync('pahole', ['-F', 'btf', ...options, file], limits);
  return status === 0 ? stdout : null;
}

function placed(bytes: Uint8Array, name: string): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

function written(t: TypeTable, options = INSTALLED): Uint8Array {
  const yielded: number[] = [];
  const bytes = gathered((out) => {
    for (const done of writePahole(t, out, options)) yielded.push(done);
  });
  expect(yielded).toEqual(yielded.toSorted((a, b) => a - b));
  expect(yielded.at(-1)).toBe(t.count);
  return bytes;
}

/** Returns the place of the first difference and the text around it; null for equal texts. */
function difference(ours: Uint8Array, theirs: Uint8Array): string | null {
  if (Buffer.compare(ours, theirs) === 0) return null;
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at++;
  const around = (bytes: Uint8Array) =>
    JSON.stringify(new TextDecoder().decode(bytes.subarray(Math.max(0, at - 60), at + 60)));
  return `byte ${at}: ${around(ours)}, but pahole has ${around(theirs)}`;
}

async function typesIn(entry: CorpusFile, base?: TypeTable): Promise<TypeTable> {
  const options = base === undefined ? {} : { base };
  const { types } = await openModel(entry.name, readCorpusFile(entry), options);
  if (types === null) throw new Error(`${entry.name} has no types`);
  return types;
}

/** Returns the golden of 1.31, which exists only if it differs from that of 1.24. */
const goldenOf2026 = (id: string) =>
  goldenOf(id, 'pahole.txt', 'goldens-2026') ?? goldenOf(id, 'pahole.txt');

describe.each<[string, (id: string) => Golden | null, PaholeOptions]>([
  ['1.24', (id) => goldenOf(id, 'pahole.txt'), INSTALLED],
  ['1.31', goldenOf2026, {}],
])('goldens of pahole %s', (version, goldenFor, options) => {
  it.skipIf(!isLargeCorpus && version !== '1.24')(
    'are the texts of all objects',
    async () => {
      const different: string[] = [];
      let compared = 0;
      for (const entry of corpusObjects()) {
        const golden = goldenFor(entry.id);
        if (golden === null || golden.rc !== 0) continue;
        const text = new TextDecoder().decode(written(await typesIn(entry), options));
        if (text !== golden.text) different.push(entry.id);
        compared++;
      }
      expect(different).toEqual([]);
      expect(compared).toBeGreaterThan(atLeast({ large: 300, testdata: 50 }));
    },
    60_000,
  );
});

it.skipIf(!isLargeCorpus)(
  'the text of a kernel is that of pahole 1.31',
  async () => {
    const withGolden = corpusKernels().flatMap((kernel) => {
      const text = kernelGolden(kernel.id, 'pahole.txt');
      return text === null ? [] : [{ kernel, text }];
    });
    expect(withGolden.length).toBeGreaterThan(0);
    for (const { kernel, text } of withGolden) {
      const ours = written(await typesIn(kernel), {});
      expect(difference(ours, new TextEncoder().encode(text)), kernel.id).toBeNull();
    }
  },
  60_000,
);

describe.skipIf(!hasPahole)('the installed pahole', () => {
  const kernels = corpusKernels();

  it.each(kernels)(
    'is the text of the kernel $id',
    async (entry) => {
      const theirs = pahole(placed(readCorpusFile(entry), entry.name));
      const ours = written(await typesIn(entry));
      expect(theirs && difference(ours, theirs)).toBeNull();
    },
    30_000,
  );

  it.each([kernelIds.first, kernelIds.second, kernelIds.secondArm64])(
    'is the text of modules of %s on their base',
    async (id) => {
      const kernel = kernels.find((entry) => entry.id === id);
      if (kernel === undefined) throw new Error(`no kernel ${id}`);
      const base = await typesIn(kernel);
      const baseFile = placed(readCorpusFile(kernel), kernel.name);
      const modules = corpusModules().filter(
        (m) => m.name.startsWith(id) && m.name.endsWith('.btf'),
      );
      expect(modules.length).toBeGreaterThan(0);
      for (const entry of modules) {
        const theirs = pahole(placed(readCorpusFile(entry), entry.name), '--btf_base', baseFile);
        const ours = written(await typesIn(entry, base));
        expect(theirs && difference(ours, theirs), entry.name).toBeNull();
      }
    },
    60_000,
  );

  it.skipIf(!isLargeCorpus)(
    'is the text of random targets, and of files at the edge that both of us read whole',
    async () => {
      const different: string[] = [];
      let compared = 0;
      const edges = corpusEdges().filter(
        (edge) => edge.kind === 'btf' && edge.base === null && edge.accept === 'ok',
      );
      for (const entry of [...corpusTargets(), ...edges]) {
        const theirs = pahole(placed(readCorpusFile(entry), entry.name));
        if (theirs === null) continue;
        const why = difference(written(await typesIn(entry)), theirs);
        if (why !== null) different.push(`${entry.id}: ${why}`);
        compared++;
      }
      expect(different).toEqual([]);
      expect(compared).toBeGreaterThan(100);
    },
    60_000,
  );

  it('prints one type by its name', async () => {
    const entry = corpusKernel(kernelIds.third);
    const types = await typesIn(entry);
    const file = placed(readCorpusFile(entry), entry.name);
    const idsByName = new Map<string, number>();
    for (const name of ['task_struct', 'siginfo', 'kuid_t', 'rcu_special', 'pid_type', 'bool']) {
      for (let id = 1; id <= types.count && !idsByName.has(name); id++) {
        const isWanted =
          nameOf(types, typeId(id)) === name && SEARCHED.has(kindOf(types, typeId(id)));
        if (isWanted) idsByName.set(name, id);
      }
    }
    expect(idsByName.size).toBe(6);
    for (const [name, id] of idsByName) {
      const theirs = pahole(file, '-C', name);
      expect(paholeOf(types, typeId(id), INSTALLED), name).toBe(
        theirs && new TextDecoder().decode(theirs),
      );
    }
  }, 30_000);
});

/** Kinds of types that `pahole -C` finds by name. */
const SEARCHED: ReadonlySet<number> = new Set([
  BtfKind.STRUCT,
  BtfKind.UNION,
  BtfKind.ENUM,
  BtfKind.TYPEDEF,
]);
