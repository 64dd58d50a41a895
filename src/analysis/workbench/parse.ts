/**
 * Reads C declarations: structs, unions, enums, bit-fields, arrays, pointers,
 * functions, typedefs, anonymous members, `packed`, `aligned` and `preserve_access_index`. Of
 * code only function definitions that are empty or return a constant; no preprocessor, no
 * initializers.
 *
 * Total: what cannot be read is a problem with its place in the text, and reading
 * goes on behind the next `;`.
 */
import { counted } from '#bytes/text.ts';
import {
  bare,
  basicOf,
  type CType,
  type EnumType,
  Interned,
  isComplete,
  isKeyword,
  isNumberWord,
  Layouts,
  type Member,
  PRELUDE,
  type RecordType,
  type Typedef,
  withoutQualifiers,
} from './c-types.ts';
import { type Attributes, readAttributes, readConstant } from './constants.ts';
import type { Declared, Param, Problem } from './declared-places.ts';
import { Cursor, Fault, type Token } from './tokens.ts';

/** Longer texts are refused: nobody types them, and a link may carry one. */
export const MAX_TEXT = 100_000;
const MAX_POINTERS = 64;
/** Arguments that BPF passes in registers. */
const MAX_PARAMS = 5;
const MAX_COUNT = 0xffffffff;
const MAX_BYTES = 0xffffffff;

export type Parsed = {
  readonly declared: readonly Declared[];
  readonly problems: readonly Problem[];
  readonly layouts: Layouts;
};

/** Reads a text of at most `MAX_TEXT` characters. */
export function parseDeclarations(text: string): Parsed {
  if (text.length > MAX_TEXT) {
    const message = `the text is too long: more than ${MAX_TEXT} characters`;
    return {
      declared: [],
      problems: [{ message, start: MAX_TEXT, end: text.length }],
      layouts: new Layouts(),
    };
  }
  return new Parser(text).parse();
}

type Specifiers = {
  readonly type: CType;
  readonly storage: 'typedef' | 'static' | 'extern' | null;
  /** Was a struct, union or enum named here? */
  readonly hasTag: boolean;
};

/** `name` is null for an abstract declarator. */
type Declarator = { readonly name: Token | null; readonly type: CType };

class Parser {
  readonly #cursor: Cursor;
  readonly #types = new Interned();
  readonly #layouts = new Layouts();
  readonly #tags = new Map<string, RecordType | EnumType>();
  /** Typedefs, enumerators and variables have one space of names. */
  readonly #typedefs = new Map<string, Typedef>();
  readonly #constants = new Map<string, bigint>();
  readonly #variables = new Set<string>();
  /** The parameters of function types with their names, as last written. */
  readonly #paramsOf = new Map<CType, readonly Param[]>();
  readonly #declared: Declared[] = [];
  readonly #problems: Problem[] = [];

  constructor(text: string) {
    this.#cursor = new Cursor(text);
    for (const [name, words] of PRELUDE) {
      const of = this.#typedefs.get(words) ?? basicOf(words.split(' '));
      this.#typedefs.set(name, { kind: 'typedef', name, of });
    }
  }

  parse(): Parsed {
    while (this.#cursor.peek().kind !== 'end') {
      try {
        this.#cursor.startOver();
        this.#declaration();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        const { start, end } = error.token;
        this.#problems.push({ message: error.message, start, end: Math.max(end, start + 1) });
        this.#cursor.recover();
      }
    }
    return { declared: this.#declared, problems: this.#problems, layouts: this.#layouts };
  }

  #declaration(): void {
    const first = this.#cursor.peek();
    if (this.#cursor.take(';')) return;
    const specifiers = this.#specifiers(true);
    if (this.#cursor.peek().text === ';') {
      const end = this.#cursor.next().end;
      if (!specifiers.hasTag) throw new Fault('this declares nothing', first);
      this.#declared.push({ what: 'type', type: specifiers.type, start: first.start, end });
      return;
    }
    do {
      const { name, type } = this.#declarator(specifiers.type);
      if (name === null) throw this.#cursor.expected('a name');
      this.#attributes();
      if (this.#cursor.peek().text === '{') {
        this.#define(name, type, specifiers, first.start);
        return;
      }
      this.#declare(name, type, specifiers, first.start);
    } while (this.#cursor.take(','));
    this.#cursor.expect(';');
  }

  /** The definition of a function, from the `{` of its body on. */
  #define(name: Token, type: CType, specifiers: Specifiers, start: number): void {
    const open = this.#cursor.peek();
    if (type?.kind !== 'func' || specifiers.storage === 'typedef') throw this.#cursor.expected(';');
    const params = this.#paramsOf.get(type) ?? [];
    if (type.varargs && params.length > 0)
      throw new Fault('BPF functions cannot be variadic', name);
    if (params.length > MAX_PARAMS)
      throw new Fault(`BPF functions have ${MAX_PARAMS} parameters at most`, name);
    const values = [type.returns, ...params.map((param) => param.type)];
    if (values.some((value) => bare(value)?.kind === 'record'))
      throw new Fault('functions with struct or union values are not supported', name);
    this.#cursor.next();
    if (this.#cursor.take('return')) {
      this.#constant();
      this.#cursor.expect(';');
    }
    if (this.#cursor.peek().text !== '}')
      throw new Fault('a function body is empty or returns a constant here', open);
    const { end } = this.#cursor.next();
    this.#declare(name, type, specifiers, start);
    // clang leaves out a static function that nothing calls.
    if (specifiers.storage === 'static') return;
    this.#declared.push({
      what: 'function',
      name: name.text,
      type: type.returns,
      params,
      start,
      end,
    });
  }

