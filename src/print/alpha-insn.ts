/**
 * Returns the text of one Alpha instruction as GNU objdump 2.40 prints it (`objdump -d`), without
 * the `<symbol+0x8>` after an address. A tab follows the mnemonic; it also follows the name of an
 * instruction without printed operands (`nop`).
 */
import { functionAt } from '#analysis/objects/functions.ts';
import { hexText } from '#bytes/text.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isAlpha, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import {
  byCode,
  FLOAT_BRANCHES,
  FLOAT_FROM_INTEGER,
  FLOAT_MEMORY,
  INTEGER_BRANCHES,
  INTEGER_MEMORY,
  INTEGER_REGISTERS,
  JUMPS,
  MEDIA_FROM_FLOAT,
  MEDIA_ONE_SOURCE,
  MISCELLANY,
  OPCODE,
  OPERATES,
  OPERATES_FROM_ZERO,
  PAL_CALLS,
  PAL_RESERVED,
  ZERO_REGISTER,
} from './alpha-insn-tables.ts';

/** Formats an address: with its symbol as objdump does, or with `0x` without a symbol. */
export type AddressText = (address: bigint) => string;

const RETURN_REGISTER = 26;

/** Returns the text of the instruction `word`; `.long 0x…` for invalid words. Never throws. */
export function alphaInsnText(
  word: number,
  address: bigint,
  addressText: AddressText = hexText,
): string {
  return knownText(word, address, addressText) ?? `.long ${hex(word)}`;
}

/** Returns the 64-bit target of a branch or a jump with a hint; null for other instructions. */
export function alphaBranchTarget(word: number, address: bigint): bigint | null {
  const { opcode } = fieldsOf(word);
  if (opcode >= OPCODE.br) return target(address, signed(word, 21));
  // `ret` and `jcr` have a number for software in place of a hint.
  const hinted = opcode === OPCODE.jump && ((word >>> 14) & 3) < 2;
  return hinted ? target(address, signed(word, 14)) : null;
}

function knownText(word: number, address: bigint, addressText: AddressText): string | null {
  const { opcode } = fieldsOf(word);
  const at = alphaBranchTarget(word, address);
  const goesTo = at === null ? null : addressText(at);
  if (opcode >= OPCODE.br) return branchText(word, goesTo ?? '');
  if (opcode === OPCODE.jump) return jumpText(word, goesTo);
  const memory = memoryText(word);
  if (memory !== null) return memory;
  if (opcode === OPCODE.miscellany) return miscellanyText(word);
  if (opcode >= OPCODE.floatFromInteger && opcode <= OPCODE.anyFloat) return floatText(word);
  if (OPERATES.has(opcode)) return operateText(word);
  return palText(word);
}

function branchText(word: number, goesTo: string): string | null {
  const { opcode, ra } = fieldsOf(word);
  if (opcode === OPCODE.br && ra === ZERO_REGISTER) return `br\t${goesTo}`;
  const integer = INTEGER_BRANCHES.get(opcode);
  if (integer !== undefined) return `${integer}\t${integerName(ra)},${goesTo}`;
  const float = FLOAT_BRANCHES.get(opcode);
  return float === undefined ? null : `${float}\t$f${ra},${goesTo}`;
}

function jumpText(word: number, goesTo: string | null): string {
  const name = JUMPS[(word >>> 14) & 3] ?? '';
  const { ra, rb } = fieldsOf(word);
  const hint = word & 0x3fff;
  if (name === 'jmp' && ra === ZERO_REGISTER && hint === 0) return `jmp\t(${integerName(rb)})`;
  if (name === 'ret' && ra === ZERO_REGISTER && rb === RETURN_REGISTER && hint === 1) return 'ret';
  return `${name}\t${integerName(ra)},(${integerName(rb)}),${goesTo ?? hex(hint)}`;
}

