/**
 * Structs and unions with their holes, as `pahole` 1.31 or 1.24 writes them.
 *
 * In: a table of types. Out: the text of `pahole -F btf FILE` for all of it, or of
 * `pahole -F btf -C NAME FILE` for one type, byte for byte. What pahole says on
 * its standard error is not part of it.
 */
import { longSize, pointerSize } from '#analysis/types/sizes.ts';
import { decodeText } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type ByteText, gathered } from '#print/byte-text.ts';
import type { ToolVersions } from '#print/tool-versions.ts';
import { CompositeWriter } from './composite-writer.ts';
import { Declaration, enumerationText, prototypeText } from './declaration.ts';
import { boundsText } from './frames.ts';
import { DIALECTS, HEAD_WORDS, MEMBER_WORDS, Records } from './records.ts';
import { Sizes } from './sizes.ts';
import { MISSING, missingType, TYPE_SPACING } from './text.ts';
import { TypeNames } from './type-names.ts';

/** Whose text it is; that of 1.31, unless given. */
export type PaholeOptions = Pick<ToolVersions, 'pahole'>;

/** Members, and ends of types, that are written between two yields. */
const STEP_MEMBERS = 1 << 13;

/**
 * Writes all structs and unions of `t`, after those of its base, as the tool does
 * too. Yields the number of own types done after every few thousand members, and
 * at the end.
 */
