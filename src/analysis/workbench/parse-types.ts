/** Reads types of C: specifiers, structs, unions and enums. */
import type { Token } from '#analysis/c/tokens.ts';
import { counted } from '#bytes/text.ts';
import { noAttributes } from './attributes.ts';
import {
  bare,
  basicOf,
  type CType,
  type EnumShape,
  type EnumType,
  isComplete,
  isNumberWord,
  type Member,
  newRecord,
  type RecordType,
  shapeOfValues,
} from './c-types.ts';
import { Fault } from './cursor.ts';
import { QUALIFIERS, TYPEOF } from './parse-constants.ts';
import {
  addressSpaceOf,
  DeclaratorParser,
  MAX_BYTES,
  type Specifiers,
} from './parse-declarators.ts';

/** Integer type by size in bytes, for the attribute `mode`. */
const INTEGERS = ['', 'char', 'short', '', 'int', '', '', '', 'long'];
const STORAGE: readonly string[] = ['typedef', 'static', 'extern'] satisfies Storage[];
type Storage = NonNullable<Specifiers['storage']>;
/** Words of C that the parser reports as not supported. */
const NOT_SUPPORTED = new Set(
  '__auto_type _Complex __complex__ _Float16 asm __asm__ __asm __thread _Thread_local'.split(' '),
);
/** Words of C that do not change BTF. */
const IDLE = new Set(['register', '_Noreturn', '__extension__', 'auto']);

export class TypeParser extends DeclaratorParser {
  readonly #tags = new Map<string, RecordType | EnumType>();
  /** Alignment limit in bytes that `#pragma pack` states; 0 without a limit. */
  #pack = 0;

  /** Reads a `#pragma pack` if it comes next. Returns true if it did. */
  takePack(): boolean {
    const token = this.cursor.peek();
    if (token.kind !== 'pack') return false;
    this.cursor.next();
    this.#pack = Number(token.text);
    return true;
  }

  override specifiers(mayStore: boolean): Specifiers {
    // Types contain types: members, operands of typeof, _Atomic, _Alignas and sizeof, `enum : type`.
    this.cursor.enter();
    const made = this.#specifiers(mayStore);
    this.cursor.leave();
    return made;
  }

