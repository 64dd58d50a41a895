/**
 * A log line of a loader or of the kernel as data. Names are raw text of the paste: escape them
 * when drawn. Ids are those in the log; they may differ from ids in the open file.
 */
import type { LoaderName } from '#analysis/log/loaders/row.ts';
import type { OneOf } from '#bytes/one-of.ts';

/** Who wrote a line. `verifier` and `btf` are the kernel's logs of a load; libbpf adds lines to them. */
export type LogSource = LoaderName | 'verifier' | 'btf';

/** One step of a path such as `a.b[2]`. */
export type LogPathStep =
  | { readonly name: string; readonly index: null }
  | { readonly name: null; readonly index: number };

/** A spec in a line: `<byte_off> [5] struct foo.a.b[2] (0:1:2 @ offset 8.3)`. */
export type LogSpec = {
  /** Number in `enum bpf_core_relo_kind`; null if the line has no known kind. */
  readonly kind: number | null;
  readonly kindName: string;
  readonly typeId: number;
  /** Kind of type as libbpf writes it: `struct`, `union`, `enum`, `typedef` … */
  readonly typeKind: string;
  /** Name of the type; empty for an anonymous type. */
  readonly typeName: string;
  readonly path: readonly LogPathStep[];
  readonly enumerator: { readonly name: string; readonly value: bigint } | null;
  /** Access string `0:1:2`; null if the line has none, or was cut before it. */
  readonly accessStr: string | null;
  readonly bitOffset: number | null;
};

/** A type in a line: `[5] struct foo`. */
export type LogType = {
  readonly typeId: number | null;
  readonly typeKind: string;
  readonly typeName: string;
};

/** Form of an instruction in libbpf's words. */
export type LogInsnForm = 'ALU/ALU64' | 'LDX/ST/STX' | 'LDIMM64';

/** libbpf's lines about CO-RE. Instructions are counted from the start of the program. */
export type CoreEvent = OneOf<'event', CoreEvents>;

type CoreEvents = {
  spec: { spec: LogSpec };
  candidate: { number: number; matches: boolean; spec: LogSpec };
  /** `module` is `vmlinux` or the name of a module. */
  'found-candidate': { local: LogType; target: LogType; module: string };
  'no-match': object;
  patched: {
    insnIndex: number;
    form: LogInsnForm;
    field: 'imm' | 'imm64' | 'off' | 'mem_sz';
    from: bigint;
    to: bigint;
  };
  poisoned: { insnIndex: number };
  'unexpected-insn': {
    insnIndex: number;
    form: LogInsnForm;
    got: bigint;
    expected: bigint;
    to: bigint;
  };
  'offset-ambiguity': { one: bigint; other: bigint };
  'value-ambiguity': { one: Decided; other: Decided };
  'parse-failed': { type: LogType; accessStr: string; errno: number };
  'bitfield-unsatisfied': FieldFault;
  'array-access-unsatisfied': FieldFault;
  'wrong-access': { insnIndex: number; form: string };
  'unexpected-mem-size': { insnIndex: number; got: number; expected: number };
  'value-too-big': { insnIndex: number; value: bigint };
  'unrecognized-insn': { insnIndex: number; opcode: number };
  'unexpected-kind': { typeKind: string; local: number; target: number };
  'search-failed': { type: LogType; errno: number };
  /** `errno` is as libbpf writes it: `-22`, or `-EINVAL` from 1.6 on. */
  'relocation-failed': { errno: string };
  'load-failed': { what: string; errno: string | null };
  'no-kernel-btf': object;
  /** `error` is as libbpf writes it: `-3`, or `-ESRCH` from 1.6 on. */
  'no-attach-type': { name: string; error: string };
  'core-count': { section: string; count: number };
  /** `what` is a path, or the name of an object in memory. */
  opening: { what: string };
  /** `error` is `0` if the BTF was loaded. */
  'kernel-btf': { path: string; error: string };
  /** Line that libbpf writes into the verifier's log in place of a poisoned call. */
  unresolved: { spec: LogSpec };
};