function memoryText(word: number): string | null {
  const { opcode, ra, rb } = fieldsOf(word);
  const displacement = signed(word, 16);
  const integer = INTEGER_MEMORY.get(opcode);
  if (integer !== undefined) {
    if (opcode === OPCODE.ldqU && ra === ZERO_REGISTER) return 'unop\t';
    const isLoadAddress = opcode === OPCODE.lda || opcode === OPCODE.ldah;
    const base = isLoadAddress && rb === ZERO_REGISTER ? '' : `(${integerName(rb)})`;
    return `${integer}\t${integerName(ra)},${displacement}${base}`;
  }
  const float = FLOAT_MEMORY.get(opcode);
  return float === undefined ? null : `${float}\t$f${ra},${displacement}(${integerName(rb)})`;
}

function miscellanyText(word: number): string | null {
  const entry = MISCELLANY.get(word & 0xffff);
  if (entry === undefined) return null;
  const [name, shape] = entry;
  const { ra, rb } = fieldsOf(word);
  switch (shape) {
    case 'nothing':
      return name;
    case 'ra':
      return `${name}\t${integerName(ra)}`;
    case 'rb':
      return ra === ZERO_REGISTER ? `${name}\t(${integerName(rb)})` : null;
    case 'ra-rb':
      return rb === ZERO_REGISTER
        ? `${name}\t${integerName(ra)}`
        : `${name}\t${integerName(ra)},${integerName(rb)}`;
  }
}

function floatText(word: number): string | null {
  const { opcode, ra, rb, rc } = fieldsOf(word);
  const fn = (word >>> 5) & 0x7ff;
  const move = opcode === OPCODE.floatFromInteger ? FLOAT_FROM_INTEGER.get(fn) : undefined;
  if (move === undefined) return floatOperateText(opcode, fn, ra, rb, rc);
  return rb === ZERO_REGISTER ? `${move}\t${integerName(ra)},$f${rc}` : null;
}

function operateText(word: number): string | null {
  const { opcode, ra, rb, ...fields } = fieldsOf(word);
  const fn = (word >>> 5) & 0x7f;
  const isLiteral = (word & 0x1000) !== 0;
  const literal = (word >>> 13) & 0xff;
  const rc = integerName(fields.rc);
  const second = isLiteral ? hex(literal) : integerName(rb);

  if (opcode === OPCODE.logical && fn === 0x6c) {
    return isLiteral && literal === 1 ? `implver\t${rc}` : null;
  }
  if (opcode === OPCODE.logical && fn === 0x20 && !isLiteral && ra === rb) {
    if (ra !== ZERO_REGISTER) return `mov\t${integerName(ra)},${rc}`;
    return fields.rc === ZERO_REGISTER ? 'nop\t' : `clr\t${rc}`;
  }
  if (ra === ZERO_REGISTER) {
    const short = OPERATES_FROM_ZERO.get((opcode << 7) | fn);
    if (short !== undefined) return `${short}\t${second},${rc}`;
  }
  if (opcode === OPCODE.media && !isLiteral) {
    const media = mediaText((word >>> 5) & 0x7ff, ra, rb, rc);
    if (media !== null) return media;
  }
  const name = OPERATES.get(opcode)?.get(fn);
  return name === undefined ? null : `${name}\t${integerName(ra)},${second},${rc}`;
}

/** Returns the text of a media instruction. Only moves from floats use the upper bits of `wide`. */
function mediaText(wide: number, ra: number, rb: number, rc: string): string | null {
  const fn = wide & 0x7f;
  if (fn === 0x31) return `perr\t${integerName(ra)},${integerName(rb)},${rc}`;
  const one = MEDIA_ONE_SOURCE.get(fn);
  if (one !== undefined && ra === ZERO_REGISTER) return `${one}\t${integerName(rb)},${rc}`;
  const fromFloat = MEDIA_FROM_FLOAT.get(wide);
  if (fromFloat !== undefined && rb === ZERO_REGISTER) return `${fromFloat}\t$f${ra},${rc}`;
  return null;
}

