/** Compares the walks of the same programs on real kernels, one release after the other. */
import { expect, it } from 'vitest';
import { isLargeCorpus } from '#testing/corpus.ts';
import { KERNELS, logsOfKernel } from '#testing/kernel-logs.ts';
import { logTable } from '#testing/verifier-logs.ts';
import { compareWalks } from './compare-walks.ts';
import { walkOf } from './walk.ts';

function walkIn(log: Uint8Array) {
  const table = logTable(log);
  const part = table.parts.find(({ kind }) => kind === 'verifier');
  if (part === undefined) return null;
  const walk = walkOf(table, part);
  return walk.stepCount === 0 ? null : { walk, isRefused: part.verdict === 'rejected' };
}

it.runIf(isLargeCorpus)(
  'newer kernels know as much of the same program, whatever they print',
  async () => {
    const less: string[] = [];
    let compared = 0;
    let aligned = 0;
    let before = new Map<string, Uint8Array>();
    for (const kernel of KERNELS) {
      const own = new Map<string, Uint8Array>();
      for await (const { name, log } of logsOfKernel(kernel, 'logs')) own.set(name, log);
      for (const [name, log] of own) {
        const older = before.get(name);
        const [first, second] = [older === undefined ? null : walkIn(older), walkIn(log)];
        if (first === null || second === null) continue;
        const refused = [first.isRefused, second.isRefused] as const;
        const { firstLess, isSameCode } = compareWalks(first.walk, second.walk, refused);
        compared += 1;
        if (isSameCode) aligned += 1;
        if (firstLess >= 0) less.push(`${kernel} ${/([\w.]+?)\.l\d/.exec(name)?.[1]}`);
      }
      before = own;
    }
    expect(compared).toBeGreaterThan(1900);
    expect(aligned / compared).toBeGreaterThan(0.99);
    expect([...new Set(less)]).toEqual([]);
  },
  600_000,
);
