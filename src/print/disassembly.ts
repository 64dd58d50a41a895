/**
 * Lists the code of an object as `llvm-objdump -dr` of LLVM 19 does: by symbol, without zeros, with
 * objects as data. A jump shows the nearest symbol before its target. After an instruction come its
 * first CO-RE record and its relocations.
 */
import { lineRowsOf, sourceLine } from '#analysis/code/source-lines.ts';
import { accessStringAt } from '#analysis/core/access-string.ts';
import { coreRecordsBetween } from '#analysis/core/core-records.ts';
import { sectionBase } from '#analysis/objects/symbol-places.ts';
import { relocationOffset, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { upperBound } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { ByteSource } from '#bytes/source.ts';
import type { Endian } from '#bytes/span.ts';
import { BYTE_DIGITS, visible, visibleLine } from '#bytes/text.ts';
import { decodeInsn, isCall, jumpTarget, SLOT_SIZE } from '#formats/bpf/insn.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import {
  type RelocIndex,
  type SectionIndex,
  sectionIndex,
  symbolIndex,
  typeId,
} from '#model/ids.ts';
import { hasBpfCode, type ObjectModel } from '#model/object-model.ts';
import { AddendSource } from '#model/relocations.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { coreRelocationTexts } from './core-relocation.ts';
import { insnText, listedLength } from './insn.ts';

export type DisassemblyOptions = {
  /** Path of the file, printed in the first line. */
  readonly path: string;
  /** True: prints the bytes of each instruction. */
  readonly raw: boolean;
  /** True: prints the source line (line_info) before its instructions. llvm-objdump does not. */
  readonly lines: boolean;
  /** True: numbers in instructions are decimal (`--print-imm-hex=false`); addresses are not. */
  readonly decimal: boolean;
};

/** A line that is printed with the instruction that contains `offset`. */
type Note = { readonly offset: number; readonly text: string };

type Section = {
  readonly endian: Endian;
  readonly bytes: Uint8Array;
  /** `sh_addr`; 0 in an object file of a compiler. */
  readonly address: bigint;
  /** True if all addresses of the section are exact as numbers. */
  readonly isLow: boolean;
  readonly labels: readonly Label[];
  readonly targets: Targets;
  readonly core: Queue;
  readonly elf: Queue;
  readonly lines: Queue;
  readonly raw: boolean;
  readonly decimal: boolean;
};

const MIN_SKIPPED_ZEROS = 8;

/** Yields some thousand lines at a time. Only the names in source lines are escaped. */
export async function* disassembly(
  model: ObjectModel,
  source: ByteSource,
  options: DisassemblyOptions,
): AsyncGenerator<readonly string[]> {
  yield ['', `${options.path}:\tfile format elf${model.addressBits}-bpf`];
  if (!hasBpfCode(model)) return;
  const targets = new Targets(model);
  for (let i = 1; i < model.sections.count; i++) {
    const index = sectionIndex(i);
    const start = model.sections.fileOffset[i] ?? 0;
    const length = model.sections.byteLength[i] ?? 0;
    if (!isCode(model.sections, index) || length === 0) continue;
    const address = model.sections.addr[i] ?? 0n;
    const end = address + BigInt(length);
    // The tool computes the end in 64 bits, where it lies before the start, and prints nothing.
    if (end >= 1n << 64n) continue;
    const bytes = await source.read(start, start + length);
    yield ['', `Disassembly of section ${sectionName(model.sections, index)}:`];
    yield* sectionLines({
      endian: model.endian,
      bytes,
      address,
      isLow: end <= BigInt(Number.MAX_SAFE_INTEGER),
      labels: targets.enter(index),
      targets,
      core: new Queue(coreNotes(model, index, bytes.length)),
      elf: new Queue(elfNotes(model, index, bytes.length)),
      lines: new Queue(options.lines ? lineNotes(model, index) : []),
      raw: options.raw,
      decimal: options.decimal,
    });
  }
}

