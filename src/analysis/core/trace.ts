/**
 * Steps of the resolver as data, recorded where they are decided. Steps that libbpf logs are always
 * recorded; details between these steps are recorded only for a trace. Names are not escaped. Type
 * ids refer to the table of the step's side.
 */
import type { OneOf } from '#bytes/one-of.ts';
import type { TypeId } from '#model/ids.ts';
import type { PatchStep } from './patch-insn.ts';
import type { ByteSide, FieldFault } from './spec-value.ts';

/** Type of the target that the resolver compares with the local type. */
export type Candidate = {
  /** Index of the candidate's table in `CoreTarget.tables`. */
  readonly table: number;
  readonly id: TypeId;
};

/** Type id and name as in libbpf's log: `struct foo`. */
export type NamedType = { readonly id: TypeId; readonly text: string };

/** Two incompatible types, without modifiers, and the rule that they break. */
export type Mismatch = {
  readonly local: TypeId;
  readonly target: TypeId;
  readonly rule:
    | 'kind'
    | 'name'
    | 'int-bit-offset'
    | 'int-size'
    | 'int-sign'
    | 'nelems'
    | 'params'
    | 'enum-size'
    | 'more-enumerators'
    | 'enumerator'
    | 'more-members'
    | 'member'
    | 'fwd-kind'
    | 'unexpected-kind'
    | 'endless';
  /** Name of the member or enumerator that the target lacks; empty for other rules. */
  readonly name: string;
  /** Names of the members that lead to the two types, outermost first. */
  readonly path: readonly string[];
};

/** Reason why a candidate does not match. */
export type Miss = OneOf<
  'why',
  {
    'not-composite': { type: TypeId; name: string };
    'no-member': { type: TypeId; name: string };
    incompatible: { type: TypeId; name: string; mismatch: Mismatch };
    'not-array': { type: TypeId; index: number };
    outside: { type: TypeId; index: number; nelems: number };
    'not-enum': { type: TypeId };
    'no-enumerator': { type: TypeId; name: string };
    types: { mismatch: Mismatch };
  }
>;

/** Fault that ends the comparison and makes the relocation fail. */
export type MatchFault = {
  readonly errno: number;
  readonly fault: 'too-deep' | 'no-size' | 'too-much-work' | 'kind';
};

/** Result of comparing a candidate. After a fault libbpf does not resolve the record. */
export type Verdict =
  | { readonly outcome: 'match' }
  | { readonly outcome: 'miss'; readonly miss: Miss }
  | ({ readonly outcome: 'fault' } & MatchFault);

export type CoreStatus = 'ok' | 'poisoned' | 'failed' | 'ambiguous' | 'skipped';

/** Steps recorded during the comparison of one candidate. */
export type MatchStep = OneOf<
  'step',
  {
    element: { type: TypeId; index: number; byteSize: number; bitOffset: number };
    'look-up': { name: string; type: TypeId };
    anonymous: { type: TypeId; index: number; inner: TypeId; depth: number };
    'searched-before': { type: TypeId; depth: number };
    /** `mismatch` is null if both member types are compatible. */
    member: {
      name: string;
      type: TypeId;
      index: number;
      bitOffset: number;
      mismatch: Mismatch | null;
    };
    bounds: { type: TypeId; index: number; nelems: number; flexible: boolean; fits: boolean };
    /** `index` is null if no enumerator has the essential name. */
    enumerator: { type: TypeId; name: string; index: number | null };
    /** Member that leads to the two types; null for the root, pointer targets and parameters. */
    compare: { local: TypeId; target: TypeId; depth: number; member: string | null };
    'compared-before': { local: TypeId; target: TypeId; equal: boolean };
    mismatch: { mismatch: Mismatch; depth: number };
  }
>;

export type TraceStep = MatchStep | PatchStep | OneOf<'step', ResolveSteps>;

type ResolveSteps = {
  searched: { modules: boolean; candidates: number };
  found: { local: NamedType; candidate: Candidate; target: NamedType; table: string };
  list: { candidates: number; cut: boolean };
  /** `kind` is the kind of the local type, which has no name; null if the type does not exist. */
  'search-failed': { errno: number; kind: string | null };
  'parse-failed': { local: NamedType; accessStr: string; errno: number; message: string };
  captured: { atStep: number; type: TypeId; kind: string };
  'local-spec': { spec: string };
  candidate: { number: number; candidate: Candidate };
  'unexpected-kind': { kind: string; local: TypeId; target: TypeId };
  trial: { number: number; candidate: Candidate; verdict: Verdict; spec: string };
  value: { side: ByteSide; value: bigint; memSize: number; memType: TypeId };
  'value-fault': { side: ByteSide; fault: FieldFault; errno: number };
  'offset-ambiguity': { bitOffset: number; first: number };
  'value-ambiguity': { value: bigint; poison: boolean; first: bigint; firstPoison: boolean };
  'no-match': { poison: boolean };
  cut: { before: number; after: number };
  'mem-size': { origSz: number; newSz: number; allowed: boolean };
  /** Linking has removed the function that contained the record's instruction. */
  eliminated: object;
  result: { status: CoreStatus };
};

/** Records the steps of one record and counts its work. Without tracing, `detail` is null. */
export type Recorder = {
  readonly work: { readonly spend: (amount: number) => MatchFault | null };
  readonly log: (step: TraceStep) => void;
  readonly detail: ((step: TraceStep) => void) | null;
};
