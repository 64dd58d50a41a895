/** Makes the code of a picture: a few lines around the selected line, as the tools print them. */
import { canList, codeListing, type ListingRow } from '#analysis/code/code-listing.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import type { ReadBytes } from '#analysis/fields/field.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { type InsnPlace, sectionSpan, selectionInsn } from '#analysis/selection/selection.ts';
import { relocIndex, type TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { isComposite, memberAt } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { wordTextAt } from '#print/alpha-insn.ts';
import { rawRecord } from '#print/btf-dump.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import { shownInsnText } from '#print/insn.ts';
import { paholeOf } from '#print/pahole/pahole.ts';

const MAX_LINES_OF_CODE = 13;
const MAX_ENTRIES = 12;
/** Maximum size in bytes of a section whose instructions are printed. */
const MAX_SECTION = 1 << 20;

/** Returns the lines around the selected instruction; empty until the bytes are loaded. */
export function insnLines(model: ObjectModel, selection: Selection, read: ReadBytes): Line[] {
  const place =
    selection.kind === 'section'
      ? { section: selection.section, insnOff: 0 }
      : selectionInsn(model, selection);
  if (place === null || !canList(model) || !isCode(model.sections, place.section)) return [];
  const span = sectionSpan(model, place.section);
  if (span === null || span.end - span.start > MAX_SECTION) return [];
  const bytes = read(span.start, span.end);
  if (bytes === null) return [];
  const listing = codeListing(model, place.section, bytes);
  const isWhole = selection.kind === 'section' || selection.kind === 'symbol';
  const row = listing.rowOfInsn(place.insnOff);
  const lines = linesAround(listing.count, row, MAX_LINES_OF_CODE, (i) => {
    const at = listing.rowAt(i);
    return at === null ? '' : rowText(model, place, at);
  });
  return isWhole ? lines.map((line) => ({ ...line, isMarked: false })) : lines;
}

function rowText(model: ObjectModel, { section }: InsnPlace, row: ListingRow): string {
  switch (row.kind) {
    case 'function':
      return `${row.func.name}:`;
    case 'source':
      return `; ${row.line.text.trim() || `${row.line.file}:${row.line.line}`}`;
    case 'insn':
      return `${number(row.insnIndex)} ${shownInsnText(row.insn).replace('\t', ' ')}`;
    case 'word': {
      const text = wordTextAt(model, section, row.insnOff, row.word);
      return `${number(row.insnOff)} ${text ?? ''}`;
    }
    case 'relocation': {
      const { typeName, symbolText } = relocationMeaning(model, row.reloc);
      return `       ${typeName} ${symbolText}`;
    }
    case 'core': {
      const { types } = model;
      return types === null
        ? ''
        : `       CO-RE ${coreRelocationText(types, coreRecord(model, row.core))}`;
    }
  }
}

function number(value: number): string {
  return `${value}:`.padStart(6);
}

/** Returns one line for each of the first relocation entries. */
export function relocationLines(model: ObjectModel): Line[] {
  const { count } = model.relocations;
  const lines = Array.from({ length: Math.min(count, MAX_ENTRIES) }, (_, i): Line => {
    const { typeName, symbolText, site } = relocationMeaning(model, relocIndex(i));
    const at = site === null ? '' : `0x${site.byteOffset.toString(16)}`;
    const text = `${at.padEnd(8)} ${typeName.padEnd(16)} ${symbolText}`;
    return { number: i, text, isMarked: false };
  });
  return count > MAX_ENTRIES ? [...lines, gapAt(MAX_ENTRIES)] : lines;
}

const MAX_LINES_OF_TYPE = 24;
/** Maximum length of a line, since a hostile file can have names as long as itself. */
const MAX_LENGTH = 160;

/** Returns a type's declaration, or the lines around a member. Structs are in pahole's form. */
export function typeLines(types: TypeTable, id: TypeId, memberPath: readonly number[]): Line[] {
  const isLaidOut = isComposite(kindOf(types, id));
  const written = printed((isLaidOut && paholeOf(types, id)) || cDeclaration(types, id));
  // Sections and some variables have no declaration: print their records instead.
  const lines = written.length > 0 ? written : printed(rawRecord(types, id));
  const marked = isLaidOut ? memberLine(types, id, memberPath, lines) : -1;
  return linesAround(lines.length, marked, MAX_LINES_OF_TYPE, (i) => cut(lines[i] ?? ''));
}

/** Returns the lines of pahole's text without its sums, since lessons ask for the sums. */
function printed(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !/^\s*\/\*/.test(line));
}

function cut(line: string): string {
  const text = line.replaceAll('\t', '  ');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Returns the index of the line that declares a member, found by offset; else -1. */
function memberLine(
  types: TypeTable,
  id: TypeId,
  memberPath: readonly number[],
  lines: readonly string[],
): number {
  let at = skipModifiers(types, id);
  let from = 0;
  for (const index of memberPath) {
    const member = memberAt(types, at, index);
    if (member === null) return -1;
    if (member.name !== '') {
      from = lines.findIndex((line, i) => i >= from && declares(line, member.name));
      if (from < 0) return -1;
    }
    at = skipModifiers(types, member.type);
  }
  return memberPath.length === 0 ? -1 : from;
}

function declares(line: string, name: string): boolean {
  const code = line.split('/*')[0] ?? '';
  const names: readonly string[] = code.match(/[A-Za-z_$][\w$]*/g) ?? [];
  return line.includes('/*') && names.includes(name);
}

export type Line = {
  /** Index of the line, from 0; unique in a picture. */
  readonly number: number;
  readonly text: string;
  readonly isMarked: boolean;
};

/** Returns the line that replaces the lines left out next to line `number`. */
function gapAt(number: number): Line {
  return { number, text: '⋮', isMarked: false };
}

/** Returns at most `most` of `count` lines around the marked one. Calls `textAt` only for these. */
export function linesAround(
  count: number,
  marked: number,
  most: number,
  textAt: (i: number) => string,
): Line[] {
  const middle = Math.max(0, marked);
  const first = Math.max(0, Math.min(middle - Math.floor(most / 2), count - most));
  const end = Math.min(count, first + most);
  const lines: Line[] = first > 0 ? [gapAt(first - 1)] : [];
  for (let i = first; i < end; i++) {
    lines.push({ number: i, text: textAt(i), isMarked: i === marked });
  }
  if (end < count) lines.push(gapAt(end));
  return lines;
}
