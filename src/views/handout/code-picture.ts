/** A few instructions around the one that is meant, as the tools print them. */

import { canList, codeListing, type ListingRow } from '#analysis/code/code-listing.ts';
import { type InsnPlace, sectionSpan, selectionInsn } from '#analysis/code/selection.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import type { ReadBytes } from '#analysis/fields/field.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { wordTextAt } from '#print/alpha-insn.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import { insnText } from '#print/insn.ts';
import { gapAt, type Line, linesAround } from './lines.ts';

const MAX_LINES = 13;
const MAX_ENTRIES = 12;
/** Sections of programs are smaller; more is not listed for a picture. */
const MAX_SECTION = 1 << 20;

/** The lines around the instruction of `selection`; none where it has none, or while bytes are on their way. */
export function insnLines(model: ObjectModel, selection: Selection, read: ReadBytes): Line[] {
  const place = placeOf(model, selection);
  if (place === null || !canList(model) || !isCode(model.sections, place.section)) return [];
  const span = sectionSpan(model, place.section);
  if (span === null || span.end - span.start > MAX_SECTION) return [];
  const bytes = read(span.start, span.end);
  if (bytes === null) return [];
  const listing = codeListing(model, place.section, bytes);
  const isWhole = selection.kind === 'section' || selection.kind === 'symbol';
  const row = listing.rowOfInsn(place.insnOff);
  const lines = linesAround(listing.count, row, MAX_LINES, (i) => {
    const at = listing.rowAt(i);
    return at === null ? '' : rowText(model, place, at);
  });
  return isWhole ? lines.map((line) => ({ ...line, isMarked: false })) : lines;
}

function placeOf(model: ObjectModel, selection: Selection): InsnPlace | null {
  return selection.kind === 'section'
    ? { section: selection.section, insnOff: 0 }
    : selectionInsn(model, selection);
}

function rowText(model: ObjectModel, { section }: InsnPlace, row: ListingRow): string {
  switch (row.kind) {
    case 'function':
      return `${row.func.name}:`;
    case 'source':
      return `; ${row.line.text.trim() || `${row.line.file}:${row.line.line}`}`;
    case 'insn':
      return `${number(row.insnIndex)} ${insnText(row.insn, model.endian).replace('\t', ' ')}`;
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

/** The first entries of the file, a line each. */
export function relocationLines(model: ObjectModel): Line[] {
  const { count } = model.relocations;
  const lines: Line[] = [];
  for (let i = 0; i < Math.min(count, MAX_ENTRIES); i++) {
    const { typeName, symbolText, site } = relocationMeaning(model, relocIndex(i));
    const at = site === null ? '' : `0x${site.byteOffset.toString(16)}`;
    lines.push({
      number: i,
      text: `${at.padEnd(8)} ${typeName.padEnd(16)} ${symbolText}`,
      isMarked: false,
    });
  }
  return count > MAX_ENTRIES ? [...lines, gapAt(MAX_ENTRIES)] : lines;
}
