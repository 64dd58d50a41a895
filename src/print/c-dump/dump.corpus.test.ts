/** The C of whole files, of every object, kernel and module, against what bpftool prints. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { ByteText, gathered } from '#print/byte-text.ts';
import {
  corpusKernels,
  corpusModules,
  corpusObjects,
  corpusTargets,
  isLargeCorpus,
  readCorpusFile,
} from '#testing/corpus.ts';
import { goldenOf } from '#testing/goldens.ts';
import { openModel } from '#testing/open-model.ts';
import { tableOf } from '#testing/type-table.ts';
import { writeC } from './dump.ts';

const BPFTOOL = 'bpftool';
const hasBpftool = spawnSync(BPFTOOL, ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Exit status of goldens that were cut at 8 MiB or 15 s: huge holes, filled with padding. */
const CUT = 124;
/** Objects of which bpftool 7.1 prints no types, while we do: a big-endian blob with a header of 32 bytes. */
const REFUSED = ['linked__be-ABC', 'linked__hand-be-AB'];

/** Enough to see that padding goes on as in the tool, whose text nobody has kept beyond 8 MiB. */
const PREFIX = 1 << 18;

function dumped(t: TypeTable): Uint8Array {
  const yielded: number[] = [];
  const bytes = gathered((out) => {
    for (const done of writeC(t, out)) yielded.push(done);
  });
  expect(yielded).toEqual(yielded.toSorted((a, b) => a - b));
  expect(yielded.at(-1)).toBe(lastId(t));
  return bytes;
}

/** At least the first `length` bytes of the dump, a character each. */
function dumpedPrefix(t: TypeTable, length: number): string {
  let text = '';
  const out = new ByteText((chunk) => {
    text += Buffer.from(chunk).toString('latin1');
  });
  for (const _ of writeC(t, out)) if (text.length > length) break;
  out.end();
  return text;
}

/** Where two texts part and what stands there; null when they are the same. */
function difference(ours: Uint8Array, theirs: Uint8Array): string | null {
  if (Buffer.compare(ours, theirs) === 0) return null;
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at++;
  const around = (bytes: Uint8Array) =>
    JSON.stringify(new TextDecoder().decode(bytes.subarray(Math.max(0, at - 60), at + 40)));
  return `byte ${at}: ${around(ours)}, but bpftool has ${around(theirs)}`;
}

/** What bpftool prints for a blob, or the beginning of it; `base` is the path of that of split BTF. */
function bpftool(blob: Uint8Array, base: string | null, length = 1 << 28): Uint8Array {
  const file = join(folder, 'types.btf');
  writeFileSync(file, blob);
  const args = [...(base === null ? [] : ['-B', base]), 'btf', 'dump', 'file', file, 'format', 'c'];
  return spawnSync(BPFTOOL, args, { maxBuffer: length }).stdout;
}

/** Objects and random targets with what bpftool said of them. */
async function* entries() {
  for (const entry of [...corpusObjects(), ...corpusTargets()]) {
    const golden = goldenOf(entry.id, 'btf.c.txt');
    const { types } = await openModel(entry.name, readCorpusFile(entry));
    if (golden !== null && types !== null) yield { id: entry.id, golden, types };
  }
}

it.skipIf(!isLargeCorpus)(
  'is the golden of every object and random target',
  async () => {
    const different: string[] = [];
    const refused: string[] = [];
    let compared = 0;
    for await (const { id, golden, types } of entries()) {
      if (golden.rc === 0) {
        const text = new TextDecoder().decode(dumped(types));
        if (text !== golden.text) different.push(id);
        compared++;
      } else if (golden.rc !== CUT) {
        refused.push(id);
      }
    }
    expect(different).toEqual([]);
    expect(refused).toEqual(REFUSED);
    expect(compared).toBeGreaterThan(200);
  },
  60_000,
);

it.skipIf(!isLargeCorpus || !hasBpftool)(
  'begins as bpftool does where that was cut',
  async () => {
    const different: string[] = [];
    let compared = 0;
    for await (const { id, golden, types } of entries()) {
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
      expect(difference(dumped(table), bpftool(bytes, null))).toBeNull();
      for (const module of modules.filter(({ name }) => name.startsWith(`${id}-`))) {
        const blob = readCorpusFile(module);
        expect(difference(dumped(tableOf(blob, table)), bpftool(blob, base))).toBeNull();
      }
    },
    60_000,
  );
});
