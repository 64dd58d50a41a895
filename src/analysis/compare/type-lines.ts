/** Splits a type into lines for a comparison: members, enumerators, parameters, variables. */

import { bitfieldWidth, memberBits } from '#analysis/types/member-bits.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import {
  enumeratorsOf,
  isComposite,
  memberCount,
  membersOf,
  readParams,
  varSecinfosOf,
} from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  nameOffOf,
  refOf,
  sizeOrTypeOf,
  skipQualifiers,
  type TypeTable,
} from '#model/type-table.ts';
import type { Side } from './side.ts';

export type TypeLine = {
  /** `hole`: bits of a struct without a member, after the line before it. See `holeLines`. */
  readonly role: 'member' | 'enumerator' | 'param' | 'return' | 'target' | 'variable' | 'hole';
  readonly nameOff: number;
  readonly nameId: number;
  /** Scope of the line's name; 0 for the type itself. A named anonymous type opens a scope. */
  readonly scope: number;
  /** Referenced type; null for enumerators. */
  readonly type: TypeId | null;
  /** Bits from the start of the outermost type; null for a line without an offset. */
  readonly bitOffset: number | null;
  /** Bits of a bit-field or of a hole; else 0. */
  readonly bitfieldSize: number;
  /** Size of a variable in its section, in bytes; null for other lines. */
  readonly size: number | null;
  readonly value: bigint | null;
  /** Index of the line among the items of its type; of a hole 0, of padding 1. */
  readonly index: number;
  readonly depth: number;
  /** Line number of the anonymous type that contains the line; -1 if none does. */
  readonly parent: number;
  /** Anonymous type whose members follow the line; null if no members follow. */
  readonly opens: TypeId | null;
  /** True for a member that repeats a member of the anonymous struct before it: `struct_group()`. */
  isCopy: boolean;
};

export type TypeLines = {
  readonly lines: readonly TypeLine[];
  /** True if some anonymous types were not opened, since the type has too many. */
  readonly isCut: boolean;
};

/** Maximum number of members of opened anonymous types; each level of nesting can double them. */
const MAX_NESTED = 20_000;

/** Assigns numbers to scopes; a scope has the same number on both sides of a comparison. */
export class Scopes {
  readonly #numbers = new Map<string, number>();

  /** Returns the number of the scope that member `nameId` opens in `scope`. */
  inside(scope: number, nameId: number): number {
    return getOrCreate(this.#numbers, `${scope}:${nameId}`, () => this.#numbers.size + 1);
  }
}

/** Returns the lines of type `id` in declaration order. */
export function typeLines(side: Side, id: TypeId, scopes: Scopes): TypeLines {
  const { types } = side;
  switch (kindOf(types, id)) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return memberLines(side, id, scopes, []);
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return whole(enumeratorLines(side, id));
    case BtfKind.FUNC:
      return whole(protoLines(side, typeId(sizeOrTypeOf(types, id))));
    case BtfKind.FUNC_PROTO:
      return whole(protoLines(side, id));
    case BtfKind.DATASEC:
      return whole(variableLines(side, id));
    default:
      return targetLines(side, id, scopes);
  }
}

const whole = (lines: readonly TypeLine[]): TypeLines => ({ lines, isCut: false });

/** Returns a line of the type itself. Spreading an object would take several times as long. */
function ownLine(
  role: TypeLine['role'],
  index: number,
  nameOff: number,
  nameId: number,
  type: TypeId | null,
  rest: Partial<Pick<TypeLine, 'bitOffset' | 'size' | 'value' | 'opens'>> = {},
): TypeLine {
  return {
    role,
    nameOff,
    nameId,
    scope: 0,
    type,
    bitOffset: rest.bitOffset ?? null,
    bitfieldSize: 0,
    size: rest.size ?? null,
    value: rest.value ?? null,
    index,
    depth: 0,
    parent: -1,
    opens: rest.opens ?? null,
    isCopy: false,
  };
}

