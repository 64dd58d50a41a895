/** Compares minimal BTF byte for byte with the output of the installed bpftool. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { resolveObject } from '#analysis/core/resolve.ts';
import { ORACLE_PARTS, type OracleRun, oracleRuns } from '#testing/core-oracle.ts';
import { atLeast, corpusObjects, kernelIds, readCorpusFile } from '#testing/corpus.ts';
import { matchedSpecs, minBtf } from './min-btf.ts';

const BPFTOOL = 'bpftool';
const hasBpftool = spawnSync(BPFTOOL, ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'min-btf-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns bpftool's output for an object and a target; null if bpftool fails. */
function ofBpftool(target: string, object: Uint8Array): Uint8Array | null {
  const [input, output] = [join(folder, 'in.o'), join(folder, 'out.btf')];
  writeFileSync(input, object);
  const { status } = spawnSync(BPFTOOL, ['gen', 'min_core_btf', target, output, input]);
  return status === 0 ? new Uint8Array(readFileSync(output)) : null;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

type Verdict = 'equal' | 'different' | 'not comparable';

/** bpftool reads only the machine's byte order, and writes nothing for an ambiguous record. */
function compare({ object, local, against }: OracleRun, target: string, file: Uint8Array): Verdict {
  const types = against.tables[0]?.types;
  if (types === undefined) throw new Error(`${object} has no target`);
  if (local.endian === 'big' || types.endian === 'big') return 'not comparable';
  const { specs, undecided } = matchedSpecs(resolveObject(local, against));
  if (undecided.length > 0) return 'not comparable';
  const golden = ofBpftool(target, file);
  // libbpf 1.1 fails at floats; libbpf 1.8 treats floats as a mismatch.
  if (golden === null) return 'not comparable';
  return same(minBtf(types, specs).blob, golden) ? 'equal' : 'different';
}

describe.skipIf(!hasBpftool)('bpftool gen min_core_btf', () => {
  const KERNELS = [kernelIds.first, kernelIds.secondArm64];
  const parts = [
    ['programs', KERNELS, 40],
    ['hand', KERNELS, 10],
    ['debian', KERNELS, 20],
    ['random', ['t0', 't1', 't2', 't3'], 8],
  ] as const;

  it.each(parts.filter(([part]) => ORACLE_PARTS.includes(part)))(
    'writes the same bytes for %s',
    async (part, targets, large) => {
      const objects = new Map(corpusObjects().map((object) => [object.id, object]));
      const path = join(folder, 'target.btf');
      let written: Uint8Array | null = null;
      const different: string[] = [];
      let equal = 0;
      for await (const run of oracleRuns(part)) {
        const file = objects.get(run.object);
        const blob = run.against.tables[0]?.types.blob;
        if (file === undefined || blob === undefined || !targets.some((one) => one === run.target))
          continue;
        if (written !== blob) writeFileSync(path, blob);
        written = blob;
        const verdict = compare(run, path, readCorpusFile(file));
        if (verdict === 'equal') equal += 1;
        if (verdict === 'different') different.push(`${run.object} on ${run.target}`);
      }
      expect(different).toEqual([]);
      expect(equal).toBeGreaterThan(atLeast({ large, testdata: 2 }));
    },
    120_000,
  );
});
