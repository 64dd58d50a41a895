/**
 * Messages between the page and a file's worker. One worker holds one file: closing the file ends
 * its worker and frees its memory, and the death of a worker affects no other file.
 *
 * Every request gets exactly one `ok` or `failed`; progress messages may come before. To add a
 * method, add its line here and its case in `serve.ts`.
 */
import type {
  AtlasName,
  AtlasSummary,
  NameInAtlas,
  NameQuery,
  NamesAnswer,
} from '#analysis/atlas/atlas-names.ts';
import type { NameHistory } from '#analysis/atlas/history.ts';
import type { MemberAccess } from '#analysis/atlas/member-access.ts';
import type { WholeComparison } from '#analysis/compare/compare-tables.ts';
import type { DuplicateGroup } from '#analysis/compare/duplicates.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { FindAnswer } from '#analysis/find/make-hit.ts';
import type { TypeQuery } from '#analysis/find/type-search.ts';
import type { TypeUses } from '#analysis/find/type-uses.ts';
import type { GroupOfReferrers } from '#analysis/graph/referrers.ts';
import type { GraphPicture, GraphRequest } from '#analysis/graph/scene.ts';
import type { LibbpfVerdict } from '#analysis/kernel/verdict.ts';
import type { LoadCalls } from '#analysis/libbpf/calls.ts';
import type { FileCheck } from '#analysis/libbpf/file-check.ts';
import type { LoadData } from '#analysis/libbpf/open.ts';
import type { TypesLink } from '#analysis/links/carried-link.ts';
import type { BtfOrigin } from '#analysis/lint/kernel-btf.ts';
import type { Remedy, RemedyReason } from '#analysis/load/remedies.ts';
import type { AskedPath } from '#analysis/log/ask-target.ts';
import type { ExplainedLine } from '#analysis/log/explain.ts';
import type { Followed } from '#analysis/log/follow-names.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import type { Needs } from '#analysis/needs/needs.ts';
import type { NeedsOnKernel } from '#analysis/needs/on-kernel.ts';
import type { EmbeddedObjects } from '#analysis/objects/embedded-objects.ts';
import type { PathsAnswer, PathsQuestion } from '#analysis/paths/ask-paths.ts';
import type { FieldName } from '#analysis/paths/field-names.ts';
import type { QueryResult } from '#analysis/query/run-query.ts';
import type { ModelFile } from '#analysis/query/table.ts';
import type { ComputedRelocation } from '#analysis/relocations/computed-relocation.ts';
import type { TypeCensus } from '#analysis/types/type-census.ts';
import type { ProgramMatch } from '#analysis/verifier/agreement.ts';
import type { RuleCard } from '#analysis/verifier/cards.ts';
import type { ComparedLogs } from '#analysis/verifier/compare-logs.ts';
import type { LogEvidence } from '#analysis/verifier/log-evidence.ts';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import type { LogPart } from '#analysis/verifier/log-parts.ts';
import type { LoadedCode } from '#analysis/verifier/program-codes.ts';
import type { ReplayColumns } from '#analysis/verifier/replay-columns.ts';
import type { StepFacts } from '#analysis/verifier/step-facts.ts';
import type { ToldAnswer } from '#analysis/verifier/told-answer.ts';
import type { LogBinding } from '#analysis/verifier/typed-value.ts';
import type { ValueFlow } from '#analysis/verifier/value-flow.ts';
import type { Declarations } from '#analysis/workbench/declarations.ts';
import type { Kernel } from '#analysis/workbench/kernel-types.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Progress } from '#bytes/long-work.ts';
import type { ArchiveMember, ObjectModel } from '#model/object-model.ts';
import type { DistilledMatch } from '#model/split-base.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { DecisionsAnswer, DecisionsParams } from '#print/decision-rows.ts';
import type { BuiltAtlas, FileOfFolder } from './build-atlas.ts';
import type { MinBtfAnswer, ResolveParams } from './core-answers.ts';
import type { DeclaredAnswer } from './declarations-answer.ts';
import type { KernelFacts, LoadAnswer } from './load-answers.ts';
import type { TextFormat, TextOptions, WholeText } from './text-answers.ts';

/** A part of another log. The worker reads each `key` only once while it is asked for it. */
export type OtherLog = {
  readonly key: number;
  readonly name: string;
  /** A `Blob` is passed by reference; bytes are copied. */
  readonly file: Blob | ArrayBuffer;
  readonly part: LogPart;
};

/** A file that a linker made of this one. The worker reads each `key` only once. */
export type LinkedFileParams = {
  readonly key: number;
  readonly name: string;
  /** A `Blob` is passed by reference; bytes are copied. */
  readonly file: Blob | ArrayBuffer;
};

