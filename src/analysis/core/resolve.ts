/**
 * Resolves the CO-RE relocations of an object on a target as libbpf 1.8 (src/relo_core.c,
 * `bpf_core_calc_relo_insn`), in order: a record's matches narrow the candidates of later records.
 */
import { append } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { Progress } from '#bytes/long-work.ts';
import { hexDigits } from '#bytes/text.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { isNameless } from '#model/names.ts';
import { hasType, kindOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import { Errno } from './access-string.ts';
import { kindWord } from './access-text.ts';
import { type CoreTarget, findCandidates, kindClass } from './candidates.ts';
import { coreKind } from './core-kinds.ts';
import { type CoreObject, type CoreObjectRecord, insnBytesOf } from './core-records.ts';
import { decide, decideLocalTypeId } from './decide.ts';
import { essentialKey } from './essential-name.ts';
import { matchSpec } from './match-spec.ts';
import { type AccessPath, walkAccess } from './parse-spec.ts';
import { type Decision, patchInsn } from './patch-insn.ts';
import { reasonText } from './reason.ts';
import { localSpec, logLine, namedType, type Spec, specText } from './spec.ts';
import type { Candidate, CoreStatus, NamedType, Recorder, TraceStep, Verdict } from './trace.ts';
import { Work } from './type-pairs.ts';

export type TargetSpec = {
  /** Spec as in libbpf's log: `<byte_off> [5] struct foo.a (0:0 @ offset 0)`. Not escaped. */
  readonly text: string;
  readonly root: TypeId;
  /** Indices of the path, including those of anonymous members. */
  readonly raw: readonly number[];
  /** Bits from the start of the first element, modulo 2^32. */
  readonly bitOffset: number;
};

export type CoreResult = {
  readonly record: CoreObjectRecord;
  readonly status: CoreStatus;
  /** Local spec as in libbpf's log; null if the access string is invalid. */
  readonly localSpec: string | null;
  /** Types of the target with the local type's essential name. */
  readonly candidates: readonly Candidate[];
  /** Candidates that libbpf compares for the record, see `ResolveOptions.fresh`. */
  readonly candsIn: readonly Candidate[];
  /** Candidates that match; empty if the record failed before the comparison. */
  readonly matched: readonly Candidate[];
  /** Module of the first candidate; null for vmlinux or if there are no candidates. */
  readonly module: string | null;
  /** Spec of the first match; null if no candidate matches. */
  readonly targetSpec: TargetSpec | null;
  /** Value to write; null if the record failed before the decision. */
  readonly decision: Decision | null;
  /** `memsz`: the instruction would access a wrong number of bytes. null for other results. */
  readonly poisonReason: 'memsz' | null;
  /** Hex digits of the instruction's bytes in file order; empty without an instruction. */
  readonly insnBefore: string;
  readonly insnAfter: string;
  /** Error number of search and comparison: 0 or negative. */
  readonly resolveErr: number;
  /** Error number of patching: 0 or negative. */
  readonly patchErr: number;
  /** True for the first record that fails. libbpf then loads no program. */
  readonly firstError: boolean;
  /** True if no earlier record failed. libbpf stops at the first failing record. */
  readonly reached: boolean;
  /** Sentence about the result and its reason. Names are not escaped. */
  readonly reason: string;
  /** Steps that libbpf logs; with a trace also the details between these steps. */
  readonly steps: readonly TraceStep[];
};

export type ResolveOptions = {
  /** Compare all candidates for each record. By default a match narrows later records' lists. */
  readonly fresh?: boolean;
  /** Also resolve records of eliminated functions, as `bpftool gen min_core_btf` does. */
  readonly eliminated?: boolean;
  /** Returns true for a record to trace in detail; `row` is its number in the object. */
  readonly trace?: (row: number) => boolean;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
};

/** Work of a candidate, in comparisons: more than 1, since the candidate's log line uses memory. */
const TRIAL_WORK = 400;

/** Number of records between two progress reports. */
const BATCH = 256;

/** Resolves all records in order. Throws only the reason of an aborted `signal`. */
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

/** Yields the results one by one, so that a caller can pause. */
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

type CandidateList = {
  readonly all: readonly Candidate[];
  /** Candidates that remain after the matches of earlier records. */
  left: readonly Candidate[];
};

type Walked = {
  readonly path: AccessPath;
  readonly spec: Spec;
  /** Text of the spec, from `specText`. */
  readonly text: string;
  readonly trials: Map<Candidate, Trial>;
};

/** Result of comparing an access with one candidate. */
type Trial = {
  readonly spec: Spec;
  readonly verdict: Verdict;
  /** Text of the spec, from `specText`. */
  readonly text: string;
  readonly steps: readonly TraceStep[];
  readonly cost: number;
};

/** Recorder and the steps that it has recorded. */
type Recording = Recorder & { readonly steps: readonly TraceStep[] };

type Outcome = Pick<CoreResult, 'matched' | 'targetSpec' | 'decision' | 'resolveErr'> & {
  readonly ambiguous: boolean;
};

/** Result of a record before libbpf patches its instruction. */
type Resolved = Pick<CoreResult, 'localSpec' | 'candidates' | 'candsIn'> & {
  readonly outcome: Outcome;
};

const NO_CANDIDATES: readonly Candidate[] = [];

function undecided(resolveErr: number, ambiguous = false): Outcome {
  return { matched: NO_CANDIDATES, targetSpec: null, decision: null, resolveErr, ambiguous };
}

function decided(decision: Decision): Outcome {
  return { matched: NO_CANDIDATES, targetSpec: null, decision, resolveErr: 0, ambiguous: false };
}

class Resolver {
  readonly #local: CoreObject;
  readonly #target: CoreTarget;
  readonly #fresh: boolean;
  readonly #lists = new Map<TypeId, CandidateList>();
  readonly #paths = new Map<string, Walked>();
  /** Candidates by kind and essential name, which many local types may share. */
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
    const recording = { log, detail: detailed ? log : null, work: this.#work, steps };
    const { localSpec, candidates, candsIn, outcome } = this.#resolve(record, recording);
    const { matched, targetSpec, decision, resolveErr } = outcome;
    const before = insnBytesOf(this.#local, row);
    const patched =
      decision === null
        ? { after: before, errno: 0, steps: [] }
        : patchInsn(before, this.#local.endian, decision);
    append(steps, patched.steps);
    const bad = patched.steps.some((step) => step.step === 'bad-access');
    const failed = resolveErr !== 0 || patched.errno !== 0;
    const status = statusOf(failed, outcome.ambiguous, bad || decision?.poison === true);
    steps.push({ step: 'result', status });
    const reached = !this.#failedBefore;
    this.#failedBefore ||= failed;
    const table = candsIn[0]?.table ?? 0;
    const insnBefore = hexDigits(before);
    return this.#withReason({
      candidates,
      candsIn,
      matched,
      localSpec,
      targetSpec,
      decision,
      resolveErr,
      record,
      status,
      module: table === 0 ? null : (this.#target.tables[table]?.name ?? null),
      poisonReason: bad ? 'memsz' : null,
      insnBefore,
      insnAfter: patched.after === before ? insnBefore : hexDigits(patched.after),
      patchErr: patched.errno,
      firstError: failed && reached,
      reached,
      reason: '',
      steps,
    });
  }

  /** Returns the result of a skipped record: libbpf neither searches for candidates nor writes. */
  skip(row: number, record: CoreObjectRecord): CoreResult {
    const insn = hexDigits(insnBytesOf(this.#local, row));
    return this.#withReason({
      candidates: NO_CANDIDATES,
      candsIn: NO_CANDIDATES,
      matched: NO_CANDIDATES,
      localSpec: logLine(record.kind, record.root, this.#walk(record).text),
      targetSpec: null,
      decision: null,
      resolveErr: 0,
      record,
      status: 'skipped',
      module: null,
      poisonReason: null,
      insnBefore: insn,
      insnAfter: insn,
      patchErr: 0,
      firstError: false,
      reached: !this.#failedBefore,
      reason: '',
      steps: [{ step: 'eliminated' }, { step: 'result', status: 'skipped' }],
    });
  }

  /** Adds the reason to the result itself, since copying the result would be slow. */
  #withReason(result: Omit<CoreResult, 'reason'> & { reason: string }): CoreResult {
    result.reason = reasonText(result, this.#local.types, this.#target);
    return result;
  }

  #resolve(record: CoreObjectRecord, recorder: Recording): Resolved {
    const { types } = this.#local;
    const { kind, root, accessStr } = record;
    const isLocalId = coreKind(kind)?.name === 'local_type_id';
    const walked = this.#walk(record);
    const { error } = walked.path;
    const text = logLine(kind, root, walked.text);
    const localSpec = error === null ? text : null;
    if (!isLocalId && isNameless(types, nameOffOf(types, root))) {
      const known = root === VOID || hasType(types, root);
      const word = known ? kindWord(kindOf(types, root)) : null;
      recorder.log({ step: 'search-failed', errno: Errno.EINVAL, kind: word });
      return {
        localSpec,
        candidates: NO_CANDIDATES,
        candsIn: NO_CANDIDATES,
        outcome: undecided(Errno.EINVAL),
      };
    }
    const list = isLocalId
      ? { all: NO_CANDIDATES, left: NO_CANDIDATES }
      : this.#candidates(record, recorder);
    const { all: candidates, left: candsIn } = list;
    if (error !== null) {
      const { errno, message, atStep, captured } = error;
      if (captured !== undefined && errno === Errno.EINVAL) {
        const word = kindWord(kindOf(types, captured));
        recorder.log({ step: 'captured', atStep, type: captured, kind: word });
      }
      recorder.log({ step: 'parse-failed', local: this.#named(record), accessStr, errno, message });
      return { localSpec, candidates, candsIn, outcome: undecided(Errno.EINVAL) };
    }
    recorder.log({ step: 'local-spec', spec: text });
    const outcome = isLocalId
      ? decided(decideLocalTypeId(root))
      : this.#tryAll(kind, walked, list, recorder);
    return { localSpec, candidates, candsIn, outcome };
  }

  /** Compares all remaining candidates, as libbpf's `bpf_core_calc_relo_insn` does. */
  #tryAll(kind: number, walked: Walked, list: CandidateList, recorder: Recording): Outcome {
    const { endian } = this.#local;
    const { spec } = walked;
    const matched: Candidate[] = [];
    let first: (Match & { readonly text: string }) | null = null;
    const seen = list.left.length;
    for (const [number, candidate] of list.left.entries()) {
      const types = this.#target.tables[candidate.table]?.types;
      if (types === undefined) break;
      const tooMuch = this.#work.spend(TRIAL_WORK);
      if (tooMuch !== null) {
        const verdict: Verdict = { outcome: 'fault', ...tooMuch };
        recorder.log({ step: 'trial', number, candidate, verdict, spec: '' });
        return undecided(tooMuch.errno);
      }
      recorder.detail?.({ step: 'candidate', number, candidate });
      const trial = this.#try(walked, types, candidate, recorder);
      const { spec: targetSpec, verdict } = trial;
      const text = logLine(kind, candidate.id, trial.text);
      recorder.log({ step: 'trial', number, candidate, verdict, spec: text });
      if (verdict.outcome === 'miss') continue;
      if (verdict.outcome === 'fault') return undecided(verdict.errno);
      const decision = decide(kind, spec, targetSpec, endian, recorder);
      if ('fault' in decision) return undecided(decision.errno);
      if (first === null) {
        first = { spec: targetSpec, decision, text };
      } else if (disagree(first, { spec: targetSpec, decision }, recorder)) {
        return undecided(Errno.EINVAL, true);
      }
      matched.push(candidate);
    }
    if (first === null) {
      const decision = decide(kind, spec, null, endian, recorder);
      return 'fault' in decision ? undecided(decision.errno) : decided(decision);
    }
    list.left = matched;
    if (matched.length < seen) {
      recorder.detail?.({ step: 'cut', before: seen, after: matched.length });
    }
    const { text, decision } = first;
    const { root, raw, bitOffset } = first.spec;
    const targetSpec = { text, root, raw, bitOffset };
    return { ...decided(decision), matched, targetSpec };
  }

  /** Compares an access with a candidate. A cached result adds the same work again. */
  #try(walked: Walked, types: TypeTable, candidate: Candidate, recorder: Recording): Trial {
    const { log, detail, work, steps } = recorder;
    const known = walked.trials.get(candidate);
    if (known !== undefined && detail === null && known.cost <= this.#work.left) {
      work.spend(known.cost);
      for (const step of known.steps) log(step);
      return known;
    }
    const before = steps.length;
    const { left } = this.#work;
    const { spec, verdict } = matchSpec(walked.spec, types, candidate.id, recorder);
    const trial: Trial = {
      spec,
      verdict,
      text: specText(spec),
      steps: steps.slice(before),
      cost: left - this.#work.left,
    };
    if (detail === null) walked.trials.set(candidate, trial);
    return trial;
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
    const all = getOrCreate(this.#found, name, () => findCandidates(this.#target, types, root));
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

  /** Follows an access, cached for all records whose kinds have the same rules. */
  #walk({ root, accessStr, kind }: CoreObjectRecord): Walked {
    const known = coreKind(kind);
    const alike = known?.name === 'type_matches' ? known.name : (known?.group ?? kind);
    return getOrCreate(this.#paths, `${root} ${alike} ${accessStr}`, (): Walked => {
      const path = walkAccess(this.#local.types, root, accessStr, kind);
      const spec = localSpec(this.#local.types, path);
      return { path, spec, text: specText(spec), trials: new Map() };
    });
  }

  #named({ root }: CoreObjectRecord): NamedType {
    return { id: root, text: namedType(this.#local.types, root) };
  }
}

type Match = { readonly spec: Spec; readonly decision: Decision };

/** Returns true if two matches differ in offset or value, which libbpf treats as an error. */
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

/** Returns true if the resolver stopped at its work limit; libbpf would have continued. */
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
