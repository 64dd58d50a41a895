/** Creates the hits that the command palette lists. */

import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { typeHeading, typeText } from '#analysis/source/type-text.ts';
import { bitfieldWidth, memberBits } from '#analysis/types/member-bits.ts';
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
import { matchName } from './match-name.ts';

/** Returns the ranges of characters in `title` that match `needle`. */
function rangesIn(title: string, needle: string): readonly number[] {
  return matchName(title, needle)?.ranges ?? [];
}

function inBase(types: TypeTable, id: TypeId): boolean {
  return ownerOf(types, id) !== types;
}

/** Returns a hit; `rest` replaces its defaults: no kind, no refined query, not in a base. */
export function hitOf(
  what: HitWhat,
  title: string,
  needle: string,
  rest: Pick<FindHit, 'facts' | 'selection'> & Partial<FindHit>,
): FindHit {
  const ranges = rangesIn(title, needle);
  return { what, kind: null, title, ranges, refine: null, inBase: false, ...rest };
}

/** Returns the hit for a type. */
export function typeHit(types: TypeTable, id: TypeId, needle: string): FindHit {
  return hitOf('type', typeHeading(types, id), needle, {
    kind: kindOf(types, id),
    facts: typeFacts(types, id),
    selection: typeSelection(id),
    inBase: inBase(types, id),
  });
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
    case BtfKind.FUNC:
      return { typeText: typeText(types, refOf(types, id) ?? VOID) };
    default:
      return {};
  }
}

/** Path from a type to one of its members. */
export type MemberPath = {
  readonly root: TypeId;
  readonly path: readonly number[];
  /** Text before the member names: the name of the root type, or text that ends in `->`. */
  readonly before: string;
  readonly bitOffset: number;
};

/** Returns the hit for the last member of a path, with `part` marked; null for an invalid path. */
export function memberHit(types: TypeTable, path: MemberPath, part: string): FindHit | null {
  const walked = walkMembers(types, path);
  if (walked === null) return null;
  const { names, member, holder, valuePath } = walked;
  const bits = bitfieldWidth(memberBits(types, holder, member));
  const start = names.length - member.name.length;
  const ranges = rangesIn(member.name, part).map((at) => at + start);
  return hitOf('member', names, '', {
    kind: kindOf(types, path.root),
    ranges: member.name === '' ? [] : ranges,
    facts: {
      typeText: typeText(types, member.type),
      bitOffset: path.bitOffset,
      ...(bits > 0 ? { bits } : {}),
    },
    selection: typeSelection(path.root, valuePath),
    inBase: inBase(types, path.root),
  });
}

/** Returns a path as text, its last member, and the indices that a selection can contain. */
function walkMembers(types: TypeTable, { root, path, before }: MemberPath) {
  let at = skipModifiers(types, root);
  let names = before;
  let isByValue = true;
  const valuePath: number[] = [];
  let member: ReturnType<typeof memberAt> = null;
  let holder = at;
  for (const [i, index] of path.entries()) {
    member = memberAt(types, at, index);
    if (member === null) return null;
    holder = at;
    if (isByValue) valuePath.push(index);
    const inside = elementOf(types, member.type);
    const dims = inside.isArray && i < path.length - 1 ? '[]' : '';
    if (member.name !== '') names += `${names.endsWith('->') ? '' : '.'}${member.name}${dims}`;
    // A selection contains members only, so it ends before an array element.
    if (inside.isArray) isByValue = false;
    at = inside.type;
  }
  return member === null ? null : { names, member, holder, valuePath };
}

/** Returns the element type of an array, or the type itself; both without modifiers. */
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

export function enumeratorHit(
  types: TypeTable,
  id: TypeId,
  index: number,
  needle: string,
): FindHit | null {
  const enumerator = enumeratorAt(types, id, index);
  if (enumerator === null) return null;
  return hitOf('enumerator', enumerator.name, needle, {
    kind: kindOf(types, id),
    facts: { value: `${enumerator.value}`, place: `enum ${nameOf(types, id)}`.trim() },
    selection: typeSelection(id),
    inBase: inBase(types, id),
  });
}

export function sectionHit(model: ObjectModel, section: number, needle: string): FindHit {
  const title = sectionName(model.sections, sectionIndex(section));
  return hitOf('section', title, needle, {
    facts: { bytes: model.sections.byteLength[section] ?? 0 },
    selection: { kind: 'section', section: sectionIndex(section) },
  });
}

