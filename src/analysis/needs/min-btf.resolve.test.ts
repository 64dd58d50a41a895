/** Tests that an object has the same results on its minimal BTF as on the kernel's BTF. */
import { describe, expect, it } from 'vitest';
import { targetOf } from '#analysis/core/candidates.ts';
import { type CoreResult, resolveObject } from '#analysis/core/resolve.ts';
import type { TypeId } from '#model/ids.ts';
import { ORACLE_PARTS, type OracleRun, oracleRuns } from '#testing/core-oracle.ts';
import { kernelIds } from '#testing/corpus.ts';
import { tableOf } from '#testing/type-table.ts';
import { matchedSpecs, minBtf } from './min-btf.ts';

const TARGET_TYPE_ID = 7;

/** Returns the fields of a result to compare, with type ids renamed by `idMap`. */
function outcome(
  { record, decision, status, poisonReason, insnAfter }: CoreResult,
  idMap: ReadonlyMap<TypeId, number> | null,
) {
  const value = decision?.newVal ?? null;
  const isId = record.kind === TARGET_TYPE_ID && value !== null;
  const renamed =
    isId && idMap !== null ? [...idMap].find(([id]) => BigInt(id) === value)?.[1] : value;
  return {
    status,
    poison: decision?.poison ?? null,
    poisonReason,
    value: renamed === null ? null : BigInt(renamed ?? 0),
    insnAfter: isId ? '' : insnAfter,
  };
}

/** Returns the first difference; empty if there is none; null if bpftool would not write a BTF. */
function difference({ object, target, local, against }: OracleRun): string | null {
  const [vmlinux] = against.tables;
  if (vmlinux === undefined) return null;
  const full = resolveObject(local, against);
  const { specs, undecided } = matchedSpecs(full);
  if (undecided.length > 0) return null;
  const { blob, idMap } = minBtf(vmlinux.types, specs);
  const small = resolveObject(local, targetOf('minimal', tableOf(blob)));
  for (const [i, result] of full.entries()) {
    const [one, other] = [outcome(result, idMap), small[i] ? outcome(small[i], null) : null];
    const same = JSON.stringify(one, text) === JSON.stringify(other, text);
    if (!same)
      return `${object} on ${target} #${i}: ${JSON.stringify(one, text)}, ${JSON.stringify(other, text)}`;
  }
  return '';
}

const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

describe('on the minimal BTF', () => {
  const parts = [
    ['programs', [kernelIds.second, kernelIds.first]],
    ['debian', [kernelIds.second, kernelIds.first]],
    ['random', ['t0', 't1', 't2', 't3']],
  ] as const;

  it.each(parts.filter(([part]) => ORACLE_PARTS.includes(part)))(
    '%s come out as on the whole',
    async (part, targets) => {
      const wrong: string[] = [];
      let compared = 0;
      for await (const run of oracleRuns(part)) {
        if (!targets.some((target) => target === run.target)) continue;
        const found = difference(run);
        if (found === null) continue;
        compared += 1;
        if (found !== '') wrong.push(found);
      }
      expect(wrong).toEqual([]);
      expect(compared).toBeGreaterThan(8);
    },
    60_000,
  );
});
