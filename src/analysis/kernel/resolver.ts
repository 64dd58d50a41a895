/**
 * The kernel's second pass: every type resolves to a type with a size. The verdict depends on the
 * order of the kernel's walk, its stack of 32 entries and its modes. A DATASEC does not check the
 * sizes of VARs that follow it; a pointer to a FUNC is valid only after the FUNC. The kernel stops
 * at the first broken rule; here, types that refer to the broken type are not reported. Source:
 * kernel/bpf/btf.c: btf_check_all_types, btf_resolve, env_stack_push and the `…_resolve` of each
 * kind.
 */
import { BTF_ARRAY, BTF_MEMBER, BTF_PARAM, BTF_VAR_SECINFO, BtfKind } from '#formats/btf/kinds.ts';
import { isComposite } from '#model/type-items.ts';
import { isModifier } from '#model/type-table.ts';
import {
  type BlobTypes,
  isRegularInt,
  isSourceOnly,
  lacksSize,
  NO_TYPE,
  needsResolve,
  type Sized,
} from './blob-types.ts';
import { checkMember } from './member-rules.ts';
import { type KernelRule, REFERENCE_RULES } from './rules.ts';
import type { Report } from './verdict.ts';

const U32_MAX = 0xffffffff;
const ARRAY_RESOLVE = 'btf_array_resolve';
const DATASEC_RESOLVE = 'btf_datasec_resolve';
const MAX_DEPTH = 32;
/** Maximum number of types of a chain that a sentence shows. */
const MAX_SHOWN = 8;

const State = { untouched: 0, open: 1, resolved: 2, broken: 3 } as const;
const Mode = { any: 0, ptr: 1, structOrArray: 2 } as const;

/**
 * Result of a step: the type `waits` for a type on top of the stack, is `broken` and reported, or
 * is resolved to type `id` (0 for the type itself). `size` is set only for arrays.
 */
type Outcome = 'waits' | 'broken' | Sized;

export class Resolver {
  readonly records: BlobTypes;
  readonly report: Report;
  readonly #state: Uint8Array;
  readonly #resolvedId: Uint32Array;
  readonly #resolvedSize: Uint32Array;
  readonly #stack: number[] = [];
  /** Index of the next item to resolve for each type on the stack. */
  readonly #nextItem: number[] = [];
  #mode: (typeof Mode)[keyof typeof Mode] = Mode.any;

  constructor(records: BlobTypes, report: Report) {
    this.records = records;
    this.report = report;
    this.#state = new Uint8Array(records.endId);
    this.#resolvedId = new Uint32Array(records.endId);
    this.#resolvedSize = new Uint32Array(records.endId);
    for (let id = 1; id < records.endId; id++) {
      const kind = records.kind(id);
      if (kind <= BtfKind.UNKN || kind > records.kernel.kindMax) this.#state[id] = State.broken;
    }
  }

  /** Resolves `root` unless it is already resolved. */
  resolve(root: number): void {
    if (this.#state[root] !== State.untouched || !needsResolve(this.records.kind(root))) return;
    this.#mode = Mode.any;
    this.push(root);
    for (let id = this.#stack.at(-1); id !== undefined; id = this.#stack.at(-1)) {
      this.#settle(id, this.#step(id));
    }
  }

  #step(id: number): Outcome {
    switch (this.records.kind(id)) {
      case BtfKind.STRUCT:
      case BtfKind.UNION:
        return this.#stepComposite(id);
      case BtfKind.ARRAY:
        // An array resolves its index type first, then its elements.
        return indexIsDone(this, id) ? stepElements(this, id) : 'waits';
      case BtfKind.DATASEC:
        this.#mode = Mode.any;
        return stepDatasec(this, id);
      case BtfKind.FUNC:
        return stepFunc(this, id);
      case BtfKind.DECL_TAG:
        return stepDeclTag(this, id);
      default:
        return stepRef(this, id);
    }
  }

