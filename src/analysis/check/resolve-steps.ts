/**
 * One step of resolving the type on top of the stack, for kinds that name a
 * type or a few. The outcome says whether it is resolved.
 *
 * Source: kernel/bpf/btf.c: btf_modifier_resolve, btf_ptr_resolve,
 * btf_var_resolve, btf_array_resolve, btf_datasec_resolve,
 * btf_decl_tag_resolve, btf_func_check.
 */
import { BTF_ARRAY, BTF_PARAM, BTF_VAR_SECINFO, BtfKind } from '#formats/btf/kinds.ts';
import { isComposite } from '#model/type-items.ts';
import { isModifier } from '#model/type-table.ts';
import { type BlobTypes, NO_TYPE } from './blob-types.ts';
import { type KernelRule, REFERENCE_RULES } from './kernel-rules.ts';
import type { Report } from './report.ts';
import { isRegularInt, isSourceOnly, lacksSize } from './resolve-kinds.ts';

/** What one step of the resolving pass may ask of the walk. `resolver.ts` is the walk. */

/** A type and bytes: of an array or of another type with a size. */
export type Sized = { readonly id: number; readonly size: number };

/**
 * How a step ends: another type was put on top and this one waits for it, or it
 * is broken, which has been reported, or it is resolved: to a type (0 = it stands
 * for itself), and for an array with its size.
 */
export type Outcome = 'waits' | 'broken' | Sized;

export type ResolveWalk = {
  readonly records: BlobTypes;
  readonly report: Report;
  /** The item of the type on top that is to be looked at next. */
  nextItem: number;
  /** Was `id` found to be broken, or could its record not be read at all? */
  isBroken(id: number): boolean;
  isResolved(id: number): boolean;
  /** Must the existing type `id` be resolved before one that names it, in the mode of this walk? */
  mustPush(id: number): boolean;
  /** Puts `id` on top. False where the walk is too deep or has come in a circle, which is reported. */
  push(id: number): boolean;
  /** The pointer at which a resolved modifier ends, where the walk must still go on behind that. */
  pointerBehind(id: number): number | null;
  /** What the resolved type `id` was resolved to: for a FUNC its FUNC_PROTO. */
  resolvedId(id: number): number;
  /** The type with a size that `id` comes to; null where it has none, `unknown` where something on the way is broken. */
  sizedOf(id: number): Sized | 'unknown' | null;
};

const U32_MAX = 0xffffffff;
const ARRAY_RESOLVE = 'btf_array_resolve';
const DATASEC_RESOLVE = 'btf_datasec_resolve';

/** PTR, VAR, TYPEDEF and the modifiers. */
export function stepRef(walk: ResolveWalk, id: number): Outcome {
  const { records } = walk;
  const kind = records.kind(id);
  const next = records.sizeOrType(id);
  const nextKind = records.kind(next);
  // A pointer has a size whatever it points to.
  const broken: Outcome = kind === BtfKind.PTR ? { id: 0, size: 0 } : 'broken';
  const fail = (rule: KernelRule): Outcome => {
    const sentence = () => `${records.label(id)} names ${records.label(next)}.`;
    walk.report.kernel(rule, refFunction(kind), records.place(id, 8), sentence);
    return broken;
  };
  if (walk.isBroken(next)) return broken;
  if (nextKind === NO_TYPE || isSourceOnly(nextKind)) return fail(REFERENCE_RULES.typeId);
  if (walk.mustPush(next)) return walk.push(next) ? 'waits' : broken;
  // A modifier that was resolved for a struct has stopped at the first pointer.
  const behind = isModifier(kind) || !isModifier(nextKind) ? null : walk.pointerBehind(next);
  if (behind !== null) return walk.push(behind) ? 'waits' : broken;
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

/** What pointers and modifiers may end in though it has no size. */
function isSizelessTarget(kind: number): boolean {
  return kind === BtfKind.UNKN || kind === BtfKind.FWD || kind === BtfKind.FUNC_PROTO;
}

/** ARRAY: first its index type, then its elements. */
export function stepArray(walk: ResolveWalk, id: number): Outcome {
  return indexIsDone(walk, id) ? stepElements(walk, id) : 'waits';
}

/** False where the index type was put on top. */
function indexIsDone(walk: ResolveWalk, id: number): boolean {
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

function stepElements(walk: ResolveWalk, id: number): Outcome {
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

/** DATASEC: each of its variables. A variable that had to be resolved first is not measured. */
export function stepDatasec(walk: ResolveWalk, id: number): Outcome {
  const { records, report } = walk;
  const vlen = records.vlen(id);
  for (let index = walk.nextItem; index < vlen; index++) {
    const variable = records.item(id, index, BTF_VAR_SECINFO.at.type);
    if (walk.isBroken(variable)) continue;
    if (records.kind(variable) !== BtfKind.VAR) {
      const sentence = () => `${records.label(id)} lists ${records.label(variable)}.`;
      report.kernel(
        REFERENCE_RULES.notVar,
        DATASEC_RESOLVE,
        records.itemPlace(id, index, BTF_VAR_SECINFO.at.type),
        sentence,
      );
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

function checkVariableSize(walk: ResolveWalk, id: number, index: number, variable: number): void {
  const { records, report } = walk;
  const sized = walk.sizedOf(records.sizeOrType(variable));
  const size = records.item(id, index, BTF_VAR_SECINFO.at.size);
  // A VAR that was resolved has a type with a size.
  if (sized === 'unknown' || sized === null || size >= sized.size) return;
  const place = records.itemPlace(id, index, BTF_VAR_SECINFO.at.size);
  const sentence = () =>
    `${records.label(variable)} has ${size} bytes in ${records.label(id)}, its type ${sized.size}.`;
  report.kernel(REFERENCE_RULES.varSize, DATASEC_RESOLVE, place, sentence);
}

/** DECL_TAG: its target, then the member or argument of it. */
export function stepDeclTag(walk: ResolveWalk, id: number): Outcome {
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

/** What a tag on `target` can count. */
function componentsOf({ records }: ResolveWalk, target: number, kind: number) {
  if (isComposite(kind)) return { count: records.vlen(target), what: 'members' };
  if (kind !== BtfKind.FUNC) return { count: 0, what: 'parts' };
  return { count: records.vlen(records.sizeOrType(target)), what: 'arguments' };
}

/** FUNC: its FUNC_PROTO, whose arguments must have names. */
export function stepFunc(walk: ResolveWalk, id: number): Outcome {
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
