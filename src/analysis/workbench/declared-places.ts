/** Declarations with their places in the text, to find the type at the caret and a type's lines. */
import { type CType, enumShape, type Func } from './c-types.ts';

export type Problem = {
  readonly message: string;
  /** Start of the problem, in characters from the start of the text. */
  readonly start: number;
  readonly end: number;
};

type Place = {
  /** Start of the declaration, in characters from the start of the text. */
  readonly start: number;
  readonly end: number;
  /** True for a type in a local header, or a symbol in a header that the workbench has. */
  readonly isHeader: boolean;
};

export type DeclaredType = Place & { readonly what: 'type'; readonly type: CType };

/** A variable or function. */
type Symbol = Place & {
  readonly name: string;
  /** Name of the declaration, if `name` has the number that clang appends to a repeated one. */
  readonly key?: string;
  readonly isStatic: boolean;
  /** False for a declaration without a definition. */
  readonly isDefined: boolean;
  /** True if the object contains the symbol even if no code uses it. */
  readonly isUsed: boolean;
  /** Section that an attribute states; null for the default section. */
  readonly section: string | null;
  readonly declTags: readonly string[];
  /** Names and strings in the body or initializer. A name may or may not be a symbol. */
  readonly mentions: readonly Mention[];
};

/**
 * A string that code or an initializer points to. The object has one string for equal `bytes`.
 * `symbol` is its name in LLVM if it is not `.str`.
 */
export type StringLiteral = {
  readonly bytes: string;
  readonly type: CType;
  readonly symbol?: string;
};
export type Mention = string | StringLiteral;

export type DeclaredVariable = Symbol & {
  readonly what: 'variable';
  readonly type: CType;
  /** False for a variable without an initializer: clang orders it as if it were at the end. */
  readonly isInitialized: boolean;
  /** Number of elements in the struct's flexible array member. */
  readonly flexible: number;
  /** True if all bytes of the variable are 0. */
  readonly isZero: boolean;
  /** Alignment that the text states, in bytes; 0 for the alignment of the type. */
  readonly aligned: number;
  /** True if the optimizer may remove the variable: static, without an attribute to keep it. */
  readonly mayFold: boolean;
  /** True for a common symbol, of which clang writes no record. */
  readonly isCommon: boolean;
  /** Number of the address space, whose variables are in a section of their own; 0 for none. */
  readonly addressSpace: number;
  /** True if the optimizer can replace loads by the value, provided that no code changes it. */
  readonly isFoldable: boolean;
};

export type DeclaredFunction = Symbol & {
  readonly what: 'function';
  readonly type: Func;
  /** Parameters with their declared qualifiers; an unnamed parameter has an empty name. */
  readonly params: readonly Param[];
  readonly mayInline: boolean;
  /** True if a declaration has no `inline`, or has `extern`. */
  readonly isExternal: boolean;
  /** True for `always_inline`. Other functions are inlined if the optimizer decides so. */
  readonly alwaysInline: boolean;
  /** Names that the body reads. */
  readonly reads: readonly string[];
  /** Variables that the body assigns to, or whose address it takes. */
  readonly changes: readonly string[];
  /** Variables whose address the body passes on to other code. */
  readonly escapes: readonly string[];
  /** Names that alone are an argument of a call. */
  readonly passed: readonly string[];
  /** Names that the body uses as values: neither called nor in `escapes` or `passed`. */
  readonly values: readonly string[];
  /** Names that the body calls, once for each call. */
  readonly calls: readonly string[];
  /** Names that the body calls where code rarely runs. */
  readonly lateCalls: readonly string[];
  /** Measure of the code's size, in tokens. */
  readonly size: number;
  /** True for initialized local structs and arrays, of which clang may make constants with names. */
  readonly hasConstants: boolean;
};

/** A type, variable or function that the text declares. */
export type Declared = DeclaredType | DeclaredVariable | DeclaredFunction;

export type Param = {
  readonly name: string;
  readonly type: CType;
  readonly declTags: readonly string[];
};

export type DeclaredPlace = {
  /** Kind in lower case and name, as in a type key. The name is not escaped. */
  readonly kind: string;
  readonly name: string;
  /** Start of the declaration, in characters from the start of the text. */
  readonly start: number;
  readonly end: number;
};

/** Returns the places of the declarations that have a name, in the order of the text. */
export function declaredPlaces(declared: readonly Declared[]): DeclaredPlace[] {
  return declared.flatMap((item) => {
    const { start, end, isHeader } = item;
    // A symbol of a header that the workbench has is at the line of its #include.
    if (isHeader && item.what !== 'type') return [];
    if (item.what === 'variable') {
      return [{ kind: 'var', name: localName(item.name), start, end }];
    }
    if (item.what === 'function') return [{ kind: 'func', name: item.name, start, end }];
    const named = tagOf(item.type);
    return named === null ? [] : [{ ...named, start, end }];
  });
}

function tagOf(type: CType): Pick<DeclaredPlace, 'kind' | 'name'> | null {
  switch (type?.kind) {
    case 'record':
      if (type.name === '') return null;
      // clang writes a struct or union without members only if a pointer refers to it.
      return { kind: type.members === null ? 'fwd' : type.what, name: type.name };
    case 'enum': {
      if (type.name === '') return null;
      const { size, isNamed = false } = enumShape(type);
      return { kind: size === 8 && !isNamed ? 'enum64' : 'enum', name: type.name };
    }
    case 'typedef':
      return { kind: 'typedef', name: type.name };
    default:
      return null;
  }
}

export type ModuleSymbol = DeclaredVariable | DeclaredFunction;

/** Returns a variable's name without the suffix (`@1`) of static variables in functions. */
export function localName(name: string): string {
  return name.replace(/@\d+$/, '');
}