export function* writePahole(
  t: TypeTable,
  out: ByteText,
  { pahole = '1.31' }: PaholeOptions = {},
): Generator<number, void> {
  const records = new Records(t, DIALECTS[pahole]);
  const declaration = new Declaration(records, new TypeNames(records));
  const writer = writerOf(t, records, declaration, out);
  const printed = new Printed(records);
  let members = 0;
  for (let id = records.first; id <= records.last; id++) {
    if (!printed.add(id)) continue;
    writer.begin(id, null, false);
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
 * One struct or union as `pahole -C` writes it, with the first typedef of it when
 * it has no name; also a typedef or an enumeration. Empty for other kinds and for
 * forward declarations, which pahole does not find. Bytes of names that are no
 * UTF-8 come out as `\xNN`.
 */
export function paholeOf(
  t: TypeTable,
  id: TypeId,
  { pahole = '1.31' }: PaholeOptions = {},
): string {
  const records = new Records(t, DIALECTS[pahole]);
  const names = new TypeNames(records);
  const declaration = new Declaration(records, names);
  const composite = (type: number, typedef: string | null, isElement: boolean) =>
    gathered((out) => {
      const writer = writerOf(t, records, declaration, out);
      writer.begin(type, typedef, isElement);
      while (!writer.advance(Number.POSITIVE_INFINITY));
      writer.flush();
    });
  const plain = (text: string) => gathered((out) => out.latin1(text));
  switch (records.kind(id)) {
    case BtfKind.STRUCT:
    case BtfKind.UNION: {
      const typedef = records.isNamed(id) ? null : firstTypedefOf(records, id);
      return decodeText(composite(id, typedef, false));
    }
    case BtfKind.TYPEDEF: {
      const written = typedefAlone(records, names, declaration, id);
      if ('text' in written) return decodeText(plain(written.text));
      return decodeText(composite(written.composite, written.declares, written.isElement));
    }
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return decodeText(plain(enumerationAlone(records, id)));
    default:
      return '';
  }
}

function writerOf(
  t: TypeTable,
  records: Records,
  declaration: Declaration,
  out: ByteText,
): CompositeWriter {
  return new CompositeWriter(records, new Sizes(records, addressSize(t)), declaration, out);
}

/**
 * Bytes of a pointer, as the libbpf that pahole uses tells it. In a file of bare
 * BTF in which no INT is some `long`, that is 0, and so pahole prints it. In an
 * object the ELF header tells: 8 for BPF.
 */
function addressSize(t: TypeTable): number {
  return t.fileOffset === 0 ? longSize(t) : pointerSize(t);
}

/**
 * Which types pahole prints when it is asked for all of a file.
 *
 * In the order of ids: each struct and union that has a name and is no forward
 * declaration. Of those that say the same only the first: name, size, and the
 * names, offsets and widths of members, but not their types.
 */

/** So many types of one name, all of them different, are only in files that were made to take long. */
const MAX_COMPARED = 1 << 8;

class Printed {
  readonly #records: Records;
  /** The last one that is printed, by name, and the one before it with that name, by id. */
  readonly #latest = new Map<string, number>();
  readonly #previous = new Map<number, number>();

  constructor(records: Records) {
    this.#records = records;
  }

  /** Is it printed? To be asked once for each id, in their order. */
  add(id: number): boolean {
    const records = this.#records;
    const kind = records.kind(id);
    if (kind !== BtfKind.STRUCT && kind !== BtfKind.UNION) return false;
    const name = records.name(id);
    if (name === null) return false;
    const latest = this.#latest.get(name);
    let other = latest;
    for (let count = 0; other !== undefined && count < MAX_COMPARED; count++) {
      if (this.#isSame(other, id)) return false;
      other = this.#previous.get(other);
    }
    if (latest !== undefined) this.#previous.set(id, latest);
    this.#latest.set(name, id);
    return true;
  }

  /** Of two with the same name. */
  #isSame(a: number, b: number): boolean {
    const records = this.#records;
    const { words } = records;
    const count = records.vlen(a);
    if (count !== records.vlen(b) || records.size(a) !== records.size(b)) return false;
    // Without the flag all of the word is the offset, and nothing is a bit-field.
    const maxOffset = records.kindFlag(a) === records.kindFlag(b) ? 0xffffffff : 0xffffff;
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

/**
 * Typedefs and enumerations, when one is asked for by itself.
 *
 * The rules: typedef__fprintf and enumeration__fprintf of pahole. 1.24 has none
 * for a typedef of a union without a name, of which it prints no members; here it
 * is written like one of a struct.
 */

/** What is to be written for a typedef or an enumeration. */
type Written =
  | { readonly text: string }
  /** A composite without a name, and what it declares. */
  | { readonly composite: number; readonly declares: string; readonly isElement: boolean };

/** An ENUM or ENUM64, with the typedef of it when it has no name. */
function enumerationAlone(records: Records, id: number): string {
  const typedef = records.name(id) === null ? firstTypedefOf(records, id) : null;
  const text = enumerationText(records, id, 0, typedef === null ? '' : ` ${typedef}`);
  return `${typedef === null ? '' : 'typedef '}${text};\n`;
}

/** A TYPEDEF. */
function typedefAlone(
  records: Records,
  names: TypeNames,
  declaration: Declaration,
  id: number,
): Written {
  const name = records.name(id) ?? '';
  const type = records.refOf(id);
  const kind = records.kind(type);
  const line = (text: string) => ({ text: `typedef ${text};\n` });
  if (type === 0) return line(`void ${name}`);
  if (kind === 0) return line(`${missingType(MISSING.typedef, type)} ${name}`);
  const keyword = records.keyword(type);
  if (keyword !== null && !records.isNamed(type)) {
    if (keyword !== 'enum') return { composite: type, declares: name, isElement: false };
    return line(enumerationText(records, type, 0, ` ${name}`));
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
    return { composite: nested, declares: name + bounds, isElement: true };
  }
  return line(text + enumerationText(records, nested, 0, ` ${name}`) + bounds);
}

/** The name of the first typedef of a type; null when there is none. */
function firstTypedefOf(records: Records, id: number): string | null {
  for (let other = records.first; other <= records.last; other++) {
    if (records.kind(other) === BtfKind.TYPEDEF && records.refOf(other) === id) {
      return records.name(other);
    }
  }
  return null;
}
