/** Finds existence checks with result 0 that may keep the verifier from a poisoned access. */
import type { CoreObject, CoreObjectRecord } from '#analysis/core/core-records.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import type { TypeId } from '#model/ids.ts';
import { skipModifiers } from '#model/type-table.ts';

/** Rows of existence checks by the key of the checked type, field or enumerator, in code order. */
export type GuardIndex = {
  /** Returns the keys of the checks that can guard the access in a row. */
  readonly keysOf: (row: number) => readonly string[];
  readonly checks: ReadonlyMap<string, readonly number[]>;
  readonly records: readonly CoreObjectRecord[];
};

const FIELD_EXISTS = 2;
const ENUMVAL_EXISTS = 10;
/** `type_exists` and `type_matches`: with result 0 no field of the type can be accessed. */
const TYPE_QUESTIONS: ReadonlySet<number> = new Set([8, 12]);

/** Maximum number of checks to read per key, since all checks of a key have the same result. */
const MAX_LOOKS = 16;

/** Returns the index of an object's checks, which is the same for all targets. */
export function guardIndex({ types, records }: Pick<CoreObject, 'types' | 'records'>): GuardIndex {
  const roots = new Map<TypeId, TypeId>();
  const rootOf = ({ root }: CoreObjectRecord): TypeId => {
    return getOrCreate(roots, root, () => skipModifiers(types, root));
  };
  const placeOf = (record: CoreObjectRecord): string | null => {
    const { sectionName, func, insnOff } = record;
    if (func === null) return null;
    // Functions in different places may share a name, so the key contains the offset.
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

/** Returns the row of the nearest earlier check with result 0 that guards `row`, or null. */
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

/** Returns the part of the root type that a check tests; null for a record that is no check. */
function askedBy({ kind, accessStr }: CoreObjectRecord): string | null {
  if (TYPE_QUESTIONS.has(kind)) return 'type';
  if (kind === ENUMVAL_EXISTS) return `value ${accessStr}`;
  return kind === FIELD_EXISTS ? `field ${withoutFirst(accessStr)}` : null;
}

/** Returns the keys of the parts that an access needs: type, each field on the path, enumerator. */
function coveredBy({ accessStr }: CoreObjectRecord): string[] {
  const parts = ['type', `value ${accessStr}`];
  const path = withoutFirst(accessStr);
  for (let at = path.indexOf(':', 1); at >= 0; at = path.indexOf(':', at + 1)) {
    parts.push(`field ${path.slice(0, at)}`);
  }
  if (path !== '') parts.push(`field ${path}`);
  return parts.slice(0, MAX_KEYS);
}

/** Maximum number of keys per access; an access with libbpf's maximum of 64 indices has 65. */
const MAX_KEYS = 66;

/** Returns `:3:1` for `0:3:1`. The first index selects an element and does not affect existence. */
function withoutFirst(accessStr: string): string {
  const colon = accessStr.indexOf(':');
  return colon < 0 ? '' : accessStr.slice(colon);
}

/** Returns the number of rows at the start of `rows` for which `isBefore` returns true. */
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
