/**
 * Sorts the definitions of a C file. A type that another contains is defined before it (a strong
 * link). A struct behind a pointer may be defined later (a weak link). Source: libbpf,
 * `btf_dump_order_type`; its recursive calls are frames on a stack here.
 */
import { BtfKind, infoVlen } from '#formats/btf/kinds.ts';
import { scanReferences } from '#formats/btf/records.ts';
import { tablesOf } from '#model/joined-words.ts';
import { isModifier } from '#model/type-table.ts';
import {
  firstOf,
  ITEMS_AT,
  isPrototypeLeftOut,
  isReferenceLeftOut,
  kindAt,
  MEMBER,
  type MemberChoice,
  NO_TYPE,
  PARAM,
  partsOf,
  type Records,
  wordAt,
} from './records.ts';

const NEW = 0;
/** State of a struct or union while its members are being ordered. */
const ORDERING = 1;
/** State of an ordered type: each later reference is a strong link, and changes nothing. */
const ORDERED = 2;
/** State of a kind without a definition while the types in it are being ordered. */
const WALKED = 3;

/** Replaces the kind of a struct or union that is written as a part of another one. */
const PART = NO_TYPE;

type Frame = {
  readonly id: number;
  readonly kind: number;
  readonly throughPtr: boolean;
  isStrong: boolean;
  /** Index in `words` of the next reference, index of the end, and distance between references. */
  next: number;
  readonly end: number;
  readonly stride: number;
};

export class Order {
  /** Ids of the types ordered since the last `start`, in the order of their definitions. */
  readonly queue: number[] = [];
  /** A type that contains itself by value, which C cannot express; null if none was found. */
  cycle: number | null = null;
  readonly #records: Records;
  readonly #states: Uint8Array;
  readonly #isReferenced: Uint8Array;
  readonly #choice: MemberChoice | null;
  readonly #frames: Frame[] = [];

  constructor(records: Records, choice: MemberChoice | null) {
    this.#records = records;
    this.#choice = choice;
    this.#states = new Uint8Array(records.lastId + 1);
    this.#states[0] = ORDERED;
    this.#isReferenced = referencedTypes(records);
  }

  /** Starts to order `id` and its dependencies. `advance` does the work. */
  start(id: number): void {
    // Assigning the length of an array is slow, and the queue is usually empty.
    if (this.queue.length > 0) this.queue.length = 0;
    if (this.#frames.length > 0) this.#frames.length = 0;
    this.cycle = null;
    this.#visit(id, false);
  }

  /** Runs at most `steps` steps. Returns the steps left: above 0 if the ordering is complete. */
  advance(steps: number): number {
    let left = steps;
    for (; left > 0; left--) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) break;
      if (this.#choice === null) left = this.#skipOrdered(frame, left);
      if (frame.next >= frame.end) this.#leave(frame);
      else this.#step(frame);
    }
    return Math.max(0, left);
  }

