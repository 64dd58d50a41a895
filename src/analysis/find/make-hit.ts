/** Makes lines of the palette from rows of the tables. */
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { typeExpression, typeTitle } from '#analysis/types/type-name.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type SymbolIndex, sectionIndex, type TypeId, VOID } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';
import { enumeratorAt, isComposite, memberAt } from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  nameOf,
  ownerOf,
  refOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import type { FindHit, HitFacts } from './hit.ts';
import { matchName } from './match-name.ts';

/** Returns the characters of `title` that match `needle`. */
export function rangesIn(title: string, needle: string): readonly number[] {
  return matchName(title, needle)?.ranges ?? [];
}

function inBase(types: TypeTable, id: TypeId): boolean {
  return ownerOf(types, id) !== types;
}

/** Returns the hit of a type as a whole. */
export function typeHit(types: TypeTable, id: TypeId, needle: string): FindHit {
  const title = typeTitle(types, id);
  return {
    what: 'type',
    kind: kindOf(types, id),
    title,
    ranges: rangesIn(title, needle),
    facts: typeFacts(types, id),
    selection: typeSelection(id),
    refine: null,
    inBase: inBase(types, id),
  };
}

function typeFacts(types: TypeTable, id: TypeId): HitFacts {
  const kind = kindOf(types, id);
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
    case BtfKind.DATASEC:
      return { bytes: sizeOrTypeOf(types, id), items: vlenOf(types, id) };
    case BtfKind.INT:
    case BtfKind.FLOAT:
      return { bytes: sizeOrTypeOf(types, id) };
    case BtfKind.TYPEDEF:
    case BtfKind.VAR:
      return { typeText: typeExpression(types, refOf(types, id) ?? VOID) };
    case BtfKind.FUNC:
      return { typeText: typeExpression(types, refOf(types, id) ?? VOID) };
    default:
      return {};
  }
}

/** Returns the hit of a path from a type through its members. */
export type MemberPath = {
  readonly root: TypeId;
  readonly path: readonly number[];
  /** Text before the names of `path`: the name of the root, or the path to it, up to a `->`. */
  readonly before: string;
  readonly bitOffset: number;
};

/** Returns the hit of the member at the end of `path`; null if the path is invalid. `part` is the matched part of its name. */
export function memberHit(types: TypeTable, path: MemberPath, part: string): FindHit | null {
  const walked = walkMembers(types, path);
  if (walked === null) return null;
  const { names, member, kept } = walked;
  const start = names.length - member.name.length;
  const own = rangesIn(member.name, part).map((at) => at + start);
  return {
    what: 'member',
    kind: kindOf(types, path.root),
    title: names,
    ranges: member.name === '' ? [] : own,
    facts: {
      typeText: typeExpression(types, member.type),
      bitOffset: path.bitOffset,
      ...(member.bitfieldSize > 0 ? { bits: member.bitfieldSize } : {}),
    },
    selection: typeSelection(path.root, kept),
    refine: null,
    inBase: inBase(types, path.root),
  };
}

/** Returns the names of a path, its last member, and the part of the path that a selection can follow. */
function walkMembers(types: TypeTable, { root, path, before }: MemberPath) {
  let at = skipModifiers(types, root);
  let names = before;
  let isByValue = true;
  const kept: number[] = [];
  let member: ReturnType<typeof memberAt> = null;
  for (const [i, index] of path.entries()) {
    member = memberAt(types, at, index);
    if (member === null) return null;
    if (isByValue) kept.push(index);
    const inside = elementOf(types, member.type);
    const dims = inside.isArray && i < path.length - 1 ? '[]' : '';
    if (member.name !== '') names += `${names.endsWith('->') ? '' : '.'}${member.name}${dims}`;
    // A selection follows members only, and ends at an array.
    if (inside.isArray) isByValue = false;
    at = inside.type;
  }
  return member === null ? null : { names, member, kept };
}

