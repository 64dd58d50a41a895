/**
 * Writes definitions in the order of `order.ts`, and declarations for all types that a definition
 * mentions. Source: libbpf, `btf_dump_emit_type`; its recursive calls are frames on a stack here.
 */
import { BtfKind, infoVlen } from '#formats/btf/kinds.ts';
import { isText, pieceOf } from '#print/byte-text.ts';
import { writeTag } from './declarators.ts';
import { definition } from './definitions.ts';
import { BUILT_IN, type NumberedNames } from './names.ts';
import {
  firstOf,
  ITEMS_AT,
  isPrototypeLeftOut,
  isReferenceLeftOut,
  kindAt,
  linkOf,
  MEMBER,
  PARAM,
  partsOf,
  wordAt,
} from './records.ts';
import type { Passage, Writing } from './writing.ts';

const NEW = 0;
const EMITTING = 1;
const EMITTED = 2;

const END = pieceOf(';\n\n');

/** INTs that only GCC for Arm provides, each with an equal type of other compilers. */
const MISSING_TYPES = [
  ['__Poly8_t', 'unsigned char'],
  ['__Poly16_t', 'unsigned short'],
  ['__Poly64_t', 'unsigned long long'],
  ['__Poly128_t', 'unsigned __int128'],
] as const;

type Frame = {
  readonly id: number;
  readonly kind: number;
  /** The type whose definition contains this type; 0 = none. */
  readonly container: number;
  /** The type whose definition contains the types inside this one. */
  readonly inner: number;
  /** Index in `words` of the next reference, index of the end, and distance between references. */
  next: number;
  readonly end: number;
  readonly stride: number;
};

export class Emission {
  readonly #w: Writing;
  readonly #names: NumberedNames;
  readonly #states: Uint8Array;
  /** By id: 1 once a type's forward declaration, or a typedef's definition, is written. */
  readonly #isDeclared: Uint8Array;
  /** By id of a prototype or anonymous composite: the container of the latest search in it. */
  readonly #searchedFor: Uint32Array;
  readonly #stack: Frame[] = [];

  constructor(w: Writing, names: NumberedNames) {
    this.#w = w;
    this.#names = names;
    const { lastId } = w.records;
    this.#states = new Uint8Array(lastId + 1);
    this.#states[0] = EMITTED;
    this.#isDeclared = new Uint8Array(lastId + 1);
    this.#searchedFor = new Uint32Array(lastId + 1);
  }

