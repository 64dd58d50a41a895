/** Compares pairs of local and target types with limits on depth and work. */
import { getOrCreate } from '#bytes/cache.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { readParams } from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { Errno } from './access-string.ts';
import { kindClass } from './candidates.ts';
import type { MatchFault, Mismatch, Recorder, Verdict } from './trace.ts';

export const MAX_LEVELS = 32;
export const MAX_HOPS = 32;

/** Maximum number of cached pairs, since hostile structs can have millions of pairs. */
const MAX_KNOWN = 500_000;
/** Work counted per log line, in comparisons, since the line stays in memory. */
const LINE_WORK = 1000;

export const TOO_DEEP: MatchFault = { fault: 'too-deep', errno: Errno.EINVAL };
const TOO_MUCH: MatchFault = { fault: 'too-much-work', errno: Errno.E2BIG };

/** Limit on comparisons for an object on one target. The largest real record takes thousands. */
export class Work {
  #left: number;

  constructor(records: number) {
    this.#left = 5_000_000 + 5000 * records;
  }

  /** Number of comparisons that remain; below 0 after the limit. */
  get left(): number {
    return this.#left;
  }

  /** Counts `amount` comparisons. Returns a fault once the limit is exceeded. */
  spend(amount: number): MatchFault | null {
    this.#left -= amount;
    return this.#left < 0 ? TOO_MUCH : null;
  }
}

/** Difference of two types, or null if they are equal by libbpf's rules. */
export type Difference = Mismatch | MatchFault | null;

export function verdictOf(difference: Difference): Verdict {
  if (difference === null) return { outcome: 'match' };
  if ('fault' in difference) return { outcome: 'fault', ...difference };
  return { outcome: 'miss', miss: { why: 'types', mismatch: difference } };
}

/** Returns a pointer's target, an array's element, or a function's result type. */
export function inside(t: TypeTable, id: TypeId): TypeId {
  return kindOf(t, id) === BtfKind.ARRAY ? arrayData(t, id).elemType : typeId(sizeOrTypeOf(t, id));
}

export class TypePairs {
  readonly local: TypeTable;
  readonly target: TypeTable;
  readonly #recorder: Recorder;
  /** Results by place (level and position), then by pair of types. */
  readonly #results = new Map<number, Map<number, Difference>>();
  #cached = 0;
  #logged = 0;

  constructor(local: TypeTable, target: TypeTable, recorder: Recorder) {
    this.local = local;
    this.target = target;
    this.#recorder = recorder;
  }

  worked(amount: number): MatchFault | null {
    return this.#recorder.work.spend(amount);
  }

  sameKind(local: TypeId, target: TypeId): boolean {
    return kindClass(kindOf(this.local, local)) === kindClass(kindOf(this.target, target));
  }

  /** Compares the parameters of two FUNC_PROTO. Calls `differ` with types without modifiers. */
  params(
    local: TypeId,
    target: TypeId,
    level: number,
    differ: (local: TypeId, target: TypeId) => Difference,
  ): Difference {
    const params = readParams(this.local, local);
    const targets = readParams(this.target, target);
    if (params.count !== targets.count) return this.no('params', local, target, level);
    for (let i = 0; i < params.count; i++) {
      const difference = differ(
        skipModifiers(this.local, params.type(i)),
        skipModifiers(this.target, targets.type(i)),
      );
      if (difference !== null) return difference;
    }
    return null;
  }

  /** Returns the result of `compare`, cached by pair of types and place. */
  once(place: number, local: TypeId, target: TypeId, compare: () => Difference): Difference {
    const pairs = getOrCreate(this.#results, place, () => new Map<number, Difference>());
    const key = pairKey(local, target);
    const known = pairs.get(key);
    if (known !== undefined) {
      this.#recorder.detail?.({ step: 'compared-before', local, target, equal: known === null });
      return known;
    }
    const logged = this.#logged;
    const difference = compare();
    // A comparison that wrote log lines is not cached, so that it writes the lines again.
    if (logged === this.#logged && ++this.#cached < MAX_KNOWN) pairs.set(key, difference);
    return difference;
  }

  /** Records that two types are compared; `member` leads to the types. */
  compare(local: TypeId, target: TypeId, level: number, member: string | null = null): void {
    this.#recorder.detail?.({ step: 'compare', local, target, depth: MAX_LEVELS - level, member });
  }

  /** Logs a type whose kind libbpf does not expect. */
  unexpected(local: TypeId, target: TypeId, level: number): Mismatch {
    const kind = kindName(kindOf(this.local, local)).toLowerCase();
    this.#recorder.log({ step: 'unexpected-kind', kind, local, target });
    this.#logged += 1;
    this.worked(LINE_WORK);
    return this.no('unexpected-kind', local, target, level);
  }

  no(rule: Mismatch['rule'], local: TypeId, target: TypeId, level: number, name = ''): Mismatch {
    const mismatch: Mismatch = { local, target, rule, name, path: [] };
    this.#recorder.detail?.({ step: 'mismatch', mismatch, depth: MAX_LEVELS - level });
    return mismatch;
  }
}

/** Greater than any type id: a type takes 12 bytes, and a blob must fit into memory. */
const MAX_IDS = 2 ** 27;

/** Returns a number that identifies a pair of local and target type. */
export function pairKey(local: TypeId, target: TypeId): number {
  return (local % MAX_IDS) * MAX_IDS + (target % MAX_IDS);
}