export type OpenResult =
  | { readonly kind: 'object'; readonly model: ObjectModel }
  | {
      readonly kind: 'archive';
      readonly members: readonly ArchiveMember[];
      readonly issues: readonly Issue[];
    }
  | { readonly kind: 'atlas'; readonly atlas: AtlasSummary }
  | { readonly kind: 'log'; readonly log: LogOverview; readonly issues: readonly Issue[] };

/** Base for split BTF: its types, which are copied to the worker, and its name. */
export type BaseParams = { readonly types: TypeTable; readonly name: string };

export type SetBaseResult =
  | { readonly kind: 'refused'; readonly issue: Issue; readonly matches: readonly DistilledMatch[] }
  | { readonly kind: 'read'; readonly model: ObjectModel };

/** Number of a kernel in an atlas; absent if the worker's file is a kernel. */
type OnKernel = { readonly kernel?: number };

/** Size in bytes of a file on the page's server. The worker asks the page for its bytes. */
export type RemoteSize = { readonly remoteSize: number };

/** File that an SQL query reads. */
export type AskedFile = ModelFile | { readonly name: string; readonly atlas: Blob | RemoteSize };

/** Parameters and result of each method of the worker. */
export type Methods = {
  /**
   * Opens the file; always the first request. Fails with the reason why the file is rejected.
   * `File` and `Blob` are passed by reference, bytes are copied.
   */
  open: {
    params: { readonly name: string; readonly file: Blob | ArrayBuffer | RemoteSize };
    result: OpenResult;
  };
  /** Returns the reason why `base` does not fit the split BTF, or null. Changes nothing. */
  tryBase: { params: BaseParams; result: Issue | null };
  /** Reads the file with another base, or none. A base that does not fit changes nothing. */
  setBase: { params: { readonly base: BaseParams | null }; result: SetBaseResult };
  /**
   * Reads a stripped file with the DWARF of its debug file, or a file with its supplementary or split
   * files. Files that do not fit change nothing.
   */
  setDebugFile: {
    params: {
      readonly files: readonly { readonly name: string; readonly file: Blob | ArrayBuffer }[];
    };
    result:
      | { readonly kind: 'refused'; readonly issue: Issue }
      | { readonly kind: 'read'; readonly model: ObjectModel };
  };
  /** Sets the kernel that later declarations include as `vmlinux.h`, or null for none. */
  useKernel: { params: Kernel | null; result: null };
  /** Compiles C declarations to BTF that replaces the file; with problems nothing changes. */
  declare: { params: Declarations; result: DeclaredAnswer };
  /** Lists what pahole leaves out of the BTF that it makes of the file's DWARF. */
  decisions: { params: DecisionsParams; result: DecisionsAnswer };
  /** Lists the BPF objects embedded in a program. */
  embedded: { params: null; result: EmbeddedObjects };
  /** Returns the bytes of a member or embedded object; null if the page can read them itself. */
  member: { params: ArchiveMember; result: Uint8Array | null };
  /** Returns bytes `start` to `end` of the unpacked file; fewer if the file ends before `end`. */
  bytes: { params: { readonly start: number; readonly end: number }; result: Uint8Array };
  /** Answers a search query; waits for the search index and reports its progress. */
  find: {
    /** `text` is the typed query; at most `limit` results are returned. */
    params: { readonly text: string; readonly limit: number };
    result: FindAnswer;
  };
  /** Returns the largest structs and the most used types; null for a file without types. */
  census: {
    params: { readonly structs: number; readonly referred: number };
    result: TypeCensus | null;
  };
  /** Returns the ids of matching types, in order, without types of the base. */
  searchTypes: { params: TypeQuery; result: Uint32Array };
  /** Returns up to `limit` types that refer to `type`, and their total number. */
  referrers: {
    params: { readonly type: number; readonly limit: number };
    result: { readonly total: number; readonly ids: Uint32Array };
  };
  /** Returns all uses of a type in the file; null if the file has no types. */
  typeUses: { params: { readonly type: number }; result: TypeUses | null };
  /** Returns the graph around a type as a picture; null if the file has no types. */
  graph: { params: GraphRequest; result: GraphPicture | null };
  /** Returns the types that refer to a type, grouped by kind of reference, `limit` per group. */
  graphReferrers: {
    params: { readonly type: number; readonly limit: number };
    result: readonly GroupOfReferrers[];
  };
  /** Returns the best paths from a type to a type or field; null if the file has no types. */
  paths: { params: PathsQuestion; result: PathsAnswer | null };
  /** Returns member names that complete a typed text, best first. */
  fieldNames: {
    params: { readonly typed: string; readonly limit: number };
    result: readonly FieldName[];
  };
  /** Returns the lint findings on references, layouts, CO-RE records and code. */
  findings: { params: null; result: readonly Issue[] };
  /** Returns the verdicts of the kernel and libbpf on the file's BTF; null without BTF. */
  check: { params: null; result: FileCheck | null };
  /** Returns libbpf's verdict on the types as a target; null if some types are unreadable. */
  libbpfVerdict: { params: null; result: LibbpfVerdict | null };
  /** Returns encoder and readers of the BTF of a kernel or module; null for other files. */
  btfOrigin: { params: null; result: BtfOrigin | null };
  /** Returns the system calls in which libbpf loads BTF; null if the file is no BPF object. */
  loadCalls: { params: null; result: LoadCalls | null };
  /** Opens the object as libbpf does. Returns data that the page lacks; null for non-BPF. */
  loadObject: { params: null; result: Omit<LoadData, 'model' | 'core'> | null };
  /** Returns what the object needs of a kernel; null if the file is no BPF object. */
  needs: { params: null; result: Needs | null };
  /** Returns which needs of an object this kernel lacks; null if the file has no types. */
  needsOnKernel: {
    params: OnKernel & {
      readonly object: LoadData;
      readonly needs: Needs;
      readonly facts: KernelFacts;
    };
    result: NeedsOnKernel | null;
  };
  /** Judges whether an object loads on this kernel; null if the file has no types. */
  judgeLoad: {
    params: OnKernel & { readonly object: LoadData; readonly facts: KernelFacts };
    result: LoadAnswer | null;
  };
  /** Returns changes that help an object load on this kernel; null if the file has no types. */
  remedies: {
    params: OnKernel & {
      readonly object: LoadData;
      readonly facts: KernelFacts;
      readonly reason: RemedyReason;
    };
    result: readonly Remedy[] | null;
  };
  /** Resolves the CO-RE relocations of an object against this file's types and modules. */
  resolveCore: {
    params: OnKernel & ResolveParams & { readonly facts?: KernelFacts };
    result: readonly CoreResult[];
  };
  /** Resolves one CO-RE record of an object with all steps; null if there is no such record. */
  explainCore: {
    params: OnKernel & ResolveParams & { readonly row: number; readonly facts?: KernelFacts };
    result: CoreResult | null;
  };
  /** Resolves a type and path from a loader log in this file's types. */
  followLog: { params: AskedPath; result: readonly Followed[] };
  /** Returns BTF with the types that an object needs; null if this file has no types. */
  minBtf: { params: ResolveParams; result: MinBtfAnswer | null };
  /** Writes all types as text in a tool's format; fails for a file without types. */
  text: { params: { readonly format: TextFormat } & TextOptions; result: WholeText };
  /** Returns a link key that contains a type and its member types; null if it is too long. */
  typesLink: {
    /** `maxLength` is in characters; optional parts are left out to meet it. */
    params: { readonly type: number; readonly maxLength: number };
    result: TypesLink | null;
  };
  /** Returns a link key that contains the whole file; null if the file is too large. */
  fileLink: { params: null; result: string | null };
  /**
   * Computes a relocation entry with the addresses in `layout`, a text of `layoutText`, or with those
   * of a linked file; null if there is no such entry. Fails for a file that is not linked.
   */
  computeRelocation: {
    params: {
      readonly reloc: number;
      readonly layout: string;
      readonly linked: LinkedFileParams | null;
    };
    result: ComputedRelocation | null;
  };
  /** Compares the file's types with those of another file; null if this file has no types. */
  compare: { params: { readonly other: TypeTable }; result: WholeComparison | null };
  /** Returns types with equal kind and name, and the first difference between them. */
  duplicates: { params: null; result: readonly DuplicateGroup[] };
  /** Builds an atlas from the files of a folder; no file needs to be open. */
  buildAtlas: {
    params: { readonly name: string; readonly files: readonly FileOfFolder[] };
    result: BuiltAtlas;
  };
  /** Searches the names in an atlas. */
  atlasNames: { params: NameQuery; result: NamesAnswer };
  /** Returns the forms of a name on all kernels of an atlas; null if no kernel has the name. */
  atlasHistory: {
    params: { readonly kind: AtlasName['kind'] | null; readonly name: string };
    result: NameHistory | null;
  };
  /** Returns which kinds of programs can be attached to a function; null if no kernel has it. */
  atlasAttach: { params: { readonly name: string }; result: NameHistory | null };
  /** Returns for each kernel if a program can read a member; null if no kernel has the member. */
  atlasAccess: {
    params: NameInAtlas & { readonly item: string };
    result: MemberAccess | null;
  };
  /** Returns the BTF of an atlas's kernel, byte for byte. */
  atlasBtf: { params: { readonly kernel: number }; result: Uint8Array };
  /** Returns lines `from` to `to` (exclusive) of a log, at most 4,096, counted from 0. */
  logLines: {
    params: { readonly from: number; readonly to: number };
    result: readonly ExplainedLine[];
  };
  /** Returns lines of libbpf in a log: the first 4,096. */
  loaderLines: { params: null; result: readonly LogLine[] };
  /** Returns the text of lines `from` to `to`, without addresses and paths if asked; or null. */
  logText: {
    params: { readonly from: number; readonly to: number; readonly isSanitised: boolean };
    result: string | null;
  };
  /** Returns the lines of a log that contain a text, in any case, ascending. */
  findInLog: { params: { readonly text: string }; result: Uint32Array };
  /** Says why the program of a part was refused; null if there is no such part. */
  answerLog: {
    params: LogBinding & { readonly part: number };
    result: ToldAnswer | null;
  };
  /** Returns the card of a rule of the verifier; null if there is none. */
  ruleCard: { params: { readonly rule: string }; result: RuleCard | null };
  /** Returns the walk of a part of a log; null if the part has none. */
  replayLog: { params: { readonly part: number }; result: ReplayColumns | null };
  /** Returns what the verifier knew at a step of a part's walk; null if there is no such step. */
  logStep: { params: { readonly part: number; readonly step: number }; result: StepFacts | null };
  /** Returns the step before `step` that wrote a register or stack slot last, or null. */
  logWrite: {
    params: { readonly part: number; readonly step: number; readonly name: string };
    result: number | null;
  };
  /** Returns where the value of a register or slot comes from and goes to on the path to `until`. */
  logFlow: {
    params: {
      readonly part: number;
      readonly step: number;
      readonly name: string;
      readonly until: number;
    };
    result: ValueFlow | null;
  };
  /** Compares a part of a log with one of another log; `compared` is null if one has no walk. */
  compareLog: {
    params: { readonly part: number; readonly other: OtherLog };
    result: { readonly compared: ComparedLogs | null };
  };
  /** Returns the code of a program of this object, of the only one for null; null without one. */
  programCode: { params: { readonly program: string | null }; result: LoadedCode | null };
  /** Returns for each part of a log the program of this object that agrees with it, or null. */
  matchLog: {
    params: { readonly parts: readonly LogEvidence[] };
    result: readonly (ProgramMatch | null)[];
  };
  /** Runs SQL over `files`; null means the files of the previous query. */
  query: {
    params: { readonly sql: string; readonly files: readonly AskedFile[] | null };
    result: QueryResult;
  };
  /** Returns the SHA-256 of the file as dropped (before unpacking), in hex. */
  sha256: { params: null; result: string };
};