/** Returns the element type of an array, or the type itself, without modifiers. */
export function elementOf(
  types: TypeTable,
  id: TypeId,
): { readonly type: TypeId; readonly isArray: boolean } {
  let type = skipModifiers(types, id);
  let isArray = false;
  for (let depth = 0; depth < 16 && kindOf(types, type) === BtfKind.ARRAY; depth++) {
    isArray = true;
    type = skipModifiers(types, arrayData(types, type).elemType);
  }
  return { type, isArray };
}

/** Returns the hit of an enumerator. */
export function enumeratorHit(
  types: TypeTable,
  id: TypeId,
  index: number,
  needle: string,
): FindHit | null {
  const enumerator = enumeratorAt(types, id, index);
  if (enumerator === null) return null;
  return {
    what: 'enumerator',
    kind: kindOf(types, id),
    title: enumerator.name,
    ranges: rangesIn(enumerator.name, needle),
    facts: { value: `${enumerator.value}`, place: `enum ${nameOf(types, id)}`.trim() },
    selection: typeSelection(id),
    refine: null,
    inBase: inBase(types, id),
  };
}

/** Returns the hit of a section. */
export function sectionHit(model: ObjectModel, section: number, needle: string): FindHit {
  const title = sectionName(model.sections, sectionIndex(section));
  return {
    what: 'section',
    kind: null,
    title,
    ranges: rangesIn(title, needle),
    facts: { bytes: model.sections.byteLength[section] ?? 0 },
    selection: { kind: 'section', section: sectionIndex(section) },
    refine: null,
    inBase: false,
  };
}

/** Is the symbol a function that the code view can show? */
export function isCodeSymbol(model: ObjectModel, symbol: SymbolIndex): boolean {
  const section = sectionIndex(model.symbols.section[symbol] ?? 0);
  return (
    isBpf(model) &&
    section > 0 &&
    isCode(model.sections, section) &&
    symbolType(model.symbols, symbol) === SymbolType.FUNC
  );
}

/** Is the symbol a named place? Section and file symbols are not. */
export function isPlaceSymbol(model: ObjectModel, symbol: SymbolIndex): boolean {
  const type = symbolType(model.symbols, symbol);
  const named = (model.symbols.nameOff[symbol] ?? 0) !== 0;
  return named && type !== SymbolType.SECTION && type !== SymbolType.FILE;
}

/** Returns the hit of a symbol. It leads to code, else to bytes, else to the table entry. */
export function symbolHit(model: ObjectModel, symbol: SymbolIndex, needle: string): FindHit {
  const { symbols, sections } = model;
  const title = symbolName(symbols, symbol);
  const section = symbols.section[symbol] ?? 0;
  return {
    what: isCodeSymbol(model, symbol) ? 'function' : 'symbol',
    kind: null,
    title,
    ranges: rangesIn(title, needle),
    facts: {
      bytes: Number(symbols.size[symbol] ?? 0n),
      ...(section > 0
        ? { place: sectionName(sections, sectionIndex(section)) }
        : { place: section === 0 ? 'undefined' : '' }),
    },
    selection: symbolSelection(model, symbol),
    refine: null,
    inBase: false,
  };
}

function symbolSelection(model: ObjectModel, symbol: SymbolIndex): Selection {
  const { symbols, sections } = model;
  const section = symbols.section[symbol] ?? 0;
  const own: Selection = { kind: 'symbol', symbol };
  if (section <= 0) return own;
  const offset = symbolOffset(model, symbol);
  if (isCodeSymbol(model, symbol)) {
    return { kind: 'insn', section: sectionIndex(section), insnOff: offset };
  }
  const length = sections.byteLength[section] ?? 0;
  const size = Number(symbols.size[symbol] ?? 0n);
  if (offset < 0 || size === 0 || offset + size > length) return own;
  const start = (sections.fileOffset[section] ?? 0) + offset;
  return { kind: 'bytes', start, end: start + size };
}

/** Is the type a struct or union, through modifiers? */
export function compositeBehind(types: TypeTable, id: TypeId): TypeId | null {
  const at = skipModifiers(types, id);
  return isComposite(kindOf(types, at)) ? at : null;
}
