/** What a text declares and where, so that a caret can tell a type and a type its lines. */
import { type CType, enumShape } from './c-types.ts';

export type Problem = {
  readonly message: string;
  /** Characters from the start of the text. */
  readonly start: number;
  readonly end: number;
};

/** What the text declares, in its order. */
export type Declared =
  | { readonly what: 'type'; readonly type: CType; readonly start: number; readonly end: number }
  | {
      readonly what: 'variable';
      readonly name: string;
      readonly type: CType;
      readonly start: number;
      readonly end: number;
    }
  | {
      readonly what: 'function';
      readonly name: string;
      readonly type: CType;
      /** As declared, with their qualifiers; a parameter without a name has an empty one. */
      readonly params: readonly Param[];
      readonly start: number;
      readonly end: number;
    };

export type Param = { readonly name: string; readonly type: CType };

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
    const { start, end } = item;
    if (item.what === 'variable') return [{ kind: 'var', name: item.name, start, end }];
    if (item.what === 'function') return [{ kind: 'func', name: item.name, start, end }];
    const named = tagOf(item.type);
    return named === null ? [] : [{ ...named, start, end }];
  });
}

function tagOf(type: Declared['type']): Pick<DeclaredPlace, 'kind' | 'name'> | null {
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
