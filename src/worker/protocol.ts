/**
 * What the page and a file's worker say to each other. One worker holds one
 * file: closing the file ends its worker and frees all that it held, and a
 * worker that dies takes no other file with it.
 *
 * Every request is answered exactly once, by `ok` or by `failed`; progress may
 * come before. Adding a method: its line here, its case in `serve.ts`.
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
import type { FindAnswer } from '#analysis/find/hit.ts';
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
import type { Progress } from '#bytes/slices.ts';
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

/** A base for split BTF: its types, which are copied, and what a person calls it. */
export type BaseParams = { readonly types: TypeTable; readonly name: string };

export type SetBaseResult =
  | { readonly kind: 'refused'; readonly issue: Issue; readonly matches: readonly DistilledMatch[] }
  | { readonly kind: 'read'; readonly model: ObjectModel };

/** Which kernel of an atlas is meant, by its number; without it the file itself. */
type OnKernel = { readonly kernel?: number };

/** A file on the page's server, which the page reads for the worker: its bytes. */
export type RemoteSize = { readonly remoteSize: number };

/** A file that is asked in SQL. */
export type AskedFile = ModelFile | { readonly name: string; readonly atlas: Blob | RemoteSize };

/** Each method: what goes in, what comes back. */
export type Methods = {
  /**
   * Must be the first request, again only when it failed. Fails with the reason why the file is refused. `File` and
   * `Blob` cross by reference, nothing is copied; bytes are copied. Of a file on the page's server the
   * worker asks for ranges.
   */
  open: {
    params: { readonly name: string; readonly file: Blob | ArrayBuffer | RemoteSize };
    result: OpenResult;
  };
  /** Why `base` cannot be the base of the split BTF, or null when it can. Changes nothing. */
  tryBase: { params: BaseParams; result: Issue | null };
  /**
   * Reads the file again, on another base or (null) on none. A base that is
   * refused changes nothing. The model comes without the table of the base, which
   * the page has: `types.base` is null.
   */
  setBase: { params: { readonly base: BaseParams | null }; result: SetBaseResult };
  /** What `vmlinux.h` has the types of in declarations from now on; null for no kernel. */
  useKernel: { params: Kernel | null; result: null };
  /** Puts the BTF of C declarations in the place of the file and reads it; with problems nothing changes. */
  declare: { params: Declarations; result: DeclaredAnswer };
  /** The BPF objects inside of a program. */
  embedded: { params: null; result: EmbeddedObjects };
  /**
   * The bytes of a member of the archive, or of an embedded object; null where they are those of
   * the file itself, from the member's offset on.
   */
  member: { params: ArchiveMember; result: Uint8Array | null };
  /** File bytes `start` to `end` of the unpacked file, clipped to it. */
  bytes: { params: { readonly start: number; readonly end: number }; result: Uint8Array };
  /** What answers a question of the palette. Waits for the index, and tells how far that is. */
  find: {
    /** `text` as typed; at most `limit` hits. */
    params: { readonly text: string; readonly limit: number };
    result: FindAnswer;
  };
  /** Where the bytes of the structs are, and what others refer to most; null where the file has no types. */
  census: {
    params: { readonly structs: number; readonly referred: number };
    result: TypeCensus | null;
  };
  /** Ids of the own types that pass, in order. */
  searchTypes: { params: TypeQuery; result: Uint32Array };
  /** The first `limit` of the own types that refer to `type`, and how many there are. */
  referrers: {
    params: { readonly type: number; readonly limit: number };
    result: { readonly total: number; readonly ids: Uint32Array };
  };
  /** Where a type is used in the file; null where that has no types. */
  typeUses: { params: { readonly type: number }; result: TypeUses | null };
  /** The graph of types around one; null where the file has no types. */
  graph: { params: GraphRequest; result: GraphPicture | null };
  /** Who refers to a type, grouped by how; `limit` ids of each group. */
  graphReferrers: {
    params: { readonly type: number; readonly limit: number };
    result: readonly GroupOfReferrers[];
  };
  /** The best paths from a type to another, or to a field; null where the file has no types. */
  paths: { params: PathsQuestion; result: PathsAnswer | null };
  /** Names of members for what is typed, the best first. */
  fieldNames: {
    params: { readonly typed: string; readonly limit: number };
    result: readonly FieldName[];
  };
  /** What a closer look at the records finds: references, layouts, CO-RE records, code. */
  findings: { params: null; result: readonly Issue[] };
  /** What the kernel and libbpf say of the file's BTF; null where it has none. */
  check: { params: null; result: FileCheck | null };
  /** What libbpf says of the types as the target of relocations; null where there are none, or not all. */
  libbpfVerdict: { params: null; result: LibbpfVerdict | null };
  /** The system calls with BTF that libbpf makes for the file; null where it is no BPF object with BTF. */
  loadCalls: { params: null; result: LoadCalls | null };
  /** The file as libbpf opens it, without what the page has of it; null where it is no BPF object. */
  loadObject: { params: null; result: Omit<LoadData, 'model' | 'core'> | null };
  /** Does another file's object load on the kernel that this one is? null where this one has no types. */
  judgeLoad: {
    params: OnKernel & { readonly object: LoadData; readonly facts: KernelFacts };
    result: LoadAnswer | null;
  };
  /** What to change in that object where it does not load on this kernel; null as above. */
  remedies: {
    params: OnKernel & {
      readonly object: LoadData;
      readonly facts: KernelFacts;
      readonly about: About;
    };
    result: readonly Remedy[] | null;
  };
  /**
   * What the CO-RE relocations of another file's object come to on the types of this one; with
   * `facts` also on those of its modules.
   */
  resolveCore: {
    params: OnKernel & ResolveParams & { readonly facts?: KernelFacts };
    result: readonly CoreResult[];
  };
  /** One record of it with every step; null where there is no such record. */
  explainCore: {
    params: OnKernel & ResolveParams & { readonly row: number; readonly facts?: KernelFacts };
    result: CoreResult | null;
  };
  /** Where a type and a path that a log names lead in the types of this file. */
  followLog: { params: AskedPath; result: readonly Followed[] };
  /** A BTF blob with just what another file's object needs of this one; null where this one has no types. */
  minBtf: { params: ResolveParams; result: MinBtfAnswer | null };
  /** All types as text, as a tool prints them. Only for files that have some. */
  text: { params: { readonly format: TextFormat } & TextOptions; result: WholeText };
  /** A link's key of a type with all that it holds by value; null where that is too much, or the file has no types. */
  typesLink: {
    /** Characters that what the link carries may have, where it can be less. */
    params: { readonly type: number; readonly maxLength: number };
    result: TypesLink | null;
  };
  /** A link's key of the whole file; null where it is too large. */
  fileLink: { params: null; result: string | null };
  /** All own types beside those of another file; null where this one has none. */
  compare: { params: { readonly other: TypeTable }; result: WholeComparison | null };
  /** Own types that share kind and name, and why they are not one. */
  duplicates: { params: null; result: readonly DuplicateGroup[] };
  /** An atlas out of the files of a folder. May be asked of a worker without a file. */
  buildAtlas: {
    params: { readonly name: string; readonly files: readonly FileOfFolder[] };
    result: BuiltAtlas;
  };
  /** Names of an atlas. */
  atlasNames: { params: NameQuery; result: NamesAnswer };
  /** What the kernels of an atlas have under a name, of that kind or of the first that there is; null where none has any. */
  atlasHistory: {
    params: { readonly kind: AtlasName['kind'] | null; readonly name: string };
    result: NameHistory | null;
  };
  /** Whether a program may read a member on all kernels of an atlas; null where none has it. */
  atlasAccess: {
    params: NameInAtlas & { readonly item: string };
    result: MemberAccess | null;
  };
  /** The BTF of a kernel of an atlas, by its number, byte for byte. */
  atlasBtf: { params: { readonly kernel: number }; result: Uint8Array };
  /**
   * What SQL gives over files, which need not be open in this worker; null: those of the query
   * before.
   */
  query: {
    params: { readonly sql: string; readonly files: readonly AskedFile[] | null };
    result: QueryResult;
  };
  /** SHA-256 of the file as it was dropped, in hex. */
  sha256: { params: null; result: string };
};

