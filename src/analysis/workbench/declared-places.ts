/** Declarations of a text and their places: a caret leads to a type, a type to its lines. */
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
  /** Declared in a header: the object has it only if something uses it. */
  readonly isHeader: boolean;
};

export type DeclaredType = Place & { readonly what: 'type'; readonly type: CType };

/** A symbol of the object: a variable or a function. */
type Symbol = Place & {
  readonly name: string;
  readonly isStatic: boolean;
  /** False for a declaration without definition. */
  readonly isDefined: boolean;
  /** Kept although nothing uses it. */
  readonly isUsed: boolean;
  /** Section that the text states; null for the default. */
  readonly section: string | null;
  readonly declTags: readonly string[];
  /** Words of its body or initializer, and strings of the initializer: names that it may use. */
  readonly mentions: readonly Mention[];
};

/** A string that an initializer points at: `bytes` tells two of them apart. */
export type StringLiteral = { readonly bytes: string; readonly type: CType };
export type Mention = string | StringLiteral;

export type DeclaredVariable = Symbol & {
  readonly what: 'variable';
  readonly type: CType;
  /** Has it an initializer? A variable without one is placed after the whole text is read. */
  readonly isInitialized: boolean;
  /** Elements of the flexible array member of its struct. */
  readonly flexible: number;
  /** All its bytes are 0. */
  readonly isZero: boolean;
  /** Alignment in bytes; 0 for that of its type. */
  readonly aligned: number;
  /** Can the optimizer remove it? True for static variables without an attribute that keeps them. */
  readonly mayFold: boolean;
  /** Can code have its values in its place if nothing changes it? */
  readonly isFoldable: boolean;
};

export type DeclaredFunction = Symbol & {
  readonly what: 'function';
  readonly type: Func;
  /** Parameters as declared, with qualifiers; the name of an unnamed parameter is empty. */
  readonly params: readonly Param[];
  /** Can the compiler inline it? */
  readonly mayInline: boolean;
  /** Names in the body that are read. */
  readonly reads: readonly string[];
  /** Variables that the body writes to or takes the address of, by its words. */
  readonly changes: readonly string[];
  /** Variables whose address other code may get. */
  readonly escapes: readonly string[];
  /** Names that are neither called nor in `escapes`. */
  readonly values: readonly string[];
};

/** Declarations in the order of the text. */
export type Declared = DeclaredType | DeclaredVariable | DeclaredFunction;

export type Param = {
  readonly name: string;
  readonly type: CType;
  readonly declTags: readonly string[];
};

export type DeclaredPlace = {
  /** BTF kind in lower case, and name: the parts of a type key. Raw text. */
  readonly kind: string;
  readonly name: string;
  /** Characters from the start of the text. */
  readonly start: number;
  readonly end: number;
};

/** Returns the places of named declarations, in the order of the text. */
export function declaredPlaces(declared: readonly Declared[]): DeclaredPlace[] {
  return declared.flatMap((item) => {
    const { start, end, isHeader } = item;
    if (isHeader) return [];
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
      // A record without members has a name only if something points at it.
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

/** A variable or function of the object. */
export type ModuleSymbol = DeclaredVariable | DeclaredFunction;

/** Returns the name of a variable in the text. Static variables of a function may share a name. */
export function localName(name: string): string {
  return name.replace(/@\d+$/, '');
}