  #declare(name: Token, type: CType, { storage }: Specifiers, start: number): void {
    const known = this.#typedefs.get(name.text);
    if (this.#variables.has(name.text) || this.#constants.has(name.text)) {
      throw new Fault(`${name.text} is declared twice`, name);
    }
    if (storage === 'typedef') {
      // The same again is allowed, and changes nothing.
      if (known !== undefined && known.of === type) return;
      if (known !== undefined) throw new Fault(`${name.text} is another type already`, name);
      const made: Typedef = { kind: 'typedef', name: name.text, of: type };
      this.#typedefs.set(name.text, made);
      this.#declared.push({ what: 'type', type: made, start, end: name.end });
      return;
    }
    this.#variables.add(name.text);
    // Of what is only declared, and of what no other file sees, clang writes down what code uses.
    if (storage !== null || type?.kind === 'func') return;
    if (!isComplete(type)) throw new Fault(`the type of ${name.text} is not complete`, name);
    this.#declared.push({
      what: 'variable',
      name: name.text,
      type,
      start,
      end: name.end,
    });
  }

  #specifiers(mayStore: boolean): Specifiers {
    const first = this.#cursor.peek();
    const words: string[] = [];
    const qualifiers: ('const' | 'volatile')[] = [];
    let storage: Specifiers['storage'] = null;
    let type: CType | undefined;
    let hasTag = false;
    for (;;) {
      const token = this.#cursor.peek();
      const { text } = token;
      if (token.kind !== 'word') break;
      if (text === 'const' || text === 'volatile') {
        this.#cursor.next();
        qualifiers.push(text);
      } else if (text === 'typedef' || text === 'static' || text === 'extern') {
        if (!mayStore || storage !== null) throw new Fault(`${text} is not allowed here`, token);
        this.#cursor.next();
        storage = text;
      } else if (text === 'struct' || text === 'union' || text === 'enum') {
        if (type !== undefined || words.length > 0) throw new Fault('a second type', token);
        type = text === 'enum' ? this.#enum() : this.#record(text);
        hasTag = true;
      } else if (text === 'void' && type === undefined && words.length === 0) {
        this.#cursor.next();
        type = null;
      } else if (isNumberWord(text) && type === undefined) {
        this.#cursor.next();
        words.push(text);
      } else if (type === undefined && words.length === 0 && this.#typedefs.has(text)) {
        this.#cursor.next();
        type = this.#typedefs.get(text);
      } else break;
    }
    if (words.length > 0) {
      type = basicOf(words) ?? undefined;
      if (type === undefined) throw new Fault(`${words.join(' ')} is not a type`, first);
    }
    if (type === undefined) {
      const { kind, text } = this.#cursor.peek();
      throw kind === 'word'
        ? new Fault(`${text} is not a known type`, this.#cursor.peek())
        : this.#cursor.expected('a type');
    }
    // As clang nests them: volatile inside of const.
    for (const by of ['volatile', 'const'] as const) {
      if (qualifiers.includes(by)) type = this.#types.qualified(type, by);
    }
    return { type, storage, hasTag };
  }

  #record(what: 'struct' | 'union'): RecordType {
    this.#cursor.enter();
    this.#cursor.next();
    const before = this.#attributes();
    const tag = this.#cursor.peek().kind === 'word' ? this.#cursor.next() : null;
    const record = this.#tagged(tag, what) ?? this.#newRecord(tag, what);
    if (this.#cursor.peek().text !== '{') {
      if (tag === null) throw this.#cursor.expected(`a name or { behind ${what}`);
      this.#cursor.leave();
      return record;
    }
    const open = this.#cursor.next();
    if (record.members !== null)
      throw new Fault(`${what} ${record.name} is defined twice`, tag ?? open);
    const members: Member[] = [];
    const names = new Set<string>();
    while (this.#cursor.peek().text !== '}') {
      if (this.#cursor.peek().kind === 'end') throw new Fault(`this { has no }`, open);
      this.#members(members, names, what);
    }
    this.#cursor.next();
    const after = this.#attributes();
    record.packed = before.packed || after.packed;
    record.aligned = Math.max(before.aligned, after.aligned);
    record.members = members;
    if (this.#layouts.layoutOf(record).size > MAX_BYTES) {
      throw new Fault(`${what} ${record.name} is larger than BTF can store`, tag ?? open);
    }
    this.#cursor.leave();
    return record;
  }

  #newRecord(tag: Token | null, what: 'struct' | 'union'): RecordType {
    const name = tag?.text ?? '';
    const made: RecordType = {
      kind: 'record',
      what,
      name,
      members: null,
      packed: false,
      aligned: 0,
    };
    if (tag !== null) this.#tags.set(name, made);
    return made;
  }

  /** The struct, union or enum of that name, when there is one. */
  #tagged(tag: Token | null, what: 'struct' | 'union'): RecordType | null {
    const known = tag === null ? undefined : this.#tags.get(tag.text);
    if (known === undefined || tag === null) return null;
    if (known.kind === 'record' && known.what === what) return known;
    const other = known.kind === 'enum' ? 'an enum' : `a ${known.what}`;
    throw new Fault(`${tag.text} is ${other} already`, tag);
  }

  #members(members: Member[], names: Set<string>, what: 'struct' | 'union'): void {
    const last = members.at(-1);
    if (what === 'struct' && last?.type?.kind === 'array' && last.type.dimensions[0] === -1) {
      throw new Fault('nothing may follow an array without a length', this.#cursor.peek());
    }
    const { type: base } = this.#specifiers(false);
    if (this.#cursor.take(';')) {
      // Without a name only what has no tag brings its members in.
      const isAnonymous = base?.kind === 'record' && base.name === '';
      if (isAnonymous)
        members.push({ name: '', type: base, bits: null, packed: false, aligned: 0 });
      return;
    }
    do {
      const colon = this.#cursor.peek();
      const { name, type } =
        colon.text === ':' ? { name: null, type: base } : this.#declarator(base);
      const bits = this.#cursor.take(':') ? this.#bits(type, name, colon) : null;
      if (name === null && bits === null) throw this.#cursor.expected('a name');
      const { packed, aligned } = this.#attributes();
      if (bits === null) this.#checkMember(type, name ?? colon, members, what);
      if (name !== null && names.has(name.text))
        throw new Fault(`a second member ${name.text}`, name);
      if (name !== null) names.add(name.text);
      members.push({ name: name?.text ?? '', type, bits, packed, aligned });
    } while (this.#cursor.take(','));
    this.#cursor.expect(';');
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
    const token = this.#cursor.peek();
    const bits = this.#constant();
    const size = 8 * this.#layouts.sizeOf(type);
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
    this.#cursor.next();
    const tag = this.#cursor.peek().kind === 'word' ? this.#cursor.next() : null;
    const known = tag === null ? undefined : this.#tags.get(tag.text);
    if (known !== undefined && known.kind !== 'enum') {
      throw new Fault(`${known.name} is a ${known.what} already`, tag ?? this.#cursor.peek());
    }
    const made: EnumType = known ?? { kind: 'enum', name: tag?.text ?? '', values: null };
    if (tag !== null) this.#tags.set(tag.text, made);
    if (this.#cursor.peek().text !== '{') {
      if (tag === null) throw this.#cursor.expected('a name or { after enum');
      return made;
    }
    const open = this.#cursor.next();
    if (made.values !== null) throw new Fault(`enum ${made.name} is defined twice`, tag ?? open);
    const values: { name: string; value: bigint }[] = [];
    let next = 0n;
    do {
      if (this.#cursor.peek().text === '}') break;
      const name = this.#cursor.next();
      if (name.kind !== 'word') throw new Fault('an enumerator has to have a name here', name);
      if (this.#constants.has(name.text)) throw new Fault(`${name.text} is declared twice`, name);
      const value = this.#cursor.take('=') ? this.#constant() : next;
      if (value < -(1n << 63n) || value >= 1n << 64n)
        throw new Fault('64 bits cannot hold it', name);
      values.push({ name: name.text, value });
      this.#constants.set(name.text, value);
      next = value + 1n;
    } while (this.#cursor.take(','));
    this.#cursor.expect('}');
    if (values.length === 0) throw new Fault('an enum needs a name for a value', open);
    made.values = values;
    return made;
  }

  /** Pointers before, arrays and parameters behind, parentheses first. */
  #declarator(base: CType): Declarator {
    this.#cursor.enter();
    let type = base;
    for (let pointers = 0; this.#cursor.take('*'); pointers++) {
      if (pointers >= MAX_POINTERS) throw new Fault('too many pointers', this.#cursor.peek());
      type = this.#types.pointer(type);
      const qualifiers: string[] = [];
      while (['const', 'volatile', 'restrict'].includes(this.#cursor.peek().text)) {
        qualifiers.push(this.#cursor.next().text);
      }
      for (const by of ['restrict', 'volatile', 'const'] as const) {
        if (qualifiers.includes(by)) type = this.#types.qualified(type, by);
      }
    }
    const made = this.#isNested() ? this.#nested(type) : this.#direct(type);
    this.#cursor.leave();
    return made;
  }

  /** Is the `(` that comes next around a declarator, and not around parameters? */
  #isNested(): boolean {
    if (this.#cursor.peek().text !== '(') return false;
    const { kind, text } = this.#cursor.second();
    return text === '*' || text === '(' || (kind === 'word' && !this.#startsType(text));
  }

  #nested(type: CType): Declarator {
    this.#cursor.next();
    const inside = this.#cursor.place;
    // What stands behind the parentheses belongs to the type that the inner declarator is given.
    this.#cursor.skipParentheses();
    const outer = this.#suffixes(type);
    const behind = this.#cursor.place;
    this.#cursor.place = inside;
    const made = this.#declarator(outer);
    this.#cursor.expect(')');
    this.#cursor.place = behind;
    return made;
  }

  #direct(type: CType): Declarator {
    const token = this.#cursor.peek();
    const name = token.kind === 'word' && !isKeyword(token.text) ? this.#cursor.next() : null;
    return { name, type: this.#suffixes(type) };
  }

  #suffixes(type: CType): CType {
    if (this.#cursor.take('[')) {
      const token = this.#cursor.peek();
      const count = this.#cursor.peek().text === ']' ? -1n : this.#constant();
      this.#cursor.expect(']');
      if (count < -1n || count > BigInt(MAX_COUNT)) throw new Fault('the array is too long', token);
      this.#cursor.enter();
      const of = this.#suffixes(type);
      this.#cursor.leave();
      if (!isComplete(of)) throw new Fault('arrays of this type are not allowed', token);
      if (of?.kind === 'array' && of.dimensions[0] === -1) {
        throw new Fault('only the first dimension may be without a length', token);
      }
      const made = this.#types.array(of, Number(count));
      if (this.#layouts.sizeOf(made) > MAX_BYTES) throw new Fault('this array is too large', token);
      return made;
    }
    if (this.#cursor.peek().text === '(') {
      const token = this.#cursor.next();
      const { params, varargs } = this.#params();
      const returns = this.#suffixes(type);
      if (returns?.kind === 'func' || returns?.kind === 'array') {
        throw new Fault('functions cannot return arrays or functions', token);
      }
      const made = this.#types.func(
        returns,
        params.map((param) => withoutQualifiers(param.type)),
        varargs,
      );
      this.#paramsOf.set(made, params);
      return made;
    }
    return type;
  }

  #params(): { params: Param[]; varargs: boolean } {
    const params: Param[] = [];
    if (this.#cursor.take(')')) return { params, varargs: true };
    do {
      if (this.#cursor.take('...')) {
        this.#cursor.expect(')');
        return { params, varargs: true };
      }
      const { name, type } = this.#declarator(this.#specifiers(false).type);
      params.push({ name: name?.text ?? '', type: this.#types.decayed(type) });
    } while (this.#cursor.take(','));
    this.#cursor.expect(')');
    // (void): no parameters.
    return {
      params: params.length === 1 && params[0]?.type === null ? [] : params,
      varargs: false,
    };
  }

  #attributes(): Attributes {
    return readAttributes(this.#cursor, this.#constants);
  }

  #constant(): bigint {
    return readConstant(this.#cursor, this.#constants);
  }

  #startsType(text: string): boolean {
    return isKeyword(text) || isNumberWord(text) || this.#typedefs.has(text);
  }
}
