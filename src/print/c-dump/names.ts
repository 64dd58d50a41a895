/**
 * The names of C texts: as the file has them, or with a number where they collide.
 *
 * Source: libbpf, `btf_dump_resolve_name`: the first type of a name keeps it, the
 * second becomes `name___2`, in the order in which they are written. The form is
 * that of a CO-RE flavour, so that programs still find the type.
 */
import { isSpellable } from '#analysis/types/declarator.ts';
import { decodeText, visible } from '#bytes/text.ts';
import { BtfKind, infoVlen } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { tablesOf } from '#model/joined-words.ts';
import { NameIds } from '#model/name-ids.ts';
import { nameBytes } from '#model/names.ts';
import { intData, nameOf, sizeOrTypeOf, strLenOf, type TypeTable } from '#model/type-table.ts';
import { type ByteText, isText, stringOwner } from '#print/byte-text.ts';
import { firstOf, kindAt, type Records, wordAt } from './records.ts';

/** How the writers of C name things. Nothing is written for what has no name. */
export type Names = {
  /** The name of a struct, union, enum or forward declaration. */
  writeTag(out: ByteText, id: number): void;
  /** The name of a typedef where it is used. */
  writeIdentifier(out: ByteText, id: number): void;
  /** The number that the name of a typedef has; 1 = none. */
  numberOfTypedef(id: number): number;
  writeNumbered(out: ByteText, nameOff: number, number: number): void;
  writeEnumerator(out: ByteText, nameOff: number): void;
  /** The name of an INT or FLOAT. */
  writeBaseType(out: ByteText, id: number): void;
  /** A name between the quotes of a string. */
  writeString(out: ByteText, nameOff: number): void;
  /** A name that is an attribute, which may have arguments. */
  writeAttribute(out: ByteText, nameOff: number): void;
};

/** Every name as it stands in the file. */
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

/** A spelling for the bytes of a name; null where it may stand as it is. */
type Spell = (name: Uint8Array) => string | null;

/** A typedef that every compiler has built in. */
export const BUILT_IN = '__builtin_va_list';

/** Bytes of a name that has a number, which libbpf writes into a buffer. */
const MAX_NUMBERED = 255;

/**
 * Numbers for the names of one text, given away in the order in which they are asked for.
 * Where the text is to compile, `exact`, names that C cannot spell are spelled anew.
 */
export class NumberedNames implements Names {
  readonly #records: Records;
  readonly #types: TypeTable;
  readonly #exact: boolean;
  readonly #counts: NameCounts;
  /** By id: 0 until the name is asked for, then its number. */
  readonly #numbers: Uint32Array;
  /** Of names that were spelled anew, their offsets. */
  readonly #spelled = new Set<number>();

  /** `exact`: the compiler's own `__builtin_va_list` is another type, so that the file's needs a number. */
  constructor(records: Records, exact: boolean) {
    this.#records = records;
    this.#exact = exact;
    this.#types = records.types;
    this.#counts = new NameCounts(records.types);
    this.#numbers = new Uint32Array(records.lastId + 1);
  }

  /** Names that were spelled anew so far. */
  get spelledCount(): number {
    return this.#spelled.size;
  }

