/**
 * Determines the bytes, the instruction and the type of a selection. All views share these
 * functions, so that they highlight the same bytes for a selection.
 */
import { entrySpan } from '#analysis/dwarf/type-entries.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { BTF_TYPE_SIZE } from '#formats/btf/kinds.ts';
import { relocIndex, type SectionIndex, sectionIndex, type TypeId, typeId } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionAt } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { memberAt } from '#model/type-items.ts';
import { recordSpan, skipModifiers, type TypeTable } from '#model/type-table.ts';

/** Place of an instruction: a section, and an offset in bytes from its start. */
export type InsnPlace = { readonly section: SectionIndex; readonly insnOff: number };

/** Returns the bytes of the selection in the file, or null. */
export function selectionSpan(model: ObjectModel, selection: Selection): Span | null {
  switch (selection.kind) {
    case 'none':
      return null;
    case 'bytes':
      return { start: selection.start, end: selection.end };
    case 'type':
      return (
        typeSpan(model.types, selection.type, selection.memberPath) ??
        entryOf(model, selection.type, selection.memberPath)
      );
    case 'section':
      return sectionSpan(model, selection.section);
    case 'symbol':
      return rowSpan(model.symbols.entryOffset[selection.symbol], model.symbols.entrySize);
    case 'relocation':
      return relocationSite(model, selection.reloc);
    case 'core':
      return insnSpan(model, corePlace(model, selection.core));
    case 'insn':
      return insnSpan(model, selection);
  }
}

function rowSpan(start: number | undefined, length: number): Span | null {
  return start === undefined ? null : spanOf(start, length);
}

/** Returns the bytes of a section in the file, or null for a section without bytes in the file. */
export function sectionSpan(model: ObjectModel, section: SectionIndex): Span | null {
  const length = model.sections.byteLength[section] ?? 0;
  const start = model.sections.fileOffset[section];
  return start === undefined || length === 0 ? null : spanOf(start, length);
}

/** Returns the bytes of the type's record, or of one member in it if `memberPath` is not empty. */
function typeSpan(
  types: TypeTable | null,
  type: TypeId,
  memberPath: readonly number[],
): Span | null {
  if (types === null) return null;
  const owner = memberOwner(types, type, memberPath);
  const record = recordSpan(types, owner);
  const last = memberPath.at(-1);
  if (record === null || last === undefined) return record;
  return spanOf(record.start + BTF_TYPE_SIZE + 12 * last, 12);
}

/** Returns the bytes of the entry of a type in DWARF, or of a member. */
function entryOf(model: ObjectModel, type: TypeId, memberPath: readonly number[]): Span | null {
  if (model.types === null) return null;
  return entrySpan(model, memberOwner(model.types, type, memberPath), memberPath.at(-1) ?? null);
}

/** Returns the struct or union with the last member of `memberPath`; `type` for an empty path. */
function memberOwner(types: TypeTable, type: TypeId, memberPath: readonly number[]): TypeId {
  let at = memberPath.length === 0 ? type : skipModifiers(types, type);
  for (const index of memberPath.slice(0, -1)) {
    at = skipModifiers(types, memberAt(types, at, index)?.type ?? typeId(0));
  }
  return at;
}

/** Returns the bytes of an instruction in the file, or null if it is outside of the section. */
function insnSpan(model: ObjectModel, place: InsnPlace | null): Span | null {
  if (place === null) return null;
  const slot = insnSlot(model);
  const section = sectionSpan(model, place.section);
  if (section === null || place.insnOff < 0) return null;
  if (place.insnOff + slot > section.end - section.start) return null;
  return spanOf(section.start + place.insnOff, slot);
}

/** Returns the bytes from the patched byte to the end of the instruction or data word, or null. */
function relocationSite(model: ObjectModel, reloc: number): Span | null {
  const { relocations } = model;
  const target = relocations.targetSection[reloc] ?? -1;
  const section = target < 0 ? null : sectionSpan(model, sectionIndex(target));
  const offset = relocationOffset(model, relocIndex(reloc));
  if (section === null || offset < 0 || offset >= section.end - section.start) return null;
  const length = isCode(model.sections, sectionIndex(target)) ? insnSlot(model) : 8;
  const start = section.start + offset;
  return { start, end: Math.min(section.end, start + length) };
}

function corePlace(model: ObjectModel, core: number): InsnPlace | null {
  const { section, insnOff } = model.ext.core;
  const at = section[core] ?? -1;
  return at < 0 ? null : { section: sectionIndex(at), insnOff: insnOff[core] ?? 0 };
}

/** Returns the instruction that the selection refers to, or null. */
export function selectionInsn(model: ObjectModel, selection: Selection): InsnPlace | null {
  switch (selection.kind) {
    case 'insn':
      return { section: selection.section, insnOff: selection.insnOff };
    case 'core':
      return corePlace(model, selection.core);
    case 'relocation': {
      const target = model.relocations.targetSection[selection.reloc] ?? -1;
      return target < 0
        ? null
        : {
            section: sectionIndex(target),
            insnOff: relocationOffset(model, selection.reloc),
          };
    }
    case 'bytes': {
      const section = sectionAt(model.sections, selection.start);
      if (section === null) return null;
      const offset = selection.start - (model.sections.fileOffset[section] ?? 0);
      return { section, insnOff: offset - (offset % insnSlot(model)) };
    }
    default:
      return null;
  }
}

/** Returns the type that the selection refers to, or null. */
export function selectionType(model: ObjectModel, selection: Selection): TypeId | null {
  switch (selection.kind) {
    case 'type':
      return selection.type;
    case 'core':
      return typeId(model.ext.core.typeId[selection.core] ?? 0);
    case 'bytes':
      return model.types === null ? null : typeAtOffset(model.types, selection.start);
    default:
      return null;
  }
}

/** Returns the type whose record contains the file's byte at `fileOffset`, or null. */
export function typeAtOffset(types: TypeTable, fileOffset: number): TypeId | null {
  if (types.fileOffset === null) return null;
  const offset = fileOffset - types.fileOffset;
  const { recordOff, count } = types;
  if (offset < (recordOff[0] ?? 0) || offset >= (recordOff[count] ?? 0)) return null;
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((recordOff[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return typeId(types.firstId + low);
}
