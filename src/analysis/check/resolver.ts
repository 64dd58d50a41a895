/**
 * The kernel's second pass: does every type lead to something with a size?
 *
 * Source: kernel/bpf/btf.c: btf_check_all_types, btf_resolve, env_stack_push and
 * the `…_resolve` of each kind. The walk is the kernel's own, with its stack of
 * 32 and its modes, since verdicts hang on it: a DATASEC listed before its VARs
 * is not checked for their sizes, a pointer to a FUNC is fine only behind it.
 *
 * The kernel stops at the first broken rule. Here the type is set aside as
 * broken, and what rests on it is not blamed for it.
 */
import { BTF_KIND_MAX, BTF_MEMBER, BtfKind } from '#formats/btf/kinds.ts';
import { isComposite } from '#model/type-items.ts';
import { isModifier } from '#model/type-table.ts';
import type { BlobTypes } from './blob-types.ts';
import { REFERENCE_RULES } from './kernel-rules.ts';
import { checkMember } from './member-rules.ts';
import type { Report } from './report.ts';
import { isSourceOnly, lacksSize, needsResolve } from './resolve-kinds.ts';
import {
  type Outcome,
  type ResolveWalk,
  type Sized,
  stepArray,
  stepDatasec,
  stepDeclTag,
  stepFunc,
  stepRef,
} from './resolve-steps.ts';

const MAX_DEPTH = 32;
const POINTER_BYTES = 8;
/** Types of one way that a sentence about it names. */
const SHOWN_STEPS = 8;

const State = { untouched: 0, open: 1, resolved: 2, broken: 3 } as const;
const Mode = { any: 0, ptr: 1, structOrArray: 2 } as const;

export class Resolver implements ResolveWalk {
  readonly records: BlobTypes;
  readonly report: Report;
  readonly #state: Uint8Array;
  readonly #resolvedId: Uint32Array;
  readonly #resolvedSize: Uint32Array;
  readonly #stack: number[] = [];
  /** For each type on the stack the item to go on with. */
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
      if (kind <= BtfKind.UNKN || kind > BTF_KIND_MAX) this.#state[id] = State.broken;
    }
  }

  /** Resolves `root` unless that was done. */
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
        return stepArray(this, id);
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

  /** Takes the type `id` from the stack, unless it waits for another. */
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

  /** The item of the type on top that is to be looked at next. */
  get nextItem(): number {
    return this.#nextItem.at(-1) ?? 0;
  }

  set nextItem(index: number) {
    this.#nextItem[this.#nextItem.length - 1] = index;
  }

  /** Was `id` found to be broken, or could its record not be read at all? */
  isBroken(id: number): boolean {
    return this.#state[id] === State.broken || this.records.isUnread(id);
  }

  isResolved(id: number): boolean {
    return this.#state[id] === State.resolved;
  }

  /** Must the existing type `id` be resolved before one that names it, in the mode of this walk? */
  mustPush(id: number): boolean {
    return !this.#isSink(this.records.kind(id)) && !this.isResolved(id);
  }

  /** What a mode stops at. */
  #isSink(kind: number): boolean {
    if (this.#mode === Mode.any) return !needsResolve(kind);
    if (isModifier(kind)) return false;
    if (this.#mode === Mode.ptr) return kind !== BtfKind.PTR;
    return kind !== BtfKind.ARRAY && !isComposite(kind);
  }

  /** The pointer at which a resolved modifier ends, where the walk must still go on behind that. */
  pointerBehind(id: number): number | null {
    const end = this.resolvedId(id);
    return this.records.kind(end) === BtfKind.PTR && !this.isBroken(end) && this.mustPush(end)
      ? end
      : null;
  }

  /** Puts `id` on top. False where the walk is too deep or has come in a circle, which is reported. */
  push(id: number): boolean {
    const { records, report } = this;
    const root = this.#stack[0] ?? id;
    const where = 'btf_resolve';
    if (this.#stack.length === MAX_DEPTH) {
      const sentence = () =>
        `${records.label(root)} leads over ${MAX_DEPTH} types to ${records.label(id)}, and the chain goes on: ${this.#way(0)}.`;
      report.kernel(REFERENCE_RULES.depth, where, records.place(root, 0, 12), sentence);
      return false;
    }
    if (this.#state[id] !== State.untouched) {
      const from = this.#stack.indexOf(id);
      const sentence = () => `${records.label(root)} is in a cycle: ${this.#way(from)} → [${id}].`;
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

  /** The ids on the stack from `from` on. */
  #way(from: number): string {
    const ids = this.#stack.slice(Math.max(0, from));
    const shown = ids.slice(0, SHOWN_STEPS).map((id) => `[${id}]`);
    return shown.join(' → ') + (ids.length > shown.length ? ' → …' : '');
  }

  /** What the resolved type `id` was resolved to: for a FUNC its FUNC_PROTO. */
  resolvedId(id: number): number {
    return this.#resolvedId[id] ?? 0;
  }

  /** The type with a size that `id` comes to. Source: btf_type_id_size. */
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
    return { id, size: kind === BtfKind.PTR ? POINTER_BYTES : this.records.sizeOrType(id) };
  }
}
