/** Compares the texts of every example byte for byte with those of the installed tools. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { TypeTable } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes, sampleNames, samplePath } from '#testing/samples.ts';
import { writeJson, writeRaw } from './btf-dump.ts';
import { type ByteText, gathered } from './byte-text.ts';
import { writeC } from './c-dump/dump.ts';
import { writePahole } from './pahole/pahole.ts';

type Text = {
  readonly title: string;
  readonly tool: string;
  readonly args: (file: string, base: string | null) => readonly string[];
  readonly write: (t: TypeTable, out: ByteText) => Generator<number, void>;
};

const bpftool = (...toolArgs: string[]) => ({
  tool: 'bpftool',
  args: (file: string, base: string | null) => [
    ...(toolArgs[0] === '-j' ? ['-j'] : []),
    ...(base === null ? [] : ['-B', base]),
    'btf',
    'dump',
    'file',
    file,
    ...toolArgs.filter((word) => word !== '-j'),
  ],
});

const INSTALLED = { bpftool: '7.1', pahole: '1.24' } as const;

const TEXTS: readonly Text[] = [
  { title: 'raw', ...bpftool('format', 'raw'), write: writeRaw },
  { title: 'json', ...bpftool('-j'), write: (t, out) => writeJson(t, out, INSTALLED) },
  { title: 'c', ...bpftool('format', 'c'), write: (t, out) => writeC(t, out, INSTALLED) },
  {
    title: 'pahole',
    tool: 'pahole',
    args: (file, base) => ['-F', 'btf', ...(base === null ? [] : [`--btf_base=${base}`]), file],
    write: (t, out) => writePahole(t, out, INSTALLED),
  },
];

/** File with the base of each split example. */
const BASES: ReadonlyMap<string, string> = new Map([['module.btf', 'kernel.btf']]);

/** Examples that the tools of Debian bookworm cannot read, with the reason. */
const BEYOND_THE_TOOLS: ReadonlyMap<string, string> = new Map([
  ['kinds_2026.btf', 'the encoding of 2026 is newer than the tools'],
  ['module.distilled.ko', 'a distilled base is newer than the tools'],
]);

async function tableOf(name: string): Promise<TypeTable> {
  const base = BASES.get(name);
  const options = base === undefined ? {} : { base: await tableOf(base), baseName: base };
  const { types } = await openModel(name, sampleBytes(name), options);
  if (types === null) throw new Error(`${name} has no types`);
  return types;
}

describe.each(TEXTS)('$title of the examples', ({ tool, args, write }) => {
  const isInstalled = spawnSync(tool, ['--version']).error === undefined;

  it.skipIf(!isInstalled).each(sampleNames().filter((name) => !BEYOND_THE_TOOLS.has(name)))(
    `equals what ${tool} prints of %s`,
    async (name) => {
      const base = BASES.get(name);
      const basePath = base === undefined ? null : samplePath(base);
      const theirs = spawnSync(tool, [...args(samplePath(name), basePath)], {
        maxBuffer: 1 << 28,
      });
      expect(theirs.status, theirs.stderr.toString()).toBe(0);
      const types = await tableOf(name);
      const ours = gathered((out) => {
        for (const _ of write(types, out)) {
          // The yields are ignored: the test needs no pauses.
        }
      });
      expect(Buffer.from(ours).toString('latin1')).toBe(theirs.stdout.toString('latin1'));
    },
  );
});

it('include/vmlinux.h, with which an example is compiled, is kernel.btf as C', async () => {
  const types = await tableOf('kernel.btf');
  const ours = gathered((out) => {
    for (const _ of writeC(types, out, INSTALLED)) {
      // The yields are ignored: the test needs no pauses.
    }
  });
  expect(Buffer.from(ours).equals(sampleBytes('src/include/vmlinux.h'))).toBe(true);
});
