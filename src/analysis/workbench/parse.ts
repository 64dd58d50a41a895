/**
 * Reads preprocessed declarations of C: types, variables with initializers, functions. Does not
 * compile function bodies. Never throws: a declaration with an error is reported and skipped.
 */
import { type Token, tokensOf } from '#analysis/c/tokens.ts';
import { append } from '#bytes/arrays.ts';
import { addTo } from '#bytes/cache.ts';
import type { Endian } from '#bytes/span.ts';
import { type Attributes, MAX_TAGS, noAttributes, tooManyTags } from './attributes.ts';
import {
  bare,
  basicOf,
  type CType,
  isComplete,
  type Layouts,
  PRELUDE_TYPES,
  type Typedef,
} from './c-types.ts';
import { Fault } from './cursor.ts';
import {
  type Declared,
  localName,
  type Mention,
  type ModuleSymbol,
  type Problem,
} from './declared-places.ts';
import { type BodyUses, NO_BODY, readBody } from './function-bodies.ts';
import { type Initializer, readInitializer, stringLiteral } from './initializers.ts';
import type { IncludedKernel, Kernel } from './kernel-types.ts';
import { isFoldable, isScalar, mayOptimize } from './module-order.ts';
import { addressSpaceOf, type Specifiers } from './parse-declarators.ts';
import { TypeParser } from './parse-types.ts';
import { preprocess } from './preprocess.ts';
import { mayRepeat, mergedSymbol, stage } from './repeated-symbols.ts';
import { isSameType } from './same-type.ts';
import type { SourceFile } from './sources.ts';
import { staticNotes } from './static-notes.ts';

/** Maximum characters of a program and its headers. */
export const MAX_TEXT = 1_000_000;
/** Maximum arguments of a BPF function, which are passed in registers. */
const MAX_PARAMS = 5;
const CHAR = basicOf(['char']);
const FUNCTION_NAMES = new Set(['__func__', '__FUNCTION__', '__PRETTY_FUNCTION__']);
const BODY_NOTE =
  'function bodies are not compiled: what they mention counts as used, and CO-RE records and types that only code uses are missing';

export type Parsed = {
  readonly declared: readonly Declared[];
  readonly problems: readonly Problem[];
  /** Notes about parts that are left out, although the text compiles. */
  readonly notes: readonly Problem[];
  readonly layouts: Layouts;
};

/**
 * Reads a program and its local headers, of at most `MAX_TEXT` characters. `kernel` has `vmlinux.h`'s
 * types, or is null.
 */
export function parseDeclarations(
  text: string,
  endian: Endian = 'little',
  kernel: Kernel | null = null,
  headers: readonly SourceFile[] = [],
): Parsed {
  const length = headers.reduce((sum, header) => sum + header.text.length, text.length);
  const message = `the text is too long: more than ${MAX_TEXT} characters`;
  const { tokens, problems, notes, renamed } =
    length > MAX_TEXT
      ? {
          tokens: tokensOf(''),
          problems: [{ message, start: 0, end: 1 }],
          notes: [],
          renamed: null,
        }
      : preprocess(text, endian, kernel?.name ?? null, headers);
  const types = kernel !== null && renamed !== null ? { ...kernel, renamed } : null;
  const parsed = new Parser(tokens, types, text.length).parse();
  return {
    ...parsed,
    problems: [...problems, ...parsed.problems].sort(byStart),
    notes: [...notes, ...parsed.notes].sort(byStart),
  };
}

const byStart = (a: Problem, b: Problem) => a.start - b.start;

/** A declarator, with its specifiers, attributes and initializer. */
type Named = {
  readonly name: Token;
  readonly type: CType;
  readonly specifiers: Specifiers;
  readonly attributes: Attributes;
  readonly first: Token;
};

