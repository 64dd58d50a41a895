/**
 * What the resolver did, step by step, as data.
 *
 * The code that decides is the code that records: there is no second algorithm
 * that explains. Steps that libbpf's log has a line for are always recorded, and
 * `print/core-log.ts` words them as libbpf does; the details between them only
 * when asked for. The last step is always the result. `trace-words.ts` says them
 * in plain sentences. Names are raw text; ids are those of the side they name.
 */
import type { TypeId } from '#model/ids.ts';
import type { PatchStep } from './patch-insn.ts';
import type { ByteSide, FieldFault } from './spec-value.ts';

/** A type of the target that may be the one that is meant. */
export type Candidate = {
  /** Index in `CoreTarget.tables`. */
  readonly table: number;
  readonly id: TypeId;
};

/** A type as the log names it: `struct foo`. */
export type NamedType = { readonly id: TypeId; readonly text: string };

/** Two types that do not go together, both stripped, and which rule says so. */
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
  /** The member or enumerator that has no partner; else empty. */
  readonly name: string;
  /** Members that lead to the two types, outermost first. */
  readonly path: readonly string[];
};

/** Why a candidate is not the one. */
export type Miss =
  | { readonly why: 'not-composite'; readonly type: TypeId; readonly name: string }
  | { readonly why: 'no-member'; readonly type: TypeId; readonly name: string }
  | {
      readonly why: 'incompatible';
      readonly type: TypeId;
      readonly name: string;
      readonly mismatch: Mismatch;
    }
  | { readonly why: 'not-array'; readonly type: TypeId; readonly index: number }
  | {
      readonly why: 'outside';
      readonly type: TypeId;
      readonly index: number;
      readonly nelems: number;
    }
  | { readonly why: 'not-enum'; readonly type: TypeId }
  | { readonly why: 'no-enumerator'; readonly type: TypeId; readonly name: string }
  | { readonly why: 'types'; readonly mismatch: Mismatch };

/** What stops the comparison with a candidate, and with it the relocation. */
export type MatchFault = {
  readonly errno: number;
  readonly fault: 'too-deep' | 'no-size' | 'too-much-work' | 'kind';
};

/** What came of a comparison; a fault ends the record. */
export type Verdict =
  | { readonly outcome: 'match' }
  | { readonly outcome: 'miss'; readonly miss: Miss }
  | ({ readonly outcome: 'fault' } & MatchFault);

export type CoreStatus = 'ok' | 'poisoned' | 'failed' | 'ambiguous';

/** Steps within the comparison of one candidate. */
export type MatchStep =
  | {
      readonly step: 'element';
      readonly type: TypeId;
      readonly index: number;
      readonly byteSize: number;
      readonly bitOffset: number;
    }
  | { readonly step: 'look-up'; readonly name: string; readonly type: TypeId }
  | {
      readonly step: 'anonymous';
      readonly type: TypeId;
      readonly index: number;
      readonly inner: TypeId;
      readonly depth: number;
    }
  | { readonly step: 'searched-before'; readonly type: TypeId; readonly depth: number }
  | {
      readonly step: 'member';
      readonly name: string;
      readonly type: TypeId;
      readonly index: number;
      readonly bitOffset: number;
      /** null where the types of both sides are compatible. */
      readonly mismatch: Mismatch | null;
    }
  | {
      readonly step: 'bounds';
      readonly type: TypeId;
      readonly index: number;
      readonly nelems: number;
      readonly flexible: boolean;
      readonly fits: boolean;
    }
  | {
      readonly step: 'enumerator';
      readonly type: TypeId;
      readonly name: string;
      /** null where there is none of that name. */
      readonly index: number | null;
    }
  | {
      readonly step: 'compare';
      readonly local: TypeId;
      readonly target: TypeId;
      readonly depth: number;
      /** The member that leads here; null at the root and for all that is no member. */
      readonly member: string | null;
    }
  | {
      readonly step: 'compared-before';
      readonly local: TypeId;
      readonly target: TypeId;
      readonly equal: boolean;
    }
  | { readonly step: 'mismatch'; readonly mismatch: Mismatch; readonly depth: number };

export type TraceStep =
  | { readonly step: 'searched'; readonly modules: boolean; readonly candidates: number }
  | {
      readonly step: 'found';
      readonly local: NamedType;
      readonly candidate: Candidate;
      readonly target: NamedType;
      readonly table: string;
    }
  | { readonly step: 'list'; readonly candidates: number; readonly cut: boolean }
  | { readonly step: 'search-failed'; readonly errno: number }
  | {
      readonly step: 'parse-failed';
      readonly local: NamedType;
      readonly accessStr: string;
      readonly errno: number;
      readonly message: string;
    }
  | {
      readonly step: 'captured';
      readonly atStep: number;
      readonly type: TypeId;
      readonly kind: string;
    }
  | { readonly step: 'local-spec'; readonly spec: string }
  | { readonly step: 'candidate'; readonly number: number; readonly candidate: Candidate }
  | MatchStep
  | {
      readonly step: 'unexpected-kind';
      readonly kind: string;
      readonly local: TypeId;
      readonly target: TypeId;
    }
  | {
      readonly step: 'trial';
      readonly number: number;
      readonly candidate: Candidate;
      readonly verdict: Verdict;
      readonly spec: string;
    }
  | {
      readonly step: 'value';
      readonly side: ByteSide;
      readonly value: bigint;
      readonly memSize: number;
      readonly memType: TypeId;
    }
  | {
      readonly step: 'value-fault';
      readonly side: ByteSide;
      readonly fault: FieldFault;
      readonly errno: number;
    }
  | { readonly step: 'offset-ambiguity'; readonly bitOffset: number; readonly first: number }
  | {
      readonly step: 'value-ambiguity';
      readonly value: bigint;
      readonly poison: boolean;
      readonly first: bigint;
      readonly firstPoison: boolean;
    }
  | { readonly step: 'no-match'; readonly poison: boolean }
  | { readonly step: 'cut'; readonly before: number; readonly after: number }
  | {
      readonly step: 'mem-size';
      readonly origSz: number;
      readonly newSz: number;
      readonly allowed: boolean;
    }
  | PatchStep
  | { readonly step: 'result'; readonly status: CoreStatus };

/** Takes the steps of one record. `detail` is null unless a trace was asked for. */
export type Recorder = {
  readonly log: (step: TraceStep) => void;
  readonly detail: ((step: TraceStep) => void) | null;
};