  #specifiers(mayStore: boolean): Specifiers {
    const first = this.cursor.peek();
    const words: string[] = [];
    const qualifiers = new Set<string>();
    const attributes = noAttributes();
    let storage: Storage | null = null;
    let isInline = false;
    let isAtomic = false;
    let type: CType | undefined;
    let hasTag = false;
    for (;;) {
      this.attributes(attributes);
      const token = this.cursor.peek();
      const { text } = token;
      if (token.kind !== 'word') break;
      const qualifier = QUALIFIERS.get(text);
      const hasType = type !== undefined || words.length > 0;
      if (qualifier !== undefined) {
        this.cursor.next();
        qualifiers.add(qualifier);
      } else if (STORAGE.includes(text)) {
        if (!mayStore || storage !== null) throw new Fault(`${text} is not allowed here`, token);
        this.cursor.next();
        storage = text as Storage;
      } else if (text === 'inline' || text === '__inline' || text === '__inline__') {
        this.cursor.next();
        isInline = true;
      } else if (IDLE.has(text)) {
        if (mayStore && (text === 'register' || text === 'auto')) {
          throw new Fault(`${text} is not allowed outside of functions`, token);
        }
        this.cursor.next();
      } else if (text === '_Atomic') {
        this.cursor.next();
        if (this.cursor.peek().text !== '(') isAtomic = true;
        else if (hasType) throw new Fault('a second type', token);
        else {
          this.cursor.next();
          type = this.types.atomic(this.typeName());
          this.cursor.expect(')');
        }
      } else if (text === 'struct' || text === 'union' || text === 'enum') {
        if (hasType) throw new Fault('a second type', token);
        type = text === 'enum' ? this.#enum() : this.#record(text);
        hasTag = true;
      } else if (TYPEOF.test(text)) {
        if (hasType) throw new Fault('a second type', token);
        this.cursor.next();
        type = this.#typeof(token);
      } else if (text === 'void' && !hasType) {
        this.cursor.next();
        type = null;
      } else if ((isNumberWord(text) || text === '__signed__') && type === undefined) {
        this.cursor.next();
        words.push(text === '__signed__' ? 'signed' : text);
      } else {
        const named = hasType ? null : this.typedefOf(text);
        if (named === null) break;
        this.cursor.next();
        type = named;
      }
    }
    if (words.length > 0) {
      type = basicOf(words) ?? undefined;
      if (type === undefined) throw new Fault(`${words.join(' ')} is not a type`, first);
    }
    if (type === undefined) throw this.#noType();
    type = this.moded(type, attributes.mode, first);
    if (isAtomic) type = this.types.atomic(type);
    type = this.types.withQualifiers(type, qualifiers);
    return { type, storage, isInline, hasTag, attributes };
  }

  #noType(): Fault {
    const token = this.cursor.peek();
    if (token.kind !== 'word') return this.cursor.expected('a type');
    if (/^(constexpr|typeof_unqual|_BitInt|nullptr_t)$/.test(token.text)) {
      return new Fault(`${token.text} is C23, and C17 is compiled here`, token);
    }
    if (/^(class|template|namespace|using|public|private|virtual)$/.test(token.text)) {
      return new Fault(`${token.text} is C++, and only C is compiled here`, token);
    }
    if (NOT_SUPPORTED.has(token.text)) return new Fault(`${token.text} is not supported`, token);
    const tag = this.#tagOf(token.text);
    if (tag === undefined) return new Fault(`${token.text} is not a known type`, token);
    const what = tag.kind === 'enum' ? 'enum' : tag.what;
    return new Fault(`${token.text} alone is C++: in C it is ${what} ${token.text}`, token);
  }

  /** Applies the attribute `mode` to an integer or enum. Throws `Fault` for other types. */
  moded(type: CType, size: number, place: Token): CType {
    if (size === 0) return type;
    const at = bare(type);
    if (at?.kind === 'enum') {
      at.fixed = { signed: at.values !== null && shapeOfValues(at.values, 1).signed, size };
      return type;
    }
    if (at?.kind !== 'basic' || at.encoding === 'float') {
      throw new Fault('mode is supported for integers and enums', place);
    }
    const words = INTEGERS[size] ?? '';
    const sign = at.encoding === 'unsigned' ? 'unsigned' : 'signed';
    return basicOf([sign, words]) ?? type;
  }

  #typeof(word: Token): CType {
    this.cursor.expect('(');
    const type = this.startsType(this.cursor.peek()) ? this.typeName() : this.expressionType();
    this.cursor.expect(')');
    if (word.text.includes('unqual') && isQualified(type)) {
      throw new Fault(`${word.text} of a qualified type is not supported`, word);
    }
    return type;
  }

  #record(what: 'struct' | 'union'): RecordType {
    this.cursor.next();
    const attributes = this.attributes(noAttributes());
    const tag = this.cursor.peek().kind === 'word' ? this.cursor.next() : null;
    const record = this.#tagged(tag, what);
    if (this.cursor.peek().text !== '{') {
      if (tag === null) throw this.cursor.expected(`a name or { after ${what}`);
      return record;
    }
    const open = this.cursor.next();
    if (record.members !== null) {
      // Headers of Linux and of the C library leave out what the other one has declared.
      if (open.isHeader) this.cursor.skipGroup();
      else throw new Fault(`${what} ${record.name} is defined twice`, tag ?? open);
      this.attributes(noAttributes());
      return record;
    }
    const members: Member[] = [];
    const names = new Set<string>();
    while (this.cursor.peek().text !== '}') {
      if (this.cursor.peek().kind === 'end') throw new Fault(`this { has no }`, open);
      if (this.takePack() || this.cursor.take(';') || this.staticAssert()) continue;
      this.#members(members, names, what);
    }
    this.cursor.next();
    this.attributes(attributes);
    record.packed = attributes.packed;
    record.aligned = attributes.aligned;
    record.declTags = attributes.declTags;
    record.pack = this.#pack;
    record.members = members;
    if (this.layouts.layoutOf(record).size > MAX_BYTES) {
      throw new Fault(`${what} ${record.name} is larger than BTF can store`, tag ?? open);
    }
    return record;
  }

  #tagOf(name: string): RecordType | EnumType | undefined {
    const known = this.#tags.get(name) ?? this.kernel?.tag(name) ?? undefined;
    if (known !== undefined) this.#tags.set(name, known);
    return known;
  }

  /** Returns the known type with this tag, or a new one. Throws `Fault` if it is not a `what`. */
  #tagged(tag: Token | null, what: 'struct' | 'union'): RecordType {
    if (tag === null) return newRecord('', what);
    const known = this.#tagOf(tag.text) ?? newRecord(tag.text, what);
    if (known.kind !== 'record' || known.what !== what) {
      const kind = known.kind === 'enum' ? 'an enum' : `a ${known.what}`;
      throw new Fault(`${tag.text} is ${kind} already`, tag);
    }
    this.#tags.set(tag.text, known);
    return known;
  }

  #members(members: Member[], names: Set<string>, what: 'struct' | 'union'): void {
    const last = members.at(-1);
    if (what === 'struct' && last?.type?.kind === 'array' && last.type.dimensions[0] === -1) {
      throw new Fault('nothing may follow an array without a length', this.cursor.peek());
    }
    const specifiers = this.specifiers(false);
    const { type: base, attributes: shared } = specifiers;
    if (this.cursor.take(';')) {
      const { packed, aligned, declTags } = shared;
      // Only a struct or union without a tag can be a member without a name.
      const isAnonymous = base?.kind === 'record' && base.name === '';
      if (isAnonymous)
        members.push({ name: '', type: base, bits: null, packed, aligned, declTags });
      return;
    }
    do {
      const colon = this.cursor.peek();
      const attributes = noAttributes();
      const declared =
        colon.text === ':'
          ? { name: null, type: base }
          : this.declarator(base, shared.typeTags, attributes);
      const { name } = declared;
      const bits = this.cursor.take(':') ? this.#bits(declared.type, name, colon) : null;
      if (name === null && bits === null) throw this.cursor.expected('a name');
      this.attributes(attributes);
      const type = this.moded(declared.type, attributes.mode, name ?? colon);
      if (addressSpaceOf(type, specifiers, attributes) > 0)
        throw new Fault('a member has no address space', name ?? colon);
      if (bits === null) this.#checkMember(type, name ?? colon, members, what);
      if (name !== null && names.has(name.text))
        throw new Fault(`a second member ${name.text}`, name);
      if (name !== null) names.add(name.text);
      members.push({
        name: name?.text ?? '',
        type,
        bits,
        packed: shared.packed || attributes.packed,
        aligned: Math.max(shared.aligned, attributes.aligned),
        declTags: [...shared.declTags, ...attributes.declTags],
      });
    } while (this.cursor.take(','));
    if (this.cursor.peek().text === '=') {
      throw new Fault('values of members are C++: give them to the variable', this.cursor.peek());
    }
    this.cursor.expect(';');
  }

  #checkMember(type: CType, name: Token, before: readonly Member[], what: string): void {
    if (isComplete(type)) {
      const isOpen = type?.kind === 'array' && type.dimensions[0] === -1;
      if (isOpen && what === 'struct' && before.length === 0) {
        throw new Fault('an array without a length cannot be the only member', name);
      }
      return;
    }
    throw new Fault(
      type?.kind === 'func'
        ? `${name.text} is a function, and members are values: point at it`
        : `the type of ${name.text} is not complete, so its size is not known`,
      name,
    );
  }

  #bits(type: CType, name: Token | null, place: Token): number {
    const token = this.cursor.peek();
    const bits = this.constant();
    const size = 8 * this.layouts.sizeOf(type);
    const at = bare(type);
    const isNumber = (at?.kind === 'basic' && at.encoding !== 'float') || at?.kind === 'enum';
    if (!isNumber) throw new Fault('only whole numbers can be bit-fields', name ?? place);
    const most = at?.kind === 'basic' && at.encoding === 'bool' ? 1 : size;
    if (bits < 0n || bits > BigInt(most)) {
      throw new Fault(`this type has ${counted(most, 'bit')}`, token);
    }
    if (bits === 0n && name !== null) throw new Fault('a bit-field of no bits has no name', name);
    return Number(bits);
  }

  #enum(): EnumType {
    this.cursor.next();
    const attributes = this.attributes(noAttributes());
    const { text } = this.cursor.peek();
    if (text === 'class' || text === 'struct') {
      throw new Fault(`enum ${text} is C++, and only C is compiled here`, this.cursor.peek());
    }
    const tag = this.cursor.peek().kind === 'word' ? this.cursor.next() : null;
    const known = tag === null ? undefined : this.#tagOf(tag.text);
    if (known !== undefined && known.kind !== 'enum') {
      throw new Fault(`${known.name} is a ${known.what} already`, tag ?? this.cursor.peek());
    }
    const name = tag?.text ?? '';
    const made: EnumType = known ?? { kind: 'enum', name, values: null, fixed: null, aligned: 0 };
    if (tag !== null) this.#tags.set(name, made);
    if (this.cursor.take(':')) made.fixed = this.#underlying();
    if (this.cursor.peek().text !== '{') {
      if (tag === null) throw this.cursor.expected('a name or { after enum');
      return made;
    }
    const open = this.cursor.next();
    if (made.values !== null) {
      if (!open.isHeader) throw new Fault(`enum ${made.name} is defined twice`, tag ?? open);
      this.cursor.skipGroup();
      return made;
    }
    const values: { name: string; value: bigint }[] = [];
    let next = 0n;
    do {
      if (this.cursor.peek().text === '}') break;
      const name = this.cursor.next();
      if (name.kind !== 'word') throw new Fault('an enumerator has to have a name here', name);
      if (this.constantOf(name.text) !== null && !name.isHeader)
        throw new Fault(`${name.text} is declared twice`, name);
      this.attributes(noAttributes());
      const value = this.cursor.take('=') ? this.constant() : next;
      if (value < -(1n << 63n) || value >= 1n << 64n)
        throw new Fault('64 bits cannot hold it', name);
      values.push({ name: name.text, value });
      this.constants.set(name.text, { type: enumeratorType(value, null), value });
      next = value + 1n;
    } while (this.cursor.take(','));
    this.cursor.expect('}');
    this.attributes(attributes);
    if (values.length === 0) throw new Fault('an enum needs a name for a value', open);
    if (attributes.declTags.length > 0) {
      throw new Fault('btf_decl_tag is not allowed on an enum', tag ?? open);
    }
    made.values = values;
    made.aligned = attributes.aligned;
    if (attributes.packed) made.fixed = shapeOfValues(values, 1);
    // In clang, `mode` makes an enum signed, whatever values it has.
    if (attributes.mode > 0) made.fixed = { signed: true, size: attributes.mode };
    for (const { name, value } of values) {
      this.constants.set(name, { type: enumeratorType(value, made), value });
    }
    return made;
  }

  #underlying(): EnumShape {
    const token = this.cursor.peek();
    const { type } = this.specifiers(false);
    const at = bare(type);
    if (at?.kind !== 'basic' || at.encoding === 'float' || at.size > 8) {
      throw new Fault('an enum is stored as an integer', token);
    }
    return { signed: at.encoding === 'signed', size: at.size, isNamed: type?.kind === 'typedef' };
  }
}

function isQualified(type: CType): boolean {
  let at = type;
  while (at?.kind === 'typedef') at = at.of;
  return at?.kind === 'qualified';
}

/** Returns the type of an enumerator: int if it can hold the value, else the enum. */
function enumeratorType(value: bigint, of: EnumType | null): CType {
  if (value === BigInt.asIntN(32, value)) return basicOf(['int']);
  return of ?? basicOf([value >= 1n << 63n ? 'unsigned' : 'signed', 'long', 'long']);
}