class Parser extends TypeParser {
  /** Declarations in order; null where a later declaration replaced an earlier one. */
  readonly #declared: (Declared | null)[] = [];
  /** Symbols by name, each with its index in `#declared`. */
  readonly #symbols = new Map<string, { readonly item: ModuleSymbol; readonly place: number }>();
  /** Static variables of functions that are declared after a condition. */
  readonly #conditional = new Set<string>();
  /** Name of the function whose body is being read, else null. */
  #localTo: string | null = null;
  /** Number of the last static variable of functions with each name. */
  readonly #copies = new Map<string, number>();
  /** Indexes in `#declared` of typedefs. */
  readonly #typedefPlaces = new Map<Typedef, number>();
  /** Names of typedefs in the text and its headers. They replace predefined typedefs. */
  readonly #declaredTypedefs = new Set<string>();
  /** Offset of the end of the program. Local headers follow it. */
  readonly #programEnd: number;

  constructor(tokens: readonly Token[], kernel: IncludedKernel | null, programEnd: number) {
    super(tokens, kernel);
    this.#programEnd = programEnd;
  }

  parse(): Parsed {
    // Typedefs of vmlinux.h replace the predefined typedefs.
    for (const [name, made] of PRELUDE_TYPES) {
      this.typedefs.set(name, this.kernel?.typedef(name) ?? made);
    }
    const [name, of] = ['__builtin_va_list', this.types.pointer(null)];
    this.typedefs.set(name, { kind: 'typedef', name, of, aligned: 0, declTags: [] });
    while (this.cursor.peek().kind !== 'end') {
      try {
        this.cursor.startOver();
        this.#declaration();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        const { start, end } = error.token;
        this.problems.push({ message: error.message, start, end: Math.max(end, start + 1) });
        this.cursor.recover();
      }
    }
    const { problems, notes, layouts } = this;
    const declared = this.#declared.filter((item) => item !== null);
    append(this.notes, staticNotes(declared, this.#conditional));
    return { declared, problems, notes, layouts };
  }

  #declaration(): void {
    const first = this.cursor.peek();
    if (this.cursor.take(';') || this.takePack() || this.staticAssert()) return;
    if (first.text === 'extern' && this.cursor.second().kind === 'string') {
      throw new Fault('extern "C" is C++, and only C is compiled here', first);
    }
    const specifiers = this.specifiers(true);
    if (this.cursor.peek().text === ';') {
      const end = this.cursor.next().end;
      if (!specifiers.hasTag) throw new Fault('this declares nothing', first);
      this.#addType(specifiers.type, first, end);
      return;
    }
    do {
      const attributes = noAttributes();
      const { typeTags } = specifiers.attributes;
      const declared = this.declarator(specifiers.type, typeTags, attributes);
      const { name } = declared;
      if (name === null) throw this.#noName();
      this.attributes(attributes);
      const isIntrinsic = this.#takeAssemblerName();
      this.attributes(attributes);
      const type = this.moded(declared.type, attributes.mode, name);
      const named = { name, type, specifiers, attributes, first };
      if (isIntrinsic) this.symbols.set(name.text, type);
      else if (specifiers.storage === 'typedef') this.#typedef(named);
      else if (bare(type)?.kind !== 'func') this.#variable(named);
      else if (this.#function(named)) return;
    } while (this.cursor.take(','));
    this.cursor.expect(';');
  }

  /**
   * Reads a name for the assembler if it comes next. Returns true for the name of an intrinsic of
   * LLVM, which is no symbol. Throws `Fault` for other names, since they rename symbols.
   */
  #takeAssemblerName(): boolean {
    const token = this.cursor.peek();
    if (!/^(__)?asm(__)?$/.test(token.text)) return false;
    this.cursor.next();
    this.cursor.expect('(');
    const [label] = this.cursor.skipGroup();
    if (label?.text.startsWith('"llvm.') !== true) {
      throw new Fault('names for the assembler are not supported', token);
    }
    return true;
  }

  #noName(): Fault {
    const token = this.cursor.peek();
    if (token.text !== '&') return this.cursor.expected('a name');
    return new Fault('references are C++, and only C is compiled here', token);
  }

