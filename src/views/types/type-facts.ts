/** Lists the fields of a type's record, without its items. */
import { declarationText, entryText, memoryText, typePlace } from '#analysis/dwarf/type-places.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { drawnName } from '#bytes/text.ts';
import { BtfKind, LINKAGE_NAMES } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isComposite, memberAt, paramsOf } from '#model/type-items.ts';
import {
  arrayData,
  componentIdx,
  intData,
  kindFlagOf,
  kindOf,
  refOf,
  sizeOrTypeOf,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { shortSize } from '#views/parts/number-text.ts';

/** A fact, whose value is an escaped text or a type. */
export type Fact =
  | { readonly term: string; readonly text: string }
  | { readonly term: string; readonly type: TypeId };

const ENCODINGS: readonly (readonly [bit: number, word: string])[] = [
  [1, 'SIGNED'],
  [2, 'CHAR'],
  [4, 'BOOL'],
];

/** Returns the name of a linkage from `enum btf_func_linkage`, also for a VAR; else the number. */
export function linkageWord(linkage: number): string {
  return LINKAGE_NAMES[linkage] ?? `${linkage} (unknown)`;
}

/** Returns the facts in the order of the record; none for kinds that have only items. */
export function typeFacts(types: TypeTable, id: TypeId): Fact[] {
  const kind = kindOf(types, id);
  const ref = refOf(types, id);
  switch (kind) {
    case BtfKind.INT:
      return intFacts(types, id);
    case BtfKind.ARRAY:
      return arrayFacts(types, id);
    case BtfKind.FWD:
      return [{ term: 'Declares', text: kindFlagOf(types, id) ? 'a union' : 'a struct' }];
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return [{ term: 'Values', text: kindFlagOf(types, id) ? 'signed' : 'unsigned' }];
    case BtfKind.VAR:
      return [
        { term: 'Type', type: typeId(sizeOrTypeOf(types, id)) },
        { term: 'Linkage', text: linkageWord(varLinkage(types, id)) },
      ];
    case BtfKind.FUNC:
      return [
        { term: 'Prototype', type: typeId(sizeOrTypeOf(types, id)) },
        { term: 'Linkage', text: linkageWord(vlenOf(types, id)) },
      ];
    case BtfKind.DECL_TAG:
      return tagFacts(types, id);
    default:
      return ref === null ? [] : [{ term: REF_TERMS[kind] ?? 'Type', type: ref }];
  }
}

const REF_TERMS: Readonly<Record<number, string>> = {
  [BtfKind.PTR]: 'Points to',
  [BtfKind.TYPEDEF]: 'Stands for',
  [BtfKind.FUNC_PROTO]: 'Returns',
};

function intFacts(types: TypeTable, id: TypeId): Fact[] {
  const { encoding, bits, bitOffset } = intData(types, id);
  const words = ENCODINGS.filter(([bit]) => (encoding & bit) !== 0).map(([, word]) => word);
  if (encoding >= 8) words.push(`${encoding & 8} (unknown)`);
  const facts: Fact[] = [
    { term: 'Encoding', text: words.join(' ') || '(none)' },
    { term: 'Bits', text: `${bits}` },
  ];
  if (bitOffset !== 0) facts.push({ term: 'Bit offset', text: `${bitOffset}` });
  return facts;
}

function arrayFacts(types: TypeTable, id: TypeId): Fact[] {
  const { elemType, indexType, nelems } = arrayData(types, id);
  const element = shortSize(sizeOf(types, elemType));
  const each = element === '' ? '' : ` × ${element} bytes`;
  return [
    { term: 'Elements', text: `${grouped(nelems)}${each}` },
    { term: 'Element type', type: elemType },
    { term: 'Index type', type: indexType },
  ];
}

function tagFacts(types: TypeTable, id: TypeId): Fact[] {
  const target = typeId(sizeOrTypeOf(types, id));
  return [
    { term: 'Target', type: target },
    { term: 'Component', text: componentText(types, target, componentIdx(types, id)) },
  ];
}

function componentText(types: TypeTable, target: TypeId, index: number): string {
  if (index < 0) return `${index}: the type itself`;
  if (isComposite(kindOf(types, target))) {
    return `${index}: ${partText('member', memberAt(types, target, index))}`;
  }
  if (kindOf(types, target) === BtfKind.FUNC) {
    const proto = typeId(sizeOrTypeOf(types, target));
    return `${index}: ${partText('parameter', paramsOf(types, proto)[index] ?? null)}`;
  }
  return `${index}`;
}

function partText(word: string, part: { readonly name: string } | null): string {
  if (part === null) return `no such ${word}`;
  return part.name === '' ? `${word} without a name` : `${word} ${drawnName(part.name)}`;
}

/** Returns what DWARF tells of a type: declaration, address and entry; none for types of BTF. */
export function placeFacts(model: ObjectModel, id: TypeId): Fact[] {
  const place = typePlace(model, id);
  if (place === null) return [];
  const facts: Fact[] = [];
  if (place.declared !== null) {
    facts.push({ term: 'Declared at', text: drawnName(declarationText(place)) });
  }
  if (place.memory !== null) {
    facts.push({ term: 'Address', text: drawnName(memoryText(model, place.memory)) });
  }
  if (place.source !== '') facts.push({ term: 'Language', text: place.source });
  const entry = entryText(model, place);
  if (entry !== '') facts.push({ term: 'DWARF entry', text: drawnName(entry) });
  return facts;
}
