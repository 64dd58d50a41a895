/**
 * What is said behind a member that is a struct: its paddings, holes and flexible arrays.
 *
 * In: ids of structs and how their members lie. Out: a remark for each of which there is
 * something to say. The rules: class__fprintf_member_type_holes of pahole's dwarves_fprintf.c,
 * class__has_flexible_array and class__has_embedded_flexible_array of its dwarves.c. 1.24 has
 * only the bytes of padding. A last member whose type is not there, at which pahole crashes,
 * is no flexible array here; nor is searched twice what holds itself, where pahole never ends.
 */
import { counted } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { Layout } from './layouts.ts';
import { HEAD_WORDS, MEMBER_WORDS, type Records } from './records.ts';
import type { Sizes } from './sizes.ts';

export type Remark = {
  /** A comment, without what stands before its line. */
  readonly text: string;
  /** In bytes and bits. */
  readonly padding: number;
  readonly bitPadding: number;
  readonly holes: number;
  readonly bitHoles: number;
  /** Is its last member an array without elements? */
  readonly isFlexible: boolean;
  /** Is such a struct in it, to any depth? */
  readonly holdsFlexible: boolean;
};

export class Remarks {
  readonly #records: Records;
  readonly #sizes: Sizes;
  /** By id from that of the first record: `UNKNOWN`, or what is known. */
  readonly #holding: Uint8Array;
  /** Structs that are being searched, the outermost first, and which of their members is next. */
  readonly #open: number[] = [];
  readonly #next: number[] = [];

  constructor(records: Records, sizes: Sizes) {
    this.#records = records;
    this.#sizes = sizes;
    this.#holding = new Uint8Array(records.last + 1 - records.first);
  }

  /** What is to be said of the struct `id`, whose members lie as in `layout`; null for nothing. */
  of(id: number, layout: Layout): Remark | null {
    const tellsAll = this.#records.dialect.tellsOfMembers;
    const { padding } = layout;
    const bitPadding = tellsAll ? layout.bitPadding : 0;
    const holes = tellsAll ? layout.holeCount : 0;
    const bitHoles = tellsAll ? layout.bitHoleCount : 0;
    const isFlexible = tellsAll && this.#isFlexible(id);
    const holdsFlexible = tellsAll && this.#holdsFlexible(id);
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

  /** Typedefs of arrays do not count. */
  #isFlexible(id: number): boolean {
    const records = this.#records;
    const count = records.vlen(id);
    if (count === 0) return false;
    const last = records.start(id) + HEAD_WORDS + MEMBER_WORDS * (count - 1);
    const type = records.words[last + 1] ?? 0;
    return records.kind(type) === BtfKind.ARRAY && records.nelems(type) === 0;
  }

  /** Searches the structs in it, each once, without recursion. */
  #holdsFlexible(id: number): boolean {
    const records = this.#records;
    const { first, words } = records;
    const holding = this.#holding;
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

  /** The innermost struct that is searched holds a flexible array, so all that are open do; true. */
  #allHold(innermost: number): true {
    const { first } = this.#records;
    this.#holding[innermost - first] = YES;
    for (const outer of this.#open) this.#holding[outer - first] = YES;
    this.#open.length = 0;
    this.#next.length = 0;
    return true;
  }

  /** The struct that a type is, by typedefs and modifiers too; 0 where it is none. */
  #structOf(id: number): number {
    const index = this.#sizes.know(id);
    const type = index < 0 ? 0 : (this.#sizes.stripped[index] ?? 0) - 1;
    return this.#records.keyword(type) === 'struct' ? type : 0;
  }
}

const UNKNOWN = 0;
const NO = 1;
const YES = 2;