function palText(word: number): string | null {
  const { opcode } = fieldsOf(word);
  const fn = word & 0x3ffffff;
  if (opcode === OPCODE.callPal) return PAL_CALLS.get(fn) ?? `call_pal\t${hex(fn)}`;
  const reserved = PAL_RESERVED.get(opcode);
  return reserved === undefined ? null : `${reserved}\t${hex(fn)}`;
}

/** Returns the opcode and three register numbers. Some formats use fewer registers. */
function fieldsOf(word: number) {
  const ra = (word >>> 21) & 31;
  const rb = (word >>> 16) & 31;
  return { opcode: word >>> 26, ra, rb, rc: word & 31 };
}

function integerName(register: number): string {
  return INTEGER_REGISTERS[register] ?? '';
}

/** Returns the low `bits` bits of `word` as a signed number. */
function signed(word: number, bits: number): number {
  return (word << (32 - bits)) >> (32 - bits);
}

/** Returns a branch target: displacements count instructions after the branch. */
function target(address: bigint, displacement: number): bigint {
  return BigInt.asUintN(64, address + 4n + BigInt(displacement) * 4n);
}

/** Formats a number like C's `%#x`, which prints zero without a prefix. */
function hex(value: number): string {
  return value === 0 ? '0' : `0x${value.toString(16)}`;
}

export type AlphaTarget = {
  readonly section: SectionIndex;
  /** Offset in the section, in bytes. */
  readonly insnOff: number;
};

/** Addresses that a linker could give the sections, by name; null for those in the file. */
type Addresses = ReadonlyMap<string, bigint> | null;

/**
 * Returns the text of four bytes at an offset as an instruction; null outside of Alpha code.
 * `addresses` are those of a layout in which the word was relocated.
 */
export function wordTextAt(
  model: ObjectModel,
  section: SectionIndex,
  byteOffset: number,
  word: number,
  addresses: Addresses = null,
): string | null {
  const isInsn = isAlpha(model) && isCode(model.sections, section) && byteOffset % 4 === 0;
  return isInsn ? alphaTextAt(model, section, byteOffset, word, addresses) : null;
}

/** Returns the text of `word`, which is at byte `insnOff` of `section`. Names are not escaped. */
export function alphaTextAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
  word: number,
  addresses: Addresses = null,
): string {
  const address = addressOf(model, section, addresses) + BigInt(insnOff);
  return alphaInsnText(word, address, (at) => addressText(model, at, addresses))
    .replace('\t', ' ')
    .trimEnd();
}

/** Returns the target of a branch or a jump with a hint; null if it is not in the file's code. */
export function alphaTargetAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
  word: number,
): AlphaTarget | null {
  const address = (model.sections.addr[section] ?? 0n) + BigInt(insnOff);
  const target = alphaBranchTarget(word, address);
  return target === null ? null : codeAt(model, target);
}

function addressOf({ sections }: ObjectModel, section: SectionIndex, addresses: Addresses): bigint {
  return addresses?.get(sectionName(sections, section)) ?? sections.addr[section] ?? 0n;
}

function addressText(model: ObjectModel, address: bigint, addresses: Addresses): string {
  const place = codeAt(model, address, addresses);
  const func = place === null ? null : functionAt(model, place.section, place.insnOff);
  if (place === null || func === null || func.symbol === null) return `0x${address.toString(16)}`;
  const plus = place.insnOff - func.start;
  return `${address.toString(16)} <${func.name}${plus === 0 ? '' : `+0x${plus.toString(16)}`}>`;
}

function codeAt(
  model: ObjectModel,
  address: bigint,
  addresses: Addresses = null,
): AlphaTarget | null {
  const { sections } = model;
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    const offset = address - addressOf(model, section, addresses);
    const isInside = offset >= 0n && offset < BigInt(sections.byteLength[i] ?? 0);
    if (isInside && isCode(sections, section)) return { section, insnOff: Number(offset) };
  }
  return null;
}

