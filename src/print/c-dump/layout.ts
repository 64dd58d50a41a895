/**
 * Sizes and alignments as libbpf's C printer works them out, for every member of a kernel.
 *
 * In: records as words. Out: 32-bit numbers, as the C code has them, so that sizes
 * beyond them come out as they do there. `analysis/sizes.ts` answers the same
 * questions for one type, exactly; here each answer is remembered in a column.
 *
 * Source: libbpf, `btf__align_of`, `btf__resolve_size`, `btf_is_struct_packed`.
 */
import { pointerSize } from '#analysis/types/sizes.ts';
import { BtfKind, infoKindFlag, infoVlen } from '#formats/btf/kinds.ts';
import {
  ITEMS_AT,
  isLeftOut,
  kindAt,
  linkOf,
  MEMBER,
  type MemberChoice,
  type Records,
} from './records.ts';

/** Modifiers and array dimensions that `btf__resolve_size` follows before it gives up. */
const MAX_RESOLVE_DEPTH = 32;

/** Modifiers and dimensions beyond which a chain is a long one. */
const LONG_CHAIN = 16;

const UNKNOWN = 255;
/** The bits of an alignment, and that of a composite that must have been packed. */
const ALIGN = 15;
const PACKED = 17;

/** A struct whose alignment is being worked out: the next member, and the most that any asked for. */
type Frame = { readonly id: number; index: number; max: number };

const known = new WeakMap<Records, Layout>();

/** The layout of all types; one for each `records`, since it remembers what it was asked. */
export function layoutOf(records: Records): Layout {
  let layout = known.get(records);
  if (layout === undefined) {
    layout = new Layout(records);
    known.set(records, layout);
  }
  return layout;
}

export class Layout {
  readonly pointerSize: 4 | 8;
  readonly #records: Records;
  /** By id, composites only. */
  readonly #aligns: Uint8Array;
  /** Where long chains end, by each id on the way. */
  readonly #ends = new Map<number, number>();

  constructor(records: Records) {
    this.#records = records;
    this.pointerSize = pointerSize(records.types);
    this.#aligns = new Uint8Array(records.lastId + 1).fill(UNKNOWN);
  }

  /** Bytes of a type, 0 for what has none or too many for 32 bits. */
  sizeOf(id: number): number {
    const { words, at } = this.#records;
    let nelems = 1;
    let type = id;
    for (let depth = 0; depth < MAX_RESOLVE_DEPTH; depth++) {
      const place = at[type] ?? 0;
      switch (kindAt(this.#records, type)) {
        case BtfKind.INT:
        case BtfKind.STRUCT:
        case BtfKind.UNION:
        case BtfKind.ENUM:
        case BtfKind.ENUM64:
        case BtfKind.FLOAT:
        case BtfKind.DATASEC:
          return total(nelems, words[place + 2] ?? 0);
        case BtfKind.PTR:
          return total(nelems, this.pointerSize);
        case BtfKind.ARRAY:
          nelems *= words[place + 5] ?? 0;
          if (nelems > 0xffffffff) return 0;
          type = words[place + 3] ?? 0;
          break;
        case BtfKind.TYPEDEF:
        case BtfKind.VOLATILE:
        case BtfKind.CONST:
        case BtfKind.RESTRICT:
        case BtfKind.VAR:
        case BtfKind.DECL_TAG:
        case BtfKind.TYPE_TAG:
          type = words[place + 2] ?? 0;
          break;
        default:
          return 0;
      }
    }
    return 0;
  }

  /**
   * Natural alignment in bytes: at most that of a pointer, 1 for a composite that
   * must have been packed, 0 for what has no size or holds such a thing.
   */
  alignOf(id: number): number {
    const thing = this.#alignedThing(id);
    const kind = kindAt(this.#records, thing);
    return isComposite(kind) ? this.#compositeAlign(thing) & ALIGN : this.#scalarAlign(thing, kind);
  }

  /**
   * Does the layout of a struct or union, with its members or the `choice` of them, contradict natural
   * alignment, so that it must have been packed?
   */
  isPacked(id: number, choice: MemberChoice | null): boolean {
    const align = this.#compositeAlign(id);
    // Where a member has no size, only those that have one count.
    return align === 0 || choice !== null ? this.#looksPacked(id, choice) : align > ALIGN;
  }

  #looksPacked(id: number, choice: MemberChoice | null): boolean {
    const { words, at } = this.#records;
    const start = at[id] ?? 0;
    const info = words[start + 1] ?? 0;
    const vlen = infoVlen(info);
    const kindFlag = infoKindFlag(info);
    let max = 1;
    for (let index = 0; index < vlen; index++) {
      if (isLeftOut(choice, id, index)) continue;
      const member = start + ITEMS_AT + MEMBER * index;
      const align = this.alignOf(words[member + 1] ?? 0);
      if (align !== 0 && isMisaligned(words[member + 2] ?? 0, kindFlag, align)) return true;
      max = Math.max(max, align);
    }
    return (words[start + 2] ?? 0) % max !== 0;
  }

  /** Follows modifiers, typedefs and arrays to the type whose alignment counts; void when they lead in a circle. */
  #alignedThing(id: number): number {
    let at = id;
    for (let steps = 0; steps < LONG_CHAIN; steps++) {
      const next = this.#wrapped(at);
      if (next < 0) return at;
      at = next;
    }
    return this.#endOfLongChain(id);
  }

