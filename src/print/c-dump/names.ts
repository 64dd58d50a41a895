/**
 * Chooses the names in C texts. Source: libbpf, `btf_dump_resolve_name`: the first type that is
 * written with a name keeps it, the second becomes `name___2` (a CO-RE flavour).
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

/** Writer of the names in a C text. Writes nothing for a type without a name. */
export type Names = {
  /** Writes the name of a struct, union, enum or forward declaration. */
  writeTag(out: ByteText, id: number): void;
  writeIdentifier(out: ByteText, id: number): void;
  /** Returns the number of a typedef among types with its name; 1 = the name has no suffix. */
  numberOfTypedef(id: number): number;
  writeNumbered(out: ByteText, nameOff: number, number: number): void;
  writeEnumerator(out: ByteText, nameOff: number): void;
  writeBaseType(out: ByteText, id: number): void;
  writeString(out: ByteText, nameOff: number): void;
  /** Writes a name as an attribute, perhaps with arguments. */
  writeAttribute(out: ByteText, nameOff: number): void;
};

/** Returns a writer of unchanged names. */
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

/** Returns the valid spelling of a name; null if the name is valid already. */
type Spell = (name: Uint8Array) => string | null;

/** Name of a typedef that every compiler has built in. */
export const BUILT_IN = '__builtin_va_list';

/** Limit in bytes of a name with its number: the size of libbpf's buffer. */
const MAX_NUMBERED = 255;

/** Gives equal names numbers, in order of use. If `exact`, changes names that C does not allow. */
export class NumberedNames implements Names {
  readonly #records: Records;
  readonly #types: TypeTable;
  readonly #exact: boolean;
  readonly #counts: NameCounts;
  /** By id: number of the type among types with its name; 0 before its first use. */
  readonly #numbers: Uint32Array;
  /** String offsets of the names that were changed. */
  readonly #spelled = new Set<number>();

  /** If `exact`, the file's `__builtin_va_list` gets a number: it is not the compiler's type. */
  constructor(records: Records, exact: boolean) {
    this.#records = records;
    this.#exact = exact;
    this.#types = records.types;
    this.#counts = new NameCounts(records.types);
    this.#numbers = new Uint32Array(records.lastId + 1);
  }

  /** Number of names that were changed so far. */
  get spelledCount(): number {
    return this.#spelled.size;
  }

  /** Returns a type's number among tags and INTs of equal name. Assigns the number at first use. */
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

  /** Writes an enumerator. Enumerators and typedefs share one set of names. */
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
    // An INT or FLOAT without a name is named after its size. libbpf writes no name.
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

  /** Returns the valid spelling of a name; null if the name is valid already. */
  #spelling(nameOff: number, spell: Spell): string | null {
    const spelled = this.#exact ? spell(nameBytes(this.#types, nameOff)) : null;
    if (spelled !== null) this.#spelled.add(nameOff);
    return spelled;
  }

  /** Returns true for forward declarations, also of enums. A forward declaration gets no number. */
  #isForward(id: number): boolean {
    const kind = kindAt(this.#records, id);
    if (kind === BtfKind.FWD) return true;
    return kind === BtfKind.ENUM && infoVlen(wordAt(this.#records, id, 1)) === 0;
  }
}

/** Valid spellings of names, for texts that must compile. bpftool writes names unchanged. */

/** Matches C23 identifiers (6.4.2.1), but no invisible characters: compilers warn about them. */
const WIDE_IDENTIFIER = /^[\p{XIDS}_]\p{XIDC}*$/u;
const WORDS_OF_C = /^[A-Za-z_]\w*( [A-Za-z_]\w*)*$/;
const PLAIN = /^\w*$/;
const ATTRIBUTE = /^[A-Za-z_]\w*(\([\w ,]*\))?$/;

/** Returns a C identifier for a name, `_xNN` for invalid bytes; null if the name is valid. */
export function spelledIdentifier(name: Uint8Array): string | null {
  const text = decodeText(name);
  if (text === '' || isSpellable(text)) return null;
  // An invalid name of ASCII letters, digits and `_` is a C keyword or begins with a digit.
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

/** Returns true if the name of an INT or FLOAT has words that C accepts: `long unsigned int`. */
export function areWords(name: Uint8Array): boolean {
  return WORDS_OF_C.test(decodeText(name));
}

/**
 * Returns the text of a string literal between its quotes; null if the name is valid already.
 * Invisible characters become visible text: strings of attributes allow no `\xNN`.
 */
export function spelledString(name: Uint8Array): string | null {
  const text = decodeText(name);
  const spelled = visible(text).replace(/["\\]|(?<=\?)\?/g, '\\$&');
  return spelled === text ? null : spelled;
}

/** Returns an attribute as one identifier, which compilers ignore; null if it is valid already. */
function spelledAttribute(name: Uint8Array): string | null {
  return ATTRIBUTE.test(decodeText(name)) ? null : spelledIdentifier(name);
}

/** Names of INTs that mean the same in every C compiler for BPF, with the size in bytes. */
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

/** Returns an INT's name if C has it, else C's name for size and sign; null if C has neither. */
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

/** C names of floating-point types by size in bytes. */
const FLOAT_WORDS = new Map<number, string>([
  [2, '_Float16'],
  [4, 'float'],
  [8, 'double'],
  [16, 'long double'],
]);

/**
 * Counts uses of equal names in two sets: tags (`struct x`) and identifiers. Compares the bytes,
 * since a string section may contain a name twice.
 */

const TAGS = 0;
const IDENTIFIERS = 1;
type NameSet = typeof TAGS | typeof IDENTIFIERS;

class NameCounts {
  readonly #types: TypeTable;
  readonly #names = new NameIds();
  /** First string offset of the tables; above 0 if a base is missing. */
  readonly #firstOff: number;
  /** Index of a name plus one, by string offset minus `#firstOff`; 0 = not used yet. */
  readonly #numberAt: Uint32Array;
  /** Number of uses of each name, for each set. All offsets outside the strings count as name 0. */
  readonly #counts: readonly [number[], number[]] = [[], []];

  constructor(types: TypeTable) {
    this.#types = types;
    // The array is only as long as the string sections: a missing base may claim 4 GB.
    this.#firstOff = tablesOf(types)[0]?.strBase ?? 0;
    this.#numberAt = new Uint32Array(strLenOf(types) - this.#firstOff);
  }

  /** Counts a use of the name at `nameOff` in `set`. Returns the new count. */
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
    // An offset outside all strings is not stored: the write does nothing.
    this.#numberAt[at] = number + 1;
    return number;
  }
}
