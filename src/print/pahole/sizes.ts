/**
 * Computes sizes and natural alignments in bytes as pahole does. The size of an INT follows
 * from its bits. An empty struct of one byte has size 0. A loop of types is a missing type.
 */
import { LoopGuard } from '#analysis/types/loop-guard.ts';
import { BtfKind, hasSize } from '#formats/btf/kinds.ts';
import { isComposite } from '#model/type-items.ts';
import { HEAD_WORDS, MEMBER_WORDS, type Records } from './records.ts';

const TWO_32 = 2 ** 32;
const SIZE_BITS = 64;

export class Sizes {
  /** By index from `indexOf`: 1 + the id of the type without typedefs and modifiers. */
  readonly stripped: Uint32Array;
  /** Size as in a size_t of C: exact below 2^32, larger sizes are 2^32 + the low 32 bits. */
  readonly sizes: Float64Array;
  /** Natural alignment, at least 1. That of a composite has 16 bits, as in pahole. */
  readonly alignments: Uint32Array;
  readonly #records: Records;
  readonly #pointerSize: number;
  /** Composites whose alignment is being computed, each with the index of its next member. */
  readonly #open: number[] = [];
  readonly #next: number[] = [];
  /** By index from `indexOf`: 1 if the composite is in `#open`. */
  readonly #isOpen: Uint8Array;

  constructor(records: Records, pointerSize: number) {
    const count = records.last + 1 - records.first;
    this.#records = records;
    this.#pointerSize = pointerSize;
    this.stripped = new Uint32Array(count);
    this.sizes = new Float64Array(count);
    this.alignments = new Uint32Array(count);
    this.#isOpen = new Uint8Array(count);
  }

  /** Returns the type's index, computed at the first call; -1 if it leads to void or is missing. */
  indexOf(id: number): number {
    // An index above 2^31 would make V8 deoptimize at each call.
    if (id > this.#records.last) return -1;
    const index = id - this.#records.first;
    if ((this.alignments[index] ?? 0) === 0) {
      if (this.#records.kind(id) === 0) return -1;
      this.#find(id, index);
    }
    return this.stripped[index] === VOID ? -1 : index;
  }

  #find(id: number, index: number): void {
    const { sizes, alignments } = this;
    const type = this.#strip(id);
    if (type === id) {
      sizes[index] = this.#sizeOf(id);
      alignments[index] = this.#alignmentOf(id);
    } else if (type === 0) {
      alignments[index] = 1;
    } else {
      const from = this.indexOf(type);
      sizes[index] = sizes[from] ?? 0;
      alignments[index] = alignments[from] ?? 1;
    }
  }

  /** Returns the type behind typedefs and modifiers; 0 if it is void or missing. */
  #strip(id: number): number {
    const records = this.#records;
    if (records.kind(id) === 0) return 0;
    const index = id - records.first;
    const known = this.stripped[index] ?? 0;
    if (known !== 0) return known - 1;
    let at = id;
    const passed: number[] = [];
    while (at !== 0 && isModifier(records.kind(at))) {
      const end = this.stripped[at - records.first] ?? 0;
      if (end !== 0) {
        at = end - 1;
        break;
      }
      // A chain that comes back to this type is a cycle, and its end is 0.
      this.stripped[at - records.first] = 1;
      passed.push(at - records.first);
      at = records.refOf(at);
    }
    const type = records.kind(at) === 0 ? 0 : at;
    this.stripped[index] = type + 1;
    for (const each of passed) this.stripped[each] = type + 1;
    return type;
  }

