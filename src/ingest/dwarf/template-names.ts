/** Writes the arguments of templates of C++ into names that lack them (-gsimple-template-names). */
import { DW_AT, DW_ATE, DW_TAG } from '#formats/dwarf/constants.ts';
import type { Die } from '#formats/dwarf/reader.ts';
import type { NamePool } from './type-records.ts';
import { childrenOf, dieOf, type UnitRows } from './unit-rows.ts';

/** Longest chain of pointers and qualifiers in an argument, and longest list of arguments. */
const MAX_CHAIN = 32;
const MAX_LENGTH = 2000;
/** Deepest nesting of templates whose arguments are written. */
const MAX_DEPTH = 32;

/** Suffixes of numbers by their type, as clang writes them. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['unsigned int', 'U'],
  ['long', 'L'],
  ['unsigned long', 'UL'],
  ['long long', 'LL'],
  ['unsigned long long', 'ULL'],
]);

export class TemplateNames {
  readonly #names: NamePool;
  readonly #nameAt: (die: Die) => number;
  /** Names by the offset of the entry. A template in its own arguments has none there. */
  readonly #known = new Map<number, number>();
  #depth = 0;

  /** `nameAt` returns the number of the name of a type with its scopes. */
  constructor(names: NamePool, nameAt: (die: Die) => number) {
    this.#names = names;
    this.#nameAt = nameAt;
  }

  /** Returns the number of the name `own` of the class at `row` with the arguments that it lacks. */
  complete(rows: UnitRows, row: number, own: number): number {
    const at = rows.unit.offset + (rows.tree.offset[row] ?? 0);
    const known = this.#known.get(at);
    if (known !== undefined) return known;
    const simple = this.#names.nameOf(own);
    const isCut = this.#depth >= MAX_DEPTH || simple.length > MAX_LENGTH;
    if (isCut || simple.endsWith('>')) return own;
    const [first] = argumentRows(rows, row);
    if (first === undefined) return own;
    this.#known.set(at, own);
    this.#depth += 1;
    try {
      const list = this.#argumentList(rows, row);
      const name = list === null ? own : this.#names.bounded(`${simple}<${list}>`, own);
      this.#known.set(at, name);
      return name;
    } finally {
      this.#depth -= 1;
    }
  }

  /** Returns the arguments of the class at `row`; null if one has no text. */
  #argumentList(rows: UnitRows, row: number): string | null {
    const texts: string[] = [];
    let length = 0;
    for (const child of argumentRows(rows, row)) {
      const text = this.#argument(dieOf(rows, child));
      length += text?.length ?? MAX_LENGTH;
      if (text === null || length > MAX_LENGTH) return null;
      texts.push(text);
    }
    const list = texts.join(', ');
    return list.endsWith('>') ? `${list} ` : list;
  }

  /** Returns an argument; null for one that has no text. */
  #argument(die: Die): string | null {
    const type = targetOf(die);
    if (die.tag === DW_TAG.template_type_parameter) return this.#typeName(type);
    const value = die.constant(DW_AT.const_value);
    const name = value === null ? null : this.#typeName(type);
    if (type === null || value === null || name === null) return null;
    if (type.tag === DW_TAG.enumeration_type) return `(${name})${value}`;
    if (type.number(DW_AT.encoding) === DW_ATE.boolean) return `${value !== 0n}`;
    return `${value}${SUFFIXES.get(name) ?? ''}`;
  }

  /** Returns a type as clang writes it; null for arrays, functions and pointers to members. */
  #typeName(type: Die | null): string | null {
    let before = '';
    let after = '';
    let at = type;
    for (let steps = 0; at !== null && steps < MAX_CHAIN; steps++) {
      const operator = OPERATORS.get(at.tag);
      if (operator !== undefined) {
        after = `${operator}${after}`;
        at = targetOf(at);
      } else if (at.tag === DW_TAG.const_type || at.tag === DW_TAG.volatile_type) {
        const word = at.tag === DW_TAG.const_type ? 'const' : 'volatile';
        at = targetOf(at);
        // The qualifier of a pointer follows its asterisk.
        if (at !== null && OPERATORS.has(at.tag))
          after = `${word}${after === '' ? '' : ` ${after}`}`;
        else before = `${word} ${before}`;
      } else {
        const name = this.#names.nameOf(this.#nameAt(at));
        return name === '' ? null : joined(`${before}${name}`, after);
      }
    }
    return at === null ? joined(`${before}void`, after) : null;
  }
}

function joined(name: string, after: string): string {
  return after === '' ? name : `${name} ${after}`;
}

const OPERATORS: ReadonlyMap<number, string> = new Map([
  [DW_TAG.pointer_type, '*'],
  [DW_TAG.reference_type, '&'],
  [DW_TAG.rvalue_reference_type, '&&'],
]);

function targetOf(die: Die): Die | null {
  const target = die.reference(DW_AT.type);
  return target === null ? null : die.unit.reader.dieAt(target);
}

/** Yields the rows of the arguments of a template, with those of packs. */
function* argumentRows(rows: UnitRows, row: number): Generator<number> {
  for (const child of childrenOf(rows, row)) {
    const tag = rows.tree.tag[child] ?? 0;
    if (ARGUMENTS.has(tag)) yield child;
    else if (tag === DW_TAG.GNU_template_parameter_pack) {
      for (const inner of childrenOf(rows, child)) {
        if (ARGUMENTS.has(rows.tree.tag[inner] ?? 0)) yield inner;
      }
    }
  }
}

const ARGUMENTS: ReadonlySet<number> = new Set([
  DW_TAG.template_type_parameter,
  DW_TAG.template_value_parameter,
]);
