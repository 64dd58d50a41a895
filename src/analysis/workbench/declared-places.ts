/** Declarations of a text with their places: the page finds the type at the caret, and a type's lines. */
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
  /** True for a declaration of a header: the object has it only if something uses it. */
  readonly isHeader: boolean;
};

export type DeclaredType = Place & { readonly what: 'type'; readonly type: CType };

/** A symbol of the object: a variable or a function. */
type Symbol = Place & {
  readonly name: string;
  readonly isStatic: boolean;
  /** False for a declaration without definition. */
  readonly isDefined: boolean;
  /** True for a symbol that stays in the object without a use. */
  readonly isUsed: boolean;
  /** Section that the text states; null for the default. */
  readonly section: string | null;
  readonly declTags: readonly string[];
  /** Words and strings of the body or initializer: the symbols that it may use. */
  readonly mentions: readonly Mention[];
};

/** A string that an initializer points at. Strings of equal `bytes` are one object. */
export type StringLiteral = { readonly bytes: string; readonly type: CType };
export type Mention = string | StringLiteral;

export type DeclaredVariable = Symbol & {
  readonly what: 'variable';
  readonly type: CType;
  /** A variable without an initializer is placed after the whole text is read. */
  readonly isInitialized: boolean;
  /** Elements of the flexible array member of its struct. */
  readonly flexible: number;
  /** True if all bytes are 0. */
  readonly isZero: boolean;
  /** Alignment in bytes; 0 for the alignment of the type. */
  readonly aligned: number;
  /** True if the optimizer may remove it: static, and without an attribute that keeps it. */
  readonly mayFold: boolean;
  /** True if code can contain its values in place of loads while no code changes it. */
  readonly isFoldable: boolean;
};

export type DeclaredFunction = Symbol & {
  readonly what: 'function';
  readonly type: Func;
  /** Parameters as declared, with qualifiers; the name of an unnamed parameter is empty. */
  readonly params: readonly Param[];
  readonly mayInline: boolean;
  /** Names in the body that are read. */
  readonly reads: readonly string[];
  /** Variables that the body writes to or takes the address of. */
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

export type ModuleSymbol = DeclaredVariable | DeclaredFunction;

/** Returns the name of a variable in the text. Static variables of a function may share a name. */
export function localName(name: string): string {
  return name.replace(/@\d+$/, '');
}
