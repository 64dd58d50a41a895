/**
 * Describes a path as a sequence of accesses. An access ends at a pointer, as a CO-RE record does.
 * Each access has a first type, an access string and an offset. Arrays are accessed at element 0.
 */
import type { AccessPath } from '#analysis/core/parse-spec.ts';
import { accessPathOf } from '#analysis/core/playground.ts';
import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { bitfieldWidth, memberBits } from '#analysis/types/member-bits.ts';
import { append } from '#bytes/arrays.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { memberAt } from '#model/type-items.ts';
import { kindOf, nameOf, nameOffOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import type { TypePath } from './ask-paths.ts';
import type { ContainerPart, ContainerStep, MemberStep } from './path-goal.ts';
import { MAX_POINTERS, nextOf } from './path-index.ts';

export type PathStep = {
  /** `access` follows members; `container` goes from a part back to the start of `root`. */
  readonly kind: 'access' | 'container';
  /** First type of the access; the typedef if the type itself has no name. */
  readonly root: TypeId;
  /** Access string as in a CO-RE record: `0:12:3`. */
  readonly accessStr: string;
  /** Member indices of the access up to the first array index, as in a selection. */
  readonly memberPath: readonly number[];
  /** C spelling of the access, not escaped: `a.b[0]`; empty if all members are anonymous. */
  readonly field: string;
  /** True if the last member is anonymous, so that C cannot name it. */
  readonly endsUnnamed: boolean;
  /** Offset of the access from the start of `root`, in bits and in bytes. */
  readonly bitOffset: bigint;
  readonly byteOffset: bigint;
  /** Width of the last member in bits if it is a bit-field, else 0. */
  readonly bitfieldSize: number;
  /** Pointers and arrays from the last member to the type `to`. */
  readonly beyond: readonly ('pointer' | 'array')[];
  /** Type at the end of the access; the wanted field's type keeps its typedefs. */
  readonly to: TypeId;
  /** True if a member on the way belongs to a union, where members share bytes. */
  readonly throughUnion: boolean;
  /** Type tags of the pointer (`percpu`, `user`, `rcu`), not escaped. */
  readonly tags: readonly string[];
  /** Reason why libbpf rejects the access string, or null. Names are not escaped. */
  readonly fault: string | null;
};

export type PathCost = {
  /** Number of followed pointers; a pointer to a pointer counts twice. */
  readonly pointers: number;
  readonly containers: number;
  /** Number of named members in the path. */
  readonly members: number;
};

export type DescribedPath = {
  readonly start: TypeId;
  readonly steps: readonly PathStep[];
  readonly cost: PathCost;
  /** True if the path ends at a field, false if it ends at a type. */
  readonly endsAtField: boolean;
  /** Kind of part at which container_of starts; null without container_of. */
  readonly through: ContainerPart | null;
};

/** Describes a path through the types of `t`. Never throws. */
export function describePath(t: TypeTable, path: TypePath): DescribedPath {
  const steps = accessSteps(t, path.start, path.members, path.container === null ? path.field : []);
  if (path.container !== null) {
    steps.push(containerStep(t, path.container));
    if (path.field.length > 0) append(steps, accessSteps(t, path.container.type, [], path.field));
  }
  const all = [...path.members, ...path.field];
  return {
    start: path.start,
    steps,
    cost: {
      pointers: steps.reduce((sum, { beyond }) => sum + pointersIn(beyond), 0),
      containers: path.container === null ? 0 : 1,
      members: all.filter(({ type, index }) => memberAt(t, type, index)?.name !== '').length,
    },
    endsAtField: path.field.length > 0,
    through: path.container?.through ?? null,
  };
}

/** Returns the number of pointers in `beyond`. */
export function pointersIn(beyond: PathStep['beyond']): number {
  return beyond.filter((part) => part === 'pointer').length;
}

type Open = {
  readonly root: TypeId;
  readonly indices: number[];
  readonly memberPath: number[];
  field: string;
  throughUnion: boolean;
  passedArray: boolean;
};

function accessSteps(
  t: TypeTable,
  start: TypeId,
  members: readonly MemberStep[],
  field: readonly MemberStep[],
): PathStep[] {
  const steps: PathStep[] = [];
  const all = [...members, ...field];
  let open = opened(start);
  all.forEach((step, i) => {
    const member = memberAt(t, step.type, step.index);
    if (member === null) return;
    take(t, open, step, member.name);
    const isLast = i === all.length - 1;
    // The path ends at the field itself, not at the field's elements or pointees.
    const isField = isLast && field.length > 0;
    const shape = memberShape(t, member.type);
    if (!isField) {
      for (let left = shape.arrays; left > 0; left--) {
        open.indices.push(0);
        open.field += '[0]';
        open.passedArray = true;
      }
    }
    const beyond = isField ? [] : shape.beyond;
    if (beyond.length === 0 && !isLast) return;
    const next = all[i + 1];
    const to = isField ? member.type : arrivedAt(t, shape.end, next?.type ?? null);
    const endsUnnamed = member.name === '';
    steps.push(
      closed(t, 'access', open, { beyond, to, endsUnnamed, tags: isField ? [] : shape.tags }),
    );
    open = opened(to);
  });
  return steps;
}

function containerStep(t: TypeTable, { type, members }: ContainerStep): PathStep {
  const open = opened(type);
  let endsUnnamed = false;
  for (const step of members) {
    const name = memberAt(t, step.type, step.index)?.name ?? '';
    take(t, open, step, name);
    endsUnnamed = name === '';
  }
  return closed(t, 'container', open, { beyond: [], to: type, endsUnnamed, tags: [] });
}

function opened(root: TypeId): Open {
  return {
    root,
    indices: [0],
    memberPath: [],
    field: '',
    throughUnion: false,
    passedArray: false,
  };
}

function take(t: TypeTable, open: Open, { type, index }: MemberStep, name: string): void {
  open.indices.push(index);
  if (!open.passedArray) open.memberPath.push(index);
  if (name !== '') open.field += open.field === '' ? name : `.${name}`;
  open.throughUnion ||= kindOf(t, type) === BtfKind.UNION;
}

function closed(
  t: TypeTable,
  kind: PathStep['kind'],
  { root, indices, memberPath, field, throughUnion }: Open,
  end: Pick<PathStep, 'beyond' | 'to' | 'endsUnnamed' | 'tags'>,
): PathStep {
  const accessStr = indices.join(':');
  const access = accessPathOf(t, { root, accessStr });
  const bits = lastBits(t, access);
  const bitOffset = access.bitOffset + BigInt(bits?.inInt ?? 0);
  return {
    kind,
    root,
    accessStr,
    memberPath,
    field,
    bitOffset,
    byteOffset: bitOffset / 8n,
    bitfieldSize: bits?.width ?? 0,
    throughUnion,
    fault: access.error?.message ?? null,
    ...end,
  };
}

/** Returns the width of the last member if it is a bit-field, and its bits from its offset on. */
function lastBits(t: TypeTable, { steps }: AccessPath) {
  const last = steps.at(-1);
  const isMember = last?.means === 'member' || last?.means === 'anonymous-member';
  const composite = last && isMember ? skipModifiers(t, last.container) : null;
  const member = composite && last ? memberAt(t, composite, last.index) : null;
  if (composite === null || member === null) return null;
  const bits = memberBits(t, composite, member);
  return { width: bitfieldWidth(bits), inInt: bits.bitOffset - member.bitOffset };
}

/** Returns `next`, which is the full type, if `end` is a forward declaration; else `end`. */
function arrivedAt(t: TypeTable, end: TypeId, next: TypeId | null): TypeId {
  return next !== null && kindOf(t, end) === BtfKind.FWD ? next : end;
}

/** Arrays, pointers and type tags between a member and the struct that its type leads to. */
type MemberShape = {
  /** Number of array dimensions; the access string has an index for each. */
  readonly arrays: number;
  /** Pointers and arrays of the member's type, in order, from the first pointer on. */
  readonly beyond: readonly ('pointer' | 'array')[];
  /** Type tags of the pointers, not escaped: `percpu`, `user`, `rcu`. */
  readonly tags: readonly string[];
  /** Type after all arrays and pointers; the typedef if the type itself has no name. */
  readonly end: TypeId;
};

/** Maximum number of arrays and pointers in one member's type. */
const MAX_PARTS = 64;

/** Returns the shape of a member of type `id`. Never throws; stops after MAX_PARTS parts. */
function memberShape(t: TypeTable, id: TypeId): MemberShape {
  const guard = new LoopGuard();
  const beyond: ('pointer' | 'array')[] = [];
  const tags: string[] = [];
  let arrays = 0;
  let named: TypeId | null = null;
  let at = id;
  while (!guard.cameRound(at)) {
    const kind = kindOf(t, at);
    if (kind === BtfKind.TYPEDEF) named = at;
    else if (kind === BtfKind.PTR || kind === BtfKind.ARRAY) named = null;
    if (kind === BtfKind.TYPE_TAG && tags.length < MAX_POINTERS) tags.push(nameOf(t, at));
    if (kind === BtfKind.ARRAY && beyond.length === 0) arrays++;
    else if (kind === BtfKind.ARRAY) beyond.push('array');
    else if (kind === BtfKind.PTR) beyond.push('pointer');
    const next = nextOf(t, at);
    if (next === null || arrays + beyond.length > MAX_PARTS) break;
    at = typeId(next);
  }
  return { arrays, beyond, tags, end: nameOffOf(t, at) === 0 && named !== null ? named : at };
}
