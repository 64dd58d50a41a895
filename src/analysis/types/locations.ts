/**
 * Writes the locations of an inlined function's parameters: LOC_PARAM, LOC_PROTO and LOCSEC.
 *
 * The text equals bpftool's (`btf_dumper` of bpf-next, September 2026, commit 29f64534). Each flag
 * is described on its own, so that records that the kernel rejects have a text, too. Register
 * numbers are those of DWARF (`DW_OP_regN`).
 */
import { BtfKind, LocFlag } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { locValuesOf } from '#model/type-items.ts';
import { kindOf, locFlags, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

/** Register number for the frame base. */
const FRAME_BASE = 0xffffffff;
/** Maximum number of raw words in the text of a location. */
const MAX_RAW_WORDS = 8;

/** Contents of a LOC_PARAM. */
type Location = {
  readonly flags: number;
  /** Size of the parameter in bytes. */
  readonly size: number;
  /** DWARF register numbers; two for a register pair. */
  readonly registers: readonly number[];
  /** The constant, the address, or the offset from the register; null if the location has none. */
  readonly value: bigint | null;
};

/** Returns the name of a register: `reg5`, or the architecture's name. */
export type RegisterName = (number: number) => string;

/** Returns bpftool's name of a register: `reg` and the DWARF number. */
export const dwarfRegister: RegisterName = (number) =>
  number === FRAME_BASE ? 'fbreg' : `reg${number}`;

/** The `e_machine` of each machine that has register names. */
export const MACHINES: ReadonlyMap<string, number> = new Map([
  ['x86-64', 62],
  ['aarch64', 183],
  ['riscv', 243],
  ['s390x', 22],
  ['ppc64', 21],
  ['loongarch', 258],
]);

/** Names of integer registers by `e_machine`, in the order of DWARF numbers. */
const REGISTERS: ReadonlyMap<number, readonly string[]> = new Map([
  // Source: x86-64 psABI, figure 3.36.
  [
    62,
    [...['rax', 'rdx', 'rcx', 'rbx', 'rsi', 'rdi', 'rbp', 'rsp'], ...numbered('r', 8, 15), 'rip'],
  ],
  // Source: DWARF for the Arm 64-bit Architecture (aadwarf64), section 4.1.
  [183, [...numbered('x', 0, 30), 'sp']],
  // Source: RISC-V ABIs, "DWARF Register Numbers".
  [243, numbered('x', 0, 31)],
  // Source: s390x ELF ABI supplement, "DWARF register number mapping".
  [22, numbered('r', 0, 15)],
  // Source: 64-bit PowerPC ELF ABI, table 2.20.
  [21, numbered('r', 0, 31)],
  // Source: LoongArch ABI, section "DWARF Register Numbers".
  [258, numbered('r', 0, 31)],
]);

function numbered(letter: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => `${letter}${first + i}`);
}

/** Returns the function that names a machine's registers. A register without a name is `reg70`. */
export function registersOf(machine: number | null): RegisterName {
  const names = REGISTERS.get(machine ?? 0) ?? [];
  return (number) => names[number] ?? dwarfRegister(number);
}

/** Returns the parts of LOC_PARAM `id`, or null for other kinds and if words do not fit flags. */
function locationOf(t: TypeTable, id: TypeId): Location | null {
  if (kindOf(t, id) !== BtfKind.LOC_PARAM) return null;
  const flags = locFlags(t, id);
  const size = sizeOrTypeOf(t, id);
  const values = locValuesOf(t, id);
  const isRegister = (flags & LocFlag.REG) !== 0;
  const isPlain = flags === LocFlag.REG;
  const registerCount = isPlain ? Math.min(values.length, 2) : isRegister ? 1 : 0;
  const registers = values.slice(0, registerCount);
  const words = values.slice(registerCount);
  const hasValue = (flags & (LocFlag.CONST | LocFlag.OFFSET)) !== 0;
  if (isRegister && values.length === 0) return null;
  if (hasValue ? words.length < 1 || words.length > 2 : words.length > 0) return null;
  return { flags, size, registers, value: hasValue ? numberOf(words, flags, size) : null };
}

/** Indexed by flags without SIGNED: minimum and maximum of words, and if SIGNED is allowed. */
const FORMS: ReadonlyMap<number, readonly [least: number, most: number, signed: boolean]> = new Map(
  [
    [LocFlag.CONST, [1, 2, true]],
    [LocFlag.CONST | LocFlag.ADDR, [1, 2, true]],
    [LocFlag.REG, [1, 2, false]],
    [LocFlag.REG | LocFlag.DEREF, [1, 1, false]],
    [LocFlag.REG | LocFlag.OFFSET, [2, 3, true]],
    [LocFlag.REG | LocFlag.DEREF | LocFlag.OFFSET, [2, 3, true]],
  ],
);

/**
 * Returns what the kernel rejects in a LOC_PARAM of `size` bytes with `vlen` words, or null.
 * Source: kernel/bpf/btf.c of bpf-next, commit a3df1140.
 */
export function locationFault(flags: number, size: number, vlen: number): 'flags' | 'vlen' | null {
  const form = FORMS.get((flags & ~LocFlag.SIGNED) >>> 0);
  if (form === undefined) return 'flags';
  const [least, most, mayBeSigned] = form;
  if (!mayBeSigned && (flags & LocFlag.SIGNED) !== 0) return 'flags';
  const isConstant = (flags & LocFlag.CONST) !== 0;
  const fits = !isConstant || (size <= 8 && (vlen === 2 || size <= 4));
  return vlen >= least && vlen <= most && fits ? null : 'vlen';
}

/** Returns the number in one or two words, the low word first. A signed number has `size` bytes. */
function numberOf([low = 0, high]: readonly number[], flags: number, size: number): bigint {
  const value = BigInt(low) | (BigInt(high ?? 0) << 32n);
  if ((flags & LocFlag.SIGNED) === 0) return value;
  const wordBytes = high === undefined ? 4 : 8;
  const width = (flags & LocFlag.OFFSET) !== 0 ? wordBytes : size;
  return width >= 1 && width <= 8 ? BigInt.asIntN(8 * width, value) : value;
}

/** Returns `*(reg2 + 0x18)`, `const -0x1`, `raw=[0x00000001]`; `<invalid>` for other kinds. */
export function locationText(t: TypeTable, id: TypeId, nameOf = dwarfRegister): string {
  if (kindOf(t, id) !== BtfKind.LOC_PARAM) return '<invalid>';
  const location = locationOf(t, id);
  if (location === null) return rawText(locValuesOf(t, id));
  const { flags, registers, value } = location;
  const prefix =
    (flags & LocFlag.ADDR) !== 0 ? 'address ' : (flags & LocFlag.CONST) !== 0 ? 'const ' : '';
  const text = `${prefix}${registers.map(nameOf).join(', ')}${valueText(value, registers.length > 0)}`;
  return (flags & LocFlag.DEREF) !== 0 ? `*(${text})` : text;
}

function valueText(value: bigint | null, isOffset: boolean): string {
  if (value === null) return '';
  const digits = `0x${(value < 0n ? -value : value).toString(16)}`;
  if (isOffset) return value < 0n ? ` - ${digits}` : ` + ${digits}`;
  return value < 0n ? `-${digits}` : digits;
}

function rawText(values: readonly number[]): string {
  const shown = values
    .slice(0, MAX_RAW_WORDS)
    .map((value) => `0x${value.toString(16).padStart(8, '0')}`);
  return `raw=[${[...shown, ...(values.length > MAX_RAW_WORDS ? ['...'] : [])].join(', ')}]`;
}
