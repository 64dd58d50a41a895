/**
 * CO-RE relocations of an object against a target, exactly as libbpf 1.8 resolves
 * them (src/relo_core.c, `bpf_core_calc_relo_insn`). One record after another, since what is found for
 * one narrows the search for the next on the same type.
 */
import type { Progress } from '#bytes/slices.ts';
import type { TypeId } from '#model/ids.ts';
import type { CoreObject, CoreObjectRecord } from './core-records.ts';
import type { Decision } from './patch-insn.ts';
import { Resolver } from './resolver.ts';
import type { CoreTarget } from './target.ts';
import type { Candidate, CoreStatus, TraceStep } from './trace.ts';

export type TargetSpec = {
  /** As libbpf logs it: `<byte_off> [5] struct foo.a (0:0 @ offset 0)`. Raw names. */
  readonly text: string;
  readonly root: TypeId;
  /** All indices, those of anonymous members among them. */
  readonly raw: readonly number[];
  /** Modulo 2^32. */
  readonly bitOffset: number;
};

export type CoreResult = {
  readonly record: CoreObjectRecord;
  readonly status: CoreStatus;
  /** The local spec as libbpf logs it; null where the access string leads nowhere. */
  readonly localSpec: string | null;
  /** All that the target has of that essential name. */
  readonly candidates: readonly Candidate[];
  /** What this record saw of them, see `ResolveOptions.fresh`. */
  readonly candsIn: readonly Candidate[];
  /** Those that match; empty where the record failed before it was decided. */
  readonly matched: readonly Candidate[];
  /** The module that the first candidate is in; null for vmlinux and where there is none. */
  readonly module: string | null;
  /** That of the first match. */
  readonly targetSpec: TargetSpec | null;
  /** null where the record failed before it was decided. */
  readonly decision: Decision | null;
  /** `memsz`: the instruction would access fewer or more bytes than the field has. */
  readonly poisonReason: 'memsz' | null;
  /** Hex digits in the order of the file; empty where there is no instruction. */
  readonly insnBefore: string;
  readonly insnAfter: string;
  /** 0, or the negative error number of the search and the comparison. */
  readonly resolveErr: number;
  /** 0, or the negative error number of the patch. */
  readonly patchErr: number;
  /** Is it the first that fails? libbpf loads no program then and looks no further. */
  readonly firstError: boolean;
  /** What came of it and why, as one plain sentence. Raw names. */
  readonly reason: string;
  /** What libbpf's log has lines for; with the details where a trace was asked for. */
  readonly steps: readonly TraceStep[];
};

export type ResolveOptions = {
  /**
   * Search anew for every record. libbpf keeps one list for each local type, and
   * cuts it down to what has matched, so that earlier records change later results.
   */
  readonly fresh?: boolean;
  /** Are all details of this record wanted? `row` counts the records of the object. */
  readonly trace?: (row: number) => boolean;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
};

/** Records between two looks at the clock of others. */
const BATCH = 256;

/** All records in order. Throws nothing but what `signal` throws when it is aborted. */
export function resolveObject(
  local: CoreObject,
  target: CoreTarget,
  options: ResolveOptions = {},
): CoreResult[] {
  const results: CoreResult[] = [];
  const total = local.records.length;
  for (const result of resolveRecords(local, target, options)) {
    results.push(result);
    if (results.length % BATCH !== 0) continue;
    options.signal?.throwIfAborted();
    options.onProgress?.({ step: 'resolving relocations', done: results.length, total });
  }
  return results;
}

/** The same one by one, for callers that have to do other things in between. */
export function* resolveRecords(
  local: CoreObject,
  target: CoreTarget,
  { fresh = false, trace }: Pick<ResolveOptions, 'fresh' | 'trace'> = {},
): Generator<CoreResult, void, void> {
  const resolver = new Resolver(local, target, fresh);
  for (const [row, record] of local.records.entries()) {
    yield resolver.resolve(row, record, trace?.(row) ?? false);
  }
}