/**
 * Floating-point instructions of the Alpha. Their 11-bit function code has an operation (bits 0-5),
 * a rounding mode (6-7) and a trap mode (8-10). The mnemonic has all three: `addt/suic`. The family
 * of the operation determines the valid modes. Source: Alpha Architecture Handbook, appendix C,
 * "IEEE" and "VAX Floating-Point Instructions"; names as in GNU objdump 2.40.
 */

/** A family of floating-point operations: letters of its trap modes and rounding modes. */
type Family = {
  readonly traps: Modes;
  readonly roundings: Modes;
};

type Modes = Readonly<Record<number, string>>;
const ALL_ROUNDINGS: Modes = { 0: 'c', 1: 'm', 2: '', 3: 'd' };
const VAX_ROUNDINGS: Modes = { 0: 'c', 2: '' };
const NORMAL_ROUNDING: Modes = { 2: '' };

const family = (roundings: Modes, traps: Modes): Family => ({ traps, roundings });
const IEEE = family(ALL_ROUNDINGS, { 0: '', 1: 'u', 5: 'su', 7: 'sui' });
const IEEE_TO_INTEGER = family(ALL_ROUNDINGS, { 0: '', 1: 'v', 5: 'sv', 7: 'svi' });
const IEEE_FROM_INTEGER = family(ALL_ROUNDINGS, { 0: '', 7: 'sui' });
const IEEE_COMPARE = family(NORMAL_ROUNDING, { 0: '', 5: 'su' });
const IEEE_WIDEN = family(NORMAL_ROUNDING, { 2: '', 6: 's' });
const VAX = family(VAX_ROUNDINGS, { 0: '', 1: 'u', 4: 's', 5: 'su' });
const VAX_TO_INTEGER = family(VAX_ROUNDINGS, { 0: '', 1: 'v', 4: 's', 5: 'sv' });
const VAX_FROM_INTEGER = family(VAX_ROUNDINGS, { 0: '' });
const VAX_COMPARE = family(NORMAL_ROUNDING, { 0: '', 4: 's' });

type Operation = {
  readonly code: number;
  readonly name: string;
  readonly family: Family;
  /** Number of printed sources. With `one`, the first register is `$f31` and is not printed. */
  readonly sources: 'one' | 'two';
};

function operations(sources: 'one' | 'two', of: Family, table: string): Operation[] {
  return Array.from(byCode(table), ([code, name]) => ({ code, name, family: of, sources }));
}

const OPERATIONS = new Map<number, readonly Operation[]>([
  [
    OPCODE.floatFromInteger,
    [
      ...operations('one', VAX, '0a sqrtf  2a sqrtg'),
      ...operations('one', IEEE, '0b sqrts  2b sqrtt'),
    ],
  ],
  [
    OPCODE.vaxFloat,
    [
      ...operations('two', VAX, '00 addf  01 subf  02 mulf  03 divf'),
      ...operations('two', VAX, '20 addg  21 subg  22 mulg  23 divg'),
      ...operations('one', VAX, '1e cvtdg  2c cvtgf  2d cvtgd'),
      ...operations('two', VAX_COMPARE, '25 cmpgeq  26 cmpglt  27 cmpgle'),
      ...operations('one', VAX_TO_INTEGER, '2f cvtgq'),
      ...operations('one', VAX_FROM_INTEGER, '3c cvtqf  3e cvtqg'),
    ],
  ],
  [
    OPCODE.ieeeFloat,
    [
      ...operations('two', IEEE, '00 adds  01 subs  02 muls  03 divs'),
      ...operations('two', IEEE, '20 addt  21 subt  22 mult  23 divt'),
      ...operations('two', IEEE_COMPARE, '24 cmptun  25 cmpteq  26 cmptlt  27 cmptle'),
      // With the trap modes that cvtts lacks, operation 2c is cvtst, which widens.
      ...operations('one', IEEE, '2c cvtts'),
      ...operations('one', IEEE_WIDEN, '2c cvtst'),
      ...operations('one', IEEE_TO_INTEGER, '2f cvttq'),
      ...operations('one', IEEE_FROM_INTEGER, '3c cvtqs  3e cvtqt'),
    ],
  ],
]);

