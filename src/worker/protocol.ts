/**
 * Messages between the page and a file's worker. One worker holds one file: closing the file ends
 * its worker and frees its memory, and the death of a worker affects no other file.
 *
 * Every request gets exactly one `ok` or `failed`; progress may precede. To add a method, add its
 * line here and its case in `serve.ts`.
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
import type { About } from '#analysis/libbpf/outcome.ts';
import type { TypesLink } from '#analysis/links/carried-link.ts';
import type { Remedy } from '#analysis/load/remedies.ts';
import type { AskedPath } from '#analysis/log/ask-target.ts';
import type { Followed } from '#analysis/log/follow-names.ts';
import type { EmbeddedObjects } from '#analysis/objects/embedded-objects.ts';
import type { PathsAnswer, PathsQuestion } from '#analysis/paths/ask-paths.ts';
import type { FieldName } from '#analysis/paths/field-names.ts';
import type { QueryResult } from '#analysis/query/run-query.ts';
import type { ModelFile } from '#analysis/query/table.ts';
import type { TypeCensus } from '#analysis/types/type-census.ts';
import type { Declarations } from '#analysis/workbench/declarations-key.ts';
import type { Kernel } from '#analysis/workbench/kernel-types.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Progress } from '#bytes/long-work.ts';
import type { ArchiveMember, ObjectModel } from '#model/object-model.ts';
import type { DistilledMatch } from '#model/split-base.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { BuiltAtlas, FileOfFolder } from './build-atlas.ts';
import type { MinBtfAnswer, ResolveParams } from './core-answers.ts';
import type { DeclaredAnswer } from './declarations-answer.ts';
import type { KernelFacts, LoadAnswer } from './load-answers.ts';
import type { TextFormat, TextOptions, WholeText } from './text-answers.ts';

export type OpenResult =
  | { readonly kind: 'object'; readonly model: ObjectModel }
  | {
      readonly kind: 'archive';
      readonly members: readonly ArchiveMember[];
      readonly issues: readonly Issue[];
    }
  | { readonly kind: 'atlas'; readonly atlas: AtlasSummary };

/** A base for split BTF: its types, which are copied, and its displayed name. */
export type BaseParams = { readonly types: TypeTable; readonly name: string };

export type SetBaseResult =
  | { readonly kind: 'refused'; readonly issue: Issue; readonly matches: readonly DistilledMatch[] }
  | { readonly kind: 'read'; readonly model: ObjectModel };

/** Number of a kernel of an atlas; without a number the file itself. */
type OnKernel = { readonly kernel?: number };

/** Size in bytes of a file on the page's server, which the page reads for the worker. */
export type RemoteSize = { readonly remoteSize: number };

/** A file that SQL queries read. */
export type AskedFile = ModelFile | { readonly name: string; readonly atlas: Blob | RemoteSize };