function enumeratorLines(side: Side, id: TypeId): TypeLine[] {
  return enumeratorsOf(side.types, id).map(({ nameOff, value, index }) =>
    ownLine('enumerator', index, nameOff, side.nameId(nameOff), null, { value }),
  );
}

function protoLines(side: Side, proto: TypeId): TypeLine[] {
  const { types } = side;
  if (kindOf(types, proto) !== BtfKind.FUNC_PROTO) return [ownLine('target', 0, 0, 0, proto)];
  const lines = [ownLine('return', 0, 0, 0, typeId(sizeOrTypeOf(types, proto)))];
  const params = readParams(types, proto);
  for (let index = 0; index < params.count; index++) {
    const nameOff = params.nameOff(index);
    lines.push(ownLine('param', index, nameOff, side.nameId(nameOff), params.type(index)));
  }
  return lines;
}

function variableLines(side: Side, id: TypeId): TypeLine[] {
  return varSecinfosOf(side.types, id).map(({ type, offset, size, index }) => {
    const nameOff = nameOffOf(side.types, type);
    const place = { bitOffset: offset * 8, size };
    return ownLine('variable', index, nameOff, side.nameId(nameOff), type, place);
  });
}

/** Returns the line of the target of PTR, VAR …, and the members of an anonymous target. */
function targetLines(side: Side, id: TypeId, scopes: Scopes): TypeLines {
  const { types } = side;
  const isArray = kindOf(types, id) === BtfKind.ARRAY;
  const type = isArray ? arrayData(types, id).elemType : refOf(types, id);
  if (type === null) return whole([]);
  const isByValue = !isArray && kindOf(types, id) !== BtfKind.PTR;
  const opens = isByValue ? anonymousIn(types, type) : null;
  const target = ownLine('target', 0, 0, 0, type, { opens });
  return opens === null ? whole([target]) : memberLines(side, opens, scopes, [target]);
}

/** Returns the anonymous struct or union below the modifiers of `type`, or null. */
function anonymousIn(types: TypeTable, type: TypeId): TypeId | null {
  const at = skipQualifiers(types, type);
  return isComposite(kindOf(types, at)) && nameOffOf(types, at) === 0 ? at : null;
}

type Open = {
  readonly id: TypeId;
  readonly members: ReturnType<typeof membersOf>;
  next: number;
  readonly bitOffset: number;
  readonly scope: number;
  readonly depth: number;
  readonly parent: number;
};

/** Adds the members of `id`; the lines `above` precede them. */
function memberLines(
  side: Side,
  id: TypeId,
  scopes: Scopes,
  above: readonly TypeLine[],
): TypeLines {
  const { types } = side;
  const lines = [...above];
  const start = { next: 0, bitOffset: 0, scope: 0, depth: above.length, parent: above.length - 1 };
  const open: Open[] = [{ id, members: membersOf(types, id), ...start }];
  const isOpen = new Set<TypeId>([id]);
  let nested = 0;
  let isCut = false;
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const member = at.members[at.next++];
    if (member === undefined) {
      open.pop();
      isOpen.delete(at.id);
      continue;
    }
    const anonymous = anonymousIn(types, member.type);
    // A hostile file can contain a type that contains itself.
    const isOpened =
      anonymous !== null &&
      !isOpen.has(anonymous) &&
      nested + memberCount(types, anonymous) <= MAX_NESTED;
    const opens = isOpened ? anonymous : null;
    if (opens !== anonymous) isCut = true;
    const nameId = side.nameId(member.nameOff);
    const bits = memberBits(types, at.id, member);
    const bitOffset = at.bitOffset + bits.bitOffset;
    // Spreading an object would be slow: this code runs for each member of each changed type.
    lines.push({
      role: 'member',
      nameOff: member.nameOff,
      nameId,
      scope: at.scope,
      type: member.type,
      bitOffset,
      bitfieldSize: bitfieldWidth(bits),
      size: null,
      value: null,
      index: member.index,
      depth: at.depth,
      parent: at.parent,
      opens,
      isCopy: false,
    });
    if (opens === null) continue;
    const inner = membersOf(types, opens);
    nested += inner.length;
    isOpen.add(opens);
    open.push({
      id: opens,
      members: inner,
      next: 0,
      bitOffset,
      scope: member.nameOff === 0 ? at.scope : scopes.inside(at.scope, nameId),
      depth: at.depth + 1,
      parent: lines.length - 1,
    });
  }
  markCopies(types, lines);
  return { lines, isCut };
}

