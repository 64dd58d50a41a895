/**
 * CO-RE relocations of an object against a target, exactly as libbpf 1.8 resolves
 * them (src/relo_core.c, `bpf_core_calc_relo_insn`). One record after another, since what is found for
 * one narrows the search for the next on the same type.
 */
import { append } from '#bytes/append.ts';
import { keptIn } from '#bytes/keep.ts';
import type { Progress } from '#bytes/slices.ts';
import type { Endian } from '#bytes/span.ts';
import { hexDigits } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { isNameless } from '#model/names.ts';
import { hasType, intData, kindOf, nameOffOf } from '#model/type-table.ts';
import { Errno } from './access-string.ts';
import { kindWord } from './access-text.ts';
import { findCandidates, kindClass } from './candidates.ts';
import { coreKind } from './core-kinds.ts';
import { type CoreObject, type CoreObjectRecord, insnBytesOf } from './core-records.ts';
import { essentialKey } from './essential-name.ts';
import { matchSpec } from './match-spec.ts';
import { type AccessPath, walkAccess } from './parse-spec.ts';
import { type Decision, patchInsn } from './patch-insn.ts';
import { reasonText } from './reason.ts';
import { localSpec, logLine, namedType, type Spec, specLine, specText } from './spec.ts';
import { type ByteSide, type NoValue, type SpecValue, specValue } from './spec-value.ts';
import type { CoreTarget } from './target.ts';
import type { Candidate, CoreStatus, NamedType, Recorder, TraceStep, Verdict } from './trace.ts';
import { Work } from './type-pairs.ts';

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
  /** Did no earlier record fail? libbpf does not come to those behind the first that fails. */
  readonly reached: boolean;
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
  /** Resolve the records of eliminated functions, too, as `bpftool gen min_core_btf` does? libbpf skips them. */
  readonly eliminated?: boolean;
  /** Are all details of this record wanted? `row` counts the records of the object. */
  readonly trace?: (row: number) => boolean;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
};

/** A candidate that is tried counts as so many comparisons, since its line of the log stays in memory. */
const TRIAL_WORK = 400;

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
  {
    fresh = false,
    eliminated = false,
    trace,
  }: Pick<ResolveOptions, 'fresh' | 'eliminated' | 'trace'> = {},
): Generator<CoreResult, void, void> {
  const resolver = new Resolver(local, target, fresh);
  for (const [row, record] of local.records.entries()) {
    yield record.eliminated && !eliminated
      ? resolver.skip(row, record)
      : resolver.resolve(row, record, trace?.(row) ?? false);
  }
}

/**
 * One object against one target, record by record: libbpf's
 * `bpf_core_resolve_relo` and `bpf_core_calc_relo_insn`, then the patch.
 */

type CandidateList = {
  readonly all: readonly Candidate[];
  /** What is left of them. */
  left: readonly Candidate[];
};

type Walked = { readonly path: AccessPath; readonly spec: Spec; readonly text: string };

/** The result of a record before its instruction is patched. */
type Resolved = Pick<
  CoreResult,
  'candidates' | 'candsIn' | 'matched' | 'localSpec' | 'targetSpec' | 'decision' | 'resolveErr'
> & { readonly ambiguous: boolean };

function unresolved(localSpec: string | null) {
  const none: readonly Candidate[] = [];
  return {
    candidates: none,
    candsIn: none,
    matched: none,
    localSpec,
    targetSpec: null,
    decision: null,
    resolveErr: 0,
  };
}

class Resolver {
  readonly #local: CoreObject;
  readonly #target: CoreTarget;
  readonly #fresh: boolean;
  readonly #lists = new Map<TypeId, CandidateList>();
  readonly #paths = new Map<string, Walked>();
  /** Candidates by kind and essential name of the local type: many local types may share them. */
  readonly #found = new Map<string, readonly Candidate[]>();
  readonly #work: Work;
  #failedBefore = false;

  constructor(local: CoreObject, target: CoreTarget, fresh: boolean) {
    this.#local = local;
    this.#target = target;
    this.#fresh = fresh;
    this.#work = new Work(local.records.length);
  }

