/** Finds the exists-check with answer 0 that may keep the verifier from a poisoned access. */
import type { CoreObject, CoreObjectRecord } from '#analysis/core/core-records.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import type { TypeId } from '#model/ids.ts';
import { skipModifiers } from '#model/type-table.ts';

/** Rows of checks by subject, in the order of the code. */
export type GuardIndex = {
  /** Returns the keys of the checks that would cover a row. */
  readonly keysOf: (row: number) => readonly string[];
  readonly checks: ReadonlyMap<string, readonly number[]>;
  readonly records: readonly CoreObjectRecord[];
};

const FIELD_EXISTS = 2;
const ENUMVAL_EXISTS = 10;
/** `type_exists` and `type_matches`: if they answer 0, the type has no usable fields. */
const TYPE_QUESTIONS: ReadonlySet<number> = new Set([8, 12]);

/** Maximum number of checks read: checks of one subject have the same answer. */
const MAX_LOOKS = 16;

/** Returns the index of an object's checks, for any target. */
export function guardIndex({ types, records }: Pick<CoreObject, 'types' | 'records'>): GuardIndex {
  const roots = new Map<TypeId, TypeId>();
  const rootOf = ({ root }: CoreObjectRecord): TypeId => {
    return getOrCreate(roots, root, () => skipModifiers(types, root));
  };
  const placeOf = (record: CoreObjectRecord): string | null => {
    const { sectionName, func, insnOff } = record;
    if (func === null) return null;
    // Two functions may have the same name: their offsets distinguish them.
    return `${insnOff - SLOT_SIZE * func.insnIndex} ${sectionName} ${rootOf(record)}`;
  };
  const checks = new Map<string, number[]>();
  for (const [row, record] of records.entries()) {
    const place = placeOf(record);
    const asked = askedBy(record);
    if (place === null || asked === null) continue;
    addTo(checks, `${place} ${asked}`, row);
  }
  for (const rows of checks.values()) {
    rows.sort((a, b) => (records[a]?.insnOff ?? 0) - (records[b]?.insnOff ?? 0));
  }
  const keysOf = (row: number): readonly string[] => {
    const record = records[row];
    const place = record === undefined ? null : placeOf(record);
    if (record === undefined || place === null) return [];
    return coveredBy(record).map((asked) => `${place} ${asked}`);
  };
  return { keysOf, checks, records };
}

/** Returns the nearest row before the poisoned access at `row` that checks it with answer 0. */
export function guardOf(
  { keysOf, checks, records }: GuardIndex,
  results: readonly CoreResult[],
  row: number,
): number | null {
  const record = records[row];
  if (record === undefined || results[row]?.status !== 'poisoned') return null;
  let nearest: number | null = null;
  for (const key of keysOf(row)) {
    const rows = checks.get(key) ?? [];
    const before = countBefore(rows, (check) => (records[check]?.insnOff ?? 0) < record.insnOff);
    for (let i = before - 1; i >= Math.max(0, before - MAX_LOOKS); i--) {
      const check = rows[i];
      if (check === undefined || !answersNo(results[check])) continue;
      const nearer = (records[check]?.insnOff ?? 0) > (records[nearest ?? -1]?.insnOff ?? -1);
      if (nearest === null || nearer) nearest = check;
      break;
    }
  }
  return nearest;
}

function answersNo(result: CoreResult | undefined): boolean {
  return result?.status === 'ok' && result.decision?.newVal === 0n;
}

/** Returns the subject of a check within its root type; null for other records. */
function askedBy({ kind, accessStr }: CoreObjectRecord): string | null {
  if (TYPE_QUESTIONS.has(kind)) return 'type';
  if (kind === ENUMVAL_EXISTS) return `value ${accessStr}`;
  return kind === FIELD_EXISTS ? `field ${withoutFirst(accessStr)}` : null;
}

/** Returns the parts that an access needs: the type, each field on the way, the enumerator. */
function coveredBy({ accessStr }: CoreObjectRecord): string[] {
  const parts = ['type', `value ${accessStr}`];
  const path = withoutFirst(accessStr);
  for (let at = path.indexOf(':', 1); at >= 0; at = path.indexOf(':', at + 1)) {
    parts.push(`field ${path.slice(0, at)}`);
  }
  if (path !== '') parts.push(`field ${path}`);
  return parts.slice(0, MAX_KEYS);
}

/** One more than libbpf's 64 indices need; a longer string is no access. */
const MAX_KEYS = 66;

/** Returns `:3:1` of `0:3:1`: the first index does not change which fields exist. */
function withoutFirst(accessStr: string): string {
  const colon = accessStr.indexOf(':');
  return colon < 0 ? '' : accessStr.slice(colon);
}

/** Returns the number of leading rows for which `isBefore` holds. */
function countBefore(rows: readonly number[], isBefore: (row: number) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(rows[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