  /** The number of the name of a tag, or of an INT, given to it now if it has none. */
  numberOfTag(tagged: number): number {
    const id = firstOf(this.#records, tagged);
    const known = this.#numbers[id] ?? 0;
    if (known !== 0) return known;
    const nameOff = wordAt(this.#records, id, 0);
    const takesNone = nameOff === 0 || this.#isForward(id);
    const number = takesNone ? 1 : this.#counts.add(TAGS, nameOff);
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

  /** Enumerators share their names with typedefs. */
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
    const whole = spelled === null ? nameBytes(this.#types, nameOff) : encoder.encode(spelled);
    const most = this.#exact ? Number.POSITIVE_INFINITY : MAX_NUMBERED;
    const name = whole.subarray(0, most);
    out.bytes(name, 0, name.length);
    out.latin1(`___${number}`.slice(0, most - name.length));
  }

  writeBaseType(out: ByteText, id: number): void {
    const nameOff = wordAt(this.#records, id, 0);
    if (!this.#exact || areWords(nameBytes(this.#types, nameOff))) {
      out.name(this.#types, nameOff);
      return;
    }
    // By its size it can be named; without a name, libbpf writes none either.
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

  /** Null: the name may stand as it is. */
  #spelling(nameOff: number, spell: Spell): string | null {
    const spelled = this.#exact ? spell(nameBytes(this.#types, nameOff)) : null;
    if (spelled !== null) this.#spelled.add(nameOff);
    return spelled;
  }

  /** Forward declarations, of enums too, repeat a name and take none. */
  #isForward(id: number): boolean {
    const kind = kindAt(this.#records, id);
    if (kind === BtfKind.FWD) return true;
    return kind === BtfKind.ENUM && infoVlen(wordAt(this.#records, id, 1)) === 0;
  }
}

/**
 * Names as C can spell them, for texts of ours that are to compile. bpftool writes a name
 * as the file has it, whatever it does to a compiler.
 */

/** C23, 6.4.2.1; with what shows nothing taken out, which compilers warn of. */
const WIDE_IDENTIFIER = /^[\p{XIDS}_]\p{XIDC}*$/u;
const WORDS_OF_C = /^[A-Za-z_]\w*( [A-Za-z_]\w*)*$/;
const PLAIN = /^\w*$/;
const ATTRIBUTE = /^[A-Za-z_]\w*(\([\w ,]*\))?$/;

/**
 * The name with these bytes as one identifier of C: null where it is one as it stands, else
 * with `_xNN` for each byte that is none of ASCII's letters, digits and `_`. `0x18` has a
 * `_` before it, `int` one behind it.
 */
export function spelledIdentifier(name: Uint8Array): string | null {
  const text = decodeText(name);
  if (text === '' || isSpellable(text)) return null;
  // What has no other characters is a number, or a word of C.
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

/** Can the name of an INT or FLOAT stand where C has its types? Words and blanks: `long unsigned int`. */
export function areWords(name: Uint8Array): boolean {
  return WORDS_OF_C.test(decodeText(name));
}

/**
 * The bytes between the quotes of a string of C: null where they may stand as they are. What
 * shows nothing is there by its escape, as text: strings of attributes have no `\xNN`.
 */
export function spelledString(name: Uint8Array): string | null {
  const text = decodeText(name);
  const spelled = visible(text).replace(/["\\]|(?<=\?)\?/g, '\\$&');
  return spelled === text ? null : spelled;
}

/** An attribute, `aligned(4)`: null where it may stand as it is, else as one identifier, which compilers ignore. */
function spelledAttribute(name: Uint8Array): string | null {
  return ATTRIBUTE.test(decodeText(name)) ? null : spelledIdentifier(name);
}

const SIGNED = 1;
const BOOL = 4;

/** Spellings of compilers that mean the same in C for BPF, with their size in bytes. */
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

/** An INT by its own name where that is C, else by size and sign; null for a size that C has not. */
function intWord(t: TypeTable, id: TypeId): string | null {
  const size = sizeOrTypeOf(t, id);
  const { encoding } = intData(t, id);
  if (size === 1 && (encoding & BOOL) !== 0) return '_Bool';
  const name = nameOf(t, id);
  if (INT_NAMES.get(name) === size) return name;
  const word = INT_WORDS.get(size);
  if (word === undefined) return null;
  if ((encoding & SIGNED) === 0) return `unsigned ${word}`;
  return size === 1 ? 'signed char' : word;
}

/** By bytes. */
const FLOAT_WORDS = new Map<number, string>([
  [2, '_Float16'],
  [4, 'float'],
  [8, 'double'],
  [16, 'long double'],
]);

/**
 * Which names of a blob are the same, and how often each was given away.
 *
 * A C file has two sets of names, tags (`struct x`) and identifiers (typedefs,
 * enumerators); a name that comes a second time in its set gets a number.
 * Equality is that of the bytes: string sections need not hold a name only once,
 * and those of split BTF hold names of the base again.
 */

/** The two sets of names. */
const TAGS = 0;
const IDENTIFIERS = 1;
type NameSet = typeof TAGS | typeof IDENTIFIERS;

class NameCounts {
  readonly #types: TypeTable;
  readonly #names = new NameIds();
  /** String offset of the first byte that is at hand: not 0 where a base is missing. */
  readonly #firstOff: number;
  /** One more than the number of the name at a string offset, from `#firstOff` on; 0 = not asked for yet. */
  readonly #numberAt: Uint32Array;
  /** Of each set, how often it has the name of a number; all offsets outside of the strings are name 0. */
  readonly #counts: readonly [number[], number[]] = [[], []];

  constructor(types: TypeTable) {
    this.#types = types;
    // As long as the string sections are in bytes; a base that is missing may be said to have 4 GB.
    this.#firstOff = tablesOf(types)[0]?.strBase ?? 0;
    this.#numberAt = new Uint32Array(strLenOf(types) - this.#firstOff);
  }

  /** Counts the name at `nameOff` once more in `set` and gives the new count. */
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
    // Offsets outside all strings are not kept: writing there does nothing.
    this.#numberAt[at] = number + 1;
    return number;
  }
}
