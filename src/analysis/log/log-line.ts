/**
 * A line of a loader's or the kernel's log as data. Names are raw text of the paste: escape them
 * when drawn. Ids are those of the log, which may differ from those of the open file.
 */
import type { OneOf } from '#bytes/one-of.ts';

/** Who speaks. `verifier` and `btf` are the kernel; `libbpf` also writes into its logs. */
export type LogSource = 'libbpf' | 'cilium' | 'aya' | 'verifier' | 'btf';

/** One step of `a.b[2]`. */
export type LogPathStep =
  | { readonly name: string; readonly index: null }
  | { readonly name: null; readonly index: number };

/** `<byte_off> [5] struct foo.a.b[2] (0:1:2 @ offset 8.3)`. */
export type LogSpec = {
  /** `enum bpf_core_relo_kind`; null for a word that is not known. */
  readonly kind: number | null;
  readonly kindName: string;
  readonly typeId: number;
  /** `struct`, `union`, `enum`, `typedef` … as libbpf writes them. */
  readonly typeKind: string;
  /** Empty for an anonymous type. */
  readonly typeName: string;
  readonly path: readonly LogPathStep[];
  readonly enumerator: { readonly name: string; readonly value: bigint } | null;
  /** `0:1:2`; null where the line has none, or was cut before it. */
  readonly accessStr: string | null;
  readonly bitOffset: number | null;
};

/** `[5] struct foo` */
export type LogType = {
  readonly typeId: number | null;
  readonly typeKind: string;
  readonly typeName: string;
};

/** The field of an instruction that libbpf names. */
export type LogInsnForm = 'ALU/ALU64' | 'LDX/ST/STX' | 'LDIMM64';

/** CO-RE as libbpf tells it; instructions count from the start of the program. */
export type CoreEvent = OneOf<'event', CoreEvents>;

type CoreEvents = {
  spec: { spec: LogSpec };
  candidate: { number: number; matches: boolean; spec: LogSpec };
  /** `module`: `vmlinux`, or the module. */
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
  /** Errors are as libbpf writes them: `-22`, or `-EINVAL` from 1.6 on. */
  'relocation-failed': { errno: string };
  'load-failed': { what: string; errno: string | null };
  'no-kernel-btf': object;
  /** `error` as libbpf writes it: `-3`, or `-ESRCH` from 1.6 on. */
  'no-attach-type': { name: string; error: string };
  'core-count': { section: string; count: number };
  /** A path, or the name of an object in memory. */
  opening: { what: string };
  /** `error` is `0` where it was read. */
  'kernel-btf': { path: string; error: string };
  /** libbpf's line in the verifier's log in place of a poisoned call. */
  unresolved: { spec: LogSpec };
};

type Decided = { readonly poison: boolean; readonly value: bigint };

/** `kind`: `enum bpf_core_relo_kind`; the instruction from the start of the section, as libbpf writes it here. */
type FieldFault = { kind: number; sectionInsnIndex: number };

/** Errors of other loaders. Facts that a message lacks are null. */
export type LoaderEvent = {
  readonly event: 'loader-error';
  /** The error, as `explainLine` words it. */
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
  /** The last part of the message: the loader's own words. */
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
    /** Bytes. `fixedOffset` of the register and `range`, the bytes proved, null where the line has none. */
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
      /** The type that the kernel refuses; null where the blob as a whole is meant. */
      typeId: number | null;
      /** The kernel's words: `Invalid type_id`. */
      error: string;
      /** The text after the words: `1518`; else empty. */
      detail: string;
      text: string;
    };
  }
>;

/** A failure of a loader outside of CO-RE. */
export type FailureEvent = {
  readonly event: 'failure';
  /** The meaning, with raw names; empty for a failure of which only the words are known. */
  readonly sentence: string;
  /** The loader's words. */
  readonly text: string;
};

export type LogEvent = CoreEvent | LoaderEvent | VerifierEvent | BtfEvent | FailureEvent;

export type LogLine = {
  /** From 0. */
  readonly lineNumber: number;
  /** Without the newline; cut at the longest line that is read. */
  readonly text: string;
  readonly source: LogSource | null;
  /** Function that the line speaks of; where aya speaks, its section. */
  readonly prog: string | null;
  /** `relo #N`: number of the record in its section. */
  readonly reloIndex: number | null;
  /** null for a line that is not known. */
  readonly event: LogEvent | null;
};

/** The result of reading a line. */
export type LineReading = Pick<LogLine, 'source' | 'event'> &
  Partial<Pick<LogLine, 'prog' | 'reloIndex'>>;

/** A form of lines, and the event of its groups: '' for a missing group. */
export type LinePattern<Event> = readonly [
  form: RegExp,
  read: (...groups: string[]) => Event | null,
];

/** Returns the event of the first form that matches `text`, or null. */
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
