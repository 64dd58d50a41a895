/**
 * Remarks on members that are structs: padding, holes and flexible arrays. pahole 1.24 prints only
 * the bytes of padding. A last member with a missing type, on which pahole crashes, is not a
 * flexible array. Source: pahole, class__fprintf_member_type_holes, class__has_flexible_array,
 * class__has_embedded_flexible_array.
 */
import { ArrayType } from '#analysis/encode/unit-tags.ts';
import { counted } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { Layout } from './layouts.ts';
import { HEAD_WORDS, MEMBER_WORDS, type Records } from './records.ts';
import type { Sizes } from './sizes.ts';

export type Remark = {
  /** The comment, without the indentation of its line. */
  readonly text: string;
  /** Padding of the member's struct, in bytes and bits. */
  readonly padding: number;
  readonly bitPadding: number;
  readonly holes: number;
  readonly bitHoles: number;
  /** True if the last member of the struct is an array without elements. */
  readonly isFlexible: boolean;
  /** True if a struct inside the struct, at any depth, ends with an array without elements. */
  readonly holdsFlexible: boolean;
};

export class Remarks {
  readonly #records: Records;
  readonly #sizes: Sizes;
  /** By id minus the first id: `YES` if it contains a flexible array, `NO`, or `UNKNOWN`. */
  readonly #holdsFlexibleArray: Uint8Array;
  /** Structs of the current search, outermost first, each with the index of its next member. */
  readonly #open: number[] = [];
  readonly #next: number[] = [];

  constructor(records: Records, sizes: Sizes) {
    this.#records = records;
    this.#sizes = sizes;
    this.#holdsFlexibleArray = new Uint8Array(records.last + 1 - records.first);
  }

  /** Returns the remark on struct `id`, which is laid out in `layout`; null if there is none. */
  of(id: number, layout: Layout): Remark | null {
    const isFull = this.#records.dialect.remarksOnMembers;
    const { padding } = layout;
    const bitPadding = isFull ? layout.bitPadding : 0;
    const holes = isFull ? layout.holeCount : 0;
    const bitHoles = isFull ? layout.bitHoleCount : 0;
    const isFlexible = isFull && this.#isFlexible(id);
    const holdsFlexible = isFull && this.#holdsFlexible(id);
    const parts: string[] = [];
    if (isFlexible) parts.push('a flexible array');
    if (holdsFlexible) parts.push('embedded flexible array(s)');
    if (padding !== 0) parts.push(`${counted(padding, 'byte')} of padding`);
    if (bitPadding !== 0) parts.push(`${counted(bitPadding, 'bit')} of padding`);
    if (holes !== 0) parts.push(counted(holes, 'hole'));
    if (bitHoles !== 0) parts.push(counted(bitHoles, 'bit hole'));
    if (parts.length === 0) return null;
    const text = `/* XXX last struct has ${parts.join(', ')} */`;
    return { text, padding, bitPadding, holes, bitHoles, isFlexible, holdsFlexible };
  }

  /** Returns true if the last member is an array without elements; false for a typedef of one. */
  #isFlexible(id: number): boolean {
    const records = this.#records;
    const count = records.vlen(id);
    if (count === 0) return false;
    const last = records.start(id) + HEAD_WORDS + MEMBER_WORDS * (count - 1);
    const type = records.words[last + 1] ?? 0;
    const array = records.unit?.types[type];
    if (array instanceof ArrayType) {
      const { dimensions } = array;
      return dimensions.length <= 1 && (dimensions[0] ?? 0) === 0;
    }
    return records.kind(type) === BtfKind.ARRAY && records.nelems(type) === 0;
  }

  /** Returns true if a struct inside `id` ends with a flexible array. Visits each struct once. */
  #holdsFlexible(id: number): boolean {
    const records = this.#records;
    const { first, words } = records;
    const holding = this.#holdsFlexibleArray;
    if (holding[id - first] !== UNKNOWN) return holding[id - first] === YES;
    const open = this.#open;
    const next = this.#next;
    let outer = id;
    let member = 0;
    holding[id - first] = NO;
    for (;;) {
      const count = records.vlen(outer);
      const types = records.start(outer) + HEAD_WORDS + 1;
      let inner = 0;
      for (; member < count && inner === 0; member++) {
        const type = this.#structOf(words[types + MEMBER_WORDS * member] ?? 0);
        if (type === 0) continue;
        if (this.#isFlexible(type) || holding[type - first] === YES) return this.#allHold(outer);
        if (holding[type - first] === UNKNOWN) inner = type;
      }
      if (inner !== 0) {
        open.push(outer);
        next.push(member);
        outer = inner;
        member = 0;
        holding[inner - first] = NO;
        continue;
      }
      const up = open.pop();
      if (up === undefined) return false;
      outer = up;
      member = next.pop() ?? 0;
    }
  }

  /** Marks the open structs: the innermost one contains a flexible array. Returns true. */
  #allHold(innermost: number): true {
    const { first } = this.#records;
    this.#holdsFlexibleArray[innermost - first] = YES;
    for (const outer of this.#open) this.#holdsFlexibleArray[outer - first] = YES;
    this.#open.length = 0;
    this.#next.length = 0;
    return true;
  }

  /** Returns the struct behind typedefs and modifiers; 0 if the type is not a struct. */
  #structOf(id: number): number {
    const index = this.#sizes.indexOf(id);
    const type = index < 0 ? 0 : (this.#sizes.stripped[index] ?? 0) - 1;
    return this.#records.keyword(type) === 'struct' ? type : 0;
  }
}

const UNKNOWN = 0;
const NO = 1;
const YES = 2;