function* sectionLines(section: Section): Generator<readonly string[]> {
  const { labels, bytes } = section;
  for (const [i, label] of labels.entries()) {
    if (label.offset < 0 || label.offset >= bytes.length) continue;
    const end = Math.min(labels[i + 1]?.offset ?? bytes.length, bytes.length);
    yield ['', `${hexAddress(addressAt(section, label.offset))} <${label.name}>:`];
    if (label.data) yield* batched(dataLines(section, label.offset, end));
    else yield* codeLines(section, label.offset, end);
  }
}

const MAX_BATCH = 2048;

function* codeLines(section: Section, start: number, end: number): Generator<readonly string[]> {
  const { endian, bytes, isLow } = section;
  const base = isLow ? Number(section.address) : 0;
  let lines: string[] = [];
  for (let at = start; at < end; ) {
    if (lines.length >= MAX_BATCH) {
      yield lines;
      lines = [];
    }
    const skipped =
      bytes[at] === 0 ? zerosAt(bytes, at, Math.min(end, section.elf.nextFrom(at))) : 0;
    if (skipped > 0) {
      lines.push('\t\t...');
      at += skipped;
      continue;
    }
    // Like the tool, decode past a symbol that is inside an instruction.
    const insn = decodeInsn(bytes, at, endian);
    const length = insn === null ? 1 : listedLength(insn);
    const above = section.lines;
    for (let note = above.take(at + length, 0); note !== null; note = above.take(at + length, 0)) {
      lines.push(note.text);
    }
    const text = insn === null ? '<unknown>' : insnText(insn, section.decimal);
    const target = insn === null || isCall(insn) || text === '<unknown>' ? null : jumpTarget(insn);
    const slot = isLow
      ? Math.floor((base + at) / SLOT_SIZE)
      : addressAt(section, at) / BigInt(SLOT_SIZE);
    const place = `${slot}:`.padStart(9);
    const raw = section.raw ? `\t${hexBytes(bytes, at, at + length)}` : '';
    const label = target === null ? '' : section.targets.text(target);
    lines.push(`${place}${raw}\t${text}${label}`);
    addNotes(section, section.core, at, at + 1, lines);
    addNotes(section, section.elf, at, at + length, lines);
    at += length;
  }
  yield lines;
}

/** Appends the notes from offset `start` to `end` (exclusive) of `queue` to `lines`. */
function addNotes(
  section: Section,
  queue: Queue,
  start: number,
  end: number,
  lines: string[],
): void {
  for (let note = queue.take(end, start); note !== null; note = queue.take(end, start)) {
    lines.push(`\t\t${hexAddress(addressAt(section, note.offset))}:  ${note.text}`);
  }
}

