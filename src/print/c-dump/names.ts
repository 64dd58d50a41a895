/**
 * Names of C texts. Source: libbpf, `btf_dump_resolve_name`: the first type with a name keeps it,
 * the second becomes `name___2`, a CO-RE flavour, in the order of writing.
 */
import { isSpellable } from '#analysis/types/declarator.ts';
import { decodeText, visible } from '#bytes/text.ts';
import { BtfKind, IntEncoding, infoVlen } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { tablesOf } from '#model/joined-words.ts';
import { NameIds } from '#model/name-ids.ts';
import { nameBytes } from '#model/names.ts';
import { intData, nameOf, sizeOrTypeOf, strLenOf, type TypeTable } from '#model/type-table.ts';
import { type ByteText, isText, stringOwner } from '#print/byte-text.ts';
import { firstOf, kindAt, type Records, wordAt } from './records.ts';

/** Names of a C writer. Nothing is written for a type without a name. */
export type Names = {
  /** Writes the name of a struct, union, enum or forward declaration. */
  writeTag(out: ByteText, id: number): void;
  writeIdentifier(out: ByteText, id: number): void;
  /** Returns the number of a typedef's name; 1 = no suffix. */
  numberOfTypedef(id: number): number;
  writeNumbered(out: ByteText, nameOff: number, number: number): void;
  writeEnumerator(out: ByteText, nameOff: number): void;
  writeBaseType(out: ByteText, id: number): void;
  writeString(out: ByteText, nameOff: number): void;
  /** Writes a name that is an attribute, which may have arguments. */
  writeAttribute(out: ByteText, nameOff: number): void;
};

/** Returns names as in the file. */
export function plainNames(records: Records): Names {
  const write = (out: ByteText, nameOff: number) => {
    if (nameOff !== 0) out.name(records.types, nameOff);
  };
  return {
    writeTag: (out, id) => write(out, wordAt(records, id, 0)),
    writeIdentifier: (out, id) => write(out, wordAt(records, id, 0)),
    numberOfTypedef: () => 1,
    writeNumbered: write,
    writeEnumerator: (out, nameOff) => out.name(records.types, nameOff),
    writeBaseType: (out, id) => write(out, wordAt(records, id, 0)),
    writeString: (out, nameOff) => out.name(records.types, nameOff),
    writeAttribute: (out, nameOff) => out.name(records.types, nameOff),
  };
}

const encoder = new TextEncoder();

/** Returns the spelling of a name; null if it is valid as it is. */
type Spell = (name: Uint8Array) => string | null;

/** Typedef that is built into every compiler. */
export const BUILT_IN = '__builtin_va_list';

/** Limit of bytes of a name with a number, which libbpf writes into a buffer. */
const MAX_NUMBERED = 255;

/** Numbers of names in one text, by order of use. An `exact` text must compile: names that C cannot spell are changed. */
export class NumberedNames implements Names {
  readonly #records: Records;
  readonly #types: TypeTable;
  readonly #exact: boolean;
  readonly #counts: NameCounts;
  /** Number of the name by id; 0 before its first use. */
  readonly #numbers: Uint32Array;
  /** String offsets of the names that were spelled differently. */
  readonly #spelled = new Set<number>();

  /** In an `exact` text the compiler's `__builtin_va_list` is another type, so that the file's needs a number. */
  constructor(records: Records, exact: boolean) {
    this.#records = records;
    this.#exact = exact;
    this.#types = records.types;
    this.#counts = new NameCounts(records.types);
    this.#numbers = new Uint32Array(records.lastId + 1);
  }

  /** Number of names that were spelled differently so far. */
  get spelledCount(): number {
    return this.#spelled.size;
  }

