/** Splits a type into lines for a comparison: members, enumerators, parameters, variables. */

import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { bitfieldWidth, memberBits } from '#analysis/types/member-bits.ts';
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
  isModifier,
  kindOf,
  nameOffOf,
  refOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';
import type { Side } from './side.ts';

export type TypeLine = {
  readonly role: 'member' | 'enumerator' | 'param' | 'return' | 'target' | 'variable';
  readonly nameOff: number;
  readonly nameId: number;
  /** Scope of the line's name; 0 for the type itself. A named anonymous type opens a scope. */
  readonly scope: number;
  /** Referenced type; null for enumerators. */
  readonly type: TypeId | null;
  /** Bits from the start of the outermost type; null for a line without an offset. */
  readonly bitOffset: number | null;
  readonly bitfieldSize: number;
  /** Size of a variable in its section, in bytes; null for other lines. */
  readonly size: number | null;
  readonly value: bigint | null;
  /** Index of the line among the items of its type. */
  readonly index: number;
  readonly depth: number;
  /** Line number of the anonymous type that contains the line; -1 if none does. */
  readonly parent: number;
  /** Anonymous type whose members follow the line; null if no members follow. */
  readonly opens: TypeId | null;
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
  const guard = new LoopGuard();
  for (let at = type; !guard.cameRound(at); at = typeId(sizeOrTypeOf(types, at))) {
    const kind = kindOf(types, at);
    if (isComposite(kind)) return nameOffOf(types, at) === 0 ? at : null;
    if (kind === BtfKind.TYPEDEF || !isModifier(kind)) return null;
  }
  return null;
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
  return { lines, isCut };
}