/** Yields `lines` in arrays of some thousand. */
export function* batched(lines: Iterable<string>): Generator<readonly string[]> {
  let batch: string[] = [];
  for (const line of lines) {
    batch.push(line);
    if (batch.length < MAX_BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Yields data that lies between code as a hex dump, eight bytes per line. */
function* dataLines(section: Section, start: number, end: number): Generator<string> {
  const { bytes } = section;
  for (let at = start; at < end; at += SLOT_SIZE) {
    const row = bytes.subarray(at, Math.min(at + SLOT_SIZE, end));
    const ascii = Array.from(row, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    );
    const place = addressAt(section, at).toString(16).padStart(8);
    const hex = hexBytes(row, 0, row.length).padEnd(3 * SLOT_SIZE - 1);
    yield `${place}: ${hex}         ${ascii.join('')}`;
  }
}

/** Notes sorted by offset. Each note is returned once. */
class Queue {
  readonly #notes: readonly Note[];
  /** Offsets of the notes, read at each instruction; in a typed array the read stays fast. */
  readonly #offsets: Float64Array;
  #next = 0;

  constructor(notes: readonly Note[]) {
    this.#notes = notes;
    this.#offsets = new Float64Array(notes.length);
    for (const [i, { offset }] of notes.entries()) this.#offsets[i] = offset;
  }

  /** Skips notes before `offset`. Returns the offset of the next note. */
  nextFrom(offset: number): number {
    while (this.#next < this.#offsets.length && this.#offset() < offset) this.#next++;
    return this.#offset();
  }

  /** Returns the next note from `start` to `end` (exclusive); null if there is none. */
  take(end: number, start: number): Note | null {
    if (this.nextFrom(start) >= end) return null;
    const note = this.#notes[this.#next] ?? null;
    this.#next += 1;
    return note;
  }

  #offset(): number {
    return this.#offsets[this.#next] ?? Number.POSITIVE_INFINITY;
  }
}

/** Returns the number of zero bytes to skip from `at` on, a multiple of four. */
function zerosAt(bytes: Uint8Array, at: number, end: number): number {
  let stop = at;
  while (stop < end && bytes[stop] === 0) stop++;
  return stop - at < MIN_SKIPPED_ZEROS ? 0 : (stop - at) & ~3;
}

function coreNotes(model: ObjectModel, section: SectionIndex, length: number): Note[] {
  const { types } = model;
  if (types === null) return [];
  const { kind, typeId: root, accessStrOff, insnOff } = model.ext.core;
  const records = coreRecordsBetween(model, section, 0, length);
  // Of several records for one instruction, the first is printed: BTFParser.cpp, `findFieldReloc`.
  const printed = records.filter((index, i) => insnOff[index] !== insnOff[records[i - 1] ?? -1]);
  const textOf = coreRelocationTexts(types);
  return printed.map((index) => {
    const record = {
      kind: kind[index] ?? 0,
      root: typeId(root[index] ?? 0),
      accessStr: accessStringAt(types, accessStrOff[index] ?? 0),
    };
    return { offset: insnOff[index] ?? 0, text: `CO-RE ${textOf(record)}` };
  });
}

function elfNotes(model: ObjectModel, section: SectionIndex, length: number): Note[] {
  return relocationsInRange(model, section, 0, length).map((index) => ({
    offset: relocationOffset(model, index),
    text: `${bpfRelocationType(model.relocations.type[index] ?? 0, false).name}\t${valueText(model, index)}`,
  }));
}

/** Returns an entry's symbol (for a section symbol, the section), and the addend of RELA. */
function valueText(model: ObjectModel, index: RelocIndex): string {
  const { relocations, symbols, sections } = model;
  const row = relocations.symbol[index] ?? -1;
  const addend =
    relocations.addendSource[index] === AddendSource.explicit
      ? (relocations.addend[index] ?? 0n)
      : 0n;
  const sign = addend < 0n ? '-' : '+';
  const shown = addend === 0n ? '' : `${sign}0x${(addend < 0n ? -addend : addend).toString(16)}`;
  if (row <= 0) return shown === '' ? '*ABS*' : `*ABS*${shown}`;
  const symbol = symbolIndex(row);
  const name =
    symbolType(symbols, symbol) === SymbolType.SECTION
      ? sectionName(sections, sectionIndex(symbols.section[row] ?? 0))
      : symbolName(symbols, symbol);
  return `${name}${shown}`;
}

/** Returns each source line once, at the offset of its first instruction. */
function lineNotes(model: ObjectModel, section: SectionIndex): Note[] {
  return Array.from(lineRowsOf(model, section), (row) => {
    const { insnOff, file, line, text } = sourceLine(model, row);
    return { offset: insnOff, text: `; ${visibleLine(text.trim())} @ ${visible(file)}:${line}` };
  });
}

function addressAt({ address }: Section, offset: number): bigint {
  return address + BigInt(offset);
}

function hexAddress(value: bigint): string {
  return value.toString(16).padStart(16, '0');
}

const SPACED_DIGITS = BYTE_DIGITS.map((digits) => ` ${digits}`);

function hexBytes(bytes: Uint8Array, start: number, end: number): string {
  let text = BYTE_DIGITS[bytes[start] ?? 0] ?? '';
  for (let i = start + 1; i < end; i++) text += SPACED_DIGITS[bytes[i] ?? 0];
  return text;
}

type Label = {
  /** Offset from the start of the section, in bytes. */
  readonly offset: number;
  /** 64-bit address. */
  readonly address: bigint;
  readonly name: string;
  /** True if data follows the label: the bytes are dumped, not decoded. */
  readonly data: boolean;
};

/** Returns the labels of a section by address, one per address. */
function labelsOf(model: ObjectModel, section: SectionIndex): Label[] {
  const { symbols } = model;
  const base = sectionBase(model, section);
  const start = model.sections.addr[section] ?? 0n;
  const labels: Label[] = [];
  for (let row = 0; row < symbols.count; row++) {
    if (symbols.section[row] !== section) continue;
    const symbol = symbolIndex(row);
    const type = symbolType(symbols, symbol);
    const name = symbolName(symbols, symbol);
    if (name === '' || type === SymbolType.SECTION || type === SymbolType.FILE) continue;
    const offset = (symbols.value[row] ?? 0n) - base;
    const address = BigInt.asUintN(64, start + offset);
    labels.push({ offset: Number(offset), address, name, data: type === SymbolType.OBJECT });
  }
  labels.sort((a, b) =>
    a.address === b.address
      ? a.name < b.name
        ? -1
        : Number(a.name > b.name)
      : a.address < b.address
        ? -1
        : 1,
  );
  return labels.filter(({ address }, i) => address !== labels[i + 1]?.address);
}

/** Finds the symbols before the targets of jumps as llvm-objdump does. */
class Targets {
  readonly #model: ObjectModel;
  readonly #labels = new Map<number, Label[]>();
  /** Sections by address; null in a relocatable file, where a target is in the jump's section. */
  readonly #sections:
    | readonly { readonly address: bigint; readonly section: SectionIndex }[]
    | null;
  #current: SectionIndex = sectionIndex(0);
  #offsets: readonly number[] = [];

  constructor(model: ObjectModel) {
    this.#model = model;
    this.#sections = model.fileType === 'relocatable' ? null : sectionsByAddress(model);
  }

  /** Makes `section` the section of the jumps. Returns its labels; one is at its start. */
  enter(section: SectionIndex): readonly Label[] {
    const labels = this.#labelsOf(section);
    const address = this.#model.sections.addr[section] ?? 0n;
    if (labels[0]?.address !== address) {
      const name = sectionName(this.#model.sections, section);
      labels.unshift({ offset: 0, address, name, data: false });
    }
    this.#current = section;
    this.#offsets = labels.map(({ offset }) => offset);
    return labels;
  }

  /** Returns ` <name+0x8>` for a jump to byte `target` of the section. */
  text(target: number): string {
    const base = this.#model.sections.addr[this.#current] ?? 0n;
    if (this.#sections === null && base === 0n && target >= 0) {
      const label = this.#labelsOf(this.#current)[upperBound(this.#offsets, target) - 1];
      return label === undefined ? '' : distanceText(label, target - label.offset);
    }
    const address = BigInt.asUintN(64, base + BigInt(target));
    for (const of of this.#candidates(address)) {
      const label = lastUpTo(of, address);
      if (label !== null) return distanceText(label, address - label.address);
    }
    return '';
  }

  #labelsOf(section: SectionIndex): Label[] {
    return getOrCreate(this.#labels, section, () => labelsOf(this.#model, section));
  }

  /** Returns the labels of the sections that begin at the last section address up to `address`. */
  *#candidates(address: bigint): Generator<readonly Label[]> {
    if (this.#sections === null) {
      yield this.#labelsOf(this.#current);
      return;
    }
    let at = countUpTo(this.#sections, address);
    const start = this.#sections[at - 1]?.address;
    while (at > 0 && this.#sections[at - 1]?.address === start) {
      at--;
      yield this.#labelsOf(this.#sections[at]?.section ?? sectionIndex(0));
    }
  }
}

function sectionsByAddress({ sections }: ObjectModel) {
  const all = Array.from({ length: sections.count }, (_, i) => ({
    address: sections.addr[i] ?? 0n,
    section: sectionIndex(i),
  }));
  return all.sort((a, b) => (a.address < b.address ? -1 : Number(a.address > b.address)));
}

/** Returns how many of `sorted` have an address up to `address`. */
function countUpTo(sorted: readonly { readonly address: bigint }[], address: bigint): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.address ?? 0n) <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lastUpTo(labels: readonly Label[], address: bigint): Label | null {
  return labels[countUpTo(labels, address) - 1] ?? null;
}

function distanceText({ name }: Label, distance: number | bigint): string {
  return Number(distance) === 0 ? ` <${name}>` : ` <${name}+0x${distance.toString(16)}>`;
}