  #sizeOf(id: number): number {
    const kind = this.#records.kind(id);
    const isDerived =
      kind === BtfKind.ARRAY || kind === BtfKind.FUNC_PROTO || kind === BtfKind.TYPE_TAG;
    return isDerived ? this.#derivedSize(id) : this.#ownSize(id);
  }

  #derivedSize(id: number): number {
    const records = this.#records;
    const guard = new LoopGuard();
    let factor = 1;
    let at = id;
    for (;;) {
      const kind = records.kind(at);
      const isArray = kind === BtfKind.ARRAY;
      const isPassed = kind === BtfKind.FUNC_PROTO || kind === BtfKind.TYPE_TAG || isModifier(kind);
      if (!isArray && !isPassed) {
        const size = this.#ownSize(at);
        const isExact = factor * size < TWO_32;
        return isExact ? factor * size : truncated(this.#factor(id, at) * BigInt(size));
      }
      const next = records.refOf(at);
      // For an array of void or of a tag on void, pahole reads uninitialized memory: use 0.
      if (next === 0) return 0;
      // A missing type has the size -1.
      if (records.kind(next) === 0 || guard.cameRound(at)) return truncated(-this.#factor(id, at));
      if (isArray) factor *= records.nelems(at);
      at = next;
    }
  }

  /** Returns the number of `to` elements in one `from`, modulo 2^64. */
  #factor(from: number, to: number): bigint {
    const records = this.#records;
    let factor = 1n;
    for (let at = from; at !== to; at = records.refOf(at)) {
      if (records.kind(at) !== BtfKind.ARRAY) continue;
      factor = BigInt.asUintN(SIZE_BITS, factor * BigInt(records.nelems(at)));
    }
    return factor;
  }

  #ownSize(id: number): number {
    const records = this.#records;
    const size = records.size(id);
    switch (records.kind(id)) {
      case BtfKind.PTR:
        return this.#pointerSize;
      case BtfKind.INT:
        return ((records.words[records.start(id) + HEAD_WORDS] ?? 0) & 0xff) >>> 3;
      case BtfKind.FLOAT:
        return ((size * 8) & 0xffff) >>> 3;
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        return size === 0 ? 4 : size & 0x1fffffff;
      default:
        return size === 1 && records.vlen(id) === 0 ? 0 : size;
    }
  }

  #alignmentOf(id: number): number {
    const type = this.#elementOf(id);
    if (this.#isComposite(type)) {
      return this.alignments[type - this.#records.first] || this.#widestMember(type);
    }
    const kind = this.#records.kind(type);
    return kind === BtfKind.PTR || hasSize(kind) ? this.#ownSize(type) || 1 : 1;
  }

  /** Returns the element type behind array dimensions, typedefs and modifiers. */
  #elementOf(id: number): number {
    const records = this.#records;
    let at = id;
    let guard: LoopGuard | null = null;
    for (let steps = 0; records.kind(at) === BtfKind.ARRAY; steps++) {
      if (steps > MAX_UNGUARDED) guard ??= new LoopGuard();
      at = guard?.cameRound(at) ? 0 : this.#strip(records.refOf(at));
    }
    return at;
  }

  /** Returns the largest alignment of members. A type inside itself has the alignment so far. */
  #widestMember(id: number): number {
    const records = this.#records;
    const { alignments } = this;
    const { first, words } = records;
    const open = this.#open;
    const next = this.#next;
    const isOpen = this.#isOpen;
    let composite = id;
    let member = 0;
    for (;;) {
      const index = composite - first;
      isOpen[index] = 1;
      const count = records.vlen(composite);
      const start = records.start(composite) + HEAD_WORDS;
      let inner = 0;
      for (; member < count && inner === 0; member++) {
        const type = this.#elementOf(this.#strip(words[start + MEMBER_WORDS * member + 1] ?? 0));
        if (type === 0) continue;
        if (this.#isComposite(type) && alignments[type - first] === 0) {
          // A composite in `#open` contains itself: skip it. Others are computed first.
          if (isOpen[type - first] === 0) inner = type;
          continue;
        }
        const alignment = this.#alignmentOf(type);
        if ((alignments[index] ?? 0) < alignment) alignments[index] = alignment & 0xffff;
      }
      if (inner !== 0) {
        open.push(composite);
        next.push(member - 1);
        composite = inner;
        member = 0;
        continue;
      }
      if (alignments[index] === 0) alignments[index] = 1;
      this.stripped[index] = composite + 1;
      this.sizes[index] = this.#ownSize(composite);
      isOpen[index] = 0;
      const outer = open.pop();
      if (outer === undefined) return alignments[id - first] ?? 1;
      composite = outer;
      member = next.pop() ?? 0;
    }
  }

  #isComposite(id: number): boolean {
    return isComposite(this.#records.kind(id));
  }
}

/** Number of steps without a check for loops; chains are rarely longer. */
const MAX_UNGUARDED = 16;

/** Value in `stripped` for a type that leads to void: 1 + the id of void. */
const VOID = 1;

/** Returns true for TYPEDEF, VOLATILE, CONST, RESTRICT; not TYPE_TAG (tag__is_modifier). */
function isModifier(kind: number): boolean {
  return kind >= BtfKind.TYPEDEF && kind <= BtfKind.RESTRICT;
}

function truncated(size: bigint): number {
  const value = BigInt.asUintN(SIZE_BITS, size);
  const low = Number(BigInt.asUintN(32, value));
  return value === BigInt(low) ? low : TWO_32 + low;
}
