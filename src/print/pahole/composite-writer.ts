/**
 * Writes structs and unions, member by member. Open composites are a stack of frames: types may be
 * nested to any depth. Source: pahole, dwarves_fprintf.c, __class__fprintf and union__fprintf.
 */
import { typeSize } from '#analysis/encode/type-sizes.ts';
import { Enumeration } from '#analysis/encode/unit-tags.ts';
import { counted } from '#bytes/text.ts';
import type { ByteText } from '#print/byte-text.ts';
import {
  alignedText,
  attributesText,
  boundsText,
  combinations,
  countMember,
  emptyLine,
  holesAfter,
  holesBefore,
  nestedPlaceText,
  placeText,
  plainPlaceText,
  remarkText,
  summaryText,
} from './comments.ts';
import { type Declaration, enumerationText, keywordText } from './declaration.ts';
import { Frame, Phase, Style } from './frames.ts';
import { CACHELINE_BYTES, layOut, MemberRows, Packing } from './layouts.ts';
import type { Remark } from './members.ts';
import type { Records } from './records.ts';
import type { Sizes } from './sizes.ts';
import {
  deeper,
  MISSING,
  missingType,
  NESTED_SPACING,
  NULL,
  STRUCT_NAME_SPACING,
  TYPE_SPACING,
  tabs,
  UNION_NAME_SPACING,
} from './text.ts';

/** Limit of one type's text in characters: on types that need more, pahole crashes. */
const MAX_LENGTH = 1 << 22;
/** Limit of nested composites: a composite inside itself would otherwise fill the text. */
const MAX_DEPTH = 1 << 12;
/** Limit of rows of nested composites. A row takes 44 bytes, and 132 while columns grow. */
const MAX_INNER_ROWS = 1 << 18;

/** Characters of text between two pauses: one member may have a megabyte of parameters. */
const STEP_BYTES = 1 << 19;

/** Limit of members that are written between two pauses if each takes one line. */
const MAX_PLAIN = 1 << 10;

/** Length at which collected text is passed on: one long text is faster than many short ones. */
const CHUNK_LENGTH = 1 << 14;

export class CompositeWriter {
  readonly #records: Records;
  readonly #sizes: Sizes;
  readonly #out: ByteText;
  readonly #rows = new MemberRows();
  readonly #packing: Packing;
  readonly #declaration: Declaration;
  /** The frames in use, then frames to reuse. */
  readonly #frames: Frame[] = [];
  #depth = 0;
  /** Length of all text before the outermost type. */
  #start = 0;
  /** Number of the cache line with the latest written member. */
  #cacheline = 0;
  /** Text that has not been passed to `#out` yet. */
  #text = '';
  #written = 0;

  constructor(records: Records, sizes: Sizes, declaration: Declaration, out: ByteText) {
    this.#records = records;
    this.#sizes = sizes;
    this.#out = out;
    this.#packing = new Packing(records, sizes, this.#rows);
    this.#declaration = declaration;
  }

