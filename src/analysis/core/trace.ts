/**
 * The steps of the resolver as data, recorded by the code that decides. Steps that libbpf logs are
 * always recorded, the details between them only for a trace. Names are raw text; ids are those of
 * the step's side.
 */
import type { OneOf } from '#bytes/one-of.ts';
import type { TypeId } from '#model/ids.ts';
import type { PatchStep } from './patch-insn.ts';
import type { ByteSide, FieldFault } from './spec-value.ts';

/** A type of the target that may be the local type's counterpart. */
export type Candidate = {
  /** Index in `CoreTarget.tables`. */
  readonly table: number;
  readonly id: TypeId;
};

/** A type as the log names it: `struct foo`. */
export type NamedType = { readonly id: TypeId; readonly text: string };

/** Two stripped types that are incompatible, and the broken rule. */
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
  /** The member or enumerator without a counterpart; else empty. */
  readonly name: string;
  /** Members on the path to the two types, outermost first. */
  readonly path: readonly string[];
};

/** The reason for a mismatch of a candidate. */
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

/** A fault that ends the comparison with a candidate, and the relocation. */
export type MatchFault = {
  readonly errno: number;
  readonly fault: 'too-deep' | 'no-size' | 'too-much-work' | 'kind';
};

/** The result of a comparison; a fault ends the record. */
export type Verdict =
  | { readonly outcome: 'match' }
  | { readonly outcome: 'miss'; readonly miss: Miss }
  | ({ readonly outcome: 'fault' } & MatchFault);

export type CoreStatus = 'ok' | 'poisoned' | 'failed' | 'ambiguous' | 'skipped';

/** Steps within the comparison of one candidate. */
export type MatchStep = OneOf<
  'step',
  {
    element: { type: TypeId; index: number; byteSize: number; bitOffset: number };
    'look-up': { name: string; type: TypeId };
    anonymous: { type: TypeId; index: number; inner: TypeId; depth: number };
    'searched-before': { type: TypeId; depth: number };
    /** `mismatch` is null if the types of both sides are compatible. */
    member: {
      name: string;
      type: TypeId;
      index: number;
      bitOffset: number;
      mismatch: Mismatch | null;
    };
    bounds: { type: TypeId; index: number; nelems: number; flexible: boolean; fits: boolean };
    /** `index` is null if no enumerator has the name. */
    enumerator: { type: TypeId; name: string; index: number | null };
    /** `member` leads to the two types; null at the root and for other references. */
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
  /** `kind` of the nameless type; null for a missing type. */
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
  /** Linking has replaced the function of the record. */
  eliminated: object;
  result: { status: CoreStatus };
};

/** Records the steps of one record and counts its work. `detail` is null without a trace. */
export type Recorder = {
  readonly work: { readonly spend: (amount: number) => MatchFault | null };
  readonly log: (step: TraceStep) => void;
  readonly detail: ((step: TraceStep) => void) | null;
};