  /** Removes `id` from the stack, unless it waits for another type. */
  #settle(id: number, outcome: Outcome): void {
    if (outcome === 'waits') return;
    this.#stack.pop();
    this.#nextItem.pop();
    this.#state[id] = outcome === 'broken' ? State.broken : State.resolved;
    this.#resolvedId[id] = outcome === 'broken' ? 0 : outcome.id;
    this.#resolvedSize[id] = outcome === 'broken' ? 0 : outcome.size;
  }

  #stepComposite(id: number): Outcome {
    const { records, report } = this;
    const vlen = records.vlen(id);
    const first = this.nextItem;
    if (first > 0) checkMember(this, id, first - 1);
    for (let index = first; index < vlen; index++) {
      const type = records.item(id, index, BTF_MEMBER.at.type);
      if (this.isBroken(type)) continue;
      const kind = records.kind(type);
      if (lacksSize(kind) || isSourceOnly(kind)) {
        const place = records.itemPlace(id, index, BTF_MEMBER.at.type);
        const sentence = () =>
          `The type of member ${index} of ${records.label(id)} is ${records.label(type)}.`;
        report.kernel(REFERENCE_RULES.member, 'btf_struct_resolve', place, sentence);
        continue;
      }
      if (this.mustPush(type)) {
        this.nextItem = index + 1;
        if (this.push(type)) return 'waits';
        continue;
      }
      checkMember(this, id, index);
    }
    return { id: 0, size: 0 };
  }

  /** Index of the next item of the type on top of the stack. */
  get nextItem(): number {
    return this.#nextItem.at(-1) ?? 0;
  }

  set nextItem(index: number) {
    this.#nextItem[this.#nextItem.length - 1] = index;
  }

  /** Returns true for a type that is broken or whose record cannot be read. */
  isBroken(id: number): boolean {
    return this.#state[id] === State.broken || this.records.isUnread(id);
  }

  isResolved(id: number): boolean {
    return this.#state[id] === State.resolved;
  }

  /** Returns true if a type that refers to `id` must wait for `id` in the current mode. */
  mustPush(id: number): boolean {
    return !this.#isSink(this.records.kind(id)) && !this.isResolved(id);
  }

  /** Returns true if the walk ends at types of `kind` in the current mode. */
  #isSink(kind: number): boolean {
    if (this.#mode === Mode.any) return !needsResolve(kind);
    if (isModifier(kind)) return false;
    if (this.#mode === Mode.ptr) return kind !== BtfKind.PTR;
    return kind !== BtfKind.ARRAY && !isComposite(kind);
  }

  /** Returns the pointer at the end of a modifier if that pointer must be resolved; else null. */
  pointerAfter(id: number): number | null {
    const end = this.resolvedId(id);
    return this.records.kind(end) === BtfKind.PTR && !this.isBroken(end) && this.mustPush(end)
      ? end
      : null;
  }

  /** Pushes `id`. For a cycle or a walk that is too deep, reports it and returns false. */
  push(id: number): boolean {
    const { records, report } = this;
    const root = this.#stack[0] ?? id;
    const where = 'btf_resolve';
    if (this.#stack.length === MAX_DEPTH) {
      const sentence = () =>
        `${records.label(root)} leads over ${MAX_DEPTH} types to ${records.label(id)}, and the chain goes on: ${this.#chainFrom(0)}.`;
      report.kernel(REFERENCE_RULES.depth, where, records.place(root, 0, 12), sentence);
      return false;
    }
    if (this.#state[id] !== State.untouched) {
      const from = this.#stack.indexOf(id);
      const sentence = () =>
        `${records.label(root)} is in a cycle: ${this.#chainFrom(from)} → [${id}].`;
      report.kernel(REFERENCE_RULES.loop, where, records.place(root, 0, 12), sentence);
      return false;
    }
    this.#state[id] = State.open;
    this.#stack.push(id);
    this.#nextItem.push(0);
    const kind = records.kind(id);
    if (this.#mode === Mode.any && kind === BtfKind.PTR) this.#mode = Mode.ptr;
    else if (this.#mode === Mode.any && (kind === BtfKind.ARRAY || isComposite(kind))) {
      this.#mode = Mode.structOrArray;
    }
    return true;
  }

  /** Returns the ids on the stack from index `from` on, as text. */
  #chainFrom(from: number): string {
    const ids = this.#stack.slice(Math.max(0, from));
    const shown = ids.slice(0, MAX_SHOWN).map((id) => `[${id}]`);
    return shown.join(' → ') + (ids.length > shown.length ? ' → …' : '');
  }

  /** Returns the target of a resolved type; for a FUNC its FUNC_PROTO. */
  resolvedId(id: number): number {
    return this.#resolvedId[id] ?? 0;
  }

  /** Returns the sized type that `id` resolves to; null for none. Source: btf_type_id_size. */
  sizedOf(id: number): Sized | 'unknown' | null {
    const kind = this.records.kind(id);
    if (this.isBroken(id)) return 'unknown';
    if (lacksSize(kind)) return null;
    if (!isModifier(kind) && kind !== BtfKind.VAR) return this.#ownSize(id, kind);
    const end = this.resolvedId(id);
    if (this.isBroken(end)) return 'unknown';
    const endKind = this.records.kind(end);
    return lacksSize(endKind) || isModifier(endKind) ? null : this.#ownSize(end, endKind);
  }

  #ownSize(id: number, kind: number): Sized {
    if (kind === BtfKind.ARRAY) return { id, size: this.#resolvedSize[id] ?? 0 };
    const { records } = this;
    return { id, size: kind === BtfKind.PTR ? records.pointerBytes : records.sizeOrType(id) };
  }
}

