/**
 * Writes structs and unions with their holes byte for byte as `pahole -F btf FILE` 1.31 or 1.24;
 * one type as `pahole -F btf -C NAME FILE`.
 */
import { longSize, pointerSize } from '#analysis/types/sizes.ts';
import { MAX_U32 } from '#bytes/byte-reader.ts';
import { decodeText } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type ByteText, gathered } from '#print/byte-text.ts';
import type { ToolVersions } from '#print/tool-versions.ts';
import { boundsText } from './comments.ts';
import { CompositeWriter } from './composite-writer.ts';
import { Declaration, enumerationText, keywordText, prototypeText } from './declaration.ts';
import { DIALECTS, HEAD_WORDS, MEMBER_WORDS, type Records, recordsOf } from './records.ts';
import { Sizes } from './sizes.ts';
import { MISSING, missingType, TYPE_SPACING } from './text.ts';
import { TypeNames } from './type-names.ts';

/** The version of pahole whose text is written. Default: 1.31. */
export type PaholeOptions = Pick<ToolVersions, 'pahole'>;

/** Limit of written members, plus completed types, between two yields. */
const STEP_MEMBERS = 1 << 13;

/** Writes all structs and unions of the base of `t`, then of `t`. Yields the number done. */
export function* writePahole(
  t: TypeTable,
  out: ByteText,
  { pahole = '1.31' }: PaholeOptions = {},
): Generator<number, void> {
  const records = recordsOf(t, DIALECTS[pahole]);
  const declaration = new Declaration(records, new TypeNames(records));
  const sizes = new Sizes(records, addressSize(t));
  const writer = new CompositeWriter(records, sizes, declaration, out);
  const printed = new PrintedTypes(records);
  let members = 0;
  for (let id = records.first; id <= records.last; id++) {
    if (!printed.add(id)) continue;
    writer.begin(id, null);
    while (!writer.advance(STEP_MEMBERS)) yield Math.max(0, id - t.firstId);
    members += records.vlen(id) + 1;
    if (members > STEP_MEMBERS) {
      members = 0;
      yield Math.max(0, id - t.firstId);
    }
  }
  writer.flush();
  yield t.count;
}

/**
 * Returns one type as `pahole -C` writes it; a nameless type with its first typedef. Empty for
 * forward declarations and other kinds. Bytes of names that are not UTF-8 become `\xNN`.
 */
export function paholeOf(
  t: TypeTable,
  id: TypeId,
  { pahole = '1.31' }: PaholeOptions = {},
): string {
  const records = recordsOf(t, DIALECTS[pahole]);
  const sizes = new Sizes(records, addressSize(t));
  return decodeText(gathered((out) => writeType(records, sizes, id, out)));
}

/** Writes the type `id` as `pahole -C`; nothing for forward declarations and other kinds. */
export function writeType(records: Records, sizes: Sizes, id: number, out: ByteText): void {
  const names = new TypeNames(records);
  const declaration = new Declaration(records, names);
  const composite = (type: number, typedef: string | null, as?: Nested['as']) => {
    const writer = new CompositeWriter(records, sizes, declaration, out);
    writer.begin(type, typedef, as);
    while (!writer.advance(Number.POSITIVE_INFINITY));
    writer.flush();
  };
  switch (records.kind(id)) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      composite(id, records.isNamed(id) ? null : firstTypedefOf(records, id));
      return;
    case BtfKind.TYPEDEF: {
      const written = typedefAlone(records, names, declaration, id);
      if ('text' in written) out.latin1(written.text);
      else composite(written.composite, written.declares, written.as);
      return;
    }
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      out.latin1(enumerationAlone(records, id));
  }
}

/** Returns pahole's size of a pointer in bytes; 0 in raw BTF without an INT named `long`. */
function addressSize(t: TypeTable): number {
  return t.fileOffset === 0 ? longSize(t) : pointerSize(t);
}

/**
 * Chooses the types that pahole prints for a whole file: the named structs and unions, without
 * repeated ones. Types repeat if name, size, and the members' names, offsets and widths are equal.
 */

/** Limit of compared types per name: only hostile files have more different types of one name. */
const MAX_COMPARED = 1 << 8;

class PrintedTypes {
  readonly #records: Records;
  /** Latest printed type of each name; and for each type, the previous one of the same name. */
  readonly #latest = new Map<string, number>();
  readonly #previous = new Map<number, number>();

  constructor(records: Records) {
    this.#records = records;
  }

