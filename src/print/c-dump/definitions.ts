/**
 * Definitions: what stands between the braces of a struct, union or enum, and typedefs.
 *
 * Source: libbpf 1.1, `btf_dump_emit_struct_def`, `…_enum_def`, `…_typedef_def`; the
 * `mode` attributes that 1.2 writes for enums of 1 or 8 bytes are not written.
 */
import { BtfKind, infoKindFlag, infoVlen } from '#formats/btf/kinds.ts';
import { type Piece, pieceOf } from '#print/byte-text.ts';
import { declarator } from './declarators.ts';
import { isText } from './name-bytes.ts';
import { pad, padPacked } from './padding.ts';
import {
  ENUMERATOR,
  ENUMERATOR64,
  ITEMS_AT,
  isLeftOut,
  kindAt,
  MEMBER,
  type MemberChoice,
  wordAt,
} from './records.ts';
import type { Passage, Writing } from './writing.ts';

const SPACE = 0x20;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const CLOSING = 0x7d;
const OPENING = pieceOf(' {');
const STRUCT = pieceOf('struct');
const UNION = pieceOf('union');
const ENUM = pieceOf('enum');
const TYPEDEF = pieceOf('typedef ');
const WIDTH = pieceOf(': ');
const EQUALS = pieceOf(' = ');
const PACKED = pieceOf(' __attribute__((packed))');

/** By bytes, the machine modes of enums that are not as long as an int. */
const MODES: ReadonlyMap<number, string> = new Map([
  [1, 'QI'],
  [2, 'HI'],
  [8, 'DI'],
]);

/** The definition of a struct, union, enum or typedef, without its semicolon; null when all is written. */
export function definition(w: Writing, id: number, level = 0): Passage | null {
  switch (kindAt(w.records, id)) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return new Composite(w, id, level);
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return new Enumeration(w, id, level);
    case BtfKind.TYPEDEF:
      return typedefinition(w, id);
    default:
      return null;
  }
}

function typedefinition(w: Writing, id: number): Passage | null {
  const { records, out, names } = w;
  const nameOff = wordAt(records, id, 0);
  const type = wordAt(records, id, 2);
  // Before the names inside it have theirs.
  const number = names.numberOfTypedef(id);
  out.piece(TYPEDEF);
  // Old GCC wrote this one as a typedef of void.
  if (type === 0 && number === 1 && isText(records.types, nameOff, '__gnuc_va_list')) {
    out.latin1('__builtin_va_list __gnuc_va_list');
    return null;
  }
  return declarator(w, type, nameOff, 0, number);
}

function writeHead(w: Writing, id: number, keyword: Piece): void {
  w.out.piece(keyword);
  if (wordAt(w.records, id, 0) === 0) return;
  w.out.byte(SPACE);
  w.names.writeTag(w.out, id);
}

class Composite implements Passage {
  readonly #w: Writing;
  readonly #id: number;
  readonly #level: number;
  readonly #choice: MemberChoice | null;
  readonly #isStruct: boolean;
  readonly #isPadded: boolean;
  readonly #isPacked: boolean;
  readonly #kindFlag: boolean;
  readonly #vlen: number;
  /** The member that is being written, and its place in `words`. */
  #index = 0;
  #at: number;
  /** How far it is: what stands before it, and it itself, has been begun. */
  #isFilled = false;
  #isDeclared = false;
  /** Where the one before ended, in bits. */
  #bitOffset = 0;
  #afterBitfield = false;