  /** Skips references to ordered types, which are nearly all. Returns the steps left. */
  #skipOrdered(frame: Frame, steps: number): number {
    const { words } = this.#records;
    const states = this.#states;
    const { end, stride } = frame;
    let { next } = frame;
    let left = steps;
    while (next < end && states[words[next] ?? 0] === ORDERED) {
      next += stride;
      left--;
    }
    if (next !== frame.next) {
      frame.next = next;
      frame.isStrong = true;
    }
    return left;
  }

  #step(frame: Frame): void {
    const place = frame.next;
    frame.next += frame.stride;
    const choice = this.#choice;
    if (choice !== null && isReferenceLeftOut(this.#records, choice, frame.id, place)) return;
    const type = this.#records.words[place] ?? 0;
    if (this.#visit(type, frame.throughPtr)) frame.isStrong = true;
  }

  /** Returns true if the link to `mentioned` is strong. Pushes a frame if it must be ordered. */
  #visit(mentioned: number, throughPtr: boolean): boolean {
    const id = firstOf(this.#records, mentioned);
    const state = this.#states[id];
    if (state === ORDERED) return true;
    const kind = kindAt(this.#records, id);
    switch (kind) {
      case BtfKind.STRUCT:
      case BtfKind.UNION: {
        const isWeak = throughPtr && wordAt(this.#records, id, 0) !== 0;
        if (isWeak) return false;
        if (state === ORDERING) {
          this.cycle ??= id;
          return false;
        }
        this.#states[id] = ORDERING;
        for (const part of partsOf(this.#records, id)) {
          const vlen = infoVlen(wordAt(this.#records, part, 1));
          const partKind = part === id ? kind : PART;
          this.#enter(part, partKind, false, ITEMS_AT + 1, ITEMS_AT + MEMBER * vlen, MEMBER);
        }
        return false;
      }
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
      case BtfKind.FWD:
        // An anonymous type is defined at its use; only an unused one needs a separate definition.
        if (wordAt(this.#records, id, 0) !== 0 || this.#isReferenced[id] === 0) this.queue.push(id);
        this.#states[id] = ORDERED;
        return true;
      case BtfKind.PTR:
        return this.#walk(id, kind, true, 2, 3);
      case BtfKind.ARRAY:
        return this.#walk(id, kind, false, ITEMS_AT, ITEMS_AT + 1);
      case BtfKind.FUNC_PROTO: {
        if (isPrototypeLeftOut(this.#choice, id)) return true;
        // Word 2 is the return type. Types of parameters follow at every second word.
        const vlen = infoVlen(wordAt(this.#records, id, 1));
        return this.#walk(id, kind, throughPtr, 2, 3 + PARAM * vlen);
      }
      default:
        if (isModifier(kind)) return this.#walk(id, kind, throughPtr, 2, 3);
        if (state !== undefined) this.#states[id] = ORDERED;
        return false;
    }
  }

  /** Pushes a frame for a kind that refers to other types; does nothing in a loop of types. */
  #walk(id: number, kind: number, throughPtr: boolean, from: number, to: number): boolean {
    if (this.#states[id] === WALKED) return false;
    this.#states[id] = WALKED;
    this.#enter(id, kind, throughPtr, from, to, PARAM);
    return false;
  }

  /** Pushes a frame for the references in words `from` to `to` of a record. */
  #enter(
    id: number,
    kind: number,
    throughPtr: boolean,
    from: number,
    to: number,
    stride: number,
  ): void {
    const start = this.#records.at[id] ?? 0;
    const next = start + from;
    const end = start + to;
    this.#frames.push({ id, kind, throughPtr, isStrong: false, next, end, stride });
  }

  #leave(frame: Frame): void {
    const { id, kind, throughPtr, isStrong } = frame;
    this.#frames.pop();
    switch (kind) {
      case PART:
        break;
      case BtfKind.STRUCT:
      case BtfKind.UNION:
        if (wordAt(this.#records, id, 0) !== 0) this.queue.push(id);
        this.#states[id] = ORDERED;
        this.#strengthenParent(true);
        break;
      case BtfKind.TYPEDEF:
        if (throughPtr && !isStrong) {
          this.#states[id] = NEW;
        } else {
          this.queue.push(id);
          this.#states[id] = ORDERED;
          this.#strengthenParent(true);
        }
        break;
      default:
        // All types behind strong links are ordered now, but a pointer may have skipped some.
        this.#states[id] = throughPtr && kind !== BtfKind.PTR ? NEW : ORDERED;
        this.#strengthenParent(isStrong);
    }
  }

  #strengthenParent(isStrong: boolean): void {
    const parent = this.#frames.at(-1);
    if (isStrong && parent !== undefined) parent.isStrong = true;
  }
}

/** Returns an array with 1 for each id that a type refers to (`btf_dump_mark_referenced`). */
function referencedTypes({ types, lastId }: Records): Uint8Array {
  const referenced = new Uint8Array(lastId + 1);
  for (const table of tablesOf(types)) {
    scanReferences(table, (_, id, role) => {
      if (role !== 'return') referenced[id] = 1;
    });
  }
  return referenced;
}