  /** Writes the definitions of `queue` and their dependencies. Skips written types. */
  *write(queue: readonly number[]): Passage {
    for (let next = 0; ; ) {
      const frame = this.#stack.at(-1);
      if (frame === undefined && next >= queue.length) return;
      const id = frame === undefined ? this.#visit(queue[next++] ?? 0, 0) : this.#step(frame);
      if (id !== 0) {
        const passage = definition(this.#w, id);
        if (passage !== null) yield passage;
        this.#w.out.piece(END);
      }
      if (this.#w.isPauseDue) yield null;
    }
  }

  /** Visits the next reference, or removes the frame. Returns the type to define; 0 = none. */
  #step(frame: Frame): number {
    const { records, choice } = this.#w;
    this.#w.worked(1);
    while (frame.next < frame.end) {
      const place = frame.next;
      frame.next += frame.stride;
      if (choice !== null && isReferenceLeftOut(records, choice, frame.id, place)) continue;
      return this.#visit(records.words[place] ?? 0, frame.inner);
    }
    this.#stack.pop();
    return this.#leave(frame);
  }

  /** Declares the end of a chain, or pushes a frame. Returns the type to define; 0 = none. */
  #visit(mentioned: number, container: number): number {
    const id = firstOf(this.#w.records, this.#endOf(mentioned));
    if (this.#states[id] === EMITTED) return 0;
    const kind = kindAt(this.#w.records, id);
    switch (kind) {
      case BtfKind.INT:
        this.#writeMissingType(id);
        this.#states[id] = EMITTED;
        return 0;
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        this.#states[id] = EMITTED;
        return container === 0 ? id : 0;
      case BtfKind.FWD:
        this.#states[id] = EMITTED;
        this.#writeForward(id);
        return 0;
      case BtfKind.TYPEDEF:
        return this.#visitTypedef(id);
      case BtfKind.STRUCT:
      case BtfKind.UNION:
        this.#visitComposite(id, kind, container);
        return 0;
      case BtfKind.FUNC_PROTO:
        if (isPrototypeLeftOut(this.#w.choice, id)) return 0;
        // Word 2 is the return type. Types of parameters follow at every second word.
        this.#search(id, kind, container, 2, PARAM);
        return 0;
      default:
        return 0;
    }
  }

  /** Returns the type behind pointers, qualifiers and arrays; void for a loop. */
  #endOf(id: number): number {
    const { records } = this.#w;
    let at = id;
    let mark = id;
    for (let steps = 1, limit = 1; ; steps++) {
      const next = linkOf(records, at);
      if (next < 0) return at;
      if (next === mark) return 0;
      if (steps === limit) {
        mark = next;
        limit *= 2;
        this.#w.worked(steps);
      }
      at = next;
    }
  }

  #visitTypedef(id: number): number {
    if (this.#states[id] === NEW) {
      this.#states[id] = EMITTING;
      this.#push(id, BtfKind.TYPEDEF, id, id, 2, PARAM);
      return 0;
    }
    // A typedef that mentions itself through a pointer needs no forward declaration.
    return this.#typedefOnce(id);
  }

  #typedefOnce(id: number): number {
    if (this.#isDeclared[id] === 1) return 0;
    this.#isDeclared[id] = 1;
    const { records, exact } = this.#w;
    const isBuiltIn = !exact && isText(records.types, wordAt(records, id, 0), BUILT_IN);
    return isBuiltIn ? 0 : id;
  }

  #visitComposite(id: number, kind: number, container: number): void {
    const isAnonymous = wordAt(this.#w.records, id, 0) === 0;
    if (container === 0) {
      this.#states[id] = EMITTING;
      for (const part of partsOf(this.#w.records, id)) {
        this.#push(part, kind, part === id ? 0 : id, id, ITEMS_AT + 1, MEMBER);
      }
    } else if (isAnonymous) {
      this.#search(id, kind, container, ITEMS_AT + 1, MEMBER);
    } else if (this.#isDeclared[id] === 0 && id !== container) {
      this.#isDeclared[id] = 1;
      this.#writeForward(id);
    }
  }

  /** Pushes a frame for the types that `id` mentions, unless it was done for this container. */
  #search(id: number, kind: number, container: number, from: number, stride: number): void {
    if (this.#searchedFor[id] === container) return;
    this.#searchedFor[id] = container;
    this.#push(id, kind, container, container, from, stride);
  }

  /** Pushes a frame. `from` is the index of the first reference among the words of the record. */
  #push(
    id: number,
    kind: number,
    container: number,
    inner: number,
    from: number,
    stride: number,
  ): void {
    const { at, words } = this.#w.records;
    const start = at[id] ?? 0;
    const vlen = kind === BtfKind.TYPEDEF ? 0 : infoVlen(words[start + 1] ?? 0);
    const count = stride === MEMBER ? vlen : vlen + 1;
    const next = start + from;
    this.#stack.push({ id, kind, container, inner, next, end: next + stride * count, stride });
  }

  #leave({ id, kind, container }: Frame): number {
    if (kind !== BtfKind.TYPEDEF && container !== 0) return 0;
    this.#states[id] = EMITTED;
    return kind === BtfKind.TYPEDEF ? this.#typedefOnce(id) : id;
  }

  #writeForward(id: number): void {
    writeTag(this.#w, id);
    this.#w.out.piece(END);
  }

  #writeMissingType(id: number): void {
    const { records, out } = this.#w;
    const nameOff = wordAt(records, id, 0);
    // A renamed type (`name___2`) needs no typedef: no program uses its new name.
    if (this.#names.numberOfTag(id) > 1) return;
    for (const [name, meaning] of MISSING_TYPES) {
      if (isText(records.types, nameOff, name)) out.latin1(`typedef ${meaning} ${name};\n\n`);
    }
  }
}