type Decided = { readonly poison: boolean; readonly value: bigint };

/** `kind` is a number in `enum bpf_core_relo_kind`. Instructions count from the section's start. */
type FieldFault = { kind: number; sectionInsnIndex: number };

/** An error of cilium/ebpf or aya. What the message does not state is null. */
export type LoaderEvent = {
  readonly event: 'loader-error';
  readonly reason:
    | 'poisoned'
    | 'no-member'
    | 'no-type'
    | 'ambiguous'
    | 'incompatible'
    | 'bad-access'
    | 'bad-insn'
    | 'no-btf'
    | 'byte-order'
    | 'no-program'
    | 'other';
  readonly kind: number | null;
  readonly type: LogType | null;
  readonly memberName: string | null;
  readonly accessStr: string | null;
  readonly insnIndex: number | null;
  /** Last part of the loader's message. */
  readonly message: string;
};

export type VerifierEvent = OneOf<
  'event',
  {
    'invalid-func': { func: number; poison: boolean };
    'poisoned-call': { insnIndex: number };
    'invalid-core': { insnIndex: number };
    insn: { insnIndex: number; opcode: number; text: string };
    source: { code: string; file: string | null; line: number | null };
    processed: { insns: number };
    'register-type': { register: number; type: string; expected: string };
    'register-access': { register: number; message: string };
    /** Sizes in bytes; the register's `fixedOffset` and `range` are null if the line lacks them. */
    'packet-access': {
      offset: number;
      size: number;
      register: number;
      fixedOffset: number | null;
      range: number | null;
    };
    'log-mark': { begins: boolean };
  }
>;

export type BtfEvent = OneOf<
  'event',
  {
    'btf-header': { field: string; value: string };
    'btf-type': { typeId: number; text: string };
    'btf-item': { text: string };
    'btf-error': {
      /** Type that the kernel refuses; null if it refuses the blob as a whole. */
      typeId: number | null;
      /** The error in the kernel's words: `Invalid type_id`. */
      error: string;
      /** Text after the error, such as `1518`; may be empty. */
      detail: string;
      text: string;
    };
  }
>;

type RowFacts = {
  /** Meaning of the line, with raw names; empty for an unknown failure. */
  readonly sentence: string;
  /** The line in the loader's words. */
  readonly text: string;
  /** The verifier's words in the line, by which the program was refused; null if it has none. */
  readonly verifierText: string | null;
};

/**
 * A line of a loader outside of CO-RE. `information` is no failure; the reason of a `verdict` is in
 * the verifier's words or in other lines.
 */
export type RowEvent = OneOf<
  'event',
  { failure: RowFacts; information: RowFacts; verdict: RowFacts }
>;

export type LogEvent = CoreEvent | LoaderEvent | VerifierEvent | BtfEvent | RowEvent;

export type LogLine = {
  /** Number of the line, counted from 0. */
  readonly lineNumber: number;
  /** Text of the line without the newline, cut at MAX_LINE_LENGTH. */
  readonly text: string;
  readonly source: LogSource | null;
  /** Function that the line names; in a line of aya, the section. */
  readonly prog: string | null;
  /** Number N of `relo #N` in the line: the record's index in its section. */
  readonly reloIndex: number | null;
  /** What the line reports; null for an unknown line. */
  readonly event: LogEvent | null;
};

export type LineReading = Pick<LogLine, 'source' | 'event'> &
  Partial<Pick<LogLine, 'prog' | 'reloIndex'>>;

/** Pattern of lines, and a function that makes the event from its groups; a missing group is ''. */
export type LinePattern<Event> = readonly [
  form: RegExp,
  read: (...groups: string[]) => Event | null,
];

/** Returns the event for the first pattern that matches `text`, or null. */
export function readByPattern<Event>(
  patterns: readonly LinePattern<Event>[],
  text: string,
): Event | null {
  for (const [form, read] of patterns) {
    const match = form.exec(text);
    const event = match && read(...match.slice(1).map((group) => group ?? ''));
    if (event !== null) return event;
  }
  return null;
}
