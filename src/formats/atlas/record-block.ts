/**
 * Blocks of records, which rebuild the BTF of a kernel. Names and symbols have numbers in the order
 * of first use in all blocks, so a reader must read all blocks in order. A record of a known symbol
 * is written as its differences to the previous record of the symbol.
 *
 * A block is five columns of numbers: heads, names, types, numbers, items. Before each column is
 * its length in bytes.
 */
import { BtfKind, infoKind, infoKindFlag, infoVlen, isKnownKind } from '#formats/btf/kinds.ts';
import { recordShape, refToRecord, refToSymbol, roleOf, WordRole } from './record-words.ts';
import { unzigzag, VarintReader, VarintWriter, zigzag } from './varints.ts';

/** Relation of an item to the symbol's previous record: its next item, no item, or another item. */
const ITEM_NEXT = 0;
const ITEM_NEW = 1;
const ITEM_JUMP = 2;

/** Encoding of a reference to a type: void, a new symbol, then known records and symbols. */
const TYPE_VOID = 0;
const TYPE_FRESH = 1;
const TYPE_KNOWN = 2;

type Words = ArrayLike<number>;

/** State that writer and reader keep from block to block. */
class Shared {
  readonly symbols = new Map<number, number>();
  readonly #last = new Map<number, Words>();

  /** Returns a number that is unique for a kind and a name. */
  static key(kind: number, name: number): number {
    return 128 * name + kind;
  }

  /** Returns the previous record with the kind and name, or null if there is none. */
  before(kind: number, name: number): Words | null {
    return name === 0 ? null : (this.#last.get(Shared.key(kind, name)) ?? null);
  }

  /** Remembers a record after it was written or read. */
  done(words: Words): void {
    const kind = infoKind(words[1] ?? 0);
    const name = words[0] ?? 0;
    if (name === 0 || kind === BtfKind.FUNC || kind === BtfKind.VAR) return;
    const key = Shared.key(kind, name);
    if (!this.symbols.has(key)) this.symbols.set(key, this.symbols.size);
    if (recordShape(kind).item > 0) this.#last.set(key, words);
  }
}

/** Returns for each name in a record the number of the first item with that name. */
function itemsByName(words: Words, head: number, item: number): Map<number, number> {
  const byName = new Map<number, number>();
  for (let i = 0, at = head; at < words.length; i++, at += item) {
    const name = words[at] ?? 0;
    if (!byName.has(name)) byName.set(name, i);
  }
  return byName;
}

export class RecordBlockWriter {
  readonly #shared: Shared;
  readonly #names: Map<number, number>;
  readonly #symbolOf: (symbol: number) => readonly [kind: number, name: number];
  readonly #heads = new VarintWriter();
  readonly #nameRefs = new VarintWriter();
  readonly #types = new VarintWriter();
  readonly #numbers = new VarintWriter();
  readonly #items = new VarintWriter();
  #count: number;

  /** Creates a writer of the block after `before`. `symbolOf` returns a symbol's kind and name. */
  constructor(
    symbolOf: (symbol: number) => readonly [kind: number, name: number],
    before: RecordBlockWriter | null = null,
  ) {
    this.#symbolOf = symbolOf;
    this.#shared = before === null ? new Shared() : before.#shared;
    this.#names = before === null ? new Map([[0, 0]]) : before.#names;
    this.#count = before === null ? 0 : before.#count;
  }

  get length(): number {
    return (
      this.#heads.length +
      this.#nameRefs.length +
      this.#types.length +
      this.#numbers.length +
      this.#items.length
    );
  }

  /** Numbers that the caller gave to the names, in the order of their numbers in the file. */
  get names(): Iterable<number> {
    return this.#names.keys();
  }

  /** Returns the number of `name` in the file; adds the name if it is new. */
  nameNumber(name: number): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, this.#names.size);
    return this.#names.size - 1;
  }

  /** Adds a record. Records that it refers to must have been added before. */
  add(words: Words): void {
    const info = words[1] ?? 0;
    const kind = infoKind(info);
    this.#heads.uint(256 * infoVlen(info) + (infoKindFlag(info) ? 128 : 0) + kind);
    if (!isKnownKind(kind)) this.#heads.uint(words.length);
    this.#name(words[0] ?? 0);
    const { head, item } = recordShape(kind);
    for (let at = 2; at < Math.min(head, words.length); at++) {
      if (roleOf(kind, at) === WordRole.type) this.#type(words[at] ?? 0, null);
      else this.#numbers.uint((words[at] ?? 0) >>> 0);
    }
    if (isKnownKind(kind) && item > 0) this.#itemsOf(words, kind, head, item);
    else for (let at = head; at < words.length; at++) this.#numbers.uint((words[at] ?? 0) >>> 0);
    this.#shared.done(words);
    this.#count++;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const out = new VarintWriter();
    for (const column of [this.#heads, this.#nameRefs, this.#types, this.#numbers, this.#items]) {
      out.counted(column.finish());
    }
    return out.finish();
  }

  #name(name: number): void {
    const known = this.#names.get(name);
    this.#nameRefs.uint(known === undefined ? 0 : known + 1);
    if (known === undefined) this.nameNumber(name);
  }