  /** Returns true if the type is printed. Must be called once for each id, in order. */
  add(id: number): boolean {
    const records = this.#records;
    const kind = records.kind(id);
    if (kind !== BtfKind.STRUCT && kind !== BtfKind.UNION) return false;
    const name = records.name(id);
    if (name === null) return false;
    const latest = this.#latest.get(name);
    let earlierId = latest;
    for (let count = 0; earlierId !== undefined && count < MAX_COMPARED; count++) {
      if (this.#isSame(earlierId, id)) return false;
      earlierId = this.#previous.get(earlierId);
    }
    if (latest !== undefined) this.#previous.set(id, latest);
    this.#latest.set(name, id);
    return true;
  }

  #isSame(a: number, b: number): boolean {
    const records = this.#records;
    const { words } = records;
    const count = records.vlen(a);
    if (count !== records.vlen(b) || records.size(a) !== records.size(b)) return false;
    // If kind_flag differs, the whole word is the offset: no member is a bit-field.
    const maxOffset = records.kindFlag(a) === records.kindFlag(b) ? MAX_U32 : 0xffffff;
    let atA = records.start(a) + HEAD_WORDS;
    let atB = records.start(b) + HEAD_WORDS;
    for (let i = 0; i < count; i++, atA += MEMBER_WORDS, atB += MEMBER_WORDS) {
      const offset = words[atA + 2] ?? 0;
      if (offset !== words[atB + 2] || offset > maxOffset) return false;
      const nameA = records.nameAt(atA);
      const nameB = records.nameAt(atB);
      if (nameA !== null && nameB !== null && nameA !== nameB) return false;
    }
    return true;
  }
}

/** Limit of characters of `_Atomic` in a typedef: a damaged file may have a loop of them. */
const MAX_ATOMICS = 1 << 10;

/** A typedef or an enumeration: its text, or a nameless composite to write. */
type Written = { readonly text: string } | Nested;

/** A nameless composite, with the name that a typedef of it or of an array of it has. */
type Nested = {
  readonly composite: number;
  readonly declares: string;
  readonly as: 'typedef' | 'element';
};

/** Returns an ENUM or ENUM64; one without a name is written with its first typedef. */
function enumerationAlone(records: Records, id: number): string {
  const typedef = records.name(id) === null ? firstTypedefOf(records, id) : null;
  const text = enumerationText(records, id, 0, typedef === null ? '' : ` ${typedef}`);
  return `${typedef === null ? '' : 'typedef '}${text};\n`;
}

function typedefAlone(
  records: Records,
  names: TypeNames,
  declaration: Declaration,
  id: number,
): Written {
  const name = records.name(id) ?? '';
  let type = records.refOf(id);
  let atomics = '';
  for (; records.isAtomic(type) && atomics.length < MAX_ATOMICS; type = records.refOf(type)) {
    atomics += '_Atomic ';
  }
  const kind = records.kind(type);
  const line = (text: string) => ({ text: `typedef ${atomics}${text};\n` });
  if (type === 0) return line(`void ${name}`);
  if (kind === 0) return line(`${missingType(MISSING.typedef, type)} ${name}`);
  const keyword = records.keyword(type);
  if (keyword !== null && !records.isNamed(type)) {
    if (keyword !== 'enum') return { composite: type, declares: name, as: 'typedef' };
    return line(enumerationText(records, type, 0, ` ${name}`));
  }
  if (keyword === 'union' && records.dialect.narrowsTypedefs) {
    return line(keywordText(keyword, records.name(type) ?? '', TYPE_SPACING) + name);
  }
  if (kind === BtfKind.FUNC_PROTO) return line(prototypeText(records, names, type, name, false, 0));
  if (kind === BtfKind.PTR) {
    const to = records.refOf(type);
    if (records.kind(to) === BtfKind.FUNC_PROTO) {
      return line(prototypeText(records, names, to, name, true, 0));
    }
    if (to !== 0 && records.kind(to) === 0) {
      return line(`${missingType(MISSING.typedefPointee, to)} *${name}`);
    }
  }
  if (kind !== BtfKind.ARRAY) return line(`${names.of(type)} ${name}`);
  declaration.declare(type, name, TYPE_SPACING);
  const bounds = boundsText(declaration.bounds, { isFirst: false, isLast: false, inUnion: false });
  const { nested, text } = declaration;
  if (nested === 0) return line(text + bounds);
  if (records.keyword(nested) !== 'enum') {
    return { composite: nested, declares: name + bounds, as: 'element' };
  }
  return line(text + enumerationText(records, nested, 0, ` ${name}`) + bounds);
}

/** Returns the name of the first typedef of a type; null if there is none. */
function firstTypedefOf(records: Records, id: number): string | null {
  for (let typedefId = records.first; typedefId <= records.last; typedefId++) {
    if (records.kind(typedefId) === BtfKind.TYPEDEF && records.refOf(typedefId) === id) {
      return records.name(typedefId);
    }
  }
  return null;
}