  #addType(type: CType, first: Token, end: number): void {
    if (first.isHeader) return;
    if ((type?.kind === 'record' || type?.kind === 'enum') && type.name === '') {
      const what = type.kind === 'enum' ? 'an enum' : `a ${type.what}`;
      this.note(`${what} without a name that nothing uses is not in the BTF`, first);
      return;
    }
    // As clang does, types of local headers are written if they are used.
    const isHeader = first.start > this.#programEnd;
    const place =
      this.#declared.push({ what: 'type', type, start: first.start, end, isHeader }) - 1;
    if (type?.kind === 'typedef') this.#typedefPlaces.set(type, place);
  }

  #typedef({ name, type, specifiers, attributes, first }: Named): void {
    const known = this.typedefOf(name.text);
    if (this.symbols.has(name.text) || this.constantOf(name.text) !== null) {
      throw new Fault(`${name.text} is declared twice`, name);
    }
    const isAgain = known !== null && isSameType(known.of, type);
    if (known !== null && !isAgain && first.isHeader && this.#declaredTypedefs.has(name.text))
      return;
    if (!isAgain && (this.#declaredTypedefs.has(name.text) || this.kernel?.typedef(name.text)))
      throw new Fault(`${name.text} is another type already`, name);
    if (isAgain) this.#undeclare(known);
    const addressSpace = addressSpaceOf(type, specifiers, attributes);
    const shared = specifiers.attributes;
    const made: Typedef = {
      kind: 'typedef',
      name: name.text,
      of: type,
      aligned: Math.max(shared.aligned, attributes.aligned),
      declTags: [...shared.declTags, ...attributes.declTags],
      ...(addressSpace > 0 ? { addressSpace } : {}),
    };
    this.typedefs.set(name.text, made);
    this.#declaredTypedefs.add(name.text);
    this.#addType(made, first, name.end);
  }

  /** Removes the earlier declaration of a repeated typedef: debug information has the last one. */
  #undeclare(type: Typedef): void {
    const place = this.#typedefPlaces.get(type);
    if (place !== undefined) this.#declared[place] = null;
  }

  /** Reads a function declaration, and the body if there is one. Returns true for a body. */
  #function(named: Named): boolean {
    const { name, type, specifiers, attributes, first } = named;
    const at = bare(type);
    if (at?.kind !== 'func') return false;
    const params = this.paramsOf(at);
    const open = this.cursor.peek();
    const isDefined = open.text === '{';
    const { storage, isInline } = specifiers;
    const isStatic = storage === 'static';
    if (isDefined && !isStatic && !isInline)
      this.#checkFunction(name, at.returns, params, at.varargs);
    const { mentions, ...uses } = isDefined ? this.#body(name.text) : NO_BODY;
    if (!first.isHeader && mentions.some((word) => word !== 'return')) this.note(BODY_NOTE, open);
    const symbol = this.#symbolOf(named, isDefined, mentions);
    const isKept = symbol.isUsed || specifiers.attributes.noinline || attributes.noinline;
    const isExternal = !isInline || storage === 'extern';
    const mayInline = isDefined && !isKept && (isStatic || !isExternal);
    const alwaysInline = specifiers.attributes.alwaysInline || attributes.alwaysInline;
    this.#addSymbol(
      {
        what: 'function',
        ...symbol,
        type: at,
        params,
        ...uses,
        mayInline,
        isExternal,
        alwaysInline,
      },
      at,
      name,
    );
    return isDefined;
  }

  /** Reads a function body, and declares the `static` and `extern` variables inside it. */
  #body(of: string): BodyUses {
    this.cursor.next();
    const body = readBody(this.cursor.skipGroup());
    const { parts, changes, escapes, passed, reads, unconditional, ...rest } = body;
    const mentions: Mention[] = [];
    const locals = new Map<string, string[]>();
    for (const [i, part] of parts.entries()) {
      if (typeof part === 'string') {
        if (FUNCTION_NAMES.has(part)) {
          const bytes = [...new TextEncoder().encode(of)];
          const element = this.types.qualified(CHAR, 'const');
          const literal = stringLiteral(bytes, element, this.types);
          mentions.push({ ...literal, symbol: `${part}.${of}` });
        } else if (!locals.has(part)) mentions.push(part);
      } else if ('bytes' in part) mentions.push(stringLiteral(part.bytes, CHAR, this.types));
      else {
        const isExtern = part[0]?.text === 'extern';
        for (const full of this.#localDeclarations(of, part)) {
          // An extern variable is in the BTF only if code names it.
          if (isExtern) continue;
          addTo(locals, localName(full).replace(`${of}.`, ''), full);
          mentions.push(full);
          if (i >= unconditional) this.#conditional.add(full);
        }
      }
    }
    const full = (words: readonly string[]) => words.flatMap((word) => locals.get(word) ?? [word]);
    return {
      mentions,
      changes: full(changes),
      escapes: full(escapes),
      passed: full(passed),
      reads: full(reads),
      ...rest,
    };
  }

  /** Declares a body's `extern` variables, and its `static` ones as `function.variable`. */
  #localDeclarations(of: string, tokens: readonly Token[]): string[] {
    const from = this.#declared.length;
    const end: Token = { ...(tokens.at(-1) ?? this.cursor.peek()), kind: 'sign', text: ';' };
    this.within([...tokens, end], () => {
      if (tokens[0]?.text === 'static') this.#localTo = of;
      try {
        this.#declaration();
      } finally {
        this.#localTo = null;
      }
    });
    return this.#declared
      .slice(from)
      .flatMap((item) => (item === null || item.what === 'type' ? [] : [item.name]));
  }

  /** Returns a unique name for a static variable in a function. */
  #nameOf(name: string): string {
    if (this.#localTo === null) return name;
    const full = `${this.#localTo}.${name}`;
    let copy = this.#copies.get(full) ?? 1;
    const key = () => (copy === 1 ? full : `${full}@${copy}`);
    while (this.#symbols.has(key())) copy += 1;
    this.#copies.set(full, copy);
    return key();
  }

  #checkFunction(
    name: Token,
    returns: CType,
    params: readonly { readonly type: CType }[],
    varargs: boolean,
  ): void {
    if (varargs && params.length > 0) throw new Fault('BPF functions cannot be variadic', name);
    // A struct of up to two words is passed in registers, a larger struct by its address.
    const registers = params.reduce((sum, { type }) => {
      const size = this.layouts.sizeOf(type);
      return sum + (bare(type)?.kind === 'record' && size > 16 ? 1 : Math.ceil(size / 8));
    }, 0);
    if (registers > MAX_PARAMS)
      throw new Fault(`BPF functions have ${MAX_PARAMS} registers for parameters`, name);
    if (bare(returns)?.kind === 'record')
      throw new Fault('BPF functions cannot return a struct or union', name);
  }

  #variable(named: Named): void {
    const { name, specifiers } = named;
    let { type } = named;
    const isInitialized = this.cursor.take('=');
    let value: Initializer = { isZero: true, count: null, flexible: 0, mentions: [] };
    if (isInitialized) {
      const from = this.cursor.place;
      this.#skipInitializer();
      const tokens = this.cursor.since(from);
      value = readInitializer(tokens, type, {
        types: this.types,
        valueOf: (part) => this.valueOf(part),
        noteUnknown: (part) => this.#noteUnknown(part),
        isNumber: (name) => isScalar(this.symbols.get(name) ?? null),
      });
      if (this.#isOpenArray(type)) {
        if (value.count === null) {
          throw new Fault(`the length of ${name.text} cannot be read from its initializer`, name);
        }
        type = this.#withLength(type, value.count);
      }
    }
    const isDefined = isInitialized || specifiers.storage !== 'extern';
    const symbol = this.#symbolOf(named, isDefined, value.mentions);
    if (!value.isZero && /^\.bss(\.|$)/.test(symbol.section ?? '')) {
      throw new Fault(`${symbol.section} has no room for values other than 0`, name);
    }
    // ISO C 6.9.2: a tentative array without a length has one element.
    if (isDefined && this.#isOpenArray(type)) type = this.#withLength(type, 1);
    if (isDefined && !isComplete(type))
      throw new Fault(`the type of ${name.text} is not complete`, name);
    const { isZero, flexible } = value;
    const aligned = Math.max(specifiers.attributes.aligned, named.attributes.aligned);
    const isCommon = (specifiers.attributes.common || named.attributes.common) && !isInitialized;
    const mayFold = symbol.isStatic && !symbol.isUsed && mayOptimize(type);
    const facts = {
      isInitialized,
      isZero,
      flexible,
      aligned,
      mayFold,
      isFoldable: isFoldable(type),
      isCommon,
      addressSpace: addressSpaceOf(named.type, specifiers, named.attributes),
    };
    this.#addSymbol({ what: 'variable', ...symbol, type, ...facts }, type, name);
  }

  /** Returns true for an array without a length, also by the name of a typedef. */
  #isOpenArray(type: CType): boolean {
    const at = bare(type);
    return at?.kind === 'array' && at.dimensions[0] === -1;
  }

  /** Returns the array type with a length. Debug information has no typedef for it. */
  #withLength(type: CType, count: number): CType {
    const decayed = this.types.decayed(type);
    return this.types.array(decayed?.kind === 'pointer' ? decayed.to : null, count);
  }

  #noteUnknown([first]: readonly Token[]): void {
    if (first === undefined) return;
    if (first.text === 'nullptr')
      throw new Fault('nullptr is C23, and C17 is compiled here', first);
    this.note(
      `the value of ${first.text} is not known here: it is taken to be other than 0`,
      first,
    );
  }

  #symbolOf(
    { name, specifiers, attributes, first }: Named,
    isDefined: boolean,
    mentions: readonly Mention[],
  ) {
    const shared = specifiers.attributes;
    return {
      name: this.#nameOf(name.text),
      isStatic: specifiers.storage === 'static',
      isDefined,
      isUsed: shared.used || attributes.used,
      section: attributes.section ?? shared.section,
      declTags: [...shared.declTags, ...attributes.declTags],
      mentions,
      start: first.start,
      end: name.end,
      isHeader: first.isHeader === true,
    };
  }

  /** Merges a declaration with earlier ones of its name. `declaredType` is its type in the text. */
  #addSymbol(added: ModuleSymbol, declaredType: CType, name: Token): void {
    const known = this.#symbols.get(added.name);
    const isSame =
      known === undefined || mayRepeat(this.symbols.get(added.name) ?? null, declaredType);
    const type = isSame ? this.#asFirst(added.name, declaredType) : declaredType;
    const item: ModuleSymbol =
      added.what === 'function' && type?.kind === 'func' ? { ...added, type } : added;
    const isType = this.#declaredTypedefs.has(item.name) || this.kernel?.typedef(item.name) != null;
    if (!isSame || isType || this.constantOf(item.name) !== null) {
      throw new Fault(`${item.name} is declared twice`, name);
    }
    // The name no longer means the predefined typedef.
    this.typedefs.delete(item.name);
    this.symbols.set(item.name, type);
    if (known === undefined) {
      this.#symbols.set(item.name, { item, place: this.#declared.push(item) - 1 });
      return;
    }
    // A symbol is at the place of its definition, else of its first declaration.
    const merged = mergedSymbol(known.item, item);
    if (merged.declTags.length > MAX_TAGS) throw tooManyTags(name);
    const isMore = stage(known.item) < stage(item);
    this.#declared[known.place] = isMore ? null : merged;
    const place = isMore ? this.#declared.push(merged) - 1 : known.place;
    this.#symbols.set(item.name, { item: merged, place });
  }

  /** Returns the type for a repeated declaration: a function keeps its first return type. */
  #asFirst(name: string, type: CType): CType {
    const before = this.symbols.get(name) ?? null;
    if (before?.kind !== 'func' || type?.kind !== 'func' || before.returns === type.returns)
      return type;
    return this.types.func(before.returns, type.params, type.varargs);
  }

  /** Skips to the `,` or `;` at the end of an initializer. */
  #skipInitializer(): void {
    for (;;) {
      const { kind, text } = this.cursor.peek();
      if (kind === 'end' || text === ',' || text === ';' || text === '}') return;
      this.cursor.next();
      if (text === '(' || text === '[' || text === '{') this.cursor.skipGroup();
    }
  }
}
