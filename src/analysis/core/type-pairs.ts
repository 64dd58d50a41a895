/** Pairs of a local and a target type in a comparison, whose depth and work are bounded. */
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

/** Maximum number of cached pairs: hostile structs have millions. */
const MAX_KNOWN = 500_000;
/** Cost of a log line in comparisons, since it stays in memory. */
const LINE_WORK = 1000;

export const TOO_DEEP: MatchFault = { fault: 'too-deep', errno: Errno.EINVAL };
const TOO_MUCH: MatchFault = { fault: 'too-much-work', errno: Errno.E2BIG };

/** Budget of comparisons for an object on one target; the largest real record takes thousands. */
export class Work {
  #left: number;

  constructor(records: number) {
    this.#left = 5_000_000 + 5000 * records;
  }

  /** Remaining comparisons; below 0 past the limit. */
  get left(): number {
    return this.#left;
  }

  /** Counts `amount` comparisons; returns a fault after too many. */
  spend(amount: number): MatchFault | null {
    this.#left -= amount;
    return this.#left < 0 ? TOO_MUCH : null;
  }
}

/** The difference of two types; null for none. */
export type Difference = Mismatch | MatchFault | null;

export function verdictOf(difference: Difference): Verdict {
  if (difference === null) return { outcome: 'match' };
  if ('fault' in difference) return { outcome: 'fault', ...difference };
  return { outcome: 'miss', miss: { why: 'types', mismatch: difference } };
}

/** Returns the target of a pointer, the element of an array, or the result of a function. */
export function inside(t: TypeTable, id: TypeId): TypeId {
  return kindOf(t, id) === BtfKind.ARRAY ? arrayData(t, id).elemType : typeId(sizeOrTypeOf(t, id));
}

export class TypePairs {
  readonly local: TypeTable;
  readonly target: TypeTable;
  readonly #recorder: Recorder;
  /** Results by place (level and position) and pair. */
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

  /** Compares the parameters of two FUNC_PROTO; `differ` receives pairs of stripped types. */
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

  /** Returns the result of `compare`, cached by pair and place. */
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
    // A comparison that logged lines must log them again.
    if (logged === this.#logged && ++this.#cached < MAX_KNOWN) pairs.set(key, difference);
    return difference;
  }

  /** Records the comparison of two types; `member` is the member that leads to them. */
  compare(local: TypeId, target: TypeId, level: number, member: string | null = null): void {
    this.#recorder.detail?.({ step: 'compare', local, target, depth: MAX_LEVELS - level, member });
  }

  /** Logs a type that libbpf has no rule for. */
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

/** Exceeds all ids: each type takes 12 bytes of a blob that fits in memory. */
const MAX_IDS = 2 ** 27;

/** Returns a local and a target type as one unique number. */
export function pairKey(local: TypeId, target: TypeId): number {
  return (local % MAX_IDS) * MAX_IDS + (target % MAX_IDS);
}
