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
  /** Static, and nothing says that it stays: the optimizer may do without it. */
  readonly mayFold: boolean;
  /** Does it only have values that code has instead of it where nothing changes them? */
  readonly isFoldable: boolean;
};

export type DeclaredFunction = Symbol & {
  readonly what: 'function';
  readonly type: Func;
  /** As declared, with their qualifiers; a parameter without a name has an empty one. */
  readonly params: readonly Param[];
  /** Where it is used it may be gone: the compiler puts its body there. */
  readonly mayInline: boolean;
  /** The words in the body that are not only assigned to. */
  readonly reads: readonly string[];
  /** The variables that the body writes to or takes the address of, as far as its words tell. */
  readonly changes: readonly string[];
  /** Those of which others may get the address. */
  readonly escapes: readonly string[];
  /** Those that are neither called nor in `escapes`. */
  readonly values: readonly string[];
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

/** The name that a variable has in the text: static ones of a function may share it. */
export function localName(name: string): string {
  return name.replace(/@\d+$/, '');
}