/** Parameters and result of each method. */
export type Methods = {
  /**
   * Opens the file: the first request, repeated only after a failure. Fails with the reason why the
   * file is rejected. `File` and `Blob` cross by reference; bytes are copied.
   */
  open: {
    params: { readonly name: string; readonly file: Blob | ArrayBuffer | RemoteSize };
    result: OpenResult;
  };
  /** Returns why `base` cannot be the base of the split BTF, or null if it can. Changes nothing. */
  tryBase: { params: BaseParams; result: Issue | null };
  /**
   * Reads the file on another base or null; a rejected base changes nothing. `types.base` is null.
   */
  setBase: { params: { readonly base: BaseParams | null }; result: SetBaseResult };
  /** Sets the kernel whose types later declarations include as `vmlinux.h`; null for no kernel. */
  useKernel: { params: Kernel | null; result: null };
  /** Replaces the file by the BTF of C declarations and reads it; with problems nothing changes. */
  declare: { params: Declarations; result: DeclaredAnswer };
  /** Lists the BPF objects inside of a program. */
  embedded: { params: null; result: EmbeddedObjects };
  /** Returns the bytes of a member or embedded object; null if they are a tail of the file. */
  member: { params: ArchiveMember; result: Uint8Array | null };
  /** Returns the bytes `start` to `end` of the unpacked file, clipped to its size. */
  bytes: { params: { readonly start: number; readonly end: number }; result: Uint8Array };
  /** Answers a search query. Waits for the index and reports its progress. */
  find: {
    /** `text` as typed; at most `limit` results. */
    params: { readonly text: string; readonly limit: number };
    result: FindAnswer;
  };
  /** Returns the largest structs and the most referenced types; null for a file without types. */
  census: {
    params: { readonly structs: number; readonly referred: number };
    result: TypeCensus | null;
  };
  /** Returns the ids of the own types that match, in order. */
  searchTypes: { params: TypeQuery; result: Uint32Array };
  /** Returns the first `limit` of the own types that refer to `type`, and the number of all. */
  referrers: {
    params: { readonly type: number; readonly limit: number };
    result: { readonly total: number; readonly ids: Uint32Array };
  };
  /** Returns the uses of a type in the file; null if the file has no types. */
  typeUses: { params: { readonly type: number }; result: TypeUses | null };
  /** Returns the graph around a type; null if the file has no types. */
  graph: { params: GraphRequest; result: GraphPicture | null };
  /** Returns the types that refer to a type by kind of reference; `limit` ids per group. */
  graphReferrers: {
    params: { readonly type: number; readonly limit: number };
    result: readonly GroupOfReferrers[];
  };
  /** Returns the best paths from a type to another type or field; null for a file without types. */
  paths: { params: PathsQuestion; result: PathsAnswer | null };
  /** Suggests member names for a typed text, the best first. */
  fieldNames: {
    params: { readonly typed: string; readonly limit: number };
    result: readonly FieldName[];
  };
  /** Lints the records: references, layouts, CO-RE records, code. */
  findings: { params: null; result: readonly Issue[] };
  /** Returns the verdicts of the kernel and of libbpf on the file's BTF; null without BTF. */
  check: { params: null; result: FileCheck | null };
  /** Returns libbpf's verdict on the types as a CO-RE target; null if they are not all readable. */
  libbpfVerdict: { params: null; result: LibbpfVerdict | null };
  /** Returns the system calls with BTF that libbpf makes; null for no BPF object with BTF. */
  loadCalls: { params: null; result: LoadCalls | null };
  /** Opens the object as libbpf does; returns the parts that the page lacks, or null. */
  loadObject: { params: null; result: Omit<LoadData, 'model' | 'core'> | null };
  /** Judges whether an object loads on this kernel; null if this file has no types. */
  judgeLoad: {
    params: OnKernel & { readonly object: LoadData; readonly facts: KernelFacts };
    result: LoadAnswer | null;
  };
  /** Returns changes that help an object to load on this kernel; null if this file has no types. */
  remedies: {
    params: OnKernel & {
      readonly object: LoadData;
      readonly facts: KernelFacts;
      readonly about: About;
    };
    result: readonly Remedy[] | null;
  };
  /** Resolves an object's CO-RE relocations on the types of this file and its modules. */
  resolveCore: {
    params: OnKernel & ResolveParams & { readonly facts?: KernelFacts };
    result: readonly CoreResult[];
  };
  /** Returns one record of the object with every step; null if there is no such record. */
  explainCore: {
    params: OnKernel & ResolveParams & { readonly row: number; readonly facts?: KernelFacts };
    result: CoreResult | null;
  };
  /** Resolves a type and a path that a log names in the types of this file. */
  followLog: { params: AskedPath; result: readonly Followed[] };
  /** Returns a BTF blob of the types that an object needs; null if this file has no types. */
  minBtf: { params: ResolveParams; result: MinBtfAnswer | null };
  /** Writes all types as text in the format of a tool. Only for files with types. */
  text: { params: { readonly format: TextFormat } & TextOptions; result: WholeText };
  /** Returns a link's key of a type and all types it contains; null if it is too long. */
  typesLink: {
    /** Limit in characters for the link; parts that can be left out are left out. */
    params: { readonly type: number; readonly maxLength: number };
    result: TypesLink | null;
  };
  /** Returns a link's key of the whole file; null if the file is too large. */
  fileLink: { params: null; result: string | null };
  /** Compares all own types with those of another file; null if this file has no types. */
  compare: { params: { readonly other: TypeTable }; result: WholeComparison | null };
  /** Returns own types with equal kind and name, and the difference that keeps them apart. */
  duplicates: { params: null; result: readonly DuplicateGroup[] };
  /** Builds an atlas from the files of a folder. Needs no open file. */
  buildAtlas: {
    params: { readonly name: string; readonly files: readonly FileOfFolder[] };
    result: BuiltAtlas;
  };
  /** Searches the names of an atlas. */
  atlasNames: { params: NameQuery; result: NamesAnswer };
  /** Returns the forms of a name on the kernels of an atlas; null if no kernel has the name. */
  atlasHistory: {
    params: { readonly kind: AtlasName['kind'] | null; readonly name: string };
    result: NameHistory | null;
  };
  /** Returns whether a program can read a member on each kernel; null if none has it. */
  atlasAccess: {
    params: NameInAtlas & { readonly item: string };
    result: MemberAccess | null;
  };
  /** Returns the BTF of a kernel of an atlas, by the kernel's number, byte for byte. */
  atlasBtf: { params: { readonly kernel: number }; result: Uint8Array };
  /** Runs SQL over files, which need not be open here; null for the files of the previous query. */
  query: {
    params: { readonly sql: string; readonly files: readonly AskedFile[] | null };
    result: QueryResult;
  };
  /** Returns the SHA-256 of the dropped file, in hex. */
  sha256: { params: null; result: string };
};

export type Method = keyof Methods;

export type RequestOf<M extends Method> = {
  [N in M]: { readonly id: number; readonly method: N; readonly params: Methods[N]['params'] };
}[M];

export type Request = RequestOf<Method>;

/** Cancels the request early; the worker then answers `failed` with code `cancelled`. */
export type Cancel = { readonly id: number; readonly method: 'cancel' };

/** Checks that the worker lives. The worker answers `alive` as soon as it handles messages. */
export type Ping = { readonly method: 'ping' };

/** Makes the worker hold this lock until it ends. Answered by `held` if the platform has locks. */
export type Hold = { readonly method: 'hold'; readonly lock: string };

/** The bytes of a range; or null, and the reason: a sentence without a full stop. */
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
  /** Asks the page for bytes of the file on its server; answered by the `range` of this id. */
  | {
      readonly kind: 'range';
      readonly id: number;
      readonly start: number;
      readonly end: number;
    }
  /** The worker has begun the request: from now on this request may be the cause of silence. */
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