  /** Writes a reference to a type. A reference equal to `same` is written as 0. */
  #type(ref: number, same: number | null): void {
    const more = same === null ? 0 : 1;
    if (ref === same) this.#types.uint(0);
    else if (ref === 0) this.#types.uint(TYPE_VOID + more);
    else if (ref % 2 === 1) {
      this.#types.uint(TYPE_KNOWN + 2 * (this.#count - 1 - (ref - 1) / 2) + more);
    } else {
      const [kind, name] = this.#symbolOf((ref - 2) / 2);
      const key = Shared.key(kind, name);
      const symbol = this.#shared.symbols.get(key);
      this.#types.uint((symbol === undefined ? TYPE_FRESH : TYPE_KNOWN + 2 * symbol + 1) + more);
      if (symbol !== undefined) return;
      this.#shared.symbols.set(key, this.#shared.symbols.size);
      this.#types.uint(kind);
      this.#name(name);
    }
  }

  #itemsOf(words: Words, kind: number, head: number, item: number): void {
    const isNamed = roleOf(kind, head) === WordRole.name;
    const before = isNamed ? this.#shared.before(kind, words[0] ?? 0) : null;
    const byName = before === null ? null : itemsByName(before, head, item);
    const guess = new NumberGuess(kind, before, head, item);
    let next = 0;
    for (let at = head; at < words.length; at += item) {
      let like = -1;
      if (before !== null && byName !== null) {
        const name = words[at] ?? 0;
        const isNext = before.length > head + item * next && before[head + item * next] === name;
        like = isNext ? next : (byName.get(name) ?? -1);
        this.#items.uint(
          isNext ? ITEM_NEXT : like < 0 ? ITEM_NEW : ITEM_JUMP + zigzag(like - next),
        );
        if (like >= 0) next = like + 1;
      }
      for (let w = 0; w < item; w++) {
        const word = words[at + w] ?? 0;
        const role = roleOf(kind, at + w);
        if (role === WordRole.name) {
          if (like < 0) this.#name(word);
        } else if (role === WordRole.type) {
          this.#type(word, like < 0 ? null : (before?.[head + item * like + w] ?? 0));
        } else this.#numbers.uint(zigzag((word - guess.of(w, like)) | 0));
        if (role === WordRole.number) guess.add(w, like, word);
      }
    }
  }
}

/** Reads blocks of records. The caller passes all blocks in file order. */
export class RecordBlockReader {
  readonly #shared = new Shared();
  /** Kind and name of each symbol. The index is the number of the symbol. */
  readonly symbols: (readonly [kind: number, name: number])[] = [];
  /** Words of each record. Name 0 is the empty name. */
  readonly records: Int32Array[] = [];
  #names = 1;

  /** Number of names in the records, including the empty name. */
  get nameCount(): number {
    return this.#names;
  }

