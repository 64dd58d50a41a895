/**
 * Reads the text of an instruction as the kernel's verifier prints it: kernel/bpf/disasm.c,
 * print_bpf_insn(), of Linux 5.4 to 7.3.
 */

export type InsnForm =
  /** `r1 = r2`, `w1 = 5`, `r1 = (s8)r2`, `r1 = 0x… ` of two slots. */
  | 'move'
  /** Arithmetic on a register: `r1 += r2`, `r1 = -r1`, `r1 = be16 r1`. */
  | 'alu'
  | 'load'
  /** `r0 = *(u8 *)skb[4]`: reads the packet through R6. */
  | 'packet-load'
  | 'store'
  | 'atomic'
  /** `if r1 == 0x0 goto pc+2`, `may_goto pc+2`. */
  | 'branch'
  /** `goto pc-5`, `gotol pc+2`, `gotox r1`. */
  | 'goto'
  | 'call'
  | 'exit'
  /** `nospec`, and what the kernel's printer does not know: `BUG_c3`. */
  | 'other';

export type InsnCall = {
  readonly kind: 'helper' | 'kfunc' | 'subprogram' | 'register' | 'unknown';
  /** Name of a helper or kernel function; empty for the others. */
  readonly name: string;
  /** Number of the helper, BTF id of the kernel function; of a subprogram its `pc` offset. */
  readonly id: number | null;
};

export type InsnText = {
  readonly form: InsnForm;
  /** Operator as printed: `+=`, `s>>=`, `==`, `fetch_add`; empty where there is none. */
  readonly op: string;
  /** The instruction works on the lower 32 bits of its registers. */
  readonly is32Bit: boolean;
  /** Register that is written or compared, or null. */
  readonly dst: number | null;
  /** Second register, or null. */
  readonly src: number | null;
  /** Constant operand, or null. */
  readonly imm: bigint | null;
  /** Memory that is accessed: `size` in bytes. */
  readonly mem: { readonly base: number; readonly off: number; readonly size: number } | null;
  /** Offset of a jump, counted from the next instruction; null for other instructions. */
  readonly jump: number | null;
  readonly call: InsnCall | null;
  /** Registers whose value the instruction uses. Of a call to a known function: all five arguments. */
  readonly reads: readonly number[];
  /** Registers that have a new value after it. */
  readonly writes: readonly number[];
  /** Registers that have no value after it. */
  readonly clobbers: readonly number[];
};

/** Longest text that is read: a name of a function has at most 511 characters. */
const MAX_LENGTH = 1000;
/** Smallest id of a kernel function: ids are those of BTF types, helpers are counted from 0. */
const MIN_KFUNC = 1000;
const ARGUMENTS = [1, 2, 3, 4, 5];

const EMPTY: InsnText = {
  form: 'other',
  op: '',
  is32Bit: false,
  dst: null,
  src: null,
  imm: null,
  mem: null,
  jump: null,
  call: null,
  reads: [],
  writes: [],
  clobbers: [],
};

type Reader = (groups: readonly (string | undefined)[]) => Partial<InsnText>;

const MEM = String.raw`\(([us](?:8|16|32|64)) \*\)\(r(\d+) ([+-]\d+)\)`;
const IMM = String.raw`(-?(?:0x[0-9a-f]+|\d+))(?: ll)?`;
const ALU = String.raw`(\+=|-=|\*=|s?\/=|s?%=|\|=|&=|\^=|<<=|>>=|s>>=)`;
const COMPARE = '(==|!=|s?>=?|s?<=?|&)';