export type Method = keyof Methods;

export type RequestOf<M extends Method> = {
  [N in M]: { readonly id: number; readonly method: N; readonly params: Methods[N]['params'] };
}[M];

export type Request = RequestOf<Method>;

/** Ends the request of that id as early as it can; it is then answered by `failed` with code `cancelled`. */
export type Cancel = { readonly id: number; readonly method: 'cancel' };

/** Is it alive? Answered by `alive` as soon as the worker has a moment. */
export type Ping = { readonly method: 'ping' };

/** Holds the lock of that name for as long as the worker lives; answered by `held` where there are locks. */
export type Hold = { readonly method: 'hold'; readonly lock: string };

/** The bytes of a range; or null, and why: a sentence without a full stop. */
export type Range = {
  readonly method: 'range';
  readonly id: number;
  readonly bytes: Uint8Array | null;
  readonly why: string;
};

export type ToWorker = Request | Cancel | Ping | Hold | Range;

export type FromWorker =
  | { readonly kind: 'alive' }
  /** It holds the lock of that name, and will until it ends. */
  | { readonly kind: 'held'; readonly lock: string }
  /** It needs bytes of the file on the page's server; answered by `range` of that id. */
  | {
      readonly kind: 'range';
      readonly id: number;
      readonly start: number;
      readonly end: number;
    }
  /** The request has been taken up: what is silent from now on may be its fault. */
  | { readonly id: number; readonly kind: 'begun' }
  | { readonly id: number; readonly kind: 'ok'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly issue: Issue }
  | { readonly id: number; readonly kind: 'progress'; readonly progress: Progress };

/** The issue that a cancelled request ends with. */
export const CANCELLED: Issue = {
  severity: 'note',
  code: 'request.cancelled',
  message: 'cancelled',
  span: null,
  region: '',
};
