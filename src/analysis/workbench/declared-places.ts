/** What a text declares and where, so that a caret can tell a type and a type its lines. */
import { type CType, enumShape, type Func } from './c-types.ts';

export type Problem = {
  readonly message: string;
  /** Characters from the start of the text. */
  readonly start: number;
  readonly end: number;
};

type Place = {
  /** Characters from the start of the text. */
  readonly start: number;
  readonly end: number;
  /** Declared in a header: written down only where something uses it. */
  readonly isHeader: boolean;
};

export type DeclaredType = Place & { readonly what: 'type'; readonly type: CType };

/** What the linker sees: a variable or a function. */
type Symbol = Place & {
  readonly name: string;
  readonly isStatic: boolean;
  /** False where the text only says that it exists. */
  readonly isDefined: boolean;
  /** Kept although nothing uses it. */
  readonly isUsed: boolean;
  /** That the text asks for; null: the usual one. */
  readonly section: string | null;
  readonly declTags: readonly string[];
  /** The words of its body or initializer, and the strings of the latter: what it may use. */
  readonly mentions: readonly Mention[];
};

/** A string that an initializer points at: `bytes` tells two of them apart. */
export type StringLiteral = { readonly bytes: string; readonly type: CType };
export type Mention = string | StringLiteral;

export type DeclaredVariable = Symbol & {
  readonly what: 'variable';
  readonly type: CType;
  /** Has an initializer; one without is placed when the whole text is read. */
  readonly isInitialized: boolean;
  /** Elements that it has of the array without a length at the end of its struct. */
  readonly flexible: number;
  /** All its bytes are 0. */
  readonly isZero: boolean;
  /** Bytes; 0: that of its type. */
  readonly aligned: number;
  /** If nothing changes it the compiler puts its value in its place. */
  readonly mayFold: boolean;
};

export type DeclaredFunction = Symbol & {
  readonly what: 'function';
  readonly type: Func;
  /** As declared, with their qualifiers; a parameter without a name has an empty one. */
  readonly params: readonly Param[];
  /** Where it is used it may be gone: the compiler puts its body there. */
  readonly mayInline: boolean;
  /** The variables that the body writes to or takes the address of, as far as its words tell. */
  readonly changes: readonly string[];
};

/** What the text declares, in its order. */
export type Declared = DeclaredType | DeclaredVariable | DeclaredFunction;

export type Param = {
  readonly name: string;
  readonly type: CType;
  readonly declTags: readonly string[];
};

export type DeclaredPlace = {
  /** BTF's word for the kind, in lower case, and the name: what a type key is made of. Raw text. */
  readonly kind: string;
  readonly name: string;
  /** Characters from the start of the text. */
  readonly start: number;
  readonly end: number;
};

/** The places of what has a name, in the order of the text. */
export function declaredPlaces(declared: readonly Declared[]): DeclaredPlace[] {
  return declared.flatMap((item) => {
    const { start, end, isHeader } = item;
    if (isHeader) return [];
    if (item.what === 'variable') return [{ kind: 'var', name: item.name, start, end }];
    if (item.what === 'function') return [{ kind: 'func', name: item.name, start, end }];
    const named = tagOf(item.type);
    return named === null ? [] : [{ ...named, start, end }];
  });
}

function tagOf(type: CType): Pick<DeclaredPlace, 'kind' | 'name'> | null {
  switch (type?.kind) {
    case 'record':
      if (type.name === '') return null;
      // Without members there is the name alone, as far as something points at it.
      return { kind: type.members === null ? 'fwd' : type.what, name: type.name };
    case 'enum':
      if (type.name === '') return null;
      return { kind: enumShape(type).size === 8 ? 'enum64' : 'enum', name: type.name };
    case 'typedef':
      return { kind: 'typedef', name: type.name };
    default:
      return null;
  }
}

/** A variable or function that is written down. */
export type ModuleSymbol = DeclaredVariable | DeclaredFunction;

/**
 * The variables, functions and strings in the order in which clang makes them: each where it is
 * defined, or before that where a body or an initializer uses it; variables without an initializer
 * last. What is static or only declared is left out where nothing uses it.
 *
 * Source: clang's CodeGenModule, read off its output.
 */
export function moduleOrder(
  declared: readonly Declared[],
): readonly (ModuleSymbol | StringLiteral)[] {
  const changed = new Set(
    declared.flatMap((item) => (item.what === 'function' ? item.changes : [])),
  );
  const byName = new Map<string, ModuleSymbol>();
  for (const item of declared) {
    const isGone = item.what === 'variable' && item.mayFold && !changed.has(item.name);
    if (item.what !== 'type' && !isGone) byName.set(item.name, item);
  }
  const made = new Set<ModuleSymbol | StringLiteral>();
  const strings = new Set<string>();
  // Static ones get their bodies when all else is there.
  const waiting: ModuleSymbol[] = [];
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
      if (used.isStatic) waiting.push(used);
    }
  };
  const define = (item: ModuleSymbol) => {
    // An initializer is read before its variable is made, a body behind its function.
    if (item.what === 'variable') use(item);
    made.add(item);
    if (item.what === 'function') use(item);
  };
  const symbols = [...byName.values()].filter(
    ({ isDefined, isStatic, isUsed, isHeader }) => isDefined && !isHeader && (!isStatic || isUsed),
  );
  const isTentative = (item: ModuleSymbol) => item.what === 'variable' && !item.isInitialized;
  for (const item of symbols) if (!isTentative(item) && mayDefine(item)) define(item);
  for (const item of symbols) if (isTentative(item)) define(item);
  for (const item of waiting) use(item);
  return [...made].filter((item) => !('what' in item) || mayDefine(item));
}

/** Static functions that may be inlined are, and inline ones that are not static have no code. */
function mayDefine(item: ModuleSymbol): boolean {
  return item.what === 'variable' || !item.mayInline;
}
