/**
 * Compares load verdicts with real loads through libbpf 1.8 on eight kernels from 5.10 to 7.3:
 * `verifier/other-kernels/` of the large corpus. No modules were loaded there, and there was no
 * configuration file, so that objects with kernel options fail for its lack.
 */
import { describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { type LoadObject, loadObject } from '#analysis/libbpf/open.ts';
import { corpusRows, isLargeCorpus, readCorpusFile, readCorpusText } from '#testing/corpus.ts';
import type { JsonRow } from '#testing/json-row.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { isContradicted, kernelRefusal, type RealLoad, toldOf } from '#testing/real-loads.ts';

const FOLDER = 'verifier/other-kernels';
const BTF = `${FOLDER}/btf`;

/** Folder of each kernel, and its BTF. */
const KERNELS: readonly (readonly [string, string])[] = [
  ['5.10.0-32', `${BTF}/vmlinux-5.10.0-32-cloud-amd64.btf.zst`],
  ['6.1.0-50', `${BTF}/vmlinux-6.1.0-50-cloud-amd64.btf.zst`],
  ['6.12.95', `${BTF}/vmlinux-6.12.95+deb12-cloud-amd64.btf.zst`],
  ['6.16.12', `${BTF}/vmlinux-6.16.12+deb13-cloud-amd64.btf.zst`],
  ['6.18.15', 'kernels/vmlinux-6.18.15+deb13-cloud-amd64.btf.zst'],
  ['7.1.13', `${BTF}/vmlinux-7.1.13+deb13-cloud-amd64.btf.zst`],
  ['7.2.12', `${BTF}/vmlinux-7.2.12+deb13-cloud-amd64.btf.zst`],
  ['7.3.4', `${BTF}/vmlinux-7.3.4+deb13-cloud-amd64.btf.zst`],
];

const file = (path: string) => ({ id: path, name: path.replace(/^.*\/|\.zst$/g, ''), file: path });

/** Returns a kernel as it was booted. Its symbols are not known. */
async function openKernel(folder: string, btf: string): Promise<LoadKernel> {
  const { types } = await openModel(folder, readCorpusFile(file(btf)));
  const [, release = '', unameVersion = ''] =
    /^Linux version (\S+) .*\) (#\d+ .*)$/m.exec(
      readCorpusText(`${FOLDER}/${folder}/system.txt`),
    ) ?? [];
  if (types === null || release === '') throw new Error(`${folder} has no types or release`);
  return {
    name: folder,
    vmlinux: types,
    modules: [],
    config: 'none',
    kallsyms: null,
    release,
    unameVersion,
  };
}

const objects = new Map<string, Promise<LoadObject>>();

function objectOf(path: string): Promise<LoadObject> {
  const known = objects.get(path);
  if (known !== undefined) return known;
  const opened = openObject(file(path).name, readCorpusFile(file(path))).then(({ model, source }) =>
    loadObject(model, source),
  );
  objects.set(path, opened);
  return opened;
}

/** Returns what happened when an object was loaded whole. */
function wholeLoad(row: JsonRow): RealLoad {
  if (!row.has('stops_at')) return 'loads';
  if (row.text('stops_at') === 'open') return 'open fails';
  const lines = row.list('text').flatMap((one) => (Array.isArray(one) ? String(one[1]) : []));
  return kernelRefusal(lines) === null ? 'libbpf refuses' : 'kernel refuses';
}

/** Returns what happened when a program was loaded alone; `whole`: when its object was. */
function aloneLoad(row: JsonRow, whole: RealLoad | undefined): RealLoad | null {
  if (!row.has('rc')) return null;
  if (row.number('rc') === 0) return 'loads';
  if (row.number('calls') > 0) return 'kernel refuses';
  // The row does not tell whether libbpf or the kernel stopped before the program.
  return whole === undefined || whole === 'loads' ? null : whole;
}

type Load = { readonly path: string; readonly only: string | null; readonly real: RealLoad };

function* loadsOf(folder: string): Generator<Load> {
  const wholes = new Map<string, RealLoad>();
  for (const row of corpusRows(`${FOLDER}/${folder}/load-objects.jsonl.zst`)) {
    const path = `load2/objects/${row.text('object')}.o`;
    const real = wholeLoad(row);
    wholes.set(path, real);
    yield { path, only: null, real };
  }
  for (const row of corpusRows(`${FOLDER}/${folder}/load-programs.jsonl.zst`)) {
    const path = `load2/${row.text('object')}`;
    const real = aloneLoad(row, wholes.get(path));
    if (real !== null) yield { path, only: row.text('prog'), real };
  }
  for (const row of corpusRows(`${FOLDER}/${folder}/loads.jsonl`)) {
    // Options change how the object is loaded; the second level of the log gives the same result.
    if (row.text('opts') !== '' || row.text('level') !== '1') continue;
    const real = aloneLoad(row, undefined);
    if (real === null) continue;
    yield { path: `verifier/${row.text('object')}`, only: row.text('prog'), real };
  }
}

describe.skipIf(!isLargeCorpus)('real loads', () => {
  it.each(KERNELS)(
    'do not contradict verdicts on %s',
    async (folder, btf) => {
      const kernel = await openKernel(folder, btf);
      const contradictions: string[] = [];
      let compared = 0;
      for (const { path, only, real } of loadsOf(folder)) {
        const object = await objectOf(path);
        const programs = object.programs.map((one) =>
          only === null ? one : { ...one, autoload: one.name === only },
        );
        const told = toldOf(judgeLoad({ ...object, programs }, kernel));
        compared++;
        if (!isContradicted(told, real)) continue;
        contradictions.push(
          `${path} ${only ?? ''}: ${told.first}, but ${real}: ${told.texts.at(-1)}`,
        );
      }
      expect(compared).toBeGreaterThan(500);
      expect(contradictions).toEqual([]);
    },
    120_000,
  );
});