/**
 * Marks members that the kernel's `struct_group()` declares twice: a union of an anonymous struct
 * and a named one with the same members (include/uapi/linux/stddef.h, `__struct_group`).
 */
function markCopies(types: TypeTable, lines: TypeLine[]): void {
  const unnamed = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const around = lines[line.parent]?.opens;
    if (line.opens === null || around == null || kindOf(types, around) !== BtfKind.UNION) continue;
    if (line.index === 0 && line.nameId === 0) unnamed.set(line.parent, at);
    const first = unnamed.get(line.parent);
    if (line.index !== 1 || line.nameId === 0 || first === undefined) continue;
    const end = endOfMembers(lines, at);
    if (!isSameRun(lines, first + 1, at, end)) continue;
    for (const copy of lines.slice(at + 1, end)) copy.isCopy = true;
  }
}

/** Returns the number of the line after the members of the anonymous type that line `at` opens. */
function endOfMembers(lines: readonly TypeLine[], at: number): number {
  const depth = lines[at]?.depth ?? 0;
  let end = at + 1;
  while ((lines[end]?.depth ?? -1) > depth) end++;
  return end;
}

/** Returns true if the lines `first` to `at` and `at + 1` to `end` are the same members. */
function isSameRun(lines: readonly TypeLine[], first: number, at: number, end: number): boolean {
  if (at - first !== end - at - 1) return false;
  for (let i = first; i < at; i++) {
    const [a, b] = [lines[i], lines[i + at + 1 - first]];
    if (a === undefined || b === undefined) return false;
    const isSamePlace = a.bitOffset === b.bitOffset && a.bitfieldSize === b.bitfieldSize;
    const isSameName = a.nameId === b.nameId && a.depth === b.depth;
    const isOpened = a.opens !== null && b.opens !== null;
    if (!isSamePlace || !isSameName || !(isOpened || a.type === b.type)) return false;
  }
  return true;
}

/** Returns the holes and padding of a type as lines, by the number of the line that they follow. */
export function holeLines(
  { types }: Side,
  id: TypeId,
  lines: readonly TypeLine[],
): ReadonlyMap<number, TypeLine> {
  const lineOf = new Map<string, number>();
  const containers: { readonly id: TypeId; readonly parent: number; readonly at: number }[] = [];
  if (isComposite(kindOf(types, id))) containers.push({ id, parent: -1, at: 0 });
  for (const [i, line] of lines.entries()) {
    if (line.role === 'member') lineOf.set(`${line.parent}:${line.index}`, i);
    if (line.opens !== null)
      containers.push({ id: line.opens, parent: i, at: line.bitOffset ?? 0 });
  }
  const holes = new Map<number, TypeLine>();
  for (const { id: container, parent, at } of containers) {
    let before: number | undefined;
    for (const row of structLayout(types, container).rows) {
      if (row.kind === 'member') {
        before = lineOf.get(`${parent}:${row.index}`);
        continue;
      }
      const line = lines[before ?? -1];
      if (before === undefined || line === undefined) continue;
      const place = { bitOffset: at + row.bitOffset };
      const hole = ownLine('hole', row.kind === 'hole' ? 0 : 1, 0, 0, null, place);
      const around = { bitfieldSize: row.bitSize, depth: line.depth, parent: line.parent };
      holes.set(before, { ...hole, ...around, isCopy: line.isCopy });
    }
  }
  return holes;
}
