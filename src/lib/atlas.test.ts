/** Compares the library's requests to an atlas with the command's answers. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runCommand } from '#testing/run-command.ts';
import { sampleBytes } from '#testing/samples.ts';
import { type AtlasAnswer, Malformed, open, openAtlas, type Progress, rawText } from './main.ts';

function read(path: string): Uint8Array {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)));
}

const KERNELS = [1, 2, 3].map((i) => `testdata/kernels/vmlinux-small-${i}-amd64.btf.zst`);
const [FIRST = '', SECOND = ''] = KERNELS;
const MODULE = 'testdata/kernels/modules/small-1-amd64-veth.btf';

type Files = ReadonlyMap<string, Uint8Array>;

/** Returns the atlas that `btfscope atlas build` writes for `paths`. */
async function built(paths: readonly string[], files: Files): Promise<Uint8Array> {
  const { err, saved } = await runCommand(['atlas', 'build', 'a.btfatlas', ...paths], files);
  expect(err).toEqual([]);
  return saved.get('a.btfatlas') ?? new Uint8Array(0);
}

/** An atlas of two kernels; the first kernel has a module. */
const bytes = await built(
  ['lib', 'vmlinux-6.2.btf.zst'],
  new Map([
    ['lib/modules/6.1/vmlinux', read(FIRST)],
    ['lib/modules/6.1/veth.btf', read(MODULE)],
    ['vmlinux-6.2.btf.zst', read(SECOND)],
  ]),
);
const atlas = await openAtlas(bytes, { name: 'a.btfatlas' });

async function printed(...question: string[]) {
  const words = ['atlas', 'ask', 'a.btfatlas', ...question, '--json'];
  return JSON.parse((await runCommand(words, new Map([['a.btfatlas', bytes]]))).out);
}

/** Expects that the library's answer is part of the command's answer. Some field names differ. */
async function expectAnswer<T>(
  given: AtlasAnswer<T>,
  question: readonly string[],
  as: (row: T) => object,
): Promise<void> {
  const { kernels } = await printed(...question);
  expect([...given.kernels.keys()]).toEqual(Object.keys(kernels));
  expect(given.kernels.size).toBeGreaterThan(0);
  for (const [name, row] of given.kernels) {
    const { module, modules } = row;
    expect(kernels[name]).toMatchObject(as(row));
    expect(kernels[name].module ?? null).toBe(module);
    expect(kernels[name].modules ?? []).toEqual(modules);
  }
  const all = atlas.kernels.map(({ name }) => name);
  expect(given.missing).toEqual(all.filter((name) => !given.kernels.has(name)));
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Malformed) return error.issue.code;
    throw error;
  }
  return 'none';
}

describe('an atlas', () => {
  it('has its kernels, oldest first', () => {
    expect(atlas.kernels.map(({ name, version }) => [name, version])).toEqual([
      ['6.1', '6.1'],
      ['6.2', '6.2'],
    ]);
  });

  it('answers as the command', async () => {
    const sizes = (row: { size: number; memberCount: number; layout: string }) => {
      const { memberCount: members, ...rest } = row;
      return { size: rest.size, members, layout: rest.layout };
    };
    for (const name of ['task_struct', 'veth_only']) {
      await expectAnswer(await atlas.type(name), ['type', name], sizes);
    }
    for (const name of ['tgid', '__state']) {
      const answer = await atlas.member('task_struct', name);
      await expectAnswer(answer, ['member', `task_struct.${name}`], (row) => ({
        bit_offset: row.bitOffset,
        bits: row.bitSize,
        type: row.type,
      }));
    }
    const func = await atlas.func('veth_xmit');
    await expectAnswer(func, ['func', 'veth_xmit'], ({ prototype }) => ({ prototype }));
    expect(func.kernels.get('6.1')?.module).toBe('veth');
    await expectAnswer(await atlas.typedef('pid_t'), ['typedef', 'pid_t'], (row) => ({
      type: row.type,
      size: row.size,
    }));
    const { forms } = await printed('history', 'pid_type');
    expect(await atlas.history('pid_type')).toMatchObject({
      kind: 'enum',
      name: 'pid_type',
      forms,
    });
    await expectAnswer(
      await atlas.enumerator('pid_type', 'PIDTYPE_PID'),
      ['enumerator', 'pid_type.PIDTYPE_PID'],
      ({ value }) => ({ value: Number(value) }),
    );
  });

  it('answers that no kernel has a name', async () => {
    const missing = ['6.1', '6.2'];
    expect(await atlas.type('no_such')).toEqual({ kernels: new Map(), missing });
    expect((await atlas.member('task_struct', 'no_such')).missing).toEqual(missing);
    expect(await atlas.history('no_such')).toBeNull();
  });

  it('gives its kernels as files', async () => {
    const { name, types } = await atlas.open('6.2');
    expect(name).toBe('6.2');
    expect(rawText(types)).toBe(rawText((await open(read(SECOND))).types));
    expect(await refusal(atlas.open('6.3'))).toBe('atlas.no-kernel');
  });

  it('is refused by open, as other files are by openAtlas', async () => {
    expect(await refusal(open(bytes))).toBe('file.atlas');
    expect(await refusal(openAtlas(read(FIRST)))).toBe('atlas.magic');
    expect(await refusal(openAtlas(bytes.subarray(0, 60)))).toMatch(/^atlas\./);
    expect((await openAtlas(gzipSync(bytes))).kernels).toEqual(atlas.kernels);
    // `openAtlas` reads a `Buffer` like other bytes, and does not change it.
    const buffer = Buffer.from(bytes);
    const source = {
      name: 'a',
      size: bytes.length,
      read: async (s: number, e: number) => buffer.subarray(s, e),
    };
    for (const input of [buffer, source]) {
      expect((await openAtlas(input)).kernels).toEqual(atlas.kernels);
    }
    expect(buffer.equals(bytes)).toBe(true);
  });

  it('of the example is what docs/library.md says that it is', async () => {
    const made = await built(KERNELS, new Map(KERNELS.map((path) => [path, read(path)])));
    expect(Buffer.from(made).equals(read('docs/examples/kernels.btfatlas'))).toBe(true);
  });
});

describe('opening', () => {
  // BTF with trailing bytes, so long that it is unpacked in several slices.
  const long = Buffer.alloc(60_000_000, 'bytes behind the strings ');
  long.set(sampleBytes('kernel.btf'));
  const packed = gzipSync(long);

  it('tells its progress', async () => {
    const told: Progress[] = [];
    const { types } = await open(packed, { onProgress: (progress) => told.push(progress) });
    expect(types.count).toBe(82);
    const steps = told.filter(({ step }) => step === 'unpacking gzip');
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.at(-1)?.total).toBe(packed.length);
    const done = steps.map((each) => each.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBeGreaterThan(0);
  });

  it('is stopped by a signal, at any time', async () => {
    const stopped = new Error('stopped');
    const signal = AbortSignal.abort(stopped);
    await expect(open(packed, { signal })).rejects.toBe(stopped);
    await expect(openAtlas(bytes, { signal })).rejects.toBe(stopped);
    const later = new AbortController();
    const onProgress = ({ done }: Progress) => done > 0 && later.abort(stopped);
    await expect(open(packed, { signal: later.signal, onProgress })).rejects.toBe(stopped);
  });
});
