/**
 * The text of one Alpha instruction, letter for letter as GNU objdump 2.40
 * prints it (`objdump -d`), up to the `<symbol+0x8>` behind an address. A tab
 * parts the mnemonic from its operands, and stands alone behind the names of
 * instructions whose operands are fixed (`nop`).
 */

import { functionAt } from '#analysis/objects/functions.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isAlpha, type ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { floatOperateText } from './alpha-insn-float.ts';
import {
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

/** How an address is written: objdump adds the symbol, and `0x` where there is none. */
export type AddressText = (address: bigint) => string;

const RETURN_REGISTER = 26;

/**
 * Text of the instruction `word` (32 bits, as a number from 0 on) that lies at
 * `address`. Branches and jumps name the place they go to through
 * `addressText`. What is no instruction comes out as `.long 0x…`. Total.
 */
export function alphaInsnText(
  word: number,
  address: bigint,
  addressText: AddressText = hexAddress,
): string {
  return knownText(word, address, addressText) ?? `.long ${hex(word)}`;
}

/** Where a branch or a hinted jump goes, as an unsigned 64-bit address; null for all else. */
export function alphaBranchTarget(word: number, address: bigint): bigint | null {
  const opcode = opcodeOf(word);
  if (opcode >= OPCODE.br) return target(address, signed(word, 21));
  // A return and a coroutine jump hold no hint, but a number that only software reads.
  const hinted = opcode === OPCODE.jump && ((word >>> 14) & 3) < 2;
  return hinted ? target(address, signed(word, 14)) : null;
}

function hexAddress(address: bigint): string {
  return `0x${address.toString(16)}`;
}

function knownText(word: number, address: bigint, addressText: AddressText): string | null {
  const opcode = opcodeOf(word);
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
  const opcode = opcodeOf(word);
  const ra = raOf(word);
  if (opcode === OPCODE.br && ra === ZERO_REGISTER) return `br\t${goesTo}`;
  const integer = INTEGER_BRANCHES.get(opcode);
  if (integer !== undefined) return `${integer}\t${integerName(ra)},${goesTo}`;
  const float = FLOAT_BRANCHES.get(opcode);
  return float === undefined ? null : `${float}\t$f${ra},${goesTo}`;
}

function jumpText(word: number, goesTo: string | null): string {
  const name = JUMPS[(word >>> 14) & 3] ?? '';
  const ra = raOf(word);
  const rb = rbOf(word);
  const hint = word & 0x3fff;
  if (name === 'jmp' && ra === ZERO_REGISTER && hint === 0) return `jmp\t(${integerName(rb)})`;
  if (name === 'ret' && ra === ZERO_REGISTER && rb === RETURN_REGISTER && hint === 1) return 'ret';
  return `${name}\t${integerName(ra)},(${integerName(rb)}),${goesTo ?? hex(hint)}`;
}

function memoryText(word: number): string | null {
  const opcode = opcodeOf(word);
  const ra = raOf(word);
  const rb = rbOf(word);
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
  const ra = raOf(word);
  const rb = rbOf(word);
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
  const opcode = opcodeOf(word);
  const fn = (word >>> 5) & 0x7ff;
  const move = opcode === OPCODE.floatFromInteger ? FLOAT_FROM_INTEGER.get(fn) : undefined;
  if (move === undefined) {
    return floatOperateText(opcode, fn, raOf(word), rbOf(word), rcOf(word));
  }
  return rbOf(word) === ZERO_REGISTER
    ? `${move}\t${integerName(raOf(word))},$f${rcOf(word)}`
    : null;
}

function operateText(word: number): string | null {
  const opcode = opcodeOf(word);
  const fn = (word >>> 5) & 0x7f;
  const isLiteral = (word & 0x1000) !== 0;
  const literal = (word >>> 13) & 0xff;
  const ra = raOf(word);
  const rb = rbOf(word);
  const rc = integerName(rcOf(word));
  const second = isLiteral ? hex(literal) : integerName(rb);

  if (opcode === OPCODE.logical && fn === 0x6c) {
    return isLiteral && literal === 1 ? `implver\t${rc}` : null;
  }
  if (opcode === OPCODE.logical && fn === 0x20 && !isLiteral && ra === rb) {
    if (ra !== ZERO_REGISTER) return `mov\t${integerName(ra)},${rc}`;
    return rcOf(word) === ZERO_REGISTER ? 'nop\t' : `clr\t${rc}`;
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

/** `wide` is the function with the three bits above it, which only the moves from floating registers look at. */
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
  const fn = word & 0x3ffffff;
  if (opcodeOf(word) === OPCODE.callPal) return PAL_CALLS.get(fn) ?? `call_pal\t${hex(fn)}`;
  const reserved = PAL_RESERVED.get(opcodeOf(word));
  return reserved === undefined ? null : `${reserved}\t${hex(fn)}`;
}

function opcodeOf(word: number): number {
  return word >>> 26;
}

function raOf(word: number): number {
  return (word >>> 21) & 31;
}

function rbOf(word: number): number {
  return (word >>> 16) & 31;
}

function rcOf(word: number): number {
  return word & 31;
}

function integerName(register: number): string {
  return INTEGER_REGISTERS[register] ?? '';
}

/** The low `bits` of `word` as a signed number. */
function signed(word: number, bits: number): number {
  return (word << (32 - bits)) >> (32 - bits);
}

/** Branch targets count instructions from the one behind the branch. */
function target(address: bigint, displacement: number): bigint {
  return BigInt.asUintN(64, address + 4n + BigInt(displacement) * 4n);
}

/** As C's `%#x`: zero has no prefix. */
function hex(value: number): string {
  return value === 0 ? '0' : `0x${value.toString(16)}`;
}

/** Where an instruction leads in this file. */
export type AlphaTarget = {
  readonly section: SectionIndex;
  /** Bytes from the start of the section. */
  readonly insnOff: number;
};

/** Text of a word of four bytes that may be an instruction; null where it lies in no code of a machine with such instructions. */
export function wordTextAt(
  model: ObjectModel,
  section: SectionIndex,
  byteOffset: number,
  word: number,
): string | null {
  const isInsn = isAlpha(model) && isCode(model.sections, section) && byteOffset % 4 === 0;
  return isInsn ? alphaTextAt(model, section, byteOffset, word) : null;
}

/** Text of `word` at `insnOff` bytes of `section`. Names in it are raw text. */
export function alphaTextAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
  word: number,
): string {
  const address = (model.sections.addr[section] ?? 0n) + BigInt(insnOff);
  return alphaInsnText(word, address, (at) => addressText(model, at))
    .replace('\t', ' ')
    .trimEnd();
}

/** Where a branch or a jump with a hint goes; null where it goes nowhere, or out of the code of the file. */
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

function addressText(model: ObjectModel, address: bigint): string {
  const place = codeAt(model, address);
  const func = place === null ? null : functionAt(model, place.section, place.insnOff);
  if (place === null || func === null || func.symbol === null) return `0x${address.toString(16)}`;
  const plus = place.insnOff - func.start;
  return `${address.toString(16)} <${func.name}${plus === 0 ? '' : `+0x${plus.toString(16)}`}>`;
}

function codeAt({ sections }: ObjectModel, address: bigint): AlphaTarget | null {
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    const offset = address - (sections.addr[i] ?? 0n);
    const isInside = offset >= 0n && offset < BigInt(sections.byteLength[i] ?? 0);
    if (isInside && isCode(sections, section)) return { section, insnOff: Number(offset) };
  }
  return null;
}
