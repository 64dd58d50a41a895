/** Compares the C dump of every object, kernel and module with bpftool's. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { ByteText, gathered } from '#print/byte-text.ts';
import {
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
import { tableOf } from '#testing/type-table.ts';
import { type COptions, writeC } from './dump.ts';

const BPFTOOL = 'bpftool';
const hasBpftool = spawnSync(BPFTOOL, ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Exit status of a golden that was cut at 8 MiB or 15 s. Such texts pad huge holes. */
const CUT = 124;
/** Objects that only bpftool 7.1 rejects: big-endian BTF with a header of 32 bytes. */
const REFUSED = ['linked__be-ABC', 'linked__hand-be-AB'];

/** Number of compared bytes of a golden that was cut: enough to test the padding. */
const PREFIX = 1 << 18;

/** Options for the installed version of bpftool. */
const INSTALLED: COptions = { bpftool: '7.1' };

function dumped(t: TypeTable, options: COptions): Uint8Array {
  const yielded: number[] = [];
  const bytes = gathered((out) => {
    for (const done of writeC(t, out, options)) yielded.push(done);
  });
  expect(yielded).toEqual(yielded.toSorted((a, b) => a - b));
  expect(yielded.at(-1)).toBe(lastId(t));
  return bytes;
}

/** Returns the first `length` bytes of the dump, or a few more, one character per byte. */
function dumpedPrefix(t: TypeTable, length: number): string {
  let text = '';
  const out = new ByteText((chunk) => {
    text += Buffer.from(chunk).toString('latin1');
  });
  for (const _ of writeC(t, out, INSTALLED)) if (text.length > length) break;
  out.end();
  return text;
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

/** Returns bpftool's output, or its first `length` bytes. `base` is the path of a base. */
function bpftool(blob: Uint8Array, base: string | null, length = 1 << 28): Uint8Array {
  const file = join(folder, 'types.btf');
  writeFileSync(file, blob);
  const args = [...(base === null ? [] : ['-B', base]), 'btf', 'dump', 'file', file, 'format', 'c'];
  return spawnSync(BPFTOOL, args, { maxBuffer: length }).stdout;
}

/** Yields the objects and random targets that have a golden. */
async function* entries(goldenFor: (id: string) => Golden | null) {
  for (const entry of [...corpusObjects(), ...corpusTargets()]) {
    const golden = goldenFor(entry.id);
    if (golden === null) continue;
    const { types } = await openModel(entry.name, readCorpusFile(entry));
    if (types !== null) yield { id: entry.id, golden, types };
  }
}

/** Goldens of bpftool 7.8 by order: sorted as in bpf-next, or unsorted. */
const goldenOf2026 = {
  sorted: (id: string) =>
    goldenOf(id, 'btf.c-next.txt', 'goldens-2026') ?? goldenOf(id, 'btf.c.txt', 'goldens-2026'),
  unsorted: (id: string) => goldenOf(id, 'btf.c-unsorted.txt', 'goldens-2026'),
};

describe.skipIf(!isLargeCorpus).each([
  ['7.1', (id: string) => goldenOf(id, 'btf.c.txt'), INSTALLED, REFUSED],
  ['7.8, sorted', goldenOf2026.sorted, {}, []],
  ['7.8, unsorted', goldenOf2026.unsorted, { unsorted: true }, []],
] as const)('bpftool %s', (_version, goldenFor, options, refusedByTool) => {
  it('prints the same of every object and random target', async () => {
    const different: string[] = [];
    const refused: string[] = [];
    let compared = 0;
    for await (const { id, golden, types } of entries(goldenFor)) {
      if (golden.rc === 0) {
        const text = new TextDecoder().decode(dumped(types, options));
        if (text !== golden.text) different.push(id);
        compared++;
      } else if (golden.rc !== CUT) {
        refused.push(id);
      }
    }
    expect(different).toEqual([]);
    expect(refused).toEqual(refusedByTool);
    expect(compared).toBeGreaterThan(600);
  }, 120_000);
});

it.skipIf(!isLargeCorpus || !hasBpftool)(
  'begins as bpftool does where that was cut',
  async () => {
    const different: string[] = [];
    let compared = 0;
    for await (const { id, golden, types } of entries((id) => goldenOf(id, 'btf.c.txt'))) {
      if (golden.rc !== CUT) continue;
      const theirs = Buffer.from(bpftool(types.blob, null, PREFIX)).subarray(0, PREFIX);
      const ours = dumpedPrefix(types, PREFIX).slice(0, PREFIX);
      if (ours !== theirs.toString('latin1')) different.push(id);
      compared++;
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(10);
  },
  60_000,
);

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
      expect(difference(dumped(table, INSTALLED), bpftool(bytes, null))).toBeNull();
      for (const module of modules.filter(({ name }) => name.startsWith(`${id}-`))) {
        const blob = readCorpusFile(module);
        expect(difference(dumped(tableOf(blob, table), INSTALLED), bpftool(blob, base))).toBeNull();
      }
    },
    60_000,
  );
});

describe.skipIf(!isLargeCorpus)('bpftool 7.8, sorted', () => {
  const withGolden = kernels.flatMap((kernel) => {
    const text = kernelGolden(kernel.id, 'btf.c-next.txt') ?? kernelGolden(kernel.id, 'btf.c.txt');
    return text === null ? [] : [{ kernel, text }];
  });

  it('was run on kernels', () => expect(withGolden.length).toBeGreaterThan(2));

  it.each(withGolden)('prints the same of kernel $kernel.id', ({ kernel, text }) => {
    const ours = dumped(tableOf(readCorpusFile(kernel)), {});
    expect(difference(ours, new TextEncoder().encode(text))).toBeNull();
  });
});

const CLANG = 'clang-19';
const hasClang = spawnSync(CLANG, ['--version']).status === 0;

describe.skipIf(!isLargeCorpus || !hasClang)('clang for BPF', () => {
  it.each([INSTALLED, {}])(
    'accepts the C of a kernel, of %j',
    (options) => {
      const file = join(folder, 'vmlinux.c');
      writeFileSync(file, dumped(tableOf(readCorpusFile(corpusKernel(kernelIds.third))), options));
      const args = ['-target', 'bpf', '-fsyntax-only', '-w', '-ferror-limit=3', file];
      const { status, stderr } = spawnSync(CLANG, args);
      expect({ status, errors: stderr.toString() }).toEqual({ status: 0, errors: '' });
    },
    60_000,
  );
});