  resolve(row: number, record: CoreObjectRecord, detailed: boolean): CoreResult {
    const steps: TraceStep[] = [];
    const log = (step: TraceStep): void => {
      steps.push(step);
    };
    const recorder: Recorder = { log, detail: detailed ? log : null, work: this.#work };
    const { ambiguous, ...resolved } = this.#resolve(record, recorder);
    const { decision } = resolved;
    const before = insnBytesOf(this.#local, row);
    const patched =
      decision === null
        ? { after: before, errno: 0, steps: [] }
        : patchInsn(before, this.#local.endian, decision);
    append(steps, patched.steps);
    const bad = patched.steps.some((step) => step.step === 'bad-access');
    const failed = resolved.resolveErr !== 0 || patched.errno !== 0;
    const status = statusOf(failed, ambiguous, bad || decision?.poison === true);
    steps.push({ step: 'result', status });
    const reached = !this.#failedBefore;
    this.#failedBefore ||= failed;
    const table = resolved.candsIn[0]?.table ?? 0;
    const result: Omit<CoreResult, 'reason'> = {
      record,
      status,
      ...resolved,
      module: table === 0 ? null : (this.#target.tables[table]?.name ?? null),
      poisonReason: bad ? 'memsz' : null,
      insnBefore: hexDigits(before),
      insnAfter: hexDigits(patched.after),
      patchErr: patched.errno,
      firstError: failed && reached,
      reached,
      steps,
    };
    return { ...result, reason: reasonText(result, this.#local.types, this.#target) };
  }

  /** The result of a record that libbpf leaves out: nothing is searched, nothing is written. */
  skip(row: number, record: CoreObjectRecord): CoreResult {
    const insn = hexDigits(insnBytesOf(this.#local, row));
    const { text } = this.#walk(record);
    const result: Omit<CoreResult, 'reason'> = {
      ...unresolved(text),
      record,
      status: 'skipped',
      module: null,
      poisonReason: null,
      insnBefore: insn,
      insnAfter: insn,
      patchErr: 0,
      firstError: false,
      reached: !this.#failedBefore,
      steps: [{ step: 'eliminated' }, { step: 'result', status: 'skipped' }],
    };
    return { ...result, reason: reasonText(result, this.#local.types, this.#target) };
  }

  #resolve(record: CoreObjectRecord, recorder: Recorder): Resolved {
    const { types } = this.#local;
    const isLocalId = coreKind(record.kind)?.name === 'local_type_id';
    const nameless = isNameless(types, nameOffOf(types, record.root));
    const { path, spec, text } = this.#walk(record);
    const nothing: Resolved = {
      ...unresolved(path.error === null ? text : null),
      resolveErr: Errno.EINVAL,
      ambiguous: false,
    };
    if (!isLocalId && nameless) {
      const known = record.root === VOID || hasType(types, record.root);
      const kind = known ? kindWord(kindOf(types, record.root)) : null;
      recorder.log({ step: 'search-failed', errno: Errno.EINVAL, kind });
      return nothing;
    }
    const list = isLocalId ? { all: [], left: [] } : this.#candidates(record, recorder);
    const seen = { ...nothing, candidates: list.all, candsIn: list.left };
    if (path.error !== null) {
      const { errno, message, atStep, captured } = path.error;
      const { accessStr } = record;
      if (captured !== undefined && errno === Errno.EINVAL) {
        const kind = kindWord(kindOf(types, captured));
        recorder.log({ step: 'captured', atStep, type: captured, kind });
      }
      recorder.log({ step: 'parse-failed', local: this.#named(record), accessStr, errno, message });
      return seen;
    }
    recorder.log({ step: 'local-spec', spec: text });
    if (isLocalId) return { ...seen, decision: decideLocalTypeId(spec), resolveErr: 0 };
    return { ...seen, ...this.#tryAll(spec, list, recorder) };
  }

  /** libbpf's `bpf_core_calc_relo_insn` from the candidates on. */
  #tryAll(spec: Spec, list: CandidateList, recorder: Recorder): Partial<Resolved> {
    const { endian } = this.#local;
    const matched: Candidate[] = [];
    let first: { readonly spec: Spec; readonly decision: Decision } | null = null;
    const seen = list.left.length;
    for (const [number, candidate] of list.left.entries()) {
      const types = this.#target.tables[candidate.table]?.types;
      if (types === undefined) break;
      const tooMuch = this.#work.spend(TRIAL_WORK);
      if (tooMuch !== null) {
        const verdict: Verdict = { outcome: 'fault', ...tooMuch };
        recorder.log({ step: 'trial', number, candidate, verdict, spec: '' });
        return { resolveErr: tooMuch.errno };
      }
      recorder.detail?.({ step: 'candidate', number, candidate });
      const { spec: found, verdict } = matchSpec(spec, types, candidate.id, recorder);
      recorder.log({ step: 'trial', number, candidate, verdict, spec: specLine(found) });
      if (verdict.outcome === 'miss') continue;
      if (verdict.outcome === 'fault') return { resolveErr: verdict.errno };
      const decision = decide(spec, found, endian, recorder);
      if ('fault' in decision) return { resolveErr: decision.errno };
      if (first === null) {
        first = { spec: found, decision };
      } else if (disagree(first, { spec: found, decision }, recorder)) {
        return { resolveErr: Errno.EINVAL, ambiguous: true };
      }
      matched.push(candidate);
    }
    if (first === null) {
      const decision = decide(spec, null, endian, recorder);
      return 'fault' in decision ? { resolveErr: decision.errno } : { decision, resolveErr: 0 };
    }
    list.left = matched;
    if (matched.length < seen) {
      recorder.detail?.({ step: 'cut', before: seen, after: matched.length });
    }
    return {
      matched,
      targetSpec: {
        text: specLine(first.spec),
        root: first.spec.root,
        raw: first.spec.raw,
        bitOffset: first.spec.bitOffset,
      },
      decision: first.decision,
      resolveErr: 0,
    };
  }

  #candidates(record: CoreObjectRecord, recorder: Recorder): CandidateList {
    const known = this.#lists.get(record.root);
    if (known !== undefined) {
      const list = this.#fresh ? { all: known.all, left: known.all } : known;
      const { length } = list.left;
      recorder.detail?.({ step: 'list', candidates: length, cut: length < list.all.length });
      return list;
    }
    const { types } = this.#local;
    const { root } = record;
    const name = `${kindClass(kindOf(types, root))} ${essentialKey(types, nameOffOf(types, root))}`;
    const all = keptIn(this.#found, name, () => findCandidates(this.#target, types, root));
    const modules = this.#target.tables.length > 1 && all[0]?.table !== 0;
    recorder.detail?.({ step: 'searched', modules, candidates: all.length });
    const local = this.#named(record);
    for (const candidate of all) {
      const table = this.#target.tables[candidate.table];
      if (table === undefined || this.#work.spend(TRIAL_WORK) !== null) continue;
      const target = { id: candidate.id, text: namedType(table.types, candidate.id) };
      recorder.log({ step: 'found', local, candidate, target, table: table.name });
    }
    const list = { all, left: all };
    this.#lists.set(root, list);
    return list;
  }

  /** Many records share an access: it is followed once for all kinds that read it alike. */
  #walk({ root, accessStr, kind }: CoreObjectRecord): Walked {
    const key = `${root} ${coreKind(kind)?.group ?? kind} ${accessStr}`;
    const { path, spec, text } = keptIn(this.#paths, key, (): Walked => {
      const walked = walkAccess(this.#local.types, root, accessStr, kind);
      const local = localSpec(this.#local.types, walked);
      return { path: walked, spec: local, text: specText(local) };
    });
    return { path, spec: { ...spec, kind }, text: logLine(kind, root, text) };
  }

  #named({ root }: CoreObjectRecord): NamedType {
    return { id: root, text: namedType(this.#local.types, root) };
  }
}

type Match = { readonly spec: Spec; readonly decision: Decision };

/** All that match must lead to the same place and to the same decision. */
function disagree(first: Match, next: Match, { log }: Recorder): boolean {
  if (first.spec.bitOffset !== next.spec.bitOffset) {
    const { bitOffset } = next.spec;
    log({ step: 'offset-ambiguity', bitOffset, first: first.spec.bitOffset });
    return true;
  }
  if (
    first.decision.newVal !== next.decision.newVal ||
    first.decision.poison !== next.decision.poison
  ) {
    log({
      step: 'value-ambiguity',
      value: next.decision.newVal,
      poison: next.decision.poison,
      first: first.decision.newVal,
      firstPoison: first.decision.poison,
    });
    return true;
  }
  return false;
}

/** Did we give up where libbpf would go on comparing? */
export function gaveUp({ steps }: CoreResult): boolean {
  const last = steps.findLast(({ step }) => step === 'trial');
  return (
    last?.step === 'trial' &&
    last.verdict.outcome === 'fault' &&
    last.verdict.fault === 'too-much-work'
  );
}

function statusOf(failed: boolean, ambiguous: boolean, poisoned: boolean): CoreStatus {
  if (ambiguous) return 'ambiguous';
  if (failed) return 'failed';
  return poisoned ? 'poisoned' : 'ok';
}

/**
 * What is to be written, from the local spec and that of a candidate: libbpf's
 * `bpf_core_calc_relo`.
 */

/** BTF_INT_SIGNED and nothing else: libbpf takes a signed char for unsigned. */
const SIGNED = 1;

/** `target` null: no candidate matches, and the kind decides what that means. */
function decide(
  local: Spec,
  target: Spec | null,
  endian: Endian,
  recorder: Recorder,
): Decision | NoValue {
  const poison = target === null && POISONED_KINDS.has(local.kind);
  if (target === null) recorder.log({ step: 'no-match', poison });
  // The local number comes first: where there is none, nothing is asked of the target.
  const orig = sideValue('local', local, endian, recorder);
  if ('fault' in orig) return orig;
  if (target === null) {
    const { value: origVal, validate, memSize: origSz, memType: origTypeId } = orig;
    return { ...NOTHING, origVal, validate, poison, origSz, origTypeId };
  }
  const found = sideValue('target', target, endian, recorder);
  if ('fault' in found) return found;
  const origSz = orig.memSize;
  const newSz = found.memSize;
  const failMemszAdjust = origSz !== newSz && !mayResize(local, orig, target, found);
  if (origSz !== newSz) {
    recorder.detail?.({ step: 'mem-size', origSz, newSz, allowed: !failMemszAdjust });
  }
  return {
    origVal: orig.value,
    newVal: found.value,
    validate: orig.validate,
    poison: false,
    failMemszAdjust,
    origSz,
    newSz,
    origTypeId: orig.memType,
    newTypeId: found.memType,
  };
}

/** local_type_id does not depend on a target: the root type of the record. */
function decideLocalTypeId({ root }: Spec): Decision {
  const value = BigInt(root);
  return { ...NOTHING, origVal: value, newVal: value, validate: false };
}

const NOTHING: Decision = {
  origVal: 0n,
  newVal: 0n,
  validate: true,
  poison: false,
  failMemszAdjust: false,
  origSz: 0,
  newSz: 0,
  origTypeId: VOID,
  newTypeId: VOID,
};

/**
 * Without a match questions get the answer 0; for these, a place or a value that
 * is not there, the instruction is made invalid.
 */
const POISONED_KINDS: ReadonlySet<number> = new Set([0, 1, 3, 4, 5, 11]);

function sideValue(
  side: ByteSide,
  spec: Spec,
  endian: Endian,
  { log, detail }: Recorder,
): SpecValue | NoValue {
  const found = specValue(spec, endian);
  if ('fault' in found) log({ step: 'value-fault', side, ...found });
  else detail?.({ step: 'value', side, ...found });
  return found;
}

/** Pointers and integers without sign may shrink and grow: the upper bits are zeros. */
function mayResize(local: Spec, orig: SpecValue, target: Spec, found: SpecValue): boolean {
  const kind = kindOf(local.types, orig.memType);
  if (kind !== kindOf(target.types, found.memType)) return false;
  if (kind === BtfKind.PTR) return true;
  return (
    kind === BtfKind.INT &&
    intData(local.types, orig.memType).encoding !== SIGNED &&
    intData(target.types, found.memType).encoding !== SIGNED
  );
}
