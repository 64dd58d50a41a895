/**
 * Order of definitions in a C file. Source: libbpf, `btf_dump_order_type`, whose calls are frames
 * here. A contained type comes before (a strong link); a struct behind a pointer need not (a weak
 * link).
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
/** A struct or union whose members are being ordered. */
const ORDERING = 1;
/** A second reference to it is a strong link and adds nothing. */
const ORDERED = 2;
/** A kind without a definition, while its parts are being ordered. */
const WALKED = 3;

/** Kind of a struct or union that is written together with another. */
const PART = NO_TYPE;

type Frame = {
  readonly id: number;
  readonly kind: number;
  readonly throughPtr: boolean;
  isStrong: boolean;
  /** Index in `words` of the next reference, end of the references, and distance between two. */
  next: number;
  readonly end: number;
  readonly stride: number;
};

export class Order {
  /** Definitions in the order of writing, since the last `start`. */
  readonly queue: number[] = [];
  /** A type that contains itself by value, which C cannot express; null = none yet. */
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

  /** Begins to order `id` and its dependencies; `advance` continues. */
  start(id: number): void {
    // Setting the length of an array is slow, and the arrays are nearly always empty.
    if (this.queue.length > 0) this.queue.length = 0;
    if (this.#frames.length > 0) this.#frames.length = 0;
    this.cycle = null;
    this.#visit(id, false);
  }

  /** Runs at most `steps` steps and returns the number left; 0 means that there may be more to do. */
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

  /** Skips references to ordered types, as nearly all are. Returns the steps left. */
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

  /** Orders `mentioned` at once and returns true if the link is strong, or pushes a frame for it. */
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
        // An anonymous one is written at its use, if there is one.
        if (wordAt(this.#records, id, 0) !== 0 || this.#isReferenced[id] === 0) this.queue.push(id);
        this.#states[id] = ORDERED;
        return true;
      case BtfKind.PTR:
        return this.#walk(id, kind, true, 2, 3);
      case BtfKind.ARRAY:
        return this.#walk(id, kind, false, ITEMS_AT, ITEMS_AT + 1);
      case BtfKind.FUNC_PROTO: {
        if (isPrototypeLeftOut(this.#choice, id)) return true;
        // Word 2 is the result; the types of parameters follow in every second word.
        const vlen = infoVlen(wordAt(this.#records, id, 1));
        return this.#walk(id, kind, throughPtr, 2, 3 + PARAM * vlen);
      }
      default:
        if (isModifier(kind)) return this.#walk(id, kind, throughPtr, 2, 3);
        if (state !== undefined) this.#states[id] = ORDERED;
        return false;
    }
  }

  /** Pushes a frame for a kind that refers to others. A kind that leads back to itself adds nothing. */
  #walk(id: number, kind: number, throughPtr: boolean, from: number, to: number): boolean {
    if (this.#states[id] === WALKED) return false;
    this.#states[id] = WALKED;
    this.#enter(id, kind, throughPtr, from, to, PARAM);
    return false;
  }

  /** Pushes a frame for the words `from` to `to` of the record. */
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
        // Everything below a strong link is ordered by now; there may be more behind a pointer.
        this.#states[id] = throughPtr && kind !== BtfKind.PTR ? NEW : ORDERED;
        this.#strengthenParent(isStrong);
    }
  }

  #strengthenParent(isStrong: boolean): void {
    const parent = this.#frames.at(-1);
    if (isStrong && parent !== undefined) parent.isStrong = true;
  }
}

/** Returns 1 by id for referenced types. Source: libbpf, `btf_dump_mark_referenced`. */
function referencedTypes({ types, lastId }: Records): Uint8Array {
  const referenced = new Uint8Array(lastId + 1);
  for (const table of tablesOf(types)) {
    scanReferences(table, (_, id, role) => {
      if (role !== 'return') referenced[id] = 1;
    });
  }
  return referenced;
}