  /** Reads the next block. Throws `Malformed` if the block is damaged. */
  read(bytes: Uint8Array, region: string): void {
    const from = new VarintReader(bytes, region);
    const column = () => new VarintReader(from.counted('a column'), region);
    const columns = [column(), column(), column(), column(), column()] as const;
    const reading = new RecordReading(this, this.#shared, columns);
    while (columns[0].left > 0) this.records.push(reading.record());
  }

  name(from: VarintReader): number {
    const code = from.uint('a name');
    if (code === 0) return this.#names++;
    if (code > this.#names) throw from.malformed(`there is no name ${code - 1}`);
    return code - 1;
  }
}

type Columns = readonly [VarintReader, VarintReader, VarintReader, VarintReader, VarintReader];

class RecordReading {
  readonly #all: RecordBlockReader;
  readonly #shared: Shared;
  readonly #heads: VarintReader;
  readonly #nameRefs: VarintReader;
  readonly #types: VarintReader;
  readonly #numbers: VarintReader;
  readonly #items: VarintReader;

  constructor(all: RecordBlockReader, shared: Shared, columns: Columns) {
    this.#all = all;
    this.#shared = shared;
    [this.#heads, this.#nameRefs, this.#types, this.#numbers, this.#items] = columns;
  }

  record(): Int32Array {
    const code = this.#heads.uint('a head');
    const kind = code % 128;
    const vlen = Math.floor(code / 256);
    if (vlen > 0xffffff) throw this.#heads.malformed('a head is wrong');
    const { head, item } = recordShape(kind);
    const isKnown = isKnownKind(kind);
    const length = isKnown ? head + item * (item > 0 ? vlen : 0) : this.#heads.uint('a length');
    if (length < 3 || length > head + this.#rest())
      throw this.#heads.malformed('a record is cut off');
    const words = new Int32Array(length);
    words[0] = this.#all.name(this.#nameRefs);
    words[1] = vlen + kind * 2 ** 24 + (Math.floor(code / 128) % 2) * 2 ** 31;
    for (let at = 2; at < Math.min(head, length); at++) {
      words[at] = roleOf(kind, at) === WordRole.type ? this.#type(null) : this.#number();
    }
    if (isKnown && item > 0) this.#itemsOf(words, kind, head, item);
    else for (let at = head; at < length; at++) words[at] = this.#number();
    this.#done(words);
    return words;
  }

  /** Returns an upper limit of the number of words that the bytes left in the columns can give. */
  #rest(): number {
    return 2 * (this.#nameRefs.left + this.#types.left + this.#numbers.left + this.#items.left);
  }

  #number(): number {
    return this.#numbers.uint('a number') | 0;
  }

  #done(words: Int32Array): void {
    const { symbols } = this.#shared;
    const before = symbols.size;
    this.#shared.done(words);
    if (symbols.size > before) this.#all.symbols.push([infoKind(words[1] ?? 0), words[0] ?? 0]);
  }

  #type(same: number | null): number {
    const from = this.#types;
    const code = from.uint('a type');
    if (same !== null && code === 0) return same;
    const ref = code - (same === null ? 0 : 1);
    if (ref === TYPE_VOID) return 0;
    if (ref === TYPE_FRESH) {
      const kind = from.below(128, 'a kind');
      const name = this.#all.name(this.#nameRefs);
      this.#shared.symbols.set(Shared.key(kind, name), this.#shared.symbols.size);
      return refToSymbol(this.#all.symbols.push([kind, name]) - 1);
    }
    const number = Math.floor((ref - TYPE_KNOWN) / 2);
    const isSymbol = (ref - TYPE_KNOWN) % 2 === 1;
    const count = isSymbol ? this.#all.symbols.length : this.#all.records.length;
    if (number >= count) throw from.malformed('a reference is to nothing');
    return isSymbol ? refToSymbol(number) : refToRecord(count - 1 - number);
  }

  #itemsOf(words: Int32Array, kind: number, head: number, item: number): void {
    const isNamed = roleOf(kind, head) === WordRole.name;
    const before = isNamed ? this.#shared.before(kind, words[0] ?? 0) : null;
    const guess = new NumberGuess(kind, before, head, item);
    const items = before === null ? 0 : (before.length - head) / item;
    let next = 0;
    for (let at = head; at < words.length; at += item) {
      let like = -1;
      if (before !== null) {
        const code = this.#items.uint('an item');
        if (code === ITEM_NEXT) like = next;
        else if (code !== ITEM_NEW) like = next + unzigzag(code - ITEM_JUMP);
        if (like >= items || (like < 0 && code !== ITEM_NEW))
          throw this.#items.malformed(`there is no item ${like}`);
        if (like >= 0) next = like + 1;
      }
      for (let w = 0; w < item; w++) {
        const role = roleOf(kind, at + w);
        const same = like < 0 ? null : (before?.[head + item * like + w] ?? 0);
        if (role === WordRole.name) words[at + w] = same ?? this.#all.name(this.#nameRefs);
        else if (role === WordRole.type) words[at + w] = this.#type(same);
        else {
          words[at + w] = (guess.of(w, like) + unzigzag(this.#numbers.uint('a number'))) | 0;
          guess.add(w, like, words[at + w] ?? 0);
        }
      }
    }
  }
}

/** Guesses a number of an item from the symbol's previous record, else from the previous item. */
class NumberGuess {
  readonly #isEnum: boolean;
  readonly #before: Words | null;
  readonly #head: number;
  readonly #item: number;
  readonly #last = [0, 0, 0];
  readonly #moved = [0, 0, 0];

  constructor(kind: number, before: Words | null, head: number, item: number) {
    this.#isEnum = kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
    this.#before = before;
    this.#head = head;
    this.#item = item;
  }

  of(word: number, like: number): number {
    const previous = this.#like(word, like);
    if (previous !== null) return (previous + (this.#moved[word] ?? 0)) | 0;
    return ((this.#last[word] ?? 0) + (this.#isEnum && word === 1 ? 1 : 0)) | 0;
  }

  add(word: number, like: number, value: number): void {
    const previous = this.#like(word, like);
    if (previous !== null) this.#moved[word] = (value - previous) | 0;
    this.#last[word] = value;
  }

  #like(word: number, like: number): number | null {
    return like < 0 || this.#before === null
      ? null
      : (this.#before[this.#head + this.#item * like + word] ?? 0);
  }
}
