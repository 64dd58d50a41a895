/**
 * A line of a loader's or the kernel's log as data. Names are raw text of the paste: escape them
 * when drawn. Ids are those of the log, which may differ from those of the open file.
 */
import type { OneOf } from '#bytes/one-of.ts';

/** The author of a line. `verifier` and `btf` are the kernel; `libbpf` also writes into its logs. */
export type LogSource = 'libbpf' | 'cilium' | 'aya' | 'verifier' | 'btf';

/** One step of `a.b[2]`. */
export type LogPathStep =
  | { readonly name: string; readonly index: null }
  | { readonly name: null; readonly index: number };

/** `<byte_off> [5] struct foo.a.b[2] (0:1:2 @ offset 8.3)`. */
export type LogSpec = {
  /** `enum bpf_core_relo_kind`; null for an unknown word. */
  readonly kind: number | null;
  readonly kindName: string;
  readonly typeId: number;
  /** `struct`, `union`, `enum`, `typedef` … as libbpf writes them. */
  readonly typeKind: string;
  /** Empty for an anonymous type. */
  readonly typeName: string;
  readonly path: readonly LogPathStep[];
  readonly enumerator: { readonly name: string; readonly value: bigint } | null;
  /** `0:1:2`; null if the line has none, or was cut before it. */
  readonly accessStr: string | null;
  readonly bitOffset: number | null;
};

/** `[5] struct foo` */
export type LogType = {
  readonly typeId: number | null;
  readonly typeKind: string;
  readonly typeName: string;
};

/** libbpf's word for the form of an instruction. */
export type LogInsnForm = 'ALU/ALU64' | 'LDX/ST/STX' | 'LDIMM64';

/** libbpf's lines about CO-RE; instructions count from the start of the program. */
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
  /** `what`: a path, or the name of an object in memory. */
  opening: { what: string };
  /** `error` is `0` after success. */
  'kernel-btf': { path: string; error: string };
  /** libbpf replaces a poisoned call in the verifier's log by this line. */
  unresolved: { spec: LogSpec };
};

type Decided = { readonly poison: boolean; readonly value: bigint };

/** `kind`: `enum bpf_core_relo_kind`. libbpf counts the instruction from the start of the section here. */
type FieldFault = { kind: number; sectionInsnIndex: number };

/** Errors of other loaders. Facts absent from a message are null. */
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
  /** The last part of the loader's message. */
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
    /** In bytes. `fixedOffset` of the register and `range` of proved bytes are null if the line has none. */
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
      /** The refused type; null for the blob as a whole. */
      typeId: number | null;
      /** The kernel's words: `Invalid type_id`. */
      error: string;
      /** The text after the words, as `1518`; may be empty. */
      detail: string;
      text: string;
    };
  }
>;

/** A failure of a loader outside of CO-RE. */
export type FailureEvent = {
  readonly event: 'failure';
  /** The meaning, with raw names; empty for an unknown failure. */
  readonly sentence: string;
  /** The loader's words. */
  readonly text: string;
};

export type LogEvent = CoreEvent | LoaderEvent | VerifierEvent | BtfEvent | FailureEvent;

export type LogLine = {
  /** From 0. */
  readonly lineNumber: number;
  /** Without the newline, cut at MAX_LINE_LENGTH. */
  readonly text: string;
  readonly source: LogSource | null;
  /** The function named in the line; in a line of aya, the section. */
  readonly prog: string | null;
  /** The number of the record in its section: `relo #N`. */
  readonly reloIndex: number | null;
  /** null for an unknown line. */
  readonly event: LogEvent | null;
};

export type LineReading = Pick<LogLine, 'source' | 'event'> &
  Partial<Pick<LogLine, 'prog' | 'reloIndex'>>;

/** A form of lines, and the event from its groups; a missing group is ''. */
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