  /** Begins an outermost composite; with `typedef` a typedef of it, or of an array of it. */
  begin(id: number, typedef: string | null, as: 'whole' | 'typedef' | 'element' = 'whole'): void {
    this.#depth = 0;
    this.#start = this.#length();
    this.#cacheline = 0;
    const isUnion = this.#records.keyword(id) === 'union';
    const style = new Style();
    const isNarrow =
      as === 'element' || (as === 'typedef' && this.#records.dialect.narrowsTypedefs);
    style.typeSpacing = isNarrow ? TYPE_SPACING - NESTED_SPACING : TYPE_SPACING;
    style.nameSpacing = isUnion && !isNarrow ? UNION_NAME_SPACING : STRUCT_NAME_SPACING;
    style.withStats = as !== 'element';
    style.isTypedef = typedef !== null;
    style.suffix = typedef === null ? '' : ` ${typedef}`;
    this.#push().style = style;
    this.#open(id);
  }

  /** Writes up to `members` members or half a MiB; returns true at the outermost type's end. */
  advance(members: number): boolean {
    const maxLength = this.#length() + STEP_BYTES;
    for (let rest = members; rest > 0 && this.#depth > 0 && this.#length() < maxLength; ) {
      const frame = this.#top();
      const { row } = frame;
      const isEnd = row >= frame.layout.end;
      if (this.#depth > 1 && this.#isTooLong()) this.#close(frame);
      else if (this.#declareInside(frame)) rest -= 1;
      else if (isEnd && (frame.isUnion || this.#forcePadding(frame))) this.#close(frame);
      else if (isEnd) rest -= 1;
      else if (frame.isUnion) this.#unionMember(frame);
      else this.#structMember(frame);
      rest -= Math.max(1, frame.row - row);
      if (this.#text.length > CHUNK_LENGTH) this.flush();
    }
    return this.#depth === 0;
  }

  #length(): number {
    return this.#written + this.#text.length;
  }

  #isTooLong(): boolean {
    return this.#length() - this.#start > MAX_LENGTH;
  }

  /** Returns true if the nested composites have too many rows or levels. */
  #isTooDeep(): boolean {
    const outermost = this.#frames[0]?.layout.end ?? 0;
    return this.#depth >= MAX_DEPTH || this.#rows.count - outermost > MAX_INNER_ROWS;
  }

  flush(): void {
    this.#out.latin1(this.#text);
    this.#written += this.#text.length;
    this.#text = '';
  }

  #push(): Frame {
    const frame = this.#frames[this.#depth] ?? new Frame();
    this.#frames[this.#depth] = frame;
    this.#depth++;
    return frame;
  }

  #top(): Frame {
    return this.#frames[this.#depth - 1] ?? this.#push();
  }

  /** Begins composite `id` in the top frame. The frame's style must be set. */
  #open(id: number): void {
    const records = this.#records;
    const frame = this.#top();
    const keyword = records.keyword(id);
    frame.reset(id, keyword === 'union');
    layOut(records, this.#sizes, id, this.#rows, frame.layout);
    frame.row = frame.layout.first;
    frame.indent = tabs(deeper(frame.style.indent));
    const name = records.name(id);
    const prefix = frame.style.isTypedef ? 'typedef ' : '';
    this.#text += `${prefix}${keyword}${name === null ? '' : ` ${name}`} {\n`;
    if (frame.isUnion) {
      this.#packing.decideUnion(id, frame.layout);
      frame.cacheline = this.#cacheline;
    } else {
      this.#packing.decide(id, frame.layout);
      this.#text += holesBefore(frame);
    }
  }

  #close(frame: Frame): void {
    const records = this.#records;
    const { id, style, layout } = frame;
    let text = tabs(style.indent);
    if (frame.isUnion) {
      text += `}${style.suffix}`;
    } else {
      if (style.withStats) text = summaryText(frame, records.size(id), records.vlen(id)) + text;
      const isPacked = this.#packing.isPacked(id);
      const packed = isPacked ? ' __attribute__((__packed__))' : '';
      text += `}${packed}${style.suffix}${isPacked ? '' : alignedText(layout.alignment)}`;
    }
    this.#rows.count = layout.first;
    this.#depth--;
    this.#text += this.#depth === 0 ? `${text};\n` : text;
  }

