/** Types as Rust, Go and Zig write them. Their DWARF has the spelling of pointers and generics. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { arrayData, kindOf, sizeOrTypeOf, vlenOf } from '#model/type-table.ts';
import {
  Budget,
  hasFlag,
  LEFT_OUT,
  type SourcedTypes,
  type SourceMember,
  sourceMembers,
  sourceParams,
  spellingOf,
} from './source-types.ts';

/** How a language writes types that have no name of their own. */
export type Grammar = {
  /** Text of the type without a value. */
  readonly nothing: string;
  /** True if a function without a result states that. */
  readonly statesNothing: boolean;
  readonly func: string;
  /** Text between parameters and result. */
  readonly arrow: string;
  /** Text between the name of a parameter and its type. */
  readonly colon: string;
  pointer(target: string): string;
  array(element: string, count: number): string;
};

export class TypeWriter {
  readonly #s: SourcedTypes;
  readonly #grammar: Grammar;
  readonly #budget: Budget;

  constructor(s: SourcedTypes, grammar: Grammar, budget = new Budget()) {
    this.#s = s;
    this.#grammar = grammar;
    this.#budget = budget;
  }

  /** True once types or members were left out, because the declaration is too long. */
  get isCut(): boolean {
    return this.#budget.isOver;
  }

  /** Returns a name, or what stands for one that is left out. */
  name(name: string): string {
    return this.#budget.name(name);
  }

  /** Returns the members of a composite; none where too much is written already. */
  members(id: TypeId): readonly SourceMember[] {
    return this.#budget.take(0, vlenOf(this.#s.types, id)) ? sourceMembers(this.#s, id) : [];
  }

  /** Returns the text of a type. */
  type(id: TypeId, depth = 0): string {
    const { types: t } = this.#s;
    if (id === VOID) return this.#grammar.nothing;
    if (!this.#budget.take(depth)) return LEFT_OUT;
    const spelling = spellingOf(this.#s, id);
    if (spelling !== '') return this.name(spelling);
    const target = typeId(sizeOrTypeOf(t, id));
    switch (kindOf(t, id)) {
      case BtfKind.PTR: {
        const text = this.type(target, depth + 1);
        // A value of a function type is a pointer in Go, and in Rust one without a name is.
        return kindOf(t, target) === BtfKind.FUNC_PROTO ? text : this.#grammar.pointer(text);
      }
      case BtfKind.CONST:
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
      case BtfKind.TYPE_TAG:
        return this.type(target, depth + 1);
      case BtfKind.ARRAY: {
        const { elemType, nelems } = arrayData(t, id);
        return this.#grammar.array(this.type(elemType, depth + 1), nelems);
      }
      case BtfKind.FUNC_PROTO:
        return this.func(id, '', depth + 1);
      default:
        return this.#budget.nameOf(t, id) || '(anonymous)';
    }
  }

  /** Returns a function of a type. */
  func(proto: TypeId, name: string, depth = 0): string {
    const { func, arrow, colon, nothing, statesNothing } = this.#grammar;
    if (!this.#budget.take(depth, vlenOf(this.#s.types, proto))) return LEFT_OUT;
    const params = sourceParams(this.#s, proto);
    const texts = params
      .filter((param) => !hasFlag(param, 'result'))
      .map((param) => {
        if (param.name === '' && param.type === VOID) return '...';
        const type = this.type(param.type, depth + 1);
        return param.name === '' ? type : `${param.name}${colon}${type}`;
      });
    const results = params
      .filter((param) => hasFlag(param, 'result'))
      .map((param) => {
        const type = this.type(param.type, depth + 1);
        return param.name === '' || param.name.startsWith('~') ? type : `${param.name} ${type}`;
      });
    const returned = this.type(typeId(sizeOrTypeOf(this.#s.types, proto)), depth + 1);
    const isNamed = results.some((text) => text.includes(' '));
    const list = results.length > 1 || isNamed ? `(${results.join(', ')})` : results.join('');
    const result = list === '' ? returned : list;
    const head = `${func}${name === '' ? '' : ` ${name}`}(${texts.join(', ')})`;
    return result === nothing && !statesNothing ? head : `${head}${arrow}${result}`;
  }
}

/** Returns the function that writes the text of a type in a row. Not escaped. */
export function rowText(grammar: Grammar): (s: SourcedTypes, id: TypeId) => string {
  return (s, id) => new TypeWriter(s, grammar, new Budget(true)).type(id);
}
