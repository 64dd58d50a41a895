/** Data to which a selection or a pointer leads. */
import { selectionSpan } from '#analysis/selection/selection.ts';
import type { PointerTarget } from '#analysis/values/decode.ts';
import type { Span } from '#bytes/span.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { symbolName } from '#model/symbols.ts';
import { type Place, placeOfTarget } from '#views/parts/relocation-look.ts';
import {
  type DataEntry,
  type DataGroup,
  placeOf,
  selectionOfEntry,
  typeOfEntry,
} from './data-entries.ts';

export type SelectedData = {
  readonly group: DataGroup;
  /** Selected entry; null for a section, or for bytes of a section that are in no entry. */
  readonly entry: DataEntry | null;
  /** Selected bytes, as offsets in the section; null if an entry or a section is selected. */
  readonly bytes: Span | null;
};

/** Returns the section or entry that is selected or contains the selected bytes; else null. */
export function selectedData(
  model: ObjectModel,
  groups: readonly DataGroup[],
  selection: Selection,
): SelectedData | null {
  switch (selection.kind) {
    case 'type':
      return dataOfType(groups, selection.type);
    case 'symbol':
      return dataOfSymbol(model, groups, selection.symbol);
    case 'section': {
      const group = groups.find(({ section }) => section === selection.section);
      return group === undefined ? null : { group, entry: null, bytes: null };
    }
    case 'bytes':
      return dataOfBytes(model, groups, selection);
    case 'relocation': {
      const target = model.relocations.targetSection[selection.reloc] ?? -1;
      const span = selectionSpan(model, selection);
      const isHere = groups.some(({ section }) => section === target);
      return span === null || !isHere ? null : dataOfBytes(model, groups, span);
    }
    default:
      return null;
  }
}

function dataOfType(groups: readonly DataGroup[], type: number): SelectedData | null {
  for (const group of groups) {
    if (group.datasec === type) return { group, entry: null, bytes: null };
    const entry = group.entries.find((each) => typeOfEntry(each) === type);
    if (entry !== undefined) return { group, entry, bytes: null };
  }
  return null;
}

function dataOfSymbol(
  model: ObjectModel,
  groups: readonly DataGroup[],
  symbol: Extract<Selection, { kind: 'symbol' }>['symbol'],
): SelectedData | null {
  const isUndefined = (model.symbols.section[symbol] ?? 0) === 0;
  const name = symbolName(model.symbols, symbol);
  for (const group of groups) {
    // An extern has a symbol without a section, so only the name identifies the extern.
    const entry = group.entries.find((each) =>
      isUndefined
        ? each.name === name && isExtern(each)
        : (each.kind === 'map' && each.map.symbol === symbol) ||
          (each.kind === 'variable' && each.variable.symbol === symbol),
    );
    if (entry !== undefined) return { group, entry, bytes: null };
  }
  return null;
}

export function isExtern(entry: DataEntry): boolean {
  if (entry.kind === 'func') return true;
  return entry.kind === 'variable' && entry.variable.linkage === 'extern';
}

function dataOfBytes(
  model: ObjectModel,
  groups: readonly DataGroup[],
  { start, end }: Span,
): SelectedData | null {
  for (const group of groups) {
    if (group.section === null) continue;
    const first = model.sections.fileOffset[group.section] ?? 0;
    const length = model.sections.byteLength[group.section] ?? 0;
    if (length === 0 || start < first || start >= first + length) continue;
    const bytes = { start: start - first, end: Math.min(end - first, length) };
    return { group, entry: entryAt(group, bytes.start), bytes };
  }
  return null;
}

/** Returns the first entry of the group that contains a byte; null if there is none. */
export function entryAt(group: DataGroup, byteOffset: number): DataEntry | null {
  return (
    group.entries.find((entry) => {
      const place = placeOf(entry);
      if (place === null || place.byteOffset === null) return false;
      const { byteOffset: first, byteSize } = place;
      return byteOffset >= first && byteOffset < first + Math.max(1, byteSize);
    }) ?? null
  );
}

/** Returns a range of a section as bytes of the file; null if the file has none of them. */
export function fileSpan(
  model: ObjectModel,
  section: SectionIndex | null,
  byteOffset: number | null,
  byteSize: number,
): Span | null {
  if (section === null || byteOffset === null || byteSize <= 0) return null;
  const length = model.sections.byteLength[sectionIndex(section)] ?? 0;
  if (byteOffset < 0 || byteOffset >= length) return null;
  const start = (model.sections.fileOffset[section] ?? 0) + byteOffset;
  return { start, end: start + Math.min(byteSize, length - byteOffset) };
}

/** Returns the selection and the view of a pointer's target; null if it is not in the file. */
export function placeOfPointer(
  model: ObjectModel,
  groups: readonly DataGroup[],
  target: Pick<PointerTarget, 'name' | 'what' | 'section' | 'offset' | 'delta' | 'text'>,
): Place | null {
  const { section } = target;
  if (section === null) {
    const extern = groups
      .flatMap(({ entries }) => entries)
      .find((entry) => entry.name === target.name && isExtern(entry));
    const selection = extern === undefined ? null : selectionOfEntry(extern);
    return selection === null ? null : { selection, view: 'data' };
  }
  const group = groups.find((each) => each.section === section);
  if (group === undefined) return placeOfTarget(model, target);
  const offset = Number(target.offset);
  const entry = entryAt(group, offset);
  const whole = entry === null || target.delta !== 0n ? null : selectionOfEntry(entry);
  if (whole !== null) return { selection: whole, view: 'data' };
  // For a target inside of an entry, select bytes: they identify the element or member.
  const length = target.text === null ? 1 : target.text.length + 1;
  const span = fileSpan(model, section, offset, length);
  if (span !== null) return { selection: { kind: 'bytes', ...span }, view: 'data' };
  const around = entry === null ? null : selectionOfEntry(entry);
  return { selection: around ?? { kind: 'section', section }, view: 'data' };
}