/** Forms by frequency. No pattern has two repetitions that can match the same text. */
const FORMS: readonly (readonly [RegExp, Reader])[] = [
  [pattern(`([rw])(\\d+) = [rw](\\d+)`), ([, w, d, s]) => move(w, d, { src: Number(s) })],
  [pattern(`([rw])(\\d+) = ${IMM}`), ([, w, d, imm]) => move(w, d, { imm: number(imm) })],
  [pattern(`r(\\d+) = \\*${MEM}`), ([, d, ...mem]) => load(d, mem)],
  [pattern(`\\*${MEM} = r(\\d+)`), ([, size, base, off, s]) => store([size, base, off], Number(s))],
  [
    pattern(`\\*${MEM} = ${IMM}`),
    ([, size, base, off, imm]) => ({ ...store([size, base, off], null), imm: number(imm) }),
  ],
  [
    pattern(`([rw])(\\d+) ${ALU} [rw](\\d+)`),
    ([, w, d, op, s]) => alu(w, d, op, { src: Number(s) }),
  ],
  [
    pattern(`([rw])(\\d+) ${ALU} ${IMM}`),
    ([, w, d, op, imm]) => alu(w, d, op, { imm: number(imm) }),
  ],
  [
    pattern(`if ([rw])(\\d+) ${COMPARE} [rw](\\d+) goto pc([+-]\\d+)`),
    ([, w, d, op, s, jump]) => branch(w, d, op, jump, { src: Number(s) }),
  ],
  [
    pattern(`if ([rw])(\\d+) ${COMPARE} ${IMM} goto pc([+-]\\d+)`),
    ([, w, d, op, imm, jump]) => branch(w, d, op, jump, { imm: number(imm) }),
  ],
  [/^call pc([+-]\d+)$/, ([, pc]) => calls({ kind: 'subprogram', name: '', id: Number(pc) })],
  [/^call ([^#]+)#(-?\d+)$/, ([, name, id]) => calls(called(name ?? '', Number(id)))],
  [
    /^callx r(\d+)$/,
    ([, r]) => ({
      ...calls({ kind: 'register', name: '', id: null }),
      src: Number(r),
      reads: [...ARGUMENTS, Number(r)],
    }),
  ],
  [/^exit$/, () => ({ form: 'exit', reads: [0] })],
  [/^gotol? pc([+-]\d+)$/, ([, jump]) => ({ form: 'goto', jump: Number(jump) })],
  [
    /^(may_goto|goto_or_nop|nop_or_goto) pc([+-]\d+)$/,
    ([, op, jump]) => ({ form: 'branch', op: op ?? '', jump: Number(jump) }),
  ],
  [/^gotox r(\d+)$/, ([, r]) => ({ form: 'goto', src: Number(r), reads: [Number(r)] })],
  [
    pattern(String.raw`([rw])(\d+) = \(s(?:8|16|32)\)[rw](\d+)`),
    ([, w, d, s]) => ({ ...move(w, d, { src: Number(s) }), form: 'alu', op: 'sign-extend' }),
  ],
  [
    /^([rw])(\d+) = -[rw](\d+)$/,
    ([, w, d, s]) => ({ ...move(w, d, { src: Number(s) }), form: 'alu', op: 'neg' }),
  ],
  [
    /^([rw])(\d+) = (be|le|bswap)-?\d{1,10} [rw](\d+)$/,
    ([, w, d, op, s]) => ({ ...move(w, d, { src: Number(s) }), form: 'alu', op: op ?? '' }),
  ],
  [
    /^(r)(\d+) = addr_space_cast\(r(\d+), -?\d+, -?\d+\)$/,
    ([, w, d, s]) => ({ ...move(w, d, { src: Number(s) }), form: 'alu', op: 'addr_space_cast' }),
  ],
  [
    /^(r)(\d+) = &\(void __percpu \*\)\(r(\d+)\)$/,
    ([, w, d, s]) => ({ ...move(w, d, { src: Number(s) }), form: 'alu', op: 'percpu' }),
  ],
  [
    pattern(`lock \\*${MEM} ${ALU} r(\\d+)`),
    ([, size, base, off, op, s]) => atomic([size, base, off], op, Number(s), null),
  ],
  [
    pattern(`r(\\d+) = atomic(?:64)?_([a-z_]+)\\(${MEM}, (?:r0, )?r(\\d+)\\)`),
    ([, d, op, size, base, off, s]) => atomic([size, base, off], op, Number(s), Number(d)),
  ],
  [
    pattern(`r(\\d+) = load_acquire\\(${MEM}\\)`),
    ([, d, ...mem]) => ({ ...load(d, mem), op: 'load_acquire' }),
  ],
  [
    pattern(`store_release\\(${MEM}, r(\\d+)\\)`),
    ([, size, base, off, s]) => ({ ...store([size, base, off], Number(s)), op: 'store_release' }),
  ],
  [
    /^r0 = \*\(u(?:8|16|32|64) \*\)skb\[(?:r(\d+) \+ )?(-?\d+)\]$/,
    ([, r, imm]) => ({
      form: 'packet-load',
      dst: 0,
      src: r === undefined ? null : Number(r),
      imm: number(imm),
      reads: r === undefined ? [6] : [6, Number(r)],
      writes: [0],
      clobbers: ARGUMENTS,
    }),
  ],
  [/^nospec$/, () => ({ op: 'nospec' })],
  [/^(BUG_[a-z0-9_]+|ld|ldx|st|stx|alu|jmp|jmp32|alu64)$/, () => ({})],
];

/** Returns what an instruction does, or null if the text is of no known form. */
export function readInsnText(text: string): InsnText | null {
  if (text.length > MAX_LENGTH) return null;
  const trimmed = withoutMark(text);
  for (const [form, read] of FORMS) {
    const groups = form.exec(trimmed);
    if (groups !== null) return { ...EMPTY, ...read(groups) };
  }
  return null;
}

/** Removes the `;` that ends an instruction whose registers did not change, and spaces. */
function withoutMark(text: string): string {
  const end = text.trimEnd();
  return (end.endsWith(';') ? end.slice(0, -1).trimEnd() : end).trimStart();
}

function pattern(source: string): RegExp {
  return new RegExp(`^${source}$`);
}

function number(text: string | undefined): bigint {
  if (text === undefined) return 0n;
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

function move(
  width: string | undefined,
  dst: string | undefined,
  operand: Pick<InsnText, 'src'> | Pick<InsnText, 'imm'>,
): Partial<InsnText> {
  const reads = 'src' in operand && operand.src !== null ? [operand.src] : [];
  const written = Number(dst);
  return {
    form: 'move',
    op: '=',
    is32Bit: width === 'w',
    dst: written,
    ...operand,
    reads,
    writes: [written],
  };
}

function alu(
  width: string | undefined,
  dst: string | undefined,
  op = '',
  operand: Pick<InsnText, 'src'> | Pick<InsnText, 'imm'> = { src: null },
): Partial<InsnText> {
  const moved = move(width, dst, operand);
  return { ...moved, form: 'alu', op, reads: [Number(dst), ...(moved.reads ?? [])] };
}

function branch(
  width: string | undefined,
  dst: string | undefined,
  op = '',
  jump = '+0',
  operand: Pick<InsnText, 'src'> | Pick<InsnText, 'imm'> = { src: null },
): Partial<InsnText> {
  const compared = alu(width, dst, op, operand);
  return { ...compared, form: 'branch', jump: Number(jump), writes: [] };
}

function memory([size, base, off]: readonly (string | undefined)[]): NonNullable<InsnText['mem']> {
  return { base: Number(base), off: Number(off), size: Number((size ?? '').slice(1)) / 8 };
}

function load(dst: string | undefined, access: readonly (string | undefined)[]): Partial<InsnText> {
  const mem = memory(access);
  return { form: 'load', dst: Number(dst), mem, reads: [mem.base], writes: [Number(dst)] };
}

function store(access: readonly (string | undefined)[], src: number | null): Partial<InsnText> {
  const mem = memory(access);
  return { form: 'store', src, mem, reads: src === null ? [mem.base] : [mem.base, src] };
}

function atomic(
  access: readonly (string | undefined)[],
  op: string | undefined,
  src: number,
  fetched: number | null,
): Partial<InsnText> {
  const mem = memory(access);
  const compared = op === 'cmpxchg' ? [0] : [];
  const reads = [mem.base, src, ...compared];
  const writes = fetched === null ? [] : [fetched];
  return { form: 'atomic', op: op ?? '', mem, src, dst: fetched, reads, writes };
}

function called(name: string, id: number): InsnCall {
  if (name === 'unknown') return { kind: 'unknown', name: '', id };
  return { kind: id >= 0 && id < MIN_KFUNC ? 'helper' : 'kfunc', name, id };
}

function calls(call: InsnCall): Partial<InsnText> {
  return { form: 'call', call, reads: ARGUMENTS, writes: [0], clobbers: ARGUMENTS };
}