/** Makes one step for a PTR, VAR, TYPEDEF or modifier on top of the stack. */
function stepRef(walk: Resolver, id: number): Outcome {
  const { records } = walk;
  const kind = records.kind(id);
  const next = records.sizeOrType(id);
  const nextKind = records.kind(next);
  // A pointer has a size, whatever type it points to.
  const broken: Outcome = kind === BtfKind.PTR ? { id: 0, size: 0 } : 'broken';
  const fail = (rule: KernelRule): Outcome => {
    const sentence = () => `${records.label(id)} names ${records.label(next)}.`;
    walk.report.kernel(rule, refFunction(kind), records.place(id, 8), sentence);
    return broken;
  };
  if (walk.isBroken(next)) return broken;
  if (nextKind === NO_TYPE || isSourceOnly(nextKind)) return fail(REFERENCE_RULES.typeId);
  if (walk.mustPush(next)) return walk.push(next) ? 'waits' : broken;
  // A modifier that was resolved for a struct may end at a pointer that must still be resolved.
  const pointer = isModifier(kind) || !isModifier(nextKind) ? null : walk.pointerAfter(next);
  if (pointer !== null) return walk.push(pointer) ? 'waits' : broken;
  const sized = walk.sizedOf(next);
  if (sized === 'unknown') return broken;
  if (sized !== null) return { id: sized.id, size: 0 };
  if (kind === BtfKind.VAR) return fail(REFERENCE_RULES.varType);
  const end = walk.isResolved(next) ? walk.resolvedId(next) : next;
  return isSizelessTarget(records.kind(end)) ? { id: end, size: 0 } : fail(REFERENCE_RULES.typeId);
}

function refFunction(kind: number): string {
  if (kind === BtfKind.PTR) return 'btf_ptr_resolve';
  return kind === BtfKind.VAR ? 'btf_var_resolve' : 'btf_modifier_resolve';
}

/** Returns true for kinds without a size at which pointers and modifiers may end. */
function isSizelessTarget(kind: number): boolean {
  return kind === BtfKind.UNKN || kind === BtfKind.FWD || kind === BtfKind.FUNC_PROTO;
}

/** Checks the index type of an array. Returns false if the index type must be resolved first. */
function indexIsDone(walk: Resolver, id: number): boolean {
  const { records, report } = walk;
  const index = records.fixed(id, BTF_ARRAY.at.index_type);
  const kind = records.kind(index);
  if (walk.isBroken(index)) return true;
  const unfit = lacksSize(kind) || isSourceOnly(kind);
  if (!unfit && walk.mustPush(index)) return !walk.push(index);
  const sized = unfit ? null : walk.sizedOf(index);
  if (sized === 'unknown' || (sized !== null && isRegularInt(records, sized.id))) return true;
  const sentence = () => `The index type of ${records.label(id)} is ${records.label(index)}.`;
  const place = records.fixedPlace(id, BTF_ARRAY.at.index_type);
  report.kernel(REFERENCE_RULES.arrayIndex, ARRAY_RESOLVE, place, sentence);
  return true;
}

function stepElements(walk: Resolver, id: number): Outcome {
  const { records, report } = walk;
  const elem = records.fixed(id, BTF_ARRAY.at.type);
  const nelems = records.fixed(id, BTF_ARRAY.at.nelems);
  const kind = records.kind(elem);
  if (walk.isBroken(elem)) return 'broken';
  const unfit = lacksSize(kind) || isSourceOnly(kind);
  if (!unfit && walk.mustPush(elem)) return walk.push(elem) ? 'waits' : 'broken';
  const sized = unfit ? null : walk.sizedOf(elem);
  if (sized === 'unknown') return 'broken';
  const place = records.fixedPlace(id, BTF_ARRAY.at.type);
  const sentence = () => `The element type of ${records.label(id)} is ${records.label(elem)}.`;
  if (sized === null) {
    report.kernel(REFERENCE_RULES.arrayElem, ARRAY_RESOLVE, place, sentence);
    return 'broken';
  }
  if (records.kind(sized.id) === BtfKind.INT && !isRegularInt(records, sized.id)) {
    report.kernel(REFERENCE_RULES.arrayInt, ARRAY_RESOLVE, place, sentence);
  }
  if (nelems > 0 && sized.size > Math.floor(U32_MAX / nelems)) {
    const tooBig = () => `${records.label(id)} has ${nelems} elements of ${sized.size} bytes.`;
    const nelemsPlace = records.fixedPlace(id, BTF_ARRAY.at.nelems);
    report.kernel(REFERENCE_RULES.arraySize, ARRAY_RESOLVE, nelemsPlace, tooBig);
    return 'broken';
  }
  return { id: sized.id, size: sized.size * nelems };
}

