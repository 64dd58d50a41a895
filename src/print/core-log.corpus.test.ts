/** Compares every log of libbpf's CO-RE code, and the last warning in it, with this project's. */
import { describe, expect, it } from 'vitest';
import { resolveObject } from '#analysis/core/resolve.ts';
import {
  failedLoadRuns,
  isOfOwnMachine,
  ORACLE_PARTS,
  oracleLogs,
  oracleRuns,
} from '#testing/core-oracle.ts';
import { atLeast, isLargeCorpus } from '#testing/corpus.ts';
import { coreError, coreLog, objectLog } from './core-log.ts';

describe('the CO-RE oracle of the corpus', () => {
  it.each(ORACLE_PARTS)(
    "%s: every log is libbpf's, line by line",
    async (part) => {
      const wrong: string[] = [];
      let compared = 0;
      const logs = oracleLogs(part);
      for await (const { object, target, rows, local, against } of oracleRuns(part)) {
        const results = resolveObject(local, against);
        for (const row of rows) {
          const index = row.number('global_index');
          const result = results[index];
          const next = logs.next();
          if (result === undefined || next.done === true) throw new Error('rows and logs differ');
          const text = coreLog(result)
            .map((line) => `${line}\n`)
            .join('');
          const error = row.has('error') ? row.text('error') : null;
          const place = `${object} ${target} #${index}`;
          expect(next.value.number('global_index'), place).toBe(index);
          if (!isOfOwnMachine(row, local)) continue;
          if (text !== next.value.text('log')) wrong.push(`${place}:\n${text}`);
          if (coreError(result) !== error) wrong.push(`${place}: ${coreError(result)}`);
          compared += 1;
        }
      }
      expect(logs.next().done).toBe(true);
      expect(compared).toBeGreaterThan(atLeast({ large: 1000, testdata: 100 }));
      expect(wrong.slice(0, 20), `${wrong.length} of ${compared} rows differ`).toEqual([]);
    },
    300_000,
  );
});

describe('the load oracle of the corpus', () => {
  it.skipIf(!isLargeCorpus)(
    'warns of a record that fails as the loader does, and stops there',
    async () => {
      let compared = 0;
      for await (const { object, target, local, against, warnings } of failedLoadRuns()) {
        const log = Array.from(objectLog(resolveObject(local, against)), ({ lines }) => lines);
        // The log does not state levels: search each warning among all lines.
        const lines = log.flat().map((line) => line.replace('libbpf: ', ''));
        const place = `${object} on ${target}`;
        expect(
          lines.filter((line) => warnings.includes(line)),
          place,
        ).toEqual(warnings);
        expect(lines.at(-1), place).toBe(warnings.at(-1));
        compared += 1;
      }
      expect(compared).toBeGreaterThan(10);
    },
    120_000,
  );
});
