/** Orders the variables, functions and strings of an object, and assigns their sections. */
import { bare, type CType, type Layouts } from './c-types.ts';
import {
  type Declared,
  type DeclaredFunction,
  type DeclaredVariable,
  localName,
  type ModuleSymbol,
  type StringLiteral,
} from './declared-places.ts';

export type ModuleItem = ModuleSymbol | StringLiteral;

/**
 * Returns symbols and strings in clang's order: at their definition, or at an earlier use in a body
 * or initializer; variables without an initializer come last. Omits unused symbols that are static
 * or only declared. Source: clang's CodeGenModule, by its output.
 */
export function moduleOrder(declared: readonly Declared[]): readonly ModuleItem[] {
  const uses = new Uses(declared);
  const byName = new Map<string, ModuleSymbol>();
  for (const item of declared) {
    if (item.what !== 'type') byName.set(item.name, item);
  }
  // The optimizer removes these later: until then they have names, which others cannot have.
  const isGone = (item: ModuleItem) =>
    'what' in item && item.what === 'variable' && uses.isGone(item);
  const made = new Set<ModuleItem>();
  const strings = new Set<string>();
  // Static symbols that were just mentioned; their bodies and initializers come after all others.
  let waiting: ModuleSymbol[] = [];
  const use = (user: ModuleSymbol) => {
    for (const mention of user.mentions) {
      if (typeof mention !== 'string') {
        if (!strings.has(mention.bytes)) made.add(mention);
        strings.add(mention.bytes);
        continue;
      }
      const used = byName.get(mention);
      if (used === undefined || made.has(used)) continue;
      made.add(used);
      if (used.isStatic && !isGone(used)) waiting.push(used);
    }
  };
  const define = (item: ModuleSymbol) => {
    // clang reads an initializer before it creates the variable, but creates a function before it
    // reads the body.
    if (item.what === 'variable') use(item);
    made.add(item);
    if (item.what === 'function') use(item);
  };
  const symbols = [...byName.values()].filter(
    (item) => item.isDefined && (!item.isStatic || item.isUsed) && !isGone(item),
  );
  const mayDefine = (item: ModuleSymbol) => item.what === 'variable' || !uses.isInlined(item);
  const isTentative = (item: ModuleSymbol) => item.what === 'variable' && !item.isInitialized;
  for (const item of symbols) if (!isTentative(item) && mayDefine(item)) define(item);
  for (const item of symbols) if (isTentative(item)) define(item);
  // clang emits what a static symbol mentions before the next one (CodeGenModule::EmitDeferred).
  const stack = waiting.toReversed();
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    waiting = [];
    use(item);
    for (const each of waiting.toReversed()) stack.push(each);
  }
  const kept = new Set([...made].filter((item) => !isGone(item)));
  return withNames([...made], kept).filter((item) => !('what' in item) || mayDefine(item));
}

/**
 * Returns the `kept` of the items in their order, and appends numbers to repeated names. LLVM has one
 * counter per module, which strings use, too: all strings are named `.str`
 * (ValueSymbolTable::makeUniqueName).
 */
function withNames(made: readonly ModuleItem[], kept: ReadonlySet<ModuleItem>): ModuleItem[] {
  let last = 0;
  let hasString = false;
  return made.flatMap((item) => {
    let named = item;
    if (!('what' in item)) {
      // `__func__` has a name that no other string has.
      if (item.symbol !== undefined) return kept.has(item) ? [item] : [];
      if (hasString) last += 1;
      hasString = true;
    } else {
      const name = localName(item.name);
      if (name !== item.name) {
        last += 1;
        named = { ...item, name: `${name}.${last}`, key: item.name };
      }
    }
    return kept.has(item) ? [named] : [];
  });
}

/** Tokens of a function that clang inlines wherever it is called. */
const TINY = 16;
/** Tokens from which a function is too large to be inlined twice, by the functions of BPF tools. */
const LARGE = 130;
/** Limits the sum of tokens, since functions that inline others twice double it at each level. */
const LARGEST = 1_000_000;

