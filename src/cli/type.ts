/** `btfscope type`: prints one type, one of its members, or the members at a byte offset. */
import { compareTypes, pairGraphOf } from '#analysis/compare/compare-types.ts';
import { declarationText, entryText, memoryText, typePlace } from '#analysis/dwarf/type-places.ts';
import { membersAt } from '#analysis/find/find-members.ts';
import { elementOf } from '#analysis/find/make-hit.ts';
import { type Followed, followNames } from '#analysis/log/follow-names.ts';
import type { LogPathStep } from '#analysis/log/log-line.ts';
import { sourceDeclaration } from '#analysis/source/source-declaration.ts';
import { sourcedTypes } from '#analysis/source/source-types.ts';
import { typeText } from '#analysis/source/type-text.ts';
import { intBitfield, memberBits } from '#analysis/types/member-bits.ts';
import { memberTexts } from '#analysis/types/member-texts.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { findTypeKey, formatTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { hasHugeNames } from '#analysis/types/wide-types.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { counted, hexText, integerOf, visible, visibleLine } from '#bytes/text.ts';
import { BTF_MEMBER, BTF_TYPE_SIZE, BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { enumeratorsOf, isComposite, memberAt, paramsOf } from '#model/type-items.ts';
import {
  kindFlagOf,
  kindOf,
  nameOf,
  ownerOf,
  recordIn,
  refOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { typeComparisonText } from '#print/comparison.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import { BASE, type Call, type Command, CommandFailure, flag } from './command.ts';
import { namedType, openFileTypes } from './open.ts';

export const type: Command = {
  name: 'type',
  positionals: ['FILE', 'TYPE'],
  options: [BASE, flag('json', 'print JSON')],
  more: [
    'TYPE is task_struct, struct:task_struct or an id; task_struct.pid is a member of it, also',
    'through anonymous members, array elements (a.b[2]) and pointers (task_struct.mm->owner->comm);',
    'task_struct+0x58 is what covers a byte.',
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const { model, types } = await openFileTypes(call);
  const text = call.positional(1);
  const byte = /^(.+)\+(0x[\da-f]{1,8}|\d{1,9})$/i.exec(text);
  if (byte !== null) {
    const [, name = '', offset = ''] = byte;
    const facts = coveringFacts(types, compositeNamed(types, name), Number(offset));
    return await call.print(
      () => facts,
      () => facts.covers.map(coveringLine),
    );
  }
  const id = typeOrNull(types, text);
  if (id !== null) {
    return await call.print(
      () => ({ ...typeFacts(types, id), ...placeFacts(model, id) }),
      () => typeLines(model, types, id),
    );
  }
  const [, root = text, path = ''] = /^(.*?)(?:\.|->)(.*)$/.exec(text) ?? [];
  const facts = memberFacts(types, namedType(types, root), path);
  await call.print(
    () => facts,
    () => memberLines(facts),
  );
}

/** Returns the type whose name is all of `text`; null if there is none. Names may contain dots. */
function typeOrNull(t: TypeTable, text: string): TypeId | null {
  try {
    return namedType(t, text);
  } catch (error) {
    if (error instanceof CommandFailure && /\.|->/.test(text)) return null;
    throw error;
  }
}

function compositeNamed(t: TypeTable, text: string): TypeId {
  const id = namedType(t, text);
  if (isComposite(kindOf(t, skipModifiers(t, id)))) return id;
  throw new CommandFailure(`"${visible(text)}" is not a struct or union`);
}

/** Returns the facts that types of all kinds have. The type's record may be in the base. */
function headFacts(t: TypeTable, id: TypeId) {
  const owner = ownerOf(t, id);
  const size = sizeOf(t, id);
  return {
    type_id: id,
    kind: kindName(kindOf(t, id)).toLowerCase(),
    name: nameOf(t, id),
    key: formatTypeKey(typeKeyOf(t, id)),
    size: size === null ? null : integerOf(size),
    in_base: owner !== null && owner !== t,
    record: recordIn(t, id),
  };
}

function memberRecord(t: TypeTable, composite: TypeId, index: number): Span | null {
  const record = recordIn(t, composite);
  return record && spanOf(record.start + BTF_TYPE_SIZE + index * BTF_MEMBER.size, BTF_MEMBER.size);
}

function typeFacts(t: TypeTable, id: TypeId) {
  const { rows, holes, holeBits, paddingBits, unknownSizes } = structLayout(t, id);
  const areGapsKnown = unknownSizes === 0;
  const target = refOf(t, id);
  return {
    ...headFacts(t, id),
    target: target === null ? null : { type_id: target, type: typeText(t, target) },
    members: rows.map((row) => ({
      what: row.kind,
      name: row.name,
      type: row.kind === 'member' ? typeText(t, row.type) : null,
      type_id: row.kind === 'member' ? row.type : null,
      bit_offset: row.bitOffset,
      bit_size: row.isSizeUnknown ? null : row.bitSize,
      bit_field: row.isBitfield,
      record: row.kind === 'member' ? memberRecord(t, id, row.index) : null,
    })),
    holes: areGapsKnown ? holes : null,
    hole_bits: areGapsKnown ? holeBits : null,
    padding_bits: areGapsKnown ? paddingBits : null,
    enumerators: enumeratorsOf(t, id).map(({ name, value }) => ({ name, value: `${value}` })),
    parameters: paramsOf(t, prototypeOf(t, id)).map((param) => ({
      name: param.name,
      type: param.type === 0 ? null : typeText(t, param.type),
      type_id: param.type,
    })),
    c: cDeclaration(t, id),
    others: othersNamed(t, id).map((other) => ({
      type_id: other,
      key: formatTypeKey(typeKeyOf(t, other)),
      differences: differences(t, id, other),
    })),
  };
}

/** Maximum number of types with one kind and name that are listed. */
const MAX_OTHERS = 16;

/** Returns the other types with the kind and the name of a type: parts of a kernel may differ. */
function othersNamed(t: TypeTable, id: TypeId): TypeId[] {
  const key = typeKeyOf(t, id);
  if (key.name === '') return [];
  const others: TypeId[] = [];
  for (let ordinal = 0; ordinal <= MAX_OTHERS; ordinal++) {
    const other = findTypeKey(t, { ...key, ordinal });
    if (other === null) break;
    if (other !== id) others.push(other);
  }
  return others;
}

/** Returns the differences of two types of a table as lines. */
function differences(t: TypeTable, id: TypeId, other: TypeId): string[] {
  const comparison = compareTypes(pairGraphOf(t, t), id, other);
  return [...typeComparisonText(comparison, { a: t, b: t })].map((line) => line.trim());
}

/** Maximum number of lines that tell how a type differs from another one of its name. */
const MAX_DIFFERENCES = 10;

function* otherLines(t: TypeTable, id: TypeId): Generator<string> {
  for (const other of othersNamed(t, id)) {
    const key = formatTypeKey(typeKeyOf(t, other));
    yield visible(`[${other}] ${key} has the same name; compared with [${id}]:`);
    const lines = differences(t, id, other);
    for (const line of lines.slice(0, MAX_DIFFERENCES)) yield `  ${visibleLine(line)}`;
    const left = lines.length - MAX_DIFFERENCES;
    if (left > 0) yield `  and ${counted(left, 'more line')}, see --json`;
  }
}

/** Returns the prototype of a function; for other kinds, `id` itself. */
function prototypeOf(t: TypeTable, id: TypeId): TypeId {
  return kindName(kindOf(t, id)) === 'FUNC' ? (refOf(t, id) ?? id) : id;
}

/** Returns where DWARF says that a type is declared and is in memory; null without DWARF. */
function placeFacts(model: ObjectModel, id: TypeId) {
  const place = typePlace(model, id);
  const { memory = null } = place ?? {};
  return {
    entry: place?.entry ?? null,
    declared: place?.declared ?? null,
    source: place?.source ?? null,
    source_text: declaredAs(model, id),
    place: memory && {
      section: sectionName(model.sections, memory.section),
      offset: memory.offset,
      address: memory.address === null ? null : hexText(memory.address),
    },
  };
}

/** Returns the declaration of a type in the language of its unit; null for C. */
function declaredAs(model: ObjectModel, id: TypeId): string | null {
  const sourced = sourcedTypes(model);
  if (sourced === null || hasHugeNames(sourced.types, id)) return null;
  return sourceDeclaration(sourced, id)?.text ?? null;
}

function* placeLines(model: ObjectModel, id: TypeId): Generator<string> {
  const place = typePlace(model, id);
  if (place === null) return;
  const { memory } = place;
  const parts = [
    place.declared === null ? '' : `declared at ${declarationText(place)}`,
    memory === null ? '' : `at ${memoryText(model, memory)}`,
    place.source,
    place.entry === null ? '' : `entry ${entryText(model, place)}`,
  ];
  yield visible(parts.filter((part) => part !== '').join('; '));
}

function* typeLines(model: ObjectModel, t: TypeTable, id: TypeId): Generator<string> {
  const { kind, size, record, in_base } = headFacts(t, id);
  const bytes = size === null ? '' : `, ${counted(size, 'byte')}`;
  yield visible(
    `[${id}] ${kind} ${nameOf(t, id) || '(anon)'}${bytes}${recordText(record, in_base)}`,
  );
  yield* placeLines(model, id);
  const isWhole = structLayout(t, id).unknownSizes === 0;
  const source = declaredAs(model, id);
  for (const line of source?.split('\n') ?? []) yield visibleLine(line);
  const hasLayout = isWhole && (source === null || isComposite(kindOf(t, id)));
  const layout = hasLayout ? paholeOf(t, id, { pahole: '1.31' }) : '';
  const text = layout || (source === null ? cDeclaration(t, id) : '');
  if (!isWhole) yield 'Sizes of members are in the base: --base BTF shows them';
  if (text !== '') for (const line of text.trimEnd().split('\n')) yield visibleLine(line);
  yield* otherLines(t, id);
}

function recordText(record: Span | null, inBase: boolean): string {
  if (record === null) return '';
  const place = `${hexText(record.start)}-${hexText(record.end)}`;
  return `; record at ${place}${inBase ? ' of the base' : ''}`;
}

/** Parses a member path, `a.b[2]->c`, into steps. */
function stepsOf(given: string): readonly LogPathStep[] {
  const text = given.replaceAll('->', '.');
  const isPath = /^[^.[\]]+(\[\d{1,9}\])*(\.[^.[\]]+(\[\d{1,9}\])*)*$/.test(text);
  if (!isPath) throw new CommandFailure(`"${visible(given)}" is not a path of members, as a.b[2]`);
  return [...text.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([word, index]) =>
    index === undefined ? { name: word, index: null } : { name: null, index: Number(index) },
  );
}

/** Part of a path in one object: a pointer at its end leads to the object of the next part. */
type Leg = { readonly root: TypeId; readonly steps: Followed['steps'] };

/** Follows a path of names, also through pointers. Throws a `CommandFailure` for a wrong step. */
function followLegs(t: TypeTable, id: TypeId, path: readonly LogPathStep[]): Leg[] {
  const legs: Leg[] = [];
  let root = id;
  let rest = path;
  for (;;) {
    const { steps, fault } = followNames(t, root, { path: rest, enumerator: null });
    legs.push({ root, steps });
    if (fault === null) return legs;
    const target = fault.reason === 'not-composite' ? pointedComposite(t, fault.container) : null;
    // A pointer with a name was followed: the remaining path is shorter.
    if (target === null || fault.atStep === 0) throw new CommandFailure(faultText(t, fault));
    root = target;
    rest = rest.slice(fault.atStep);
  }
}

/** Returns the struct or union that a pointer leads to, a full one in place of a declaration. */
function pointedComposite(t: TypeTable, pointer: TypeId): TypeId | null {
  if (kindOf(t, pointer) !== BtfKind.PTR) return null;
  const target = skipModifiers(t, refOf(t, pointer) ?? VOID);
  if (isComposite(kindOf(t, target))) return target;
  if (kindOf(t, target) !== BtfKind.FWD) return null;
  const kind = kindFlagOf(t, target) ? 'union' : 'struct';
  return findTypeKey(t, { kind, name: nameOf(t, target), ordinal: 0 });
}

function legFacts(t: TypeTable, { root, steps }: Leg) {
  const bitOffset = steps.reduce((sum, step) => sum + stepBits(t, step), 0n);
  return {
    type: typeExpression(t, root),
    type_id: root,
    path: legPath(steps),
    bit_offset: integerOf(bitOffset),
    byte_offset: integerOf(bitOffset / 8n),
    access_str: ['0', ...steps.map(({ index }) => index)].join(':'),
  };
}

/** Returns the steps in C, `a.b[2]`; anonymous members have no name. */
function legPath(steps: Followed['steps']): string {
  return steps.reduce((text, { name, index }) => {
    if (name === null) return `${text}[${index}]`;
    return name === '' ? text : `${text}${text === '' ? '' : '.'}${name}`;
  }, '');
}

/** Returns a text of `BPF_CORE_READ` whose pointer `p` is read through the given members. */
function throughPointers(text: string, before: readonly string[]): string {
  if (before.length === 0) return text;
  const reads = before.join(', ');
  return text.startsWith('BPF_CORE_READ_BITFIELD')
    ? text.replace('(p, ', `(BPF_CORE_READ(p, ${reads}), `)
    : text.replace('p, ', `p, ${reads}, `);
}

function memberFacts(t: TypeTable, start: TypeId, text: string) {
  const legs = followLegs(t, start, stepsOf(text));
  const { root: id, steps } = legs.at(-1) ?? { root: start, steps: [] };
  const through = legs.slice(0, -1).map((leg) => legFacts(t, leg));
  const last = steps.at(-1);
  const bitOffset = steps.reduce((sum, step) => sum + stepBits(t, step), 0n);
  const member = last?.name == null ? null : memberAt(t, last.container, last.index);
  const found = last?.type ?? id;
  const bits =
    member === null || last === undefined
      ? intBitfield(t, found, 0)
      : memberBits(t, last.container, member);
  const size = sizeOf(t, found);
  const isPlain = legs.every((leg) => leg.steps.every(({ name }) => name !== null));
  const path = steps.map(({ index }) => index);
  return {
    root: headFacts(t, id),
    path: text,
    type: typeText(t, found),
    type_id: found,
    bit_offset: integerOf(bitOffset),
    byte_offset: integerOf(bitOffset / 8n),
    bit_size:
      bits?.isBitfield === true ? bits.bitSize : size === null ? null : integerOf(8n * size),
    bit_field: bits?.isBitfield === true,
    access_str: ['0', ...path].join(':'),
    record:
      member === null || last === undefined ? null : memberRecord(t, last.container, last.index),
    texts: isPlain
      ? memberTexts(t, id, skipModifiers(t, id), path).map(({ what, text }) => ({
          what,
          text:
            what === 'read'
              ? throughPointers(
                  text,
                  through.map((leg) => leg.path),
                )
              : text,
        }))
      : [],
    through,
  };
}

/** Returns the offset of a member or an element in bits from the start of its container. */
function stepBits(
  t: TypeTable,
  { container, index, name, type: element }: Followed['steps'][number],
): bigint {
  if (name !== null) {
    const member = memberAt(t, container, index);
    return member === null ? 0n : BigInt(memberBits(t, container, member).bitOffset);
  }
  const inInt = intBitfield(t, element, 0)?.bitOffset ?? 0;
  return 8n * BigInt(index) * (sizeOf(t, element) ?? 0n) + BigInt(inInt);
}

function faultText(
  t: TypeTable,
  { reason, container, name, near }: NonNullable<Followed['fault']>,
) {
  const holder = typeExpression(t, container);
  const meant = near.length === 0 ? '' : `; did you mean: ${near.join(', ')}`;
  switch (reason) {
    case 'not-composite':
      return visible(`${holder} has no members: "${name}" is not in it`);
    case 'not-array':
      return visible(`${holder} is not an array`);
    case 'outside':
      return visible(`the index is past the end of ${holder}`);
    default:
      return visible(`${holder} has no member "${name}"${meant}`);
  }
}

function* memberLines(facts: ReturnType<typeof memberFacts>): Generator<string> {
  const { root, bit_offset, bit_size, bit_field, byte_offset, record } = facts;
  const bit = BigInt(bit_offset) % 8n;
  const bits = bit === 0n ? '' : ` bit ${bit}`;
  const size =
    bit_size === null
      ? 'no size'
      : bit_field
        ? `bit-field of ${counted(bit_size, 'bit')}`
        : counted(BigInt(bit_size) / 8n, 'byte');
  const where = `offset ${byte_offset} (${hexText(byte_offset)})${bits}`;
  const holder = facts.through.length === 0 ? '' : ` of ${root.kind} ${root.name}`;
  yield visible(`${facts.type}: ${size} at ${where}${holder}`);
  for (const leg of facts.through) {
    yield visible(
      `through ${leg.path} at offset ${leg.byte_offset} (${hexText(leg.byte_offset)}) of ${leg.type}, access string ${leg.access_str}`,
    );
  }
  yield visible(
    `access string ${facts.access_str} from [${root.type_id}] ${root.kind} ${root.name}${recordText(record, root.in_base)}`,
  );
  for (const { what, text } of facts.texts) {
    if (what === 'read' || what === 'offsetof') yield visible(text);
  }
}

function coveringFacts(t: TypeTable, id: TypeId, byteOffset: number) {
  const composite = skipModifiers(t, id);
  return {
    root: headFacts(t, id),
    byte_offset: byteOffset,
    covers: membersAt(t, composite, byteOffset).map(({ kind, path, bitOffset, bitSize }) => {
      const member = kind === 'member' ? (memberAlong(t, composite, path) ?? null) : null;
      return {
        what: kind,
        path: member === null ? null : member.path,
        type: member && typeText(t, member.type),
        type_id: member?.type ?? null,
        bit_offset: bitOffset,
        bit_size: bitSize,
        record: member && memberRecord(t, member.holder, member.index),
      };
    }),
  };
}

/** Returns the member at the end of a path of member indexes. Arrays on the path are skipped. */
function memberAlong(t: TypeTable, composite: TypeId, path: readonly number[]) {
  const names: string[] = [];
  let holder = composite;
  let last: { readonly type: TypeId; readonly index: number } | null = null;
  for (const index of path) {
    if (last !== null) holder = elementOf(t, last.type).type;
    const member = memberAt(t, skipModifiers(t, holder), index);
    if (member === null) return null;
    holder = skipModifiers(t, holder);
    last = { type: member.type, index };
    if (member.name !== '') names.push(member.name);
  }
  return last && { ...last, holder, path: names.join('.') };
}

type Covers = ReturnType<typeof coveringFacts>['covers'][number];

function coveringLine({ what, path, type: of, bit_offset, bit_size }: Covers): string {
  const end = bit_offset + bit_size;
  const place =
    bit_offset % 8 === 0 && end % 8 === 0
      ? `bytes ${bit_offset / 8}-${end / 8}`
      : `bits ${bit_offset}-${end}`;
  return visible(`${place}  ${path === null ? what : `${path}: ${of}`}`);
}
