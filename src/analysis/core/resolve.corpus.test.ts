/**
 * Compares each record's result with the row that libbpf's own code printed. The log lines of the
 * same rows are compared in `print/core-log.corpus.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { isOfOwnMachine, ORACLE_PARTS, oracleRuns } from '#testing/core-oracle.ts';
import { atLeast, isLargeCorpus } from '#testing/corpus.ts';
import type { JsonRow } from '#testing/json-row.ts';
import { type CoreResult, resolveObject } from './resolve.ts';
import type { Candidate } from './trace.ts';

const ids = (candidates: readonly Candidate[]) => candidates.map(({ id }) => id).join();

/** Returns the result as an expected row; fields without a value are null. */
function rowOf(result: CoreResult): Record<string, unknown> {
  const { decision, record, steps } = result;
  // A row contains error numbers, even 0, only if libbpf printed a warning.
  const warned =
    result.resolveErr !== 0 ||
    result.patchErr !== 0 ||
    steps.some(({ step }) => step === 'bad-access' || step === 'unexpected-kind');
  return {
    section: record.sectionName,
    relo_index: record.relocIndexInSection,
    insn_off: record.insnOff,
    prog: record.func?.name,
    prog_insn: record.func?.insnIndex,
    kind_num: record.kind,
    local_type_id: record.root,
    access_str: record.accessStr,
    spec_text: result.localSpec ?? '',
    status: result.status,
    candidates: ids(result.candidates),
    cands_in: ids(result.candsIn),
    matched: ids(result.matched),
    module: result.module,
    orig_val: decision === null ? null : String(decision.origVal),
    new_val: decision === null ? null : String(decision.newVal),
    validate: decision?.validate ?? null,
    poison: decision?.poison ?? null,
    fail_memsz_adjust: decision?.failMemszAdjust ?? null,
    orig_sz: decision?.origSz ?? null,
    new_sz: decision?.newSz ?? null,
    orig_type_id: decision?.origTypeId ?? null,
    new_type_id: decision?.newTypeId ?? null,
    target_spec: result.targetSpec?.text ?? null,
    insn_before: result.insnBefore,
    insn_after: result.insnAfter,
    poison_reason: result.poisonReason,
    resolve_err: warned ? result.resolveErr : null,
    patch_err: warned ? result.patchErr : null,
    first_error: result.firstError ? true : null,
  };
}

function wanted(row: JsonRow, field: string): unknown {
  const value = row.fields.get(field) ?? null;
  return Array.isArray(value) ? value.join() : value;
}

/** libbpf 1.1, used for testdata/, takes the size of an array; libbpf 1.6 that of its element. */
const SIZES = new Set(['orig_sz', 'new_sz']);

/** Returns the fields that differ, as texts for the test's summary. */
function differences(row: JsonRow, result: CoreResult): string[] {
  return Object.entries(rowOf(result)).flatMap(([field, value]) => {
    if (!isLargeCorpus && SIZES.has(field)) return [];
    const expected = wanted(row, field);
    return value === expected ? [] : [`${field} is ${value}, not ${expected}`];
  });
}

/**
 * Returns the differences if all candidates are compared for each record. If a later match fails,
 * libbpf keeps the value of the first match, but the resolver has no value to compare.
 */
function coldDifferences(row: JsonRow, result: CoreResult): string[] {
  const cold = row.row('cold');
  const status = result.status === cold.text('status') ? [] : [`cold status is ${result.status}`];
  if (result.decision === null) return status;
  const newVal = String(result.decision.newVal);
  return newVal === cold.text('new_val') ? status : [...status, `cold new_val is ${newVal}`];
}

describe('the CO-RE oracle of the corpus', () => {
  it.each(ORACLE_PARTS)(
    "%s: every result is libbpf's",
    async (part) => {
      const wrong: string[] = [];
      let compared = 0;
      for await (const { object, target, rows, local, against } of oracleRuns(part)) {
        const warm = resolveObject(local, against);
        const isCold = rows.some((row) => row.has('cold'));
        const cold = isCold ? resolveObject(local, against, { fresh: true }) : [];
        expect(rows, `${object} ${target}`).toHaveLength(local.records.length);
        for (const row of rows.filter((each) => isOfOwnMachine(each, local))) {
          const index = row.number('global_index');
          const found = warm[index];
          const fresh = cold[index];
          const faults = found === undefined ? ['no result'] : differences(row, found);
          if (row.has('cold') && fresh !== undefined) faults.push(...coldDifferences(row, fresh));
          if (faults.length > 0) wrong.push(`${object} ${target} #${index}: ${faults.join('; ')}`);
          compared += 1;
        }
      }
      expect(compared).toBeGreaterThan(atLeast({ large: 1000, testdata: 100 }));
      expect(wrong.slice(0, 20), `${wrong.length} of ${compared} rows differ`).toEqual([]);
    },
    300_000,
  );
});