  /**
   * Writes a type that is declared in a struct before the next member. Returns false if there is
   * none. Of a composite, only the start is written.
   */
  #declareInside(frame: Frame): boolean {
    if (frame.isUnion || (frame.phase !== Phase.START && frame.phase !== Phase.DECLARED_INSIDE)) {
      return false;
    }
    const declared = this.#records.composite(frame.id)?.declared ?? [];
    if (frame.phase === Phase.DECLARED_INSIDE) {
      this.#text += ';\n\n';
      frame.phase = Phase.START;
    }
    const next = declared[frame.declaredInside];
    if (next === undefined || next.members > frame.row - frame.layout.first) return false;
    frame.declaredInside++;
    frame.phase = Phase.DECLARED_INSIDE;
    const { style } = frame;
    this.#text += `${frame.indent}${style.isTypedef ? 'typedef ' : ''}`;
    if (next.type instanceof Enumeration) {
      const indent = deeper(style.indent);
      this.#text += enumerationText(this.#records, next.type.id, indent, style.suffix);
    } else if (this.#isTooLong() || this.#isTooDeep()) {
      const keyword = this.#records.keyword(next.type.id) ?? 'struct';
      this.#text += keywordText(keyword, this.#records.name(next.type.id) ?? '', 0);
    } else {
      this.#push().style = { ...style, indent: deeper(style.indent) };
      this.#open(next.type.id);
    }
    return true;
  }

  /**
   * Writes unnamed bit-fields for the padding of a struct of DWARF without an alignment. Returns
   * false if a composite inside of them must be written first.
   */
  #forcePadding(frame: Frame): boolean {
    const { unit } = this.#records;
    const { padding, alignment } = frame.layout;
    if (unit === null || frame.last < 0 || alignment !== 0 || padding <= unit.addressSize) {
      return true;
    }
    const type = this.#rows.type[frame.last] ?? 0;
    const size = typeSize(unit, type) ?? 0;
    if (size === 0 || 2 ** Math.floor(Math.log2(size)) !== size) return true;
    const endField = () => {
      this.#text += `${frame.bounds}:${size * 8};\n`;
      frame.padded += size;
      frame.phase = Phase.START;
    };
    if (frame.padded < 0) {
      this.#text += `\n${frame.indent}/* Force padding: */\n`;
      frame.padded = 0;
    }
    if (frame.phase === Phase.PADDED) endField();
    while (frame.padded < padding && !this.#isTooLong()) {
      this.#text += frame.indent;
      frame.phase = Phase.PADDED;
      if (!this.#declare(frame, type, '', frame.style.baseOffset)) return false;
      endField();
    }
    return true;
  }

  #unionMember(frame: Frame): void {
    if (frame.phase === Phase.START) {
      this.#text += frame.indent;
      const type = this.#rows.type[frame.row] ?? 0;
      if (this.#records.kind(type) === 0) {
        this.#text += missingType(MISSING.unionMember, type);
        frame.row++;
        return;
      }
      frame.style.inUnion = true;
      if (!this.#member(frame, type)) return;
    } else {
      this.#endMember(frame);
    }
    this.#text += '\n';
    this.#cacheline = frame.cacheline;
    frame.phase = Phase.START;
    frame.row++;
  }

  #structMember(frame: Frame): void {
    if (frame.phase === Phase.START && (this.#plainMembers(frame) || !this.#fillBitHole(frame))) {
      return;
    }
    if (frame.phase === Phase.FILLED) this.#endFilling(frame);
    if (frame.phase === Phase.TYPED) {
      this.#endMember(frame);
    } else {
      this.#text += combinations(frame, this.#rows) + frame.indent;
      const { row } = frame;
      const type = this.#rows.type[row] ?? 0;
      if (this.#records.kind(type) === 0) {
        this.#text += missingType(MISSING.member, type);
        frame.phase = Phase.START;
        frame.row++;
        return;
      }
      frame.style.isLast = this.#isLast(frame, row);
      frame.style.isFirst = frame.last < 0;
      if (!this.#member(frame, type)) return;
    }
    const remark = this.#remarkOn(this.#rows.type[frame.row] ?? 0);
    this.#text += `${holesAfter(frame, this.#rows, remark)}\n`;
    countMember(frame, this.#rows);
    frame.phase = Phase.START;
    frame.row++;
  }

  /** Returns true if no member and no type declared inside follows. */
  #isLast({ id, layout }: Frame, row: number): boolean {
    if (row + 1 !== layout.end) return false;
    const declared = this.#records.composite(id)?.declared.at(-1);
    return declared === undefined || declared.members <= row - layout.first;
  }

  /** Returns the row before which the next type that is declared inside is written. */
  #endOfRun({ id, layout, declaredInside }: Frame): number {
    const next = this.#records.composite(id)?.declared[declaredInside];
    return next === undefined ? layout.end : Math.min(layout.end, layout.first + next.members);
  }

  /** Writes one-line members up to the first longer member. Returns true if there is one. */
  #plainMembers(frame: Frame): boolean {
    const { style, indent } = frame;
    const { special, type, at, byteOffset, byteSize } = this.#rows;
    const baseOffset = style.isRelative ? 0 : style.baseOffset;
    const first = frame.row;
    let text = '';
    // Byte offset at which the previous member ends. The next one overlaps if it begins earlier.
    let lastEnd = frame.last < 0 ? 0 : (byteOffset[frame.last] ?? 0) + frame.lastSize;
    const end = Math.min(this.#endOfRun(frame), first + MAX_PLAIN);
    let row = first;
    for (; row < end && special[row] === 0 && text.length < CHUNK_LENGTH; row++) {
      const from = byteOffset[row] ?? 0;
      if (from < lastEnd) break;
      const id = type[row] ?? 0;
      style.isLast = this.#isLast(frame, row);
      style.isFirst = frame.last < 0;
      const declared = this.#declared(id, this.#records.nameAt(at[row] ?? 0), style);
      if (declared === '') break;
      const remark = this.#remarkOn(id);
      const size = byteSize[row] ?? 0;
      const offset = (from + baseOffset) >>> 0;
      text += emptyLine(frame);
      text += indent;
      if (offset >= (this.#cacheline + 1) * CACHELINE_BYTES) text += this.#boundary(offset, indent);
      text += declared;
      text += plainPlaceText(style, declared.length, offset, size);
      if (remark !== null) text += remarkText(frame, remark);
      text += '\n';
      frame.sums.bytes += size;
      frame.lastSize = size;
      frame.last = row;
      lastEnd = from + size;
    }
    if (text === '') return false;
    this.#text += text;
    frame.row = row;
    return true;
  }

  /** Returns a declaration without attributes; empty if it is not a single text. */
  #declared(type: number, name: string | null, style: Style): string {
    const declaration = this.#declaration;
    const simple = declaration.simple(type, style.typeSpacing);
    if (simple !== '') return simple + (name ?? (this.#records.keyword(type) === null ? NULL : ''));
    declaration.declare(type, name, style.typeSpacing);
    if (declaration.nested !== 0 || declaration.uncounted !== 0) return '';
    return declaration.text + boundsText(declaration.bounds, style);
  }

  /** Returns the remark on a member whose type is a struct; null for other types. */
  #remarkOn(type: number): Remark | null {
    return this.#records.keyword(type) === 'struct' ? this.#packing.remarkOn(type) : null;
  }

  /** Writes the unnamed bit-field for a hole. Returns false if its type is missing or nested. */
  #fillBitHole(frame: Frame): boolean {
    const { row, last } = frame;
    const rows = this.#rows;
    frame.phase = Phase.DECLARED;
    if (rows.alignment[row] !== 0) {
      const hole = last < 0 ? frame.layout.preHole : (rows.hole[last] ?? 0);
      if (hole !== 0) frame.sums.forcedHoles++;
      frame.sums.forcedHole += hole;
      frame.sums.forced++;
    }
    if (last < 0 || frame.lastSize === 0) return true;
    if (rows.bitHole[last] === 0 || rows.bitfieldSize[row] === 0) return true;
    const type = rows.type[row] ?? 0;
    if (this.#records.kind(type) === 0) {
      this.#text += frame.indent + missingType(MISSING.paddedMember, type);
      frame.phase = Phase.START;
      frame.row++;
      return false;
    }
    if (rows.byteOffset[last] !== rows.byteOffset[row]) {
      this.#text += `\n${frame.indent}/* Force alignment to the next boundary: */\n`;
    }
    this.#text += frame.indent;
    frame.phase = Phase.FILLED;
    return this.#declare(frame, type, '', frame.style.baseOffset);
  }

  #endFilling(frame: Frame): void {
    const rows = this.#rows;
    const isSameUnit = rows.byteOffset[frame.last] === rows.byteOffset[frame.row];
    this.#text += `${frame.bounds}:${isSameUnit ? rows.bitHole[frame.last] : 0};\n`;
    frame.phase = Phase.DECLARED;
  }

  /** Writes the member of the row. Returns false if a composite inside it must be written first. */
  #member(frame: Frame, type: number): boolean {
    const { row, style } = frame;
    const rows = this.#rows;
    let offset = rows.byteOffset[row] ?? 0;
    if (!style.isRelative) offset = (offset + style.baseOffset) >>> 0;
    const baseOffset = style.isRelative || frame.isUnion ? style.baseOffset : offset;
    if ((rows.bitfieldOffset[row] ?? 0) < 0) offset = (offset + (rows.byteSize[row] ?? 0)) >>> 0;
    frame.offset = offset;
    if (offset >= (this.#cacheline + 1) * CACHELINE_BYTES) {
      this.#text += this.#boundary(offset, frame.indent);
    }
    const name = this.#records.nameAt(rows.at[row] ?? 0);
    const declared = this.#declared(type, name, style);
    if (declared !== '') {
      const text = declared + attributesText(rows, row);
      this.#text += text + placeText(frame, rows, text.length);
      return true;
    }
    frame.textStart = this.#length();
    frame.phase = Phase.TYPED;
    const isNested = this.#records.keyword(type) !== null;
    if (!this.#declare(frame, type, isNested ? null : name, baseOffset)) return false;
    this.#endMember(frame);
    return true;
  }

  /** Returns the comment on a cache line boundary at or before `offset`. */
  #boundary(offset: number, indent: string): string {
    const past = offset % CACHELINE_BYTES;
    this.#cacheline = (offset - past) / CACHELINE_BYTES;
    const ago = past === 0 ? '' : ` was ${counted(past, 'byte')} ago`;
    const at = `${this.#cacheline} boundary (${offset - past} bytes)`;
    return `/* --- cacheline ${at}${ago} --- */\n${indent}`;
  }

  /** Writes a declaration. Returns false if a composite inside it must be written first. */
  #declare(frame: Frame, type: number, name: string | null, baseOffset: number): boolean {
    const declaration = this.#declaration;
    const { style } = frame;
    declaration.declare(type, name, style.typeSpacing);
    this.#text += declaration.text;
    frame.textStart += declaration.uncounted;
    frame.bounds = boundsText(declaration.bounds, style);
    return declaration.nested === 0 || this.#nest(frame, declaration.nested, baseOffset);
  }

  /** Writes an enumeration in place. For a composite, pushes a frame and returns false. */
  #nest(frame: Frame, type: number, baseOffset: number): boolean {
    const records = this.#records;
    const { suffix, nestedSpacing, isPointee, keepsStyle } = this.#declaration;
    const outer = frame.style;
    const keyword = records.keyword(type) ?? 'struct';
    if (keyword === 'enum') {
      const indent = deeper(outer.indent);
      this.#text += enumerationText(records, type, indent, suffix ?? outer.suffix);
      return true;
    }
    if (this.#isTooLong() || this.#isTooDeep()) {
      this.#text += keywordText(keyword, '', nestedSpacing) + (suffix ?? '');
      return true;
    }
    this.#push().style = {
      ...outer,
      typeSpacing: nestedSpacing,
      indent: deeper(outer.indent),
      baseOffset,
      isRelative: outer.isRelative || isPointee,
      withStats: keepsStyle && outer.withStats,
      isTypedef: keepsStyle && outer.isTypedef,
      suffix: suffix ?? outer.suffix,
    };
    this.#open(type);
    return false;
  }

  /** Writes the part of a member after its type, unless the member is already complete. */
  #endMember(frame: Frame): void {
    const { row } = frame;
    const rows = this.#rows;
    const records = this.#records;
    const type = rows.type[row] ?? 0;
    const keyword = records.keyword(type);
    const attributes = frame.bounds + attributesText(rows, row);
    if (keyword === null) {
      const length = this.#length() + attributes.length - frame.textStart;
      this.#text += attributes + placeText(frame, rows, length);
      return;
    }
    const name = records.nameAt(rows.at[row] ?? 0);
    const isPacked = keyword === 'struct' && this.#packing.isPacked(type);
    const place = nestedPlaceText(frame, rows, name === null ? -1 : name.length, isPacked);
    this.#text += `${name === null ? '' : ` ${name}`}${attributes}${place}`;
  }
}
