/** Writes definitions of structs, unions, enums, typedefs (libbpf: `btf_dump_emit_struct_def`). */
import { isSizeInBase, pointerSize } from '#analysis/types/sizes.ts';
import { BtfKind, infoKindFlag, infoVlen } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { isComposite, isEnum } from '#model/type-items.ts';
import { isText, type Piece, pieceOf } from '#print/byte-text.ts';
import { declarator } from './declarators.ts';
import {
  choiceFor,
  ENUMERATOR,
  ENUMERATOR64,
  ITEMS_AT,
  isLeftOut,
  isPacked,
  kindAt,
  MEMBER,
  partsOf,
  sizeAt,
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

/** Mode attributes for enums in `exact` texts. The keys are sizes in bytes; an int needs none. */
const EXACT_MODES: ReadonlyMap<number, string> = new Map([
  [1, 'QI'],
  [2, 'HI'],
  [8, 'DI'],
]);

/** Writes a definition without its semicolon. Returns a passage for the rest, or null. */
export function definition(w: Writing, id: number, level = 0): Passage | null {
  const kind = kindAt(w.records, id);
  if (isComposite(kind)) return composite(w, id, level);
  if (isEnum(kind)) return enumeration(w, id, level);
  return kind === BtfKind.TYPEDEF ? typedefinition(w, id) : null;
}

function typedefinition(w: Writing, id: number): Passage | null {
  const { records, out, names } = w;
  const nameOff = wordAt(records, id, 0);
  const type = wordAt(records, id, 2);
  // This typedef must get its number before the names inside of it get theirs.
  const number = names.numberOfTypedef(id);
  out.piece(TYPEDEF);
  // Old GCC encoded `__gnuc_va_list` as a typedef of void.
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

function* composite(w: Writing, id: number, level: number): Passage {
  const { records, out, exact } = w;
  const choice = choiceFor(w.choice, id);
  const isStruct = kindAt(records, id) === BtfKind.STRUCT;
  const isPadded = choice?.isPadded ?? true;
  const packed = isPadded && (isStruct || exact) && isPacked(records, id, choice);
  const padding = (from: number, to: number, align: number, inBitfield: boolean) =>
    packed && exact
      ? padPacked(w, level + 1, to - from)
      : pad(w, level + 1, { from, to }, align, inBitfield);
  const size = wordAt(records, id, 2);
  writeHead(w, id, isStruct ? STRUCT : UNION);
  out.piece(OPENING);
  const start = out.length;
  /** Offset in bits at which the previous member ends. */
  let end = 0;
  /** Size in bytes of the previous bit-field's type; 0 after any other member. */
  let unit = 0;
  for (const part of partsOf(records, id)) {
    const { words } = records;
    const info = wordAt(records, part, 1);
    const kindFlag = infoKindFlag(info);
    const vlen = infoVlen(info);
    let at = (records.at[part] ?? 0) + ITEMS_AT;
    for (let index = 0; index < vlen; index++, at += MEMBER) {
      if (isLeftOut(choice, part, index)) continue;
      const type = words[at + 1] ?? 0;
      const offset = words[at + 2] ?? 0;
      const from = kindFlag ? offset & 0xffffff : offset | 0;
      const width = kindFlag ? offset >>> 24 : 0;
      const isFirst = out.length === start;
      if (isPadded && from > end) {
        const align = packed ? 1 : records.alignments.of(type);
        yield* padding(end, from, align, unit > 0 && width > 0);
      }
      const bytes = sizeAt(records, type);
      // Separate the units: clang rejects relocations if types of different sizes share a unit.
      if (!isPadded && !isFirst && width > 0 && unit !== bytes)
        writeField(w, level + 1, UNIT_END, 0);
      w.line(level + 1);
      const nested = declarator(w, type, words[at] ?? 0, level + 1);
      if (nested !== null) yield nested;
      if (width > 0) out.piece(WIDTH).decimal(width);
      out.byte(SEMICOLON);
      // As in libbpf, the offset is an int of C, which wraps.
      end = (from + (width > 0 ? width : 8 * bytes)) | 0;
      // Without the base of split BTF, what follows may be of this member: no padding.
      if (bytes === 0 && width === 0 && isSizeInBase(records.types, typeId(type))) end = NaN;
      unit = width > 0 ? bytes || 1 : 0;
      if (w.isPauseDue) yield null;
    }
  }
  const sizeBits = (8 * size) | 0;
  if (isStruct && isPadded && sizeBits > end) {
    // Without the omitted members, the struct has no alignment to preserve.
    const align = choice === null ? records.alignments.of(id) : 1;
    yield* padding(end, sizeBits, align, false);
  }
  if (!isStruct && isPadded && choice !== null) {
    w.line(level + 1);
    out.latin1(`char __size[${size}];`);
  }
  // clang fails on empty structs. A bit-field without a name has no effect on CO-RE.
  if (!isPadded && out.length === start && size > 0) writeField(w, level + 1, CHAR.name, 8);
  // An empty struct is written in one line.
  if (infoVlen(wordAt(records, id, 1)) > 0 || size > 0) w.line(level);
  out.byte(CLOSING);
  if (packed) out.piece(PACKED);
}

function* enumeration(w: Writing, id: number, level: number): Passage {
  const { records, out, names } = w;
  const choice = choiceFor(w.choice, id);
  writeHead(w, id, ENUM);
  // An enum without enumerators is a forward declaration, as clang encodes it.
  if (infoVlen(wordAt(records, id, 1)) === 0) return;
  out.piece(OPENING);
  let hasWide = false;
  for (const part of partsOf(records, id)) {
    const info = wordAt(records, part, 1);
    const vlen = infoVlen(info);
    const isSigned = infoKindFlag(info);
    const isWide = kindAt(records, part) === BtfKind.ENUM64;
    let at = (records.at[part] ?? 0) + ITEMS_AT;
    for (let index = 0; index < vlen; index++, at += isWide ? ENUMERATOR64 : ENUMERATOR) {
      if (isLeftOut(choice, part, index)) continue;
      const low = records.words[at + 1] ?? 0;
      const high = isWide ? (records.words[at + 2] ?? 0) : 0;
      hasWide ||= high !== 0;
      w.line(level + 1);
      names.writeEnumerator(out, records.words[at] ?? 0);
      out.piece(EQUALS);
      if (isWide) out.latin1(wideValue(low, high, isSigned, w.exact));
      else out.decimal(isSigned ? low | 0 : low);
      out.byte(COMMA);
      if (w.isPauseDue) yield null;
    }
  }
  w.line(level);
  out.byte(CLOSING);
  const mode = enumMode(w, wordAt(records, id, 2), hasWide);
  if (mode !== undefined) out.latin1(` __attribute__((mode(${mode})))`);
}

/** Returns the mode that an enum of `size` bytes needs. `hasWide`: a value exceeds 32 bits. */
function enumMode(
  { records, dialect, exact }: Writing,
  size: number,
  hasWide: boolean,
): string | undefined {
  if (exact) return EXACT_MODES.get(size);
  if (!dialect.hasEnumModes) return undefined;
  if (size === 1) return 'byte';
  return size === 8 && pointerSize(records.types) === 8 && !hasWide ? 'word' : undefined;
}

/** Formats a 64-bit value. If `exact`, the lowest is an expression: C has no literal for it. */
function wideValue(low: number, high: number, isSigned: boolean, exact: boolean): string {
  const raw = (BigInt(high) << 32n) | BigInt(low);
  if (exact && isSigned && raw === 1n << 63n) return '(-9223372036854775807LL - 1)';
  return isSigned ? `${BigInt.asIntN(64, raw)}LL` : `${raw}ULL`;
}

/**
 * Fills a struct with unnamed bit-fields: `long: 0` to force an alignment, whole units of the
 * widest type that fits, then the rest. Source: libbpf, `btf_dump_emit_bit_padding`.
 */

/** Start of an unnamed bit-field of width 0, which ends the unit of the previous bit-field. */
const UNIT_END = 'long: ';

type Unit = { readonly name: string; readonly bits: number };

const CHAR: Unit = { name: 'char: ', bits: 8 };
const NARROW: readonly Unit[] = [{ name: 'int: ', bits: 32 }, { name: 'short: ', bits: 16 }, CHAR];
const UNITS: Record<4 | 8, readonly Unit[]> = {
  4: [{ name: 'long: ', bits: 32 }, ...NARROW],
  8: [{ name: 'long: ', bits: 64 }, ...NARROW],
};

const roundUp = (n: number, unit: number) => Math.ceil(n / unit) * unit;

/** Fills bits `from` to `to`. `nextAlign` is in bytes; `inBitfield`: between two bit-fields. */
function* pad(
  w: Writing,
  level: number,
  { from, to }: { readonly from: number; readonly to: number },
  nextAlign: number,
  inBitfield: boolean,
): Passage {
  if (from >= to) return;
  // Use the widest unit that has a boundary inside the gap.
  const units = UNITS[pointerSize(w.records.types)];
  const unit = units.find(({ bits }) => roundUp(from, bits) <= to) ?? CHAR;
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
  yield* fill(w, level, unit, to - at);
}

/** Writes unnamed bit-fields of `bits` bits in a packed struct, where compilers leave no gaps. */
function padPacked(w: Writing, level: number, bits: number): Passage {
  return fill(w, level, UNITS[pointerSize(w.records.types)][0] ?? CHAR, bits);
}

/** Writes unnamed bit-fields for whole units, and one for the rest. */
function* fill(w: Writing, level: number, unit: Unit, bits: number): Passage {
  let left = bits;
  for (; left >= unit.bits; left -= unit.bits) {
    writeField(w, level, unit.name, unit.bits);
    if (w.isPauseDue) yield null;
  }
  if (left <= 0) return;
  const units = UNITS[pointerSize(w.records.types)];
  writeField(w, level, (units.findLast((narrow) => narrow.bits >= left) ?? CHAR).name, left);
}

function writeField(w: Writing, level: number, name: string, bits: number): void {
  w.line(level);
  w.out.latin1(name).decimal(bits).latin1(';');
}
