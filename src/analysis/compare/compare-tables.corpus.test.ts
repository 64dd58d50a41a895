/** Tests that real and damaged files equal their copies, and that no comparison runs forever. */
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import type { TypeTable } from '#model/type-table.ts';
import {
  type CorpusFile,
  corpusEdges,
  corpusModules,
  corpusObjects,
  readCorpusFile,
} from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { compareTables, type WholeComparison } from './compare-tables.ts';
import { duplicateTypes } from './duplicates.ts';

const MINUTE = 60_000;

async function typesIn(file: CorpusFile): Promise<TypeTable | null> {
  try {
    return (await openModel(file.name, readCorpusFile(file))).types;
  } catch (error) {
    if (error instanceof Malformed || (error instanceof Error && /archive/.test(error.message))) {
      return null;
    }
    throw error;
  }
}

function compared(a: TypeTable, b: TypeTable): WholeComparison {
  const work = compareTables(a, b);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

function duplicatesIn(t: TypeTable): number {
  const work = duplicateTypes(t);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value.length;
}

describe('comparing files of the corpus', () => {
  const files = [...corpusObjects(), ...corpusModules(), ...corpusEdges()];

  it(
    'each against a copy of itself, and against the previous one',
    async () => {
      let seen = 0;
      let before: TypeTable | null = null;
      const wrong: string[] = [];
      for (const file of files) {
        const [types, copy] = [await typesIn(file), await typesIn(file)];
        if (types === null || copy === null) continue;
        const own = compared(types, copy);
        if (own.count > 0) wrong.push(file.id);
        if (before !== null) {
          const { a, b } = compared(before, types).totals;
          expect(a).toBeLessThanOrEqual(before.count);
          expect(b).toBe(own.totals.a);
        }
        expect(duplicatesIn(types)).toBeLessThanOrEqual(types.count);
        before = types;
        seen += 1;
      }
      expect(wrong).toEqual([]);
      expect(seen).toBeGreaterThan(100);
    },
    3 * MINUTE,
  );
});