/** Collects uses of static variables and functions, on which the optimizer's decisions depend. */
export class Uses {
  readonly #changed = new Set<string>();
  readonly #escaping = new Set<string>();
  readonly #read = new Set<string>();
  readonly #values = new Set<string>();
  /** True if some function can be inlined and has a function pointer as a parameter. */
  #inlinesCallers = false;
  readonly #functions = new Map<string, DeclaredFunction>();
  /** Static functions that are called where code rarely runs. */
  readonly #late = new Set<string>();
  /** Number of calls by name, in functions that the object has or that these inline. */
  readonly #calls = new Map<string, number>();
  /** Functions whose calls may be in the object more than once. */
  readonly #repeated = new Set<string>();
  /** Static functions of which the object may have code or not, with the number of their calls. */
  readonly #guessed = new Map<string, number>();
  /** Static functions that clang is taken not to inline. */
  readonly #kept = new Set<string>();

  constructor(declared: readonly Declared[]) {
    const numbers = new Set(
      declared.flatMap((item) =>
        item.what === 'variable' && isScalar(item.type) ? [keyOf(item)] : [],
      ),
    );
    for (const item of declared) {
      if (item.what === 'function') {
        for (const name of item.changes) this.#changed.add(name);
        for (const name of item.escapes) this.#escaping.add(name);
        for (const name of item.passed) if (!numbers.has(name)) this.#escaping.add(name);
        for (const name of item.lateCalls) this.#late.add(name);
        for (const name of item.reads) this.#read.add(name);
        for (const name of item.values) this.#values.add(name);
        if (item.isDefined) this.#functions.set(item.name, item);
        if (item.mayInline && item.params.some(({ type }) => isFunctionPointer(type)))
          this.#inlinesCallers = true;
      } else if (item.what === 'variable') {
        // Names in an initializer are used only for their address.
        for (const name of item.mentions) if (typeof name === 'string') this.#escaping.add(name);
      }
    }
    this.#countCalls();
    this.#findRepeated();
    this.#guessKept();
  }

  /** Finds functions that are called once, but in a function that is called more than once. */
  #findRepeated(): void {
    for (const [name, calls] of this.#calls) if (calls > 1) this.#repeated.add(name);
    for (const name of this.#repeated) {
      const item = this.#functions.get(name);
      if (item?.mayInline !== true) continue;
      for (const callee of item.calls) this.#repeated.add(callee);
    }
  }