/** Makes one step for a DATASEC. A variable that must be resolved first is not size-checked. */
function stepDatasec(walk: Resolver, id: number): Outcome {
  const { records, report } = walk;
  const vlen = records.vlen(id);
  for (let index = walk.nextItem; index < vlen; index++) {
    const variable = records.item(id, index, BTF_VAR_SECINFO.at.type);
    if (walk.isBroken(variable)) continue;
    if (records.kind(variable) !== BtfKind.VAR) {
      const place = records.itemPlace(id, index, BTF_VAR_SECINFO.at.type);
      const sentence = () => `${records.label(id)} lists ${records.label(variable)}.`;
      report.kernel(REFERENCE_RULES.notVar, DATASEC_RESOLVE, place, sentence);
      continue;
    }
    if (walk.mustPush(variable)) {
      walk.nextItem = index + 1;
      if (walk.push(variable)) return 'waits';
      continue;
    }
    checkVariableSize(walk, id, index, variable);
  }
  return { id: 0, size: 0 };
}

function checkVariableSize(walk: Resolver, id: number, index: number, variable: number): void {
  const { records, report } = walk;
  const sized = walk.sizedOf(records.sizeOrType(variable));
  const size = records.item(id, index, BTF_VAR_SECINFO.at.size);
  // A resolved VAR always has a type with a size.
  if (sized === 'unknown' || sized === null || size >= sized.size) return;
  const place = records.itemPlace(id, index, BTF_VAR_SECINFO.at.size);
  const sentence = () =>
    `${records.label(variable)} has ${size} bytes in ${records.label(id)}, its type ${sized.size}.`;
  report.kernel(REFERENCE_RULES.varSize, DATASEC_RESOLVE, place, sentence);
}

/** Makes one step for a DECL_TAG: checks its target, then the tagged member or argument. */
function stepDeclTag(walk: Resolver, id: number): Outcome {
  const { records, report } = walk;
  const where = 'btf_decl_tag_resolve';
  const target = records.sizeOrType(id);
  const kind = records.kind(target);
  if (walk.isBroken(target)) return 'broken';
  const fits = kind === BtfKind.FUNC || kind === BtfKind.VAR || kind === BtfKind.TYPEDEF;
  if (!fits && !isComposite(kind)) {
    const sentence = () => `${records.label(id)} is on ${records.label(target)}.`;
    report.kernel(REFERENCE_RULES.tagTarget, where, records.place(id, 8), sentence);
    return 'broken';
  }
  if (walk.mustPush(target)) return walk.push(target) ? 'waits' : 'broken';
  const component = records.fixed(id);
  const { count, what } = componentsOf(walk, target, kind);
  if (component !== U32_MAX && component >= count) {
    const sentence = () =>
      `component_idx of ${records.label(id)} is ${component | 0}; ${what} of ${records.label(target)}: ${count}.`;
    report.kernel(REFERENCE_RULES.tagComponent, where, records.fixedPlace(id), sentence);
  }
  return { id: target, size: 0 };
}

/** Returns the number of members or arguments of `target`. */
function componentsOf({ records }: Resolver, target: number, kind: number) {
  if (isComposite(kind)) return { count: records.vlen(target), what: 'members' };
  if (kind !== BtfKind.FUNC) return { count: 0, what: 'parts' };
  return { count: records.vlen(records.sizeOrType(target)), what: 'arguments' };
}

/** Makes one step for a FUNC. Its arguments must have names. */
function stepFunc(walk: Resolver, id: number): Outcome {
  const { records, report } = walk;
  const where = 'btf_func_check';
  const proto = records.sizeOrType(id);
  if (walk.isBroken(proto)) return 'broken';
  if (records.kind(proto) !== BtfKind.FUNC_PROTO) {
    const sentence = () => `${records.label(id)} names ${records.label(proto)}.`;
    report.kernel(REFERENCE_RULES.funcType, where, records.place(id, 8), sentence);
    return 'broken';
  }
  const vlen = records.vlen(proto);
  for (let index = 0; index < vlen; index++) {
    const { name_off: name, type } = BTF_PARAM.at;
    if (records.item(proto, index, name) !== 0 || records.item(proto, index, type) === 0) continue;
    const place = { ...records.itemPlace(proto, index, name), typeId: id };
    const sentence = () => `Argument ${index + 1} of ${records.label(id)} has no name.`;
    report.kernel(REFERENCE_RULES.argName, where, place, sentence);
  }
  return { id: proto, size: 0 };
}