export type Method = keyof Methods;

export type RequestOf<M extends Method> = {
  [N in M]: { readonly id: number; readonly method: N; readonly params: Methods[N]['params'] };
}[M];

export type Request = RequestOf<Method>;

/** Cancels a request, which then fails with the code `cancelled`. */
export type Cancel = { readonly id: number; readonly method: 'cancel' };

/** Asks the worker for an `alive` message, which shows that it still handles messages. */
export type Ping = { readonly method: 'ping' };

/** Makes the worker hold a lock until it ends; the worker answers `held` if it can. */
export type Hold = { readonly method: 'hold'; readonly lock: string };

/** Bytes that the worker asked for; or null and the reason, without a full stop. */
export type Range = {
  readonly method: 'range';
  readonly id: number;
  readonly bytes: Uint8Array | null;
  readonly why: string;
};

export type ToWorker = Request | Cancel | Ping | Hold | Range;

export type FromWorker =
  | { readonly kind: 'alive' }
  | { readonly kind: 'held'; readonly lock: string }
  /** Asks the page for bytes of the file on its server. The page answers with a `Range`. */
  | {
      readonly kind: 'range';
      readonly id: number;
      readonly start: number;
      readonly end: number;
    }
  /** Tells that the worker has begun the request: if it falls silent, this request may be why. */
  | { readonly id: number; readonly kind: 'begun' }
  | { readonly id: number; readonly kind: 'ok'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly issue: Issue }
  | { readonly id: number; readonly kind: 'progress'; readonly progress: Progress };

export const CANCELLED: Issue = {
  severity: 'note',
  code: 'request.cancelled',
  message: 'cancelled',
  span: null,
  region: '',
};