  #countCalls(): void {
    const live = new Set(
      [...this.#functions.values()].filter(
        ({ name, isStatic, isUsed, mayInline }) =>
          isUsed || (!isStatic && !mayInline) || this.#escaping.has(name),
      ),
    );
    for (const { calls, mentions } of live) {
      for (const name of calls) this.#calls.set(name, (this.#calls.get(name) ?? 0) + 1);
      for (const name of mentions) {
        const callee = typeof name === 'string' ? this.#functions.get(name) : undefined;
        if (callee !== undefined) live.add(callee);
      }
    }
  }

  /** Guesses which static functions stay, by their calls and sizes: callees come before callers. */
  #guessKept(): void {
    const sizes = new Map<string, number>();
    for (const item of this.#functions.values()) {
      let { size } = item;
      for (const name of item.calls) {
        const isInlined = this.#functions.get(name)?.mayInline === true && !this.#kept.has(name);
        if (isInlined) size += sizes.get(name) ?? 0;
      }
      sizes.set(item.name, Math.min(size, LARGEST));
      const calls = this.#calls.get(item.name) ?? 0;
      if (!item.isStatic || !item.mayInline || item.alwaysInline || calls === 0) continue;
      const isLate = this.#late.has(item.name);
      const isOften = isLate || calls > 1 || this.#repeated.has(item.name);
      const least = isLate && item.calls.length > 0 ? 0 : isOften ? TINY : LARGE;
      if (size >= least) this.#guessed.set(item.name, calls);
      if (size >= LARGE && calls > 1) this.#kept.add(item.name);
    }
  }

  /** Returns the number of calls of a static function if it is a guess whether it is inlined. */
  guessedCalls({ name }: DeclaredFunction): number | null {
    return this.#escaping.has(name) ? null : (this.#guessed.get(name) ?? null);
  }

  /** Returns true if the object can have code of the function. */
  isLive({ name, isDefined, mayInline }: DeclaredFunction): boolean {
    return isDefined && (!mayInline || this.#calls.has(name) || this.#escaping.has(name));
  }

  /** Returns true if the optimizer removes the variable: not read, or only its value is used. */
  isGone(item: DeclaredVariable): boolean {
    if (!this.#mayOptimize(item)) return false;
    return this.#changed.has(keyOf(item)) ? !this.#read.has(keyOf(item)) : item.isFoldable;
  }

  /** Returns true if the optimizer treats the variable as constant. */
  isReadOnly(item: DeclaredVariable): boolean {
    return this.#mayOptimize(item) && !this.#changed.has(keyOf(item));
  }

  /** Returns true if the tokens do not show what the optimizer does with the symbol. */
  isUncertain(item: ModuleSymbol): boolean {
    if (item.what === 'function') {
      if (!item.isStatic) return false;
      if (!item.mayInline) return isComputedAway(item);
      return this.#values.has(item.name) || (this.#inlinesCallers && this.#escaping.has(item.name));
    }
    // The optimizer moves a variable that no code changes through its address.
    const isOnlyPointedAt = this.#escaping.has(item.name) && !isConst(item.type);
    if (item.mayFold && item.section === null && isOnlyPointedAt) return true;
    if (!this.#mayOptimize(item) || !this.#read.has(item.name)) return false;
    return !isScalar(item.type) || this.#changed.has(item.name);
  }

  /** Returns true for an inlined function, except a static one whose address may be used. */
  isInlined({ mayInline, isStatic, name }: DeclaredFunction): boolean {
    return mayInline && !(isStatic && this.#escaping.has(name)) && !this.#kept.has(name);
  }

  #mayOptimize(item: DeclaredVariable): boolean {
    return item.mayFold && item.section === null && !this.#escaping.has(keyOf(item));
  }
}

/**
 * Returns true for a function that is not inlined, but that only computes a value from its
 * parameters: if the value is a parameter or a constant, clang uses it and removes the function.
 */
function isComputedAway({ isDefined, isUsed, size, calls, changes }: DeclaredFunction): boolean {
  const isShort = isDefined && size > 0 && size < TINY;
  return isShort && !isUsed && calls.length === 0 && changes.length === 0;
}

/** Returns the name by which bodies mention the variable. */
function keyOf({ key, name }: DeclaredVariable): string {
  return key ?? name;
}

/** Returns the section of a variable; empty for a declaration without definition and section. */
export function sectionOf(item: DeclaredVariable, uses: Uses, layouts: Layouts): string {
  if (item.section !== null) return item.section;
  // Source: LLVM's BPFCheckAndAdjustIR, insertASpaceCasts.
  if (item.addressSpace > 0) return `.addr_space.${item.addressSpace}`;
  if (!item.isDefined) return '';
  const isReadOnly = uses.isReadOnly(item);
  if (!isConst(item.type) && !isReadOnly) return item.isZero ? '.bss' : '.data';
  // The linker can merge constants of 4, 8, 16 or 32 bytes.
  const size = layouts.sizeOf(item.type);
  const isMerged = isReadOnly && item.mentions.length === 0 && [4, 8, 16, 32].includes(size);
  return isMerged ? `.rodata.cst${size}` : '.rodata';
}

function isConst(type: CType): boolean {
  let at = type;
  while (at?.kind === 'typedef' || at?.kind === 'qualified' || at?.kind === 'array') {
    if (at.kind === 'qualified' && at.by === 'const') return true;
    at = at.of;
  }
  return false;
}

function isFunctionPointer(type: CType): boolean {
  const at = bare(type);
  return at?.kind === 'pointer' && bare(at.to)?.kind === 'func';
}

/** Returns true for numbers and pointers. */
export function isScalar(type: CType): boolean {
  return ['basic', 'enum', 'pointer'].includes(bare(type)?.kind ?? '');
}

/** Limits the members that `isFoldable` checks: a record of a damaged kernel can contain itself. */
const MAX_PARTS = 1000;

/** Returns true for scalars and structs of scalars: the optimizer can replace loads of them. */
export function isFoldable(type: CType): boolean {
  const waiting = [type];
  let steps = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    steps += 1;
    if (steps > MAX_PARTS) return false;
    const at = bare(next);
    if (at?.kind === 'record' && at.what === 'struct') {
      if (steps + waiting.length + (at.members?.length ?? 0) > MAX_PARTS) return false;
      for (const member of at.members ?? []) waiting.push(member.type);
    } else if (!isScalar(at)) return false;
  }
  return true;
}

/** Returns false if the whole type is volatile: the optimizer must not change accesses then. */
export function mayOptimize(type: CType): boolean {
  for (
    let at = type;
    at?.kind === 'qualified' || at?.kind === 'typedef' || at?.kind === 'array';
    at = at.of
  ) {
    if (at.kind === 'qualified' && at.by === 'volatile') return false;
  }
  return true;
}
