/**
 * One object against one target, record by record: libbpf's
 * `bpf_core_resolve_relo` and `bpf_core_calc_relo_insn`, then the patch.
 */
import type { TypeId } from '#model/ids.ts';
import { isNameless } from '#model/names.ts';
import { kindOf, nameOffOf } from '#model/type-table.ts';
import { type AccessPath, walkAccess } from './access-path.ts';
import { kindWord } from './access-words.ts';
import { coreKind } from './core-kinds.ts';
import { type CoreObject, type CoreObjectRecord, insnBytesOf } from './core-object.ts';
import { decide, decideLocalTypeId } from './decide.ts';
import { Errno } from './errno.ts';
import { matchSpec } from './match-spec.ts';
import { type Decision, patchInsn } from './patch-insn.ts';
import { reasonWords } from './reason.ts';
import type { CoreResult } from './resolve.ts';
import { localSpec, type Spec } from './spec.ts';
import { logLine, namedType, specLine, specText } from './spec-text.ts';
import { type CoreTarget, findCandidates } from './target.ts';
import type { Candidate, CoreStatus, NamedType, Recorder, TraceStep } from './trace.ts';

type CandidateList = {
  readonly all: readonly Candidate[];
  /** What is left of them. */
  left: readonly Candidate[];
};

type Walked = { readonly path: AccessPath; readonly spec: Spec; readonly text: string };

/** What a record comes to before the instruction is patched. */
type Resolved = Pick<
  CoreResult,
  'candidates' | 'candsIn' | 'matched' | 'localSpec' | 'targetSpec' | 'decision' | 'resolveErr'
> & { readonly ambiguous: boolean };

export class Resolver {
  readonly #local: CoreObject;
  readonly #target: CoreTarget;
  readonly #fresh: boolean;
  readonly #lists = new Map<TypeId, CandidateList>();
  readonly #paths = new Map<string, Walked>();
  #failedBefore = false;

  constructor(local: CoreObject, target: CoreTarget, fresh: boolean) {
    this.#local = local;
    this.#target = target;
    this.#fresh = fresh;
  }

  resolve(row: number, record: CoreObjectRecord, detailed: boolean): CoreResult {
    const steps: TraceStep[] = [];
    const log = (step: TraceStep): void => {
      steps.push(step);
    };
    const recorder: Recorder = { log, detail: detailed ? log : null };
    const { ambiguous, ...resolved } = this.#resolve(record, recorder);
    const { decision } = resolved;
    const before = insnBytesOf(this.#local, row);
    const patched =
      decision === null
        ? { after: before, errno: 0, steps: [] }
        : patchInsn(before, this.#local.endian, decision);
    steps.push(...patched.steps);
    const bad = patched.steps.some((step) => step.step === 'bad-access');
    const failed = resolved.resolveErr !== 0 || patched.errno !== 0;
    const status = statusOf(failed, ambiguous, bad || decision?.poison === true);
    steps.push({ step: 'result', status });
    const firstError = failed && !this.#failedBefore;
    this.#failedBefore ||= failed;
    const table = resolved.candsIn[0]?.table ?? 0;
    const result: Omit<CoreResult, 'reason'> = {
      record,
      status,
      ...resolved,
      module: table === 0 ? null : (this.#target.tables[table]?.name ?? null),
      poisonReason: bad ? 'memsz' : null,
      insnBefore: hexOf(before),
      insnAfter: hexOf(patched.after),
      patchErr: patched.errno,
      firstError,
      steps,
    };
    return { ...result, reason: reasonWords(result, this.#local.types, this.#target) };
  }

  #resolve(record: CoreObjectRecord, recorder: Recorder): Resolved {
    const { types } = this.#local;
    const isLocalId = coreKind(record.kind)?.name === 'local_type_id';
    const nameless = isNameless(types, nameOffOf(types, record.root));
    const { path, spec, text } = this.#walk(record);
    const nothing: Resolved = {
      candidates: [],
      candsIn: [],
      matched: [],
      localSpec: path.error === null ? text : null,
      targetSpec: null,
      decision: null,
      resolveErr: Errno.EINVAL,
      ambiguous: false,
    };
    if (!isLocalId && nameless) {
      recorder.log({ step: 'search-failed', errno: Errno.EINVAL });
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
    const all = findCandidates(this.#target, types, record.root);
    const modules = this.#target.tables.length > 1 && all[0]?.table !== 0;
    recorder.detail?.({ step: 'searched', modules, candidates: all.length });
    const local = this.#named(record);
    for (const candidate of all) {
      const table = this.#target.tables[candidate.table];
      if (table === undefined) continue;
      const target = { id: candidate.id, text: namedType(table.types, candidate.id) };
      recorder.log({ step: 'found', local, candidate, target, table: table.name });
    }
    const list = { all, left: all };
    this.#lists.set(record.root, list);
    return list;
  }

  /** Many records share an access: it is followed once for all kinds that read it alike. */
  #walk({ root, accessStr, kind }: CoreObjectRecord): Walked {
    const key = `${root} ${coreKind(kind)?.group ?? kind} ${accessStr}`;
    let walked = this.#paths.get(key);
    if (walked === undefined) {
      const path = walkAccess(this.#local.types, root, accessStr, kind);
      const spec = localSpec(this.#local.types, path);
      walked = { path, spec, text: specText(spec) };
      this.#paths.set(key, walked);
    }
    const { path, spec, text } = walked;
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

function statusOf(failed: boolean, ambiguous: boolean, poisoned: boolean): CoreStatus {
  if (ambiguous) return 'ambiguous';
  if (failed) return 'failed';
  return poisoned ? 'poisoned' : 'ok';
}

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