  constructor(w: Writing, id: number, level: number) {
    const { records, layout, exact } = w;
    const choice = w.choice?.type === id ? w.choice : null;
    const info = wordAt(records, id, 1);
    this.#w = w;
    this.#id = id;
    this.#level = level;
    this.#isStruct = kindAt(records, id) === BtfKind.STRUCT;
    this.#choice = choice;
    this.#isPadded = choice?.isPadded ?? true;
    const mayBePacked = this.#isPadded && (this.#isStruct || exact);
    this.#isPacked = mayBePacked && layout.isPacked(id, choice);
    this.#kindFlag = infoKindFlag(info);
    this.#vlen = infoVlen(info);
    this.#at = (records.at[id] ?? 0) + ITEMS_AT;
    writeHead(w, id, this.#isStruct ? STRUCT : UNION);
    w.out.piece(OPENING);
  }

  resume(): Passage | null {
    while (this.#index < this.#vlen) {
      if (!isLeftOut(this.#choice, this.#id, this.#index)) {
        const text = this.#writeMember();
        if (text !== null) return text;
      }
      this.#index++;
      this.#at += MEMBER;
      this.#isFilled = false;
      this.#isDeclared = false;
      if (this.#w.isPauseDue) return this;
    }
    return this.#writeEnd();
  }

  #writeMember(): Passage | null {
    const { records, out, layout } = this.#w;
    const type = records.words[this.#at + 1] ?? 0;
    const offset = records.words[this.#at + 2] ?? 0;
    const start = this.#kindFlag ? offset & 0xffffff : offset | 0;
    const width = this.#kindFlag ? offset >>> 24 : 0;
    if (this.#isPadded && !this.#isFilled) {
      this.#isFilled = true;
      const padding = start > this.#bitOffset ? this.#padBefore(type, start, width) : null;
      if (padding !== null) return padding;
    }
    if (!this.#isDeclared) {
      this.#isDeclared = true;
      this.#w.line(this.#level + 1);
      const nameOff = records.words[this.#at] ?? 0;
      const nested = declarator(this.#w, type, nameOff, this.#level + 1);
      if (nested !== null) return nested;
    }
    if (width > 0) out.piece(WIDTH).decimal(width);
    out.byte(SEMICOLON);
    // An int of C: what is too large for it wraps.
    this.#bitOffset = (start + (width > 0 ? width : 8 * layout.sizeOf(type))) | 0;
    this.#afterBitfield = width > 0;
    return null;
  }

  /** Up to a member of `type` that begins at the bit `start`. */
  #padBefore(type: number, start: number, width: number): Passage | null {
    const align = this.#isPacked ? 1 : this.#w.layout.alignOf(type);
    return this.#padTo(start, align, this.#afterBitfield && width > 0);
  }

  #padTo(start: number, align: number, inBitfield: boolean): Passage | null {
    if (this.#isPacked && this.#w.exact) {
      return padPacked(this.#w, this.#level + 1, start - this.#bitOffset);
    }
    return pad(this.#w, this.#level + 1, this.#bitOffset, start, align, inBitfield);
  }

  #writeEnd(): Passage | null {
    const { records, out, layout } = this.#w;
    const size = wordAt(records, this.#id, 2);
    if (this.#isStruct && this.#isPadded && !this.#isFilled) {
      this.#isFilled = true;
      // Members that are left out do not align it any more.
      const align = this.#choice === null ? layout.alignOf(this.#id) : 1;
      const padding = this.#padTo((8 * size) | 0, align, false);
      if (padding !== null) return padding;
    }
    if (!this.#isStruct && this.#isPadded && this.#choice !== null) {
      this.#w.line(this.#level + 1);
      out.latin1(`char __size[${size}];`);
    }
    // An empty struct stays on one line.
    if (this.#vlen > 0 || size > 0) this.#w.line(this.#level);
    out.byte(CLOSING);
    if (this.#isPacked) out.piece(PACKED);
    return null;
  }
}

class Enumeration implements Passage {
  readonly #w: Writing;
  readonly #level: number;
  readonly #isWide: boolean;
  readonly #isSigned: boolean;
  readonly #size: number;
  readonly #vlen: number;
  #index = 0;
  #at: number;

  constructor(w: Writing, id: number, level: number) {
    const info = wordAt(w.records, id, 1);
    this.#w = w;
    this.#level = level;
    this.#isWide = kindAt(w.records, id) === BtfKind.ENUM64;
    this.#isSigned = infoKindFlag(info);
    this.#size = wordAt(w.records, id, 2);
    this.#vlen = infoVlen(info);
    this.#at = (w.records.at[id] ?? 0) + ITEMS_AT;
    writeHead(w, id, ENUM);
    // Without enumerators it is a forward declaration, as clang writes it.
    if (this.#vlen > 0) w.out.piece(OPENING);
  }

  resume(): Passage | null {
    const { out } = this.#w;
    if (this.#vlen === 0) return null;
    while (this.#index < this.#vlen) {
      this.#writeEnumerator();
      this.#index++;
      this.#at += this.#isWide ? ENUMERATOR64 : ENUMERATOR;
      if (this.#w.isPauseDue) return this;
    }
    this.#w.line(this.#level);
    out.byte(CLOSING);
    const mode = MODES.get(this.#size);
    if (this.#w.exact && mode !== undefined) out.latin1(` __attribute__((mode(${mode})))`);
    return null;
  }

  #writeEnumerator(): void {
    const { records, out, names } = this.#w;
    const low = records.words[this.#at + 1] ?? 0;
    this.#w.line(this.#level + 1);
    names.writeEnumerator(out, records.words[this.#at] ?? 0);
    out.piece(EQUALS);
    if (this.#isWide) out.latin1(wideValue(low, records.words[this.#at + 2] ?? 0, this.#isSigned));
    else out.decimal(this.#isSigned ? low | 0 : low);
    out.byte(COMMA);
  }
}

function wideValue(low: number, high: number, isSigned: boolean): string {
  const raw = (BigInt(high) << 32n) | BigInt(low);
  return isSigned ? `${BigInt.asIntN(64, raw)}LL` : `${raw}ULL`;
}
