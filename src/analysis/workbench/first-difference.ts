/**
 * Finds the first difference between the user's and the expected declarations, and writes it as a
 * sentence. Compares all BTF, or the layout of one type. Ids and the order of types do not matter.
 */
import { sizeOf } from '#analysis/types/sizes.ts';
import { findTypeKey, type TypeKey } from '#analysis/types/type-key.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import { counted } from '#bytes/text.ts';
import { readBtfHeader } from '#formats/btf/header.ts';
import { BtfKind, kindName, LINKAGE_NAMES } from '#formats/btf/kinds.ts';
import { walkTypes } from '#formats/btf/walk.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import {
  enumeratorsOf,
  isComposite,
  isEnum,
  type Member,
  membersOf,
  paramsOf,
  varSecinfosOf,
} from '#model/type-items.ts';
import {
  arrayData,
  componentIdx,
  intData,
  kindFlagOf,
  kindOf,
  lastId,
  nameOf,
  refOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';

/** Returns the types of a blob from the workbench. Throws `Malformed` for an invalid blob. */
export function compiledTypes(blob: Uint8Array): TypeTable {
  const reader = new ByteReader(blob, '.BTF');
  const { endian, types, strings } = readBtfHeader(reader);
  const { count, recordOff } = walkTypes(reader.as(endian), types, null);
  const { start: strStart, end: strEnd } = strings;
  const alone = {
    fileOffset: 0,
    firstId: 1,
    strBase: 0,
    pointerBytes: null,
    split: false,
    base: null,
  };
  return { ...alone, blob, endian, count, recordOff, strStart, strEnd };
}

/** Types of the declarations that the user typed, and of the expected declarations. */
type Sides = { readonly typed: TypeTable; readonly asked: TypeTable };

/** Two types that must be equal; `a` is the user's. `place` names both in Markdown. */
type Pair = { readonly a: TypeId; readonly b: TypeId; readonly place: string };

/** Keyword that a sentence writes before the name of a type, by kind. */
const KEYWORDS: ReadonlyMap<number, string> = new Map([
  [BtfKind.STRUCT, 'struct '],
  [BtfKind.UNION, 'union '],
  [BtfKind.ENUM, 'enum '],
  [BtfKind.ENUM64, 'enum '],
  [BtfKind.TYPEDEF, 'typedef '],
  [BtfKind.FWD, ''],
  [BtfKind.VAR, ''],
  [BtfKind.FUNC, ''],
]);

const code = (text: string) => `\`${text}\``;

function declaredName(t: TypeTable, id: TypeId): string {
  return code(`${KEYWORDS.get(kindOf(t, id)) ?? ''}${nameOf(t, id)}`);
}

/** Returns the named declarations in the order of ids. */
function declaredIn(t: TypeTable): TypeId[] {
  const ids = Array.from({ length: lastId(t) }, (_, i) => typeId(i + 1));
  return ids.filter((id) => KEYWORDS.has(kindOf(t, id)) && nameOf(t, id) !== '');
}

/** Returns the first difference of all BTF as a sentence in Markdown, or null if there is none. */
export function btfDifference(typed: TypeTable, asked: TypeTable): string | null {
  const sides = { typed, asked };
  const left = new Map(declaredIn(typed).map((id) => [keyOf(typed, id), id]));
  const compared = new Set<string>();
  let absent: TypeId | null = null;
  for (const b of declaredIn(asked)) {
    const a = left.get(keyOf(asked, b));
    if (a === undefined) {
      if (kindOf(asked, b) !== BtfKind.TYPEDEF) return missing(sides, b);
      absent ??= b;
      continue;
    }
    left.delete(keyOf(asked, b));
    const difference = pairDifference(sides, { a, b, place: declaredName(asked, b) }, compared);
    if (difference !== null) return difference;
  }
  // Report a missing typedef last, after differences in declarations that use the typedef.
  if (absent !== null) return missing(sides, absent);
  const [extra] = left.values();
  const tags = tagDifference(sides);
  if (tags !== null || extra === undefined) return tags;
  return `${declaredName(typed, extra)} is not asked for: remove it.`;
}

function keyOf(t: TypeTable, id: TypeId): string {
  return `${kindOf(t, id)} ${nameOf(t, id)}`;
}

function missing({ typed, asked }: Sides, b: TypeId): string {
  const name = nameOf(asked, b);
  const namesake = declaredIn(typed).find((id) => nameOf(typed, id) === name);
  const kind = kindName(kindOf(asked, b));
  return namesake === undefined
    ? `There is no ${kind} ${code(name)}.`
    : `${code(name)} is of kind ${kindName(kindOf(typed, namesake))}; it must be ${kind}.`;
}

/** Compares two types and the types they refer to, except for pairs that are in `compared`. */
function pairDifference(sides: Sides, first: Pair, compared: Set<string>): string | null {
  const open: Pair[] = [first];
  for (let pair = open.shift(); pair !== undefined; pair = open.shift()) {
    const key = `${pair.a} ${pair.b}`;
    if (compared.has(key)) continue;
    compared.add(key);
    const difference = recordDifference(sides, pair, open);
    if (difference !== null) return difference;
  }
  return null;
}

/** Compares two records. Adds the types they refer to to `open`, for a later comparison. */
function recordDifference(sides: Sides, pair: Pair, open: Pair[]): string | null {
  const { typed, asked } = sides;
  const { a, b, place } = pair;
  const kind = kindOf(asked, b);
  if (kindOf(typed, a) !== kind) {
    return `${place} is of kind ${kindName(kindOf(typed, a))}; it must be ${kindName(kind)}.`;
  }
  if (nameOf(typed, a) !== nameOf(asked, b)) {
    const name = (text: string) => (text === '' ? 'no name' : `the name ${code(text)}`);
    return `${place} has ${name(nameOf(typed, a))}; it must have ${name(nameOf(asked, b))}.`;
  }
  if (isComposite(kind)) {
    return membersDifference(sides, pair, open) ?? sizeDifference(sides, pair);
  }
  if (isEnum(kind)) return enumDifference(sides, pair) ?? sizeDifference(sides, pair);
  switch (kind) {
    case BtfKind.INT:
    case BtfKind.FLOAT:
      return sizeDifference(sides, pair) ?? intDifference(sides, pair);
    case BtfKind.ARRAY: {
      const [held, wanted] = [arrayData(typed, a), arrayData(asked, b)];
      open.push({ a: held.elemType, b: wanted.elemType, place: `an element of ${place}` });
      return unequal(`${place} has`, held.nelems, wanted.nelems, 'element');
    }
    case BtfKind.FUNC_PROTO:
      return paramsDifference(sides, pair, open);
    case BtfKind.FWD:
      return kindFlagOf(typed, a) === kindFlagOf(asked, b)
        ? null
        : `${place} is declared as a ${kindFlagOf(typed, a) ? 'union' : 'struct'}; it must be a ${kindFlagOf(asked, b) ? 'union' : 'struct'}.`;
    default:
      return symbolDifference(sides, pair) ?? referenceDifference(sides, pair, open);
  }
}

function unequal(start: string, held: number, wanted: number, noun: string): string | null {
  return held === wanted ? null : `${start} ${counted(held, noun)}; it must have ${wanted}.`;
}

function sizeDifference({ typed, asked }: Sides, { a, b, place }: Pair): string | null {
  return unequal(`${place} has`, sizeOrTypeOf(typed, a), sizeOrTypeOf(asked, b), 'byte');
}

function intDifference({ typed, asked }: Sides, { a, b, place }: Pair): string | null {
  const same = intData(typed, a).encoding === intData(asked, b).encoding;
  return same ? null : `${place} has another encoding than it must have.`;
}

function memberName(member: Member | undefined): string {
  if (member === undefined) return 'no member';
  return member.name === '' ? 'a member without a name' : code(member.name);
}

function membersDifference(sides: Sides, { a, b, place }: Pair, open: Pair[]): string | null {
  const [held, wanted] = [membersOf(sides.typed, a), membersOf(sides.asked, b)];
  for (const [index, member] of wanted.entries()) {
    const typed = held[index];
    const name = memberName(member);
    if (typed === undefined || typed.name !== member.name) {
      const before =
        index === 0
          ? `In ${place} the first`
          : `In ${place}, behind ${memberName(wanted[index - 1])},`;
      return `${before} is ${memberName(typed)}; it must be ${name}.`;
    }
    const at = `${name} of ${place}`;
    const difference =
      typeDifference(sides, { a: typed.type, b: member.type, place: at }, open) ??
      placeDifference(at, typed, member);
    if (difference !== null) return difference;
  }
  const extra = held[wanted.length];
  return extra === undefined
    ? null
    : `${memberName(extra)} of ${place} is not asked for: remove it.`;
}

function placeDifference(at: string, held: Member, wanted: Member): string | null {
  if (held.bitfieldSize !== wanted.bitfieldSize) {
    const width = (bits: number) =>
      bits === 0 ? 'no bit-field' : `a bit-field of ${counted(bits, 'bit')}`;
    return `${at} is ${width(held.bitfieldSize)}; it must be ${width(wanted.bitfieldSize)}.`;
  }
  return offsetDifference(at, held.bitOffset, wanted.bitOffset);
}

/** Returns the difference of two offsets as a sentence, or null. Writes whole bytes as bytes. */
function offsetDifference(at: string, held: number, wanted: number): string | null {
  if (held === wanted) return null;
  const inBytes = (held | wanted) % 8 === 0;
  const place = (bits: number) => (inBytes ? `byte ${bits / 8}` : `bit ${bits}`);
  return `${at} is at ${place(held)}; it must be at ${place(wanted)}.`;
}

/** Returns the difference of two widths as a sentence, or null. Writes whole bytes as bytes. */
function widthDifference(at: string, held: number, wanted: number): string | null {
  return (held | wanted) % 8 === 0
    ? unequal(`${at} has`, held / 8, wanted / 8, 'byte')
    : unequal(`${at} has`, held, wanted, 'bit');
}

/** Returns a difference in C text. For equal texts adds the types to `open`, and returns null. */
function typeDifference({ typed, asked }: Sides, pair: Pair, open: Pair[]): string | null {
  const [held, wanted] = [typeExpression(typed, pair.a), typeExpression(asked, pair.b)];
  if (held !== wanted) return `${pair.place} is ${code(held)}; it must be ${code(wanted)}.`;
  open.push({ ...pair, place: `the type of ${pair.place}` });
  return null;
}

function enumDifference({ typed, asked }: Sides, { a, b, place }: Pair): string | null {
  const [held, wanted] = [enumeratorsOf(typed, a), enumeratorsOf(asked, b)];
  for (const [index, { name, value }] of wanted.entries()) {
    const typed = held[index];
    if (typed?.name !== name) {
      const actual = typed === undefined ? 'missing' : code(typed.name);
      return `Enumerator ${index} of ${place}, counted from 0, is ${actual}; it must be ${code(name)}.`;
    }
    if (typed.value !== value) return `${code(name)} is ${typed.value}; it must be ${value}.`;
  }
  const extra = held[wanted.length];
  if (extra !== undefined) return `${code(extra.name)} of ${place} is not asked for: remove it.`;
  if (kindFlagOf(typed, a) === kindFlagOf(asked, b)) return null;
  return `The values of ${place} must be ${kindFlagOf(asked, b) ? 'signed' : 'unsigned'}.`;
}

function paramsDifference(sides: Sides, { a, b, place }: Pair, open: Pair[]): string | null {
  const [held, wanted] = [paramsOf(sides.typed, a), paramsOf(sides.asked, b)];
  const count = unequal(`${place} has`, held.length, wanted.length, 'parameter');
  if (count !== null) return count;
  for (const [index, { name, type }] of wanted.entries()) {
    const typed = held[index];
    const at = `parameter ${index + 1} of ${place}`;
    if (typed?.name !== name) {
      return `${at} has the name ${code(typed?.name ?? '')}; it must have ${code(name)}.`;
    }
    const difference = typeDifference(sides, { a: typed.type, b: type, place: at }, open);
    if (difference !== null) return difference;
  }
  const result = {
    a: typeId(sizeOrTypeOf(sides.typed, a)),
    b: typeId(sizeOrTypeOf(sides.asked, b)),
  };
  return typeDifference(sides, { ...result, place: `the result of ${place}` }, open);
}

/** Compares linkage and section of two variables or functions. */
function symbolDifference({ typed, asked }: Sides, { a, b, place }: Pair): string | null {
  const kind = kindOf(asked, b);
  if (kind !== BtfKind.VAR && kind !== BtfKind.FUNC) return null;
  const linkageOf = kind === BtfKind.VAR ? varLinkage : vlenOf;
  const [held, wanted] = [linkageOf(typed, a), linkageOf(asked, b)];
  if (held !== wanted) {
    return `${place} is ${LINKAGE_NAMES[held] ?? held}; it must be ${LINKAGE_NAMES[wanted] ?? wanted}.`;
  }
  const sections = [sectionOf(typed, a), sectionOf(asked, b)];
  if (sections[0] === sections[1]) return null;
  const [actual, expected] = sections.map((name) => (name === '' ? 'no section' : code(name)));
  return `${place} is in ${actual}; it must be in ${expected}.`;
}

/** Returns the name of the DATASEC that contains the symbol, or an empty text. */
function sectionOf(t: TypeTable, id: TypeId): string {
  return sectionsIn(t).get(id) ?? '';
}

const sectionsIn = memoized((t: TypeTable) => {
  const sections = new Map<TypeId, string>();
  for (let at = 1; at <= lastId(t); at++) {
    const section = typeId(at);
    if (kindOf(t, section) !== BtfKind.DATASEC) continue;
    for (const { type } of varSecinfosOf(t, section))
      getOrCreate(sections, type, () => nameOf(t, section));
  }
  return sections;
});

function referenceDifference({ typed, asked }: Sides, pair: Pair, open: Pair[]): string | null {
  const { place } = pair;
  const [a, b] = [refOf(typed, pair.a), refOf(asked, pair.b)];
  if (a === null || b === null) return null;
  const kind = kindOf(asked, pair.b);
  if (kind === BtfKind.VAR || kind === BtfKind.TYPEDEF)
    return typeDifference({ typed, asked }, { a, b, place }, open);
  open.push({ a, b, place });
  return null;
}

/** Returns the DECL_TAGs and their targets in Markdown. Equal tags have equal keys. */
function tagsOf(t: TypeTable): Map<string, string> {
  const tags = new Map<string, string>();
  const members = new Map<TypeId, readonly Member[]>();
  for (let at = 1; at <= lastId(t); at++) {
    const id = typeId(at);
    const target = refOf(t, id);
    if (kindOf(t, id) !== BtfKind.DECL_TAG || target === null) continue;
    const index = componentIdx(t, id);
    const part = isComposite(kindOf(t, target))
      ? getOrCreate(members, target, () => membersOf(t, target))[index]?.name
      : kindOf(t, target) === BtfKind.FUNC && index >= 0
        ? `parameter ${index + 1}`
        : undefined;
    const whole = declaredName(t, target);
    const place = part === undefined ? whole : `${code(part)} of ${whole}`;
    tags.set(`${place} ${nameOf(t, id)}`, `the decl tag ${code(nameOf(t, id))} on ${place}`);
  }
  return tags;
}

function tagDifference({ typed, asked }: Sides): string | null {
  const [held, wanted] = [tagsOf(typed), tagsOf(asked)];
  for (const [key, tag] of wanted) if (!held.has(key)) return `There must be ${tag}.`;
  for (const [key, tag] of held) if (!wanted.has(key)) return `${tag} is not asked for: remove it.`;
  return null;
}

/**
 * Returns the first difference in the layout of a type: offsets and widths of members by name, then the
 * size. A sentence in Markdown; null without a difference, or if `asked` has no such type.
 */
export function layoutDifference(typed: TypeTable, asked: TypeTable, key: TypeKey): string | null {
  const [a, b] = [findTypeKey(typed, key), findTypeKey(asked, key)];
  if (b === null) return null;
  const name = code(`${key.kind} ${key.name}`);
  if (a === null) return `There is no ${name}.`;
  const [held, wanted] = [placesOf(typed, a), placesOf(asked, b)];
  for (const [member, place] of wanted) {
    const typedPlace = held.get(member);
    if (typedPlace === undefined) return `${name} has no member ${code(member)}.`;
    const difference =
      offsetDifference(code(member), typedPlace.bitOffset, place.bitOffset) ??
      widthDifference(code(member), typedPlace.bits, place.bits);
    if (difference !== null) return difference;
  }
  const extra = [...held.keys()].find((member) => !wanted.has(member));
  if (extra !== undefined) return `${code(extra)} of ${name} is not asked for: remove it.`;
  return unequal(`${name} has`, sizeOrTypeOf(typed, a), sizeOrTypeOf(asked, b), 'byte');
}

type MemberPlace = { readonly bitOffset: number; readonly bits: number };

/** Returns the members by name, even inside unnamed members. Offsets are from the start of `id`. */
function placesOf(t: TypeTable, id: TypeId): Map<string, MemberPlace> {
  const places = new Map<string, MemberPlace>();
  // A struct that is a member twice, which typeof allows, is read at its first place.
  const starts = new Map([[id, 0]]);
  for (const [outer, outerStart] of starts) {
    for (const { name, type, bitOffset, bitfieldSize } of membersOf(t, outer)) {
      const start = outerStart + bitOffset;
      if (name === '') getOrCreate(starts, skipModifiers(t, type), () => start);
      else {
        const bits = bitfieldSize || Number(sizeOf(t, type) ?? 0n) * 8;
        places.set(name, { bitOffset: start, bits });
      }
    }
  }
  return places;
}
