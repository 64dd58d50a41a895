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
  /** Address of the section's first byte; 0 in an object file. */
  readonly address: number;
  readonly labels: readonly Label[];
  readonly labelOffsets: readonly number[];
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
  for (let i = 1; i < model.sections.count; i++) {
    const index = sectionIndex(i);
    const start = model.sections.fileOffset[i] ?? 0;
    const length = model.sections.byteLength[i] ?? 0;
    if (!isCode(model.sections, index) || length === 0) continue;
    const bytes = await source.read(start, start + length);
    yield ['', `Disassembly of section ${sectionName(model.sections, index)}:`];
    const labels = labelsOf(model, index);
    yield* sectionLines({
      endian: model.endian,
      bytes,
      address: Number(sectionBase(model, index)),
      labels,
      labelOffsets: labels.map(({ offset }) => offset),
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
    yield ['', `${hexAddress(section.address + label.offset)} <${label.name}>:`];
    if (label.data) yield* batched(dataLines(section, label.offset, end));
    else yield* codeLines(section, label.offset, end);
  }
}

const MAX_BATCH = 2048;

function* codeLines(section: Section, start: number, end: number): Generator<readonly string[]> {
  const { endian, bytes, address } = section;
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
    const place = `${Math.floor((address + at) / SLOT_SIZE)}:`.padStart(9);
    const raw = section.raw ? `\t${hexBytes(bytes, at, at + length)}` : '';
    const label = target === null ? '' : labelText(section, target);
    lines.push(`${place}${raw}\t${text}${label}`);
    addNotes(section, section.core, at, at + 1, lines);
    addNotes(section, section.elf, at, at + length, lines);
    at += length;
  }
  yield lines;
}

/** Appends the notes from offset `start` to `end` (exclusive) of `queue` to `lines`. */
function addNotes(
  { address }: Section,
  queue: Queue,
  start: number,
  end: number,
  lines: string[],
): void {
  for (let note = queue.take(end, start); note !== null; note = queue.take(end, start)) {
    lines.push(`\t\t${hexAddress(address + note.offset)}:  ${note.text}`);
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
function* dataLines({ bytes, address }: Section, start: number, end: number): Generator<string> {
  for (let at = start; at < end; at += SLOT_SIZE) {
    const row = bytes.subarray(at, Math.min(at + SLOT_SIZE, end));
    const ascii = Array.from(row, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    );
    const place = (address + at).toString(16).padStart(8);
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

function hexAddress(value: number): string {
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
  readonly name: string;
  /** True if data follows the label: the bytes are dumped, not decoded. */
  readonly data: boolean;
};

/** Returns one label per offset of a section; the section's name if no symbol is at its start. */
function labelsOf(model: ObjectModel, section: SectionIndex): readonly Label[] {
  const { symbols } = model;
  const base = sectionBase(model, section);
  const labels: Label[] = [];
  for (let row = 0; row < symbols.count; row++) {
    if (symbols.section[row] !== section) continue;
    const symbol = symbolIndex(row);
    const type = symbolType(symbols, symbol);
    const name = symbolName(symbols, symbol);
    if (name === '' || type === SymbolType.SECTION || type === SymbolType.FILE) continue;
    const offset = Number((symbols.value[row] ?? 0n) - base);
    labels.push({ offset, name, data: type === SymbolType.OBJECT });
  }
  labels.sort((a, b) => a.offset - b.offset || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  if (labels[0]?.offset !== 0) {
    labels.unshift({ offset: 0, name: sectionName(model.sections, section), data: false });
  }
  return labels.filter(({ offset }, i) => offset !== labels[i + 1]?.offset);
}

/** Returns ` <name+0x8>` for a jump to address `target`, which is unsigned as in the tool. */
function labelText({ labels, labelOffsets }: Section, target: number): string {
  const label = target < 0 ? labels.at(-1) : labels[upperBound(labelOffsets, target) - 1];
  if (label === undefined) return '';
  if (label.offset === target) return ` <${label.name}>`;
  const ahead = target - label.offset;
  const isExact = ahead > 0 && Number.isSafeInteger(ahead);
  const distance = isExact ? ahead : BigInt.asUintN(64, BigInt(target) - BigInt(label.offset));
  return ` <${label.name}+0x${distance.toString(16)}>`;
}