  /** Remembers the end for all on the way: a chain of thousands may be asked for from everywhere. */
  #endOfLongChain(id: number): number {
    const path: number[] = [];
    let at = id;
    let end = this.#ends.get(at);
    while (end === undefined) {
      path.push(at);
      // Should the way come back to here, it is a circle.
      this.#ends.set(at, 0);
      const next = this.#wrapped(at);
      end = next < 0 ? at : this.#ends.get(next);
      at = next;
    }
    for (const passed of path) this.#ends.set(passed, end);
    return end;
  }

  /** What a modifier, a typedef or an array is made of; -1 for other kinds. */
  #wrapped(id: number): number {
    const kind = kindAt(this.#records, id);
    if (kind === BtfKind.TYPEDEF) return this.#records.words[(this.#records.at[id] ?? 0) + 2] ?? 0;
    return kind === BtfKind.PTR ? -1 : linkOf(this.#records, id);
  }

  #scalarAlign(id: number, kind: number): number {
    switch (kind) {
      case BtfKind.INT:
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
      case BtfKind.FLOAT: {
        const size = this.#records.words[(this.#records.at[id] ?? 0) + 2] ?? 0;
        return Math.min(size, this.pointerSize);
      }
      case BtfKind.PTR:
        return this.pointerSize;
      default:
        return 0;
    }
  }

  /** Structs in structs: an explicit stack, since the file decides how deep they go. */
  #compositeAlign(root: number): number {
    const aligns = this.#aligns;
    const known = aligns[root] ?? 0;
    if (known !== UNKNOWN) return known;
    const stack: Frame[] = [{ id: root, index: 0, max: 1 }];
    // A struct that holds itself finds this 0 on its way and so has no size.
    aligns[root] = 0;
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const inner = this.#alignSoFar(frame);
      if (inner === null) {
        stack.pop();
      } else {
        aligns[inner] = 0;
        stack.push({ id: inner, index: 0, max: 1 });
      }
    }
    return aligns[root] ?? 0;
  }

  /** Sets the alignment of the frame's type, or gives the member's type that has to be known before. */
  #alignSoFar(frame: Frame): number | null {
    const { words, at } = this.#records;
    const start = at[frame.id] ?? 0;
    const info = words[start + 1] ?? 0;
    const kindFlag = infoKindFlag(info);
    for (const vlen = infoVlen(info); frame.index < vlen; frame.index++) {
      const member = start + ITEMS_AT + MEMBER * frame.index;
      const thing = this.#alignedThing(words[member + 1] ?? 0);
      const kind = kindAt(this.#records, thing);
      const known = isComposite(kind) ? (this.#aligns[thing] ?? 0) : this.#scalarAlign(thing, kind);
      if (known === UNKNOWN) return thing;
      if (known === 0) return null;
      const align = known & ALIGN;
      if (align > frame.max) frame.max = align;
      if (isMisaligned(words[member + 2] ?? 0, kindFlag, align)) {
        this.#aligns[frame.id] = PACKED;
        return null;
      }
    }
    this.#aligns[frame.id] = (words[start + 2] ?? 0) % frame.max === 0 ? frame.max : PACKED;
    return null;
  }
}

function isComposite(kind: number): boolean {
  return kind === BtfKind.STRUCT || kind === BtfKind.UNION;
}

/** Is a member that is no bit-field off its natural alignment? `offset` as stored, with the width in its top byte. */
function isMisaligned(offset: number, kindFlag: boolean, align: number): boolean {
  const isBitfield = kindFlag && offset >>> 24 !== 0;
  return !isBitfield && offset % (8 * align) !== 0;
}

function total(nelems: number, size: number): number {
  const bytes = nelems * size;
  return bytes > 0xffffffff ? 0 : bytes;
}
