/**
 * Definitions: what stands between the braces of a struct, union or enum, and typedefs.
 *
 * Source: libbpf 1.1, `btf_dump_emit_struct_def`, `…_enum_def`, `…_typedef_def`; the
 * `mode` attributes that 1.2 writes for enums of 1 or 8 bytes are not written.
 */
import { BtfKind, infoKindFlag, infoVlen } from '#formats/btf/kinds.ts';
import { isText, type Piece, pieceOf } from '#print/byte-text.ts';
import { declarator } from './declarators.ts';
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

/**
 * Unnamed bit-fields that fill a struct where the compiler would not leave room by itself.
 *
 * Source: libbpf, `btf_dump_emit_bit_padding`: `long: 0` where only an alignment has
 * to be forced, then whole units of the widest type that fits, then the rest in the
 * narrowest type that holds it.
 */

type Unit = { readonly name: string; readonly bits: number };

const CHAR: Unit = { name: 'char: ', bits: 8 };
const NARROW: readonly Unit[] = [{ name: 'int: ', bits: 32 }, { name: 'short: ', bits: 16 }, CHAR];
const UNITS: Record<4 | 8, readonly Unit[]> = {
  4: [{ name: 'long: ', bits: 32 }, ...NARROW],
  8: [{ name: 'long: ', bits: 64 }, ...NARROW],
};

/** Lines that are written at once; more are a passage of their own. */
const AT_ONCE = 64;

const roundUp = (n: number, unit: number) => Math.ceil(n / unit) * unit;

/**
 * Fills the bits `from` … `to`, at once or, when that is long, by the passage that
 * is given back. `nextAlign`: bytes to which the compiler aligns what comes then;
 * `inBitfield`: bit-fields stand on both sides.
 */
function pad(
  w: Writing,
  level: number,
  from: number,
  to: number,
  nextAlign: number,
  inBitfield: boolean,
): Passage | null {
  if (from >= to) return null;
  const unit = unitFor(UNITS[w.layout.pointerSize], from, to);
  const start = roundUp(from, unit.bits);
  let at = from;
  if (start > from && start <= to) {
    const isExact = start === to && roundUp(from, Math.max(1, nextAlign) * 8) !== start;
    const restFits = start !== to && to - start <= start - from;
    if (inBitfield || isExact || restFits) {
      writeField(w, level, unit.name, inBitfield ? start - from : 0);
    }
    at = start;
  }
  return fill(w, level, unit, to - at);
}

/** Fills `bits` of a packed struct, in which the compiler leaves no room by itself. libbpf does not make the difference. */
function padPacked(w: Writing, level: number, bits: number): Passage | null {
  return fill(w, level, UNITS[w.layout.pointerSize][0] ?? CHAR, bits);
}

function fill(w: Writing, level: number, unit: Unit, bits: number): Passage | null {
  if (bits <= 0) return null;
  const filling = new Filling(w, level, unit, bits);
  return bits > AT_ONCE * unit.bits ? filling : filling.resume();
}

/** The widest unit with a boundary between `from` and `to`. */
function unitFor(units: readonly Unit[], from: number, to: number): Unit {
  for (const unit of units) {
    if (roundUp(from, unit.bits) <= to) return unit;
  }
  return CHAR;
}

/** Whole units, and what is left in a narrower one. */
class Filling implements Passage {
  readonly #w: Writing;
  readonly #level: number;
  readonly #unit: Unit;
  #bits: number;

  constructor(w: Writing, level: number, unit: Unit, bits: number) {
    this.#w = w;
    this.#level = level;
    this.#unit = unit;
    this.#bits = bits;
  }

  resume(): Passage | null {
    const { name, bits } = this.#unit;
    while (this.#bits >= bits) {
      writeField(this.#w, this.#level, name, bits);
      this.#bits -= bits;
      if (this.#bits > AT_ONCE * bits && this.#w.isPauseDue) return this;
    }
    if (this.#bits === 0) return null;
    const units = UNITS[this.#w.layout.pointerSize];
    const narrow = units.findLast((unit) => unit.bits >= this.#bits) ?? CHAR;
    writeField(this.#w, this.#level, narrow.name, this.#bits);
    return null;
  }
}

function writeField(w: Writing, level: number, name: string, bits: number): void {
  w.line(level);
  w.out.latin1(name).decimal(bits).latin1(';');
}