/** Function codes of `sub` instructions that are printed as `neg` if the first source is `$f31`. */
const NEGATIONS = new Map<number, ReadonlySet<number>>([
  [OPCODE.vaxFloat, new Set([0x081, 0x0a1, 0x481, 0x4a1])],
  [OPCODE.ieeeFloat, new Set([0x081, 0x0a1, 0x581, 0x5a1, 0x781, 0x7a1])],
]);

/** Names of opcode 0x17 by the whole function code: its operations have no modes. */
const PLAIN_TWO = byCode(`
  020 cpys  021 cpysn  022 cpyse  02a fcmoveq  02b fcmovne  02c fcmovlt  02d fcmovge
  02e fcmovle  02f fcmovgt
`);
const PLAIN_ONE = byCode('010 cvtlq  030 cvtql  130 cvtql/v  530 cvtql/sv');
const CONTROL = byCode('024 mt_fpcr  025 mf_fpcr');

/** Returns the text of a floating-point word (opcodes 0x14 to 0x17); null if it has no name. */
function floatOperateText(
  opcode: number,
  fn: number,
  fa: number,
  fb: number,
  fc: number,
): string | null {
  if (opcode === OPCODE.anyFloat) return plainText(fn, fa, fb, fc);
  for (const operation of OPERATIONS.get(opcode) ?? []) {
    if (operation.code !== (fn & 0x3f)) continue;
    const trap = operation.family.traps[fn >> 8];
    const rounding = operation.family.roundings[(fn >> 6) & 3];
    if (trap === undefined || rounding === undefined) continue;
    const modes = trap + rounding;
    const suffix = modes === '' ? '' : `/${modes}`;
    if (operation.sources === 'one') {
      return fa === ZERO_REGISTER ? `${operation.name}${suffix}\t$f${fb},$f${fc}` : null;
    }
    if (fa === ZERO_REGISTER && NEGATIONS.get(opcode)?.has(fn)) {
      return `${operation.name.replace('sub', 'neg')}${suffix}\t$f${fb},$f${fc}`;
    }
    return `${operation.name}${suffix}\t$f${fa},$f${fb},$f${fc}`;
  }
  return null;
}

function plainText(fn: number, fa: number, fb: number, fc: number): string | null {
  const name = PLAIN_TWO.get(fn);
  if (name === 'cpys') return copySignText(fa, fb, fc);
  if (name === 'cpysn' && fa === fb) return `fneg\t$f${fa},$f${fc}`;
  if (name !== undefined) return `${name}\t$f${fa},$f${fb},$f${fc}`;
  const conversion = PLAIN_ONE.get(fn);
  if (conversion !== undefined) {
    return fa === ZERO_REGISTER ? `${conversion}\t$f${fb},$f${fc}` : null;
  }
  const control = CONTROL.get(fn);
  // Valid only if the three register fields are equal.
  return control !== undefined && fa === fb && fb === fc ? `${control}\t$f${fa}` : null;
}

function copySignText(fa: number, fb: number, fc: number): string {
  if (fa === ZERO_REGISTER && fb === ZERO_REGISTER) {
    return fc === ZERO_REGISTER ? 'fnop\t' : `fclr\t$f${fc}`;
  }
  if (fa === fb) return `fmov\t$f${fa},$f${fc}`;
  if (fa === ZERO_REGISTER) return `fabs\t$f${fb},$f${fc}`;
  return `cpys\t$f${fa},$f${fb},$f${fc}`;
}