/** Returns true if the symbol is a function that the code view shows. */
export function isCodeSymbol(model: ObjectModel, symbol: SymbolIndex): boolean {
  const section = sectionIndex(model.symbols.section[symbol] ?? 0);
  return (
    isBpf(model) &&
    section > 0 &&
    isCode(model.sections, section) &&
    symbolType(model.symbols, symbol) === SymbolType.FUNC
  );
}

/** Returns true if the symbol names a place; section and file symbols do not. */
export function isPlaceSymbol(model: ObjectModel, symbol: SymbolIndex): boolean {
  const type = symbolType(model.symbols, symbol);
  const named = (model.symbols.nameOff[symbol] ?? 0) !== 0;
  return named && type !== SymbolType.SECTION && type !== SymbolType.FILE;
}

/** Returns the hit for a symbol. Choosing it shows code, else bytes, else the symbol table. */
export function symbolHit(model: ObjectModel, symbol: SymbolIndex, needle: string): FindHit {
  const { symbols, sections } = model;
  const section = symbols.section[symbol] ?? 0;
  const undefinedPlace = section === 0 ? 'undefined' : '';
  const what = isCodeSymbol(model, symbol) ? 'function' : 'symbol';
  return hitOf(what, symbolName(symbols, symbol), needle, {
    facts: {
      bytes: Number(symbols.size[symbol] ?? 0n),
      place: section > 0 ? sectionName(sections, sectionIndex(section)) : undefinedPlace,
    },
    selection: symbolSelection(model, symbol),
  });
}

function symbolSelection(model: ObjectModel, symbol: SymbolIndex): Selection {
  const { symbols, sections } = model;
  const section = symbols.section[symbol] ?? 0;
  const inTable: Selection = { kind: 'symbol', symbol };
  if (section <= 0) return inTable;
  const offset = symbolOffset(model, symbol);
  if (isCodeSymbol(model, symbol)) {
    return { kind: 'insn', section: sectionIndex(section), insnOff: offset };
  }
  const length = sections.byteLength[section] ?? 0;
  const size = Number(symbols.size[symbol] ?? 0n);
  if (offset < 0 || size === 0 || offset + size > length) return inTable;
  const start = (sections.fileOffset[section] ?? 0) + offset;
  return { kind: 'bytes', start, end: start + size };
}

/** Returns the struct or union below modifiers and typedefs of a type, or null. */
export function compositeBehind(types: TypeTable, id: TypeId): TypeId | null {
  const at = skipModifiers(types, id);
  return isComposite(kindOf(types, at)) ? at : null;
}

export type HitWhat =
  | 'type'
  | 'member'
  /** Member name that several types share. Choosing the hit lists the members. */
  | 'member-name'
  | 'enumerator'
  | 'function'
  | 'section'
  | 'symbol'
  | 'string'
  | 'core'
  /** Bytes of a struct that belong to no member. */
  | 'hole'
  /** Byte of the file, by its offset. */
  | 'byte'
  | 'insn';

export type HitFacts = {
  /** Type of a member, or aliased type of a typedef, in C or the language of its unit. */
  readonly typeText?: string;
  readonly bytes?: number;
  /** Bits from the start of the struct whose name begins the title. */
  readonly bitOffset?: number;
  /** Width of a bit-field in bits. */
  readonly bits?: number;
  /** Number of members, enumerators or variables; for a member name the number of its types. */
  readonly items?: number;
  /** Value of an enumerator, in decimal. */
  readonly value?: string;
  /** Section, enum or function that contains the target. */
  readonly place?: string;
  /** Relocation kind of a CO-RE record, or binding of a symbol. */
  readonly word?: string;
};

export type FindHit = {
  readonly what: HitWhat;
  /** BTF_KIND_* of the type; null if the target is not a type. */
  readonly kind: number | null;
  readonly title: string;
  /** Matching characters of the title: start and end (exclusive) of each range. */
  readonly ranges: readonly number[];
  readonly facts: HitFacts;
  /** What the app selects; null for a member name, and if the bytes are not in the file. */
  readonly selection: Selection | null;
  /** Query that choosing the hit enters; null for a hit with a target. */
  readonly refine: string | null;
  /** True if the target is in the base of split BTF. */
  readonly inBase: boolean;
};

export type FindAnswer = {
  /** Hits, best first. */
  readonly hits: readonly FindHit[];
  readonly total: number;
  /** Sentence about why there are no hits, not escaped; null if there is no reason to show. */
  readonly problem: string | null;
};

export const NO_HITS: FindAnswer = { hits: [], total: 0, problem: null };
