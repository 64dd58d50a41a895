/**
 * Marks of the hex view: BTF records, and the bytes and bits that relocations and CO-RE records
 * change. Marks are computed for visible rows only.
 *
 * Source: "BPF LLVM Relocations", section "Different Relocation Types"; for fields of instructions,
 * "Instruction encoding" of instruction-set.rst.
 */

import { coreKindName } from '#analysis/core/core-kinds.ts';
import { coreRecord, coreRecordsBetween } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { type PatchedField, patchedField } from '#analysis/core/patch-insn.ts';
import type { SiteMark } from '#analysis/objects/relocation-facts.ts';
import { relocationsTouching } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { MAX_REACH } from '#analysis/relocations/relocated-bytes.ts';
import { typeAtOffset } from '#analysis/selection/selection.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { lowerBound } from '#bytes/arrays.ts';
import type { Endian, Span } from '#bytes/span.ts';
import { bitRange, drawnName } from '#bytes/text.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { BTF_TYPE_SIZE, type BtfStruct, kindName, kindSpec } from '#formats/btf/kinds.ts';
import type { CoreIndex, RelocIndex, SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { kindOf, recordSpan } from '#model/type-table.ts';
import type { Highlight } from '#store/session/highlight.ts';
import type { Pin } from '#store/session/pins.ts';
import { classNames } from '#ui/class-names.ts';
import type { ByteMark } from '#ui/hex-marks.ts';
import type { KindTone } from '#ui/tone.ts';
import { pinBadge, pinLabel } from '#views/parts/PinMark.tsx';
import { relocTone, symbolLine } from '#views/parts/relocation-look.ts';
import { isPacked } from '#views/parts/use-section-bytes.ts';
import { changedSpan, sectionsInRange } from './regions.ts';

/** Returns bytes of the file; null if they are not loaded yet. */
export type ReadNow = (start: number, end: number) => Uint8Array | null;

/** Maximum number of relocations marked on one byte: a malicious file can have any number. */
const MAX_ENTRIES = 64;

export type MarkOptions = {
  readonly read: ReadNow;
  /** Selected object: its mark gets the class `litClass`. */
  readonly lit: Selection;
  readonly litClass: string;
  /** Returns the CSS class of a byte whose bits `from` (lowest) to `to` (exclusive) are marked. */
  readonly bitClass: (from: number, to: number) => string;
};

/** Returns the marks in a file range. `section` leaves out relocations of other sections. */
export function marksIn(
  model: ObjectModel,
  section: SectionIndex | null,
  start: number,
  end: number,
  { read, lit, litClass, bitClass }: MarkOptions,
): ByteMark[] {
  const touches = (mark: ByteMark) => mark.start < end && mark.end > start;
  const withClass = (mark: ByteMark, isLit: boolean) =>
    isLit ? { ...mark, className: classNames(mark.className, litClass) } : mark;
  const sections = section === null ? sectionsInRange(model.sections, start, end) : [section];
  const marks = typeMarks(model, start, end);
  for (const each of sections) {
    if (isPacked(model, each)) continue;
    const base = model.sections.fileOffset[each] ?? 0;
    for (const reloc of relocationsNear(model, each, start - base, end - base)) {
      const isLit = lit.kind === 'relocation' && lit.reloc === reloc;
      for (const mark of relocationMarks(model, reloc, bitClass)) {
        if (touches(mark)) marks.push(withClass(mark, isLit));
      }
    }
    const records = coreRecordsBetween(model, each, start - base - 15, end - base);
    for (const core of records.slice(0, MAX_ENTRIES)) {
      const isLit = lit.kind === 'core' && lit.core === core;
      for (const mark of coreMarks(model, each, core, read)) {
        if (touches(mark)) marks.push(withClass(mark, isLit));
      }
    }
  }
  return marks;
}

/** Colour of the digits of a field of a BTF record, by what the field contains. */
export const FIELD_TONES = {
  name: 'kind-enum',
  info: 'kind-func',
  type: 'kind-ptr',
  number: 'kind-int',
} as const satisfies Readonly<Record<string, KindTone>>;

type FieldRole = keyof typeof FIELD_TONES;

/** Yields a mark for each word of a record. Skips list items outside of `start` to `end`. */
function* fieldMarks(
  kind: number,
  record: Span,
  start: number,
  end: number,
): Generator<ByteMark, void> {
  const spec = kindSpec(kind);
  const word = (at: number, role: FieldRole, label: string): ByteMark => ({
    start: at,
    end: at + 4,
    tone: FIELD_TONES[role],
    label,
    isInk: true,
  });
  const third = spec?.third ?? 'unused';
  const isNumber = third === 'size' || third === 'unused';
  yield word(record.start, 'name', 'name_off');
  yield word(record.start + 4, 'info', 'info');
  yield word(record.start + 8, isNumber ? 'number' : 'type', isNumber ? 'size' : 'type');
  let at = record.start + BTF_TYPE_SIZE;
  const words = function* ({ fields }: BtfStruct) {
    for (const { holds, name, offset } of fields) {
      const role = holds === 'name' || holds === 'type' ? holds : 'number';
      yield word(at + offset, role, name);
    }
  };
  if (spec?.fixed) {
    yield* words(spec.fixed);
    at += spec.fixed.size;
  }
  if (!spec?.item) return;
  const { size } = spec.item;
  const first = Math.max(0, Math.floor((start - at) / size));
  const last = Math.ceil((Math.min(end, record.end) - at) / size);
  at += first * size;
  for (let i = first; i < last; i++, at += size) yield* words(spec.item);
}

/** Returns the marks of BTF records and of the fields of the records. */
function typeMarks(model: ObjectModel, start: number, end: number): ByteMark[] {
  const { types } = model;
  if (types === null || types.fileOffset === null) return [];
  const first = types.fileOffset + (types.recordOff[0] ?? 0);
  const marks: ByteMark[] = [];
  let at = Math.max(start, first);
  while (at < end) {
    const type = typeAtOffset(types, at);
    const span = type === null ? null : recordSpan(types, type);
    if (type === null || span === null || span.end <= at) break;
    const label = `[${type}] ${kindName(kindOf(types, type))} ${drawnName(typeTitle(types, type))}`;
    marks.push({ ...span, tone: 'muted', label });
    for (const mark of fieldMarks(kindOf(types, type), span, start, end)) {
      if (mark.start < end && mark.end > start) marks.push(mark);
    }
    at = span.end;
  }
  return marks;
}

/** Returns relocations that can change bytes between two offsets of the section. */
function relocationsNear(
  model: ObjectModel,
  section: SectionIndex,
  start: number,
  end: number,
): RelocIndex[] {
  return relocationsTouching(model, section, start - MAX_REACH, end).slice(0, MAX_ENTRIES);
}

function relocationMarks(
  model: ObjectModel,
  reloc: RelocIndex,
  bitClass: MarkOptions['bitClass'],
): ByteMark[] {
  const meaning = relocationMeaning(model, reloc);
  const tone = relocTone(meaning.belongsTo);
  const label = `${meaning.typeName} ${drawnName(symbolLine(meaning))}`.trimEnd();
  if (meaning.marks.length === 0) {
    const span = changedSpan(model, reloc, meaning);
    return span === null ? [] : [{ ...span, tone, label }];
  }
  return meaning.marks.flatMap((mark) =>
    bytePieces(mark, model.endian).map(({ start, end, bits }) =>
      bits === null
        ? { start, end, tone, label }
        : {
            start,
            end,
            tone,
            label: `${label}, ${bitRange(bits.from, bits.to - bits.from)}`,
            className: bitClass(bits.from, bits.to),
          },
    ),
  );
}

/** Returns a relocation that changes a byte, the last in order if several do; null if none does. */
export function relocationOnByte(
  model: ObjectModel,
  section: SectionIndex,
  fileOffset: number,
): RelocIndex | null {
  const offset = fileOffset - (model.sections.fileOffset[section] ?? 0);
  const holds = (reloc: RelocIndex) => {
    const meaning = relocationMeaning(model, reloc);
    const unmarked = meaning.marks.length === 0 ? changedSpan(model, reloc, meaning) : null;
    const spans: Span[] = meaning.marks.flatMap((mark) => bytePieces(mark, model.endian));
    return [...spans, ...(unmarked === null ? [] : [unmarked])].some(
      (span) => fileOffset >= span.start && fileOffset < span.end,
    );
  };
  return relocationsNear(model, section, offset, offset + 1).findLast(holds) ?? null;
}

function coreMarks(
  model: ObjectModel,
  section: SectionIndex,
  core: CoreIndex,
  read: ReadNow,
): ByteMark[] {
  const record = coreRecord(model, core);
  const base = model.sections.fileOffset[section] ?? 0;
  const place = base + record.insnOff;
  const end = base + (model.sections.byteLength[section] ?? 0);
  const bytes = place < end ? read(place, Math.min(place + WIDEST_INSN, end)) : null;
  const insn = bytes === null ? null : decodeInsn(bytes, 0, model.endian);
  if (insn === null) return [];
  const { root, accessStr, kind } = record;
  const { types } = model;
  const spec = types === null ? accessStr : walkAccess(types, root, accessStr, kind).spec;
  const label = drawnName(`CO-RE ${coreKindName(kind)} ${spec}`);
  // If libbpf would reject the instruction, mark its imm.
  return FIELDS[patchedField(insn) ?? 'imm'].map((span) => ({
    start: place + span.start,
    end: place + span.end,
    tone: 'reloc-3',
    label,
  }));
}

const WIDEST_INSN = 16;

const FIELDS: Readonly<Record<PatchedField, readonly Span[]>> = {
  off: [{ start: 2, end: 4 }],
  imm: [{ start: 4, end: 8 }],
  imm64: [
    { start: 4, end: 8 },
    { start: 12, end: 16 },
  ],
};

/** Whole bytes that are marked, or one byte with some marked bits. */
type BytePiece = {
  /** File offset of the first byte. */
  readonly start: number;
  readonly end: number;
  /** Marked bits of the byte, `to` exclusive; null if all bits of all bytes are marked. */
  readonly bits: { readonly from: number; readonly to: number } | null;
};

/** Returns the whole and partial bytes of a range of bits, in the order of the file. */
export function bytePieces({ span, bitStart, bitLength }: SiteMark, endian: Endian): BytePiece[] {
  const pieces: BytePiece[] = [];
  const count = span.end - span.start;
  for (let i = 0; i < count; i++) {
    // Rank of the byte in the number: the least significant byte has rank 0.
    const rank = endian === 'little' ? i : count - 1 - i;
    const from = Math.max(0, bitStart - 8 * rank);
    const to = Math.min(8, bitStart + bitLength - 8 * rank);
    if (from >= to) continue;
    const start = span.start + i;
    const last = pieces.at(-1);
    const isWhole = from === 0 && to === 8;
    if (isWhole && last !== undefined && last.bits === null && last.end === start) {
      pieces[pieces.length - 1] = { ...last, end: start + 1 };
    } else {
      pieces.push({ start, end: start + 1, bits: isWhole ? null : { from, to } });
    }
  }
  return pieces;
}

/** Returns the marks with displayed offsets: `shift` is added to their file offsets. */
export function shiftedMarks(
  model: ObjectModel,
  section: SectionIndex | null,
  shift: number,
  options: MarkOptions,
): (start: number, end: number) => readonly ByteMark[] {
  const read: ReadNow = (start, end) => options.read(start + shift, end + shift);
  return (start, end) =>
    marksIn(model, section, start - shift, end - shift, { ...options, read }).map((mark) => ({
      ...mark,
      start: mark.start + shift,
      end: mark.end + shift,
    }));
}

type GetMarks = (start: number, end: number) => readonly ByteMark[];

/** Returns a mark for each pin that has bytes. `shift` is added to file offsets. */
export function pinMarks(
  pins: readonly Pin[],
  shift: number,
  classOf: (isLit: boolean) => string,
): ByteMark[] {
  return pins.flatMap((pin): ByteMark[] => {
    const { span, isLit } = pin;
    return span === null
      ? []
      : [
          {
            start: span.start + shift,
            end: span.end + shift,
            tone: 'accent',
            label: pinLabel(pin),
            className: classOf(isLit),
            badge: pinBadge(pin),
          },
        ];
  });
}

/** Adds marks to `getMarks`: the highlighted type's record, and words that refer to the type. */
export function withUses(
  getMarks: GetMarks,
  { words, type, model }: Pick<Highlight, 'words' | 'type' | 'model'>,
  shift: number,
  className: string,
): GetMarks {
  const { types } = model;
  if (types === null) return getMarks;
  const name = drawnName(typeTitle(types, type));
  const record = recordSpan(types, type);
  const tone = FIELD_TONES.type;
  const mark = (start: number, end: number, label: string): ByteMark => {
    return { start: start + shift, end: end + shift, tone, label, className };
  };
  return (start, end) => {
    const marks = [...getMarks(start, end)];
    if (record !== null && record.start < end - shift && record.end > start - shift) {
      marks.push(mark(record.start, record.start + BTF_TYPE_SIZE, `record of ${name}`));
    }
    const first = lowerBound(words, start - shift - 3, 0, words.length);
    for (let i = first; i < words.length && (words[i] ?? 0) < end - shift; i++) {
      const at = words[i] ?? 0;
      marks.push(mark(at, at + 4, `use of ${name}`));
    }
    return marks;
  };
}

/** Returns `getMarks` with marks of pins. All other marks keep their colours. */
export function withPins(getMarks: GetMarks, pins: readonly ByteMark[]): GetMarks {
  if (pins.length === 0) return getMarks;
  return (start, end) => [
    ...pins.filter((pin) => pin.start < end && pin.end > start),
    ...getMarks(start, end),
  ];
}
