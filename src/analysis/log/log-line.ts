/**
 * What a line of a loader's or the kernel's log says, as data.
 *
 * Names are raw text out of a paste: escape them when drawn. Ids are those of the
 * log, which need not be those of the file at hand.
 */

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

/** Which field of an instruction libbpf speaks of. */
export type LogInsnForm = 'ALU/ALU64' | 'LDX/ST/STX' | 'LDIMM64';

/** CO-RE as libbpf tells it; instructions count from the start of the program. */
export type CoreEvent =
  | { readonly event: 'spec'; readonly spec: LogSpec }
  | {
      readonly event: 'candidate';
      readonly number: number;
      readonly matches: boolean;
      readonly spec: LogSpec;
    }
  | {
      readonly event: 'found-candidate';
      readonly local: LogType;
      readonly target: LogType;
      /** `vmlinux`, or the module. */
      readonly module: string;
    }
  | { readonly event: 'no-match' }
  | {
      readonly event: 'patched';
      readonly insnIndex: number;
      readonly form: LogInsnForm;
      readonly field: 'imm' | 'imm64' | 'off' | 'mem_sz';
      readonly from: bigint;
      readonly to: bigint;
    }
  | { readonly event: 'poisoned'; readonly insnIndex: number }
  | {
      readonly event: 'unexpected-insn';
      readonly insnIndex: number;
      readonly form: LogInsnForm;
      readonly got: bigint;
      readonly expected: bigint;
      readonly to: bigint;
    }
  | { readonly event: 'offset-ambiguity'; readonly one: bigint; readonly other: bigint }
  | {
      readonly event: 'value-ambiguity';
      readonly one: { readonly poison: boolean; readonly value: bigint };
      readonly other: { readonly poison: boolean; readonly value: bigint };
    }
  | {
      readonly event: 'parse-failed';
      readonly type: LogType;
      readonly accessStr: string;
      readonly errno: number;
    }
  | {
      readonly event: 'bitfield-unsatisfied' | 'array-access-unsatisfied';
      /** `enum bpf_core_relo_kind`. */
      readonly kind: number;
      /** From the start of the section, as libbpf writes it here. */
      readonly sectionInsnIndex: number;
    }
  | { readonly event: 'wrong-access'; readonly insnIndex: number; readonly form: string }
  | {
      readonly event: 'unexpected-mem-size';
      readonly insnIndex: number;
      readonly got: number;
      readonly expected: number;
    }
  | { readonly event: 'value-too-big'; readonly insnIndex: number; readonly value: bigint }
  | { readonly event: 'unrecognized-insn'; readonly insnIndex: number; readonly opcode: number }
  | {
      readonly event: 'unexpected-kind';
      readonly typeKind: string;
      readonly local: number;
      readonly target: number;
    }
  | { readonly event: 'search-failed'; readonly type: LogType; readonly errno: number }
  | { readonly event: 'relocation-failed'; readonly errno: number }
  | { readonly event: 'load-failed'; readonly what: string; readonly errno: number | null }
  | { readonly event: 'no-kernel-btf' }
  /** What libbpf writes into the verifier's log in place of a poisoned call. */
  | { readonly event: 'unresolved'; readonly spec: LogSpec };

/** Other loaders. What a message leaves open is null. */
export type LoaderEvent = {
  readonly event: 'loader-error';
  /** What went wrong, as `explainLine` knows it. */
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

export type VerifierEvent =
  | { readonly event: 'invalid-func'; readonly func: number; readonly poison: boolean }
  | { readonly event: 'poisoned-call'; readonly insnIndex: number }
  | { readonly event: 'invalid-core'; readonly insnIndex: number }
  | {
      readonly event: 'insn';
      readonly insnIndex: number;
      readonly opcode: number;
      readonly text: string;
    }
  | {
      readonly event: 'source';
      readonly code: string;
      readonly file: string | null;
      readonly line: number | null;
    }
  | { readonly event: 'processed'; readonly insns: number }
  | {
      readonly event: 'register-type';
      readonly register: number;
      readonly type: string;
      readonly expected: string;
    }
  | { readonly event: 'register-access'; readonly register: number; readonly message: string }
  | { readonly event: 'log-mark'; readonly begins: boolean };

export type BtfEvent =
  | { readonly event: 'btf-header'; readonly field: string; readonly value: string }
  | { readonly event: 'btf-type'; readonly typeId: number; readonly text: string }
  | { readonly event: 'btf-item'; readonly text: string }
  | {
      readonly event: 'btf-error';
      /** The type that the kernel refuses; null where the blob as a whole is meant. */
      readonly typeId: number | null;
      /** The kernel's words: `Invalid type_id`. */
      readonly error: string;
      /** What stands behind the words: `1518`; else empty. */
      readonly detail: string;
      readonly text: string;
    };

export type LogEvent = CoreEvent | LoaderEvent | VerifierEvent | BtfEvent;

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

/** What a reader of lines finds in one. */
export type LineReading = Pick<LogLine, 'source' | 'event'> &
  Partial<Pick<LogLine, 'prog' | 'reloIndex'>>;
