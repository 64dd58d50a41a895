/** Copies every blob of the corpus, and compares all records with the original. */
import { describe, expect, it } from 'vitest';
import type { BtfEncoding } from '#formats/btf/write.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import {
  atLeast,
  corpusKernel,
  corpusKernels,
  corpusModulesOf,
  corpusObjects,
  corpusTargets,
  kernelIds,
  readCorpusFile,
} from '#testing/corpus.ts';
import { firstDifference } from '#testing/same-records.ts';
import { tableInFile, tableOf } from '#testing/type-table.ts';
import { copyTypes } from './copy-types.ts';

const MINUTE = 60_000;

function* ownIds(t: TypeTable): Generator<TypeId> {
  for (let i = 0; i < t.count; i++) yield typeId(t.firstId + i);
}

/** Returns how the copy of `t` differs from `t`. */
function faults(t: TypeTable, encoding: BtfEncoding): string {
  const keepBase = t.base !== null;
  const { blob, leftOut, lostNames } = copyTypes(t, ownIds(t), { keepBase, encoding });
  if (leftOut.length > 0 || lostNames > 0)
    return `${leftOut.length} types, ${lostNames} names lost`;
  const copy = tableOf(blob, t.base);
  const different = firstDifference(t, copy);
  if (different !== null) return `[${different}] differs`;
  const again = copyTypes(copy, ownIds(copy), { keepBase, encoding }).blob;
  return again.length === blob.length && again.every((byte, i) => byte === blob[i])
    ? ''
    : 'the copy of the copy has other bytes';
}

describe('blobs of the corpus, written again', () => {
  it(
    'objects and targets of random cases',
    () => {
      let seen = 0;
      const wrong: string[] = [];
      for (const file of [...corpusObjects(), ...corpusTargets()]) {
        const t = tableInFile(readCorpusFile(file));
        if (t === null) continue;
        const fault = faults(t, seen % 2 === 0 ? 'classic' : 'wide');
        if (fault !== '') wrong.push(`${file.id}: ${fault}`);
        seen += 1;
      }
      expect(wrong).toEqual([]);
      expect(seen).toBeGreaterThan(100);
    },
    2 * MINUTE,
  );

  const kernels = corpusKernels().map((file) => [file.id, file] as const);
  it.each(kernels)(
    'kernel %s',
    (_id, file) => {
      expect(faults(tableOf(readCorpusFile(file)), 'classic')).toBe('');
    },
    MINUTE,
  );

  it(
    'split BTF of modules, on its base',
    () => {
      const base = corpusKernel(kernelIds.first);
      const vmlinux = tableOf(readCorpusFile(base));
      const modules = corpusModulesOf(kernelIds.first);
      expect(modules.length).toBeGreaterThan(atLeast({ large: 3, testdata: 1 }));
      for (const file of modules) {
        expect(faults(tableOf(readCorpusFile(file), vmlinux), 'classic'), file.id).toBe('');
      }
    },
    MINUTE,
  );
});