  /** Returns the number of a tag's or INT's name, and assigns it at the first use. */
  numberOfTag(tagged: number): number {
    const id = firstOf(this.#records, tagged);
    const known = this.#numbers[id] ?? 0;
    if (known !== 0) return known;
    const nameOff = wordAt(this.#records, id, 0);
    const isUnnumbered = nameOff === 0 || this.#isForward(id);
    const number = isUnnumbered ? 1 : this.#counts.add(TAGS, nameOff);
    this.#numbers[id] = number;
    return number;
  }

  numberOfTypedef(id: number): number {
    const known = this.#numbers[id] ?? 0;
    if (known !== 0) return known;
    const nameOff = wordAt(this.#records, id, 0);
    let number = nameOff === 0 ? 1 : this.#counts.add(IDENTIFIERS, nameOff);
    if (this.#exact && number === 1 && isText(this.#types, nameOff, BUILT_IN)) {
      number = this.#counts.add(IDENTIFIERS, nameOff);
    }
    this.#numbers[id] = number;
    return number;
  }

  writeTag(out: ByteText, id: number): void {
    const nameOff = wordAt(this.#records, id, 0);
    if (nameOff !== 0) this.writeNumbered(out, nameOff, this.numberOfTag(id));
  }

  writeIdentifier(out: ByteText, id: number): void {
    const nameOff = wordAt(this.#records, id, 0);
    if (nameOff !== 0) this.writeNumbered(out, nameOff, this.numberOfTypedef(id));
  }

  /** Writes an enumerator, which shares its set of names with typedefs. */
  writeEnumerator(out: ByteText, nameOff: number): void {
    const number = this.#counts.add(IDENTIFIERS, nameOff);
    this.#writeName(out, nameOff);
    if (number > 1) out.latin1('___').decimal(number);
  }

  writeNumbered(out: ByteText, nameOff: number, number: number): void {
    if (number === 1) {
      this.#writeName(out, nameOff);
      return;
    }
    const spelled = this.#spelling(nameOff, spelledIdentifier);
    const fullName = spelled === null ? nameBytes(this.#types, nameOff) : encoder.encode(spelled);
    const maxLength = this.#exact ? Number.POSITIVE_INFINITY : MAX_NUMBERED;
    const name = fullName.subarray(0, maxLength);
    out.bytes(name, 0, name.length);
    out.latin1(`___${number}`.slice(0, maxLength - name.length));
  }

  writeBaseType(out: ByteText, id: number): void {
    const nameOff = wordAt(this.#records, id, 0);
    if (!this.#exact || areWords(nameBytes(this.#types, nameOff))) {
      out.name(this.#types, nameOff);
      return;
    }
    // An INT or FLOAT can be named by its size; libbpf writes no name either for one without.
    if (nameOff === 0) return;
    this.#spelled.add(nameOff);
    const isInt = kindAt(this.#records, id) === BtfKind.INT;
    const word = isInt
      ? intWord(this.#types, typeId(id))
      : FLOAT_WORDS.get(sizeOrTypeOf(this.#types, typeId(id)));
    out.latin1(word ?? 'char');
  }

  writeString(out: ByteText, nameOff: number): void {
    this.#writeName(out, nameOff, spelledString);
  }

  writeAttribute(out: ByteText, nameOff: number): void {
    this.#writeName(out, nameOff, spelledAttribute);
  }

  #writeName(out: ByteText, nameOff: number, spell: Spell = spelledIdentifier): void {
    const spelled = this.#spelling(nameOff, spell);
    if (spelled === null) {
      out.name(this.#types, nameOff);
      return;
    }
    const bytes = encoder.encode(spelled);
    out.bytes(bytes, 0, bytes.length);
  }

  /** Returns the spelling of a name; null if it is valid as it is. */
  #spelling(nameOff: number, spell: Spell): string | null {
    const spelled = this.#exact ? spell(nameBytes(this.#types, nameOff)) : null;
    if (spelled !== null) this.#spelled.add(nameOff);
    return spelled;
  }

  /** True for forward declarations, including enums: they repeat a name and take no number. */
  #isForward(id: number): boolean {
    const kind = kindAt(this.#records, id);
    if (kind === BtfKind.FWD) return true;
    return kind === BtfKind.ENUM && infoVlen(wordAt(this.#records, id, 1)) === 0;
  }
}

/** Names in valid spelling for texts that must compile. bpftool writes raw names, even if a compiler then fails. */

/** Identifier of C23, 6.4.2.1; invisible characters are excluded because compilers warn about them. */
const WIDE_IDENTIFIER = /^[\p{XIDS}_]\p{XIDC}*$/u;
const WORDS_OF_C = /^[A-Za-z_]\w*( [A-Za-z_]\w*)*$/;
const PLAIN = /^\w*$/;
const ATTRIBUTE = /^[A-Za-z_]\w*(\([\w ,]*\))?$/;

/** Returns the name as a C identifier, with `_xNN` for invalid bytes; null if it is one already. */
export function spelledIdentifier(name: Uint8Array): string | null {
  const text = decodeText(name);
  if (text === '' || isSpellable(text)) return null;
  // A name of only these characters is a number or a C keyword.
  if (PLAIN.test(text)) return /^\d/.test(text) ? `_${text}` : `${text}_`;
  if (WIDE_IDENTIFIER.test(text) && visible(text) === text && text.normalize() === text) {
    return null;
  }
  let spelled = '';
  for (const byte of name) {
    const character = String.fromCharCode(byte);
    spelled +=
      byte < 0x80 && PLAIN.test(character) ? character : `_x${byte.toString(16).padStart(2, '0')}`;
  }
  return /^\d/.test(spelled) ? `_${spelled}` : spelled;
}

/** True if the name of an INT or FLOAT is a sequence of words, `long unsigned int`, which C accepts as a type. */
export function areWords(name: Uint8Array): boolean {
  return WORDS_OF_C.test(decodeText(name));
}

/**
 * Returns the text of a string between its quotes; null if it is valid as it is. Invisible
 * characters are written as escapes in plain text: strings of attributes have no `\xNN`.
 */
export function spelledString(name: Uint8Array): string | null {
  const text = decodeText(name);
  const spelled = visible(text).replace(/["\\]|(?<=\?)\?/g, '\\$&');
  return spelled === text ? null : spelled;
}

/** Returns an attribute, `aligned(4)`, as one identifier, which compilers ignore; null if it is valid as it is. */
function spelledAttribute(name: Uint8Array): string | null {
  return ATTRIBUTE.test(decodeText(name)) ? null : spelledIdentifier(name);
}

/** Names of INTs by compilers that have the same meaning in C for BPF, with the size in bytes. */
const INT_NAMES: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, 'char|signed char|unsigned char'],
      [2, 'short|short int|unsigned short|short unsigned int'],
      [4, 'int|unsigned int'],
      [8, 'long|long int|unsigned long|long unsigned int'],
      [8, 'long long|long long int|unsigned long long|long long unsigned int'],
    ] as const
  ).flatMap(([size, names]) => names.split('|').map((name) => [name, size] as const)),
);

const INT_WORDS = new Map<number, string>([
  [1, 'char'],
  [2, 'short'],
  [4, 'int'],
  [8, 'long long'],
  [16, '__int128'],
]);

/** Returns the name of an INT if it is C, otherwise a name by size and sign; null for a size that C lacks. */
function intWord(t: TypeTable, id: TypeId): string | null {
  const size = sizeOrTypeOf(t, id);
  const { encoding } = intData(t, id);
  if (size === 1 && (encoding & IntEncoding.BOOL) !== 0) return '_Bool';
  const name = nameOf(t, id);
  if (INT_NAMES.get(name) === size) return name;
  const word = INT_WORDS.get(size);
  if (word === undefined) return null;
  if ((encoding & IntEncoding.SIGNED) === 0) return `unsigned ${word}`;
  return size === 1 ? 'signed char' : word;
}

/** By size in bytes. */
const FLOAT_WORDS = new Map<number, string>([
  [2, '_Float16'],
  [4, 'float'],
  [8, 'double'],
  [16, 'long double'],
]);

/**
 * Equal names of a blob, and the number of uses of each, in two sets: tags (`struct x`) and
 * identifiers. Bytes are compared: a string section may contain a name twice.
 */

const TAGS = 0;
const IDENTIFIERS = 1;
type NameSet = typeof TAGS | typeof IDENTIFIERS;

class NameCounts {
  readonly #types: TypeTable;
  readonly #names = new NameIds();
  /** First string offset in the tables; not 0 if a base is missing. */
  readonly #firstOff: number;
  /** Name number plus one by string offset, from `#firstOff` on; 0 = not yet used. */
  readonly #numberAt: Uint32Array;
  /** Number of uses of each name, by set; all offsets outside the strings are name 0. */
  readonly #counts: readonly [number[], number[]] = [[], []];

  constructor(types: TypeTable) {
    this.#types = types;
    // As long as the string sections; a missing base may claim 4 GB.
    this.#firstOff = tablesOf(types)[0]?.strBase ?? 0;
    this.#numberAt = new Uint32Array(strLenOf(types) - this.#firstOff);
  }

  /** Counts a use of the name at `nameOff` in `set` and returns the new count. */
  add(set: NameSet, nameOff: number): number {
    const counts = this.#counts[set];
    const number = this.#numberOf(nameOff);
    const count = (counts[number] ?? 0) + 1;
    counts[number] = count;
    return count;
  }

  #numberOf(nameOff: number): number {
    const at = nameOff - this.#firstOff;
    const known = this.#numberAt[at] ?? 0;
    if (known !== 0) return known - 1;
    const isOutside = stringOwner(this.#types, nameOff) === null;
    const number = isOutside ? 0 : this.#names.idOf(this.#types, nameOff) + 1;
    // Offsets outside all strings are not stored: writing there does nothing.
    this.#numberAt[at] = number + 1;
    return number;
  }
}
