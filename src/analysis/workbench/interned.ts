/** Types that C calls the same, made once: pointers, arrays, qualifiers and functions by what they are made of. */
import type { ArrayOf, CType, Func, Pointer, Qualified } from './c-types.ts';

export class Interned {
  readonly #ids = new Map<CType, number>();
  readonly #known = new Map<string, CType>();

  pointer(to: CType): Pointer {
    return this.#once(`*${this.#id(to)}`, () => ({ kind: 'pointer', to }));
  }

  /** An array of arrays becomes one of more dimensions. */
  array(of: CType, count: number): ArrayOf {
    const inner = of?.kind === 'array' ? of : null;
    const element = inner === null ? of : inner.of;
    const dimensions = [count, ...(inner?.dimensions ?? [])];
    return this.#once(`[${dimensions}]${this.#id(element)}`, () => ({
      kind: 'array',
      of: element,
      dimensions,
    }));
  }

  /** Of an array the elements are qualified, as C has it. */
  qualified(of: CType, by: Qualified['by']): CType {
    if (of?.kind === 'array') {
      const element = this.qualified(of.of, by);
      return of.dimensions.reduceRight<CType>((type, count) => this.array(type, count), element);
    }
    if (of?.kind === 'qualified' && of.by === by) return of;
    return this.#once(`${by} ${this.#id(of)}`, () => ({ kind: 'qualified', by, of }));
  }

  func(returns: CType, params: readonly CType[], varargs: boolean): Func {
    const key = `(${params.map((param) => this.#id(param))}${varargs ? '…' : ''})${this.#id(returns)}`;
    return this.#once(key, () => ({ kind: 'func', returns, params, varargs }));
  }

  #id(type: CType): number {
    const known = this.#ids.get(type);
    if (known !== undefined) return known;
    this.#ids.set(type, this.#ids.size);
    return this.#ids.size - 1;
  }

  // The key begins with a sign of its kind, so that what is found is of the kind that is made.
  #once<T extends CType>(key: string, make: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined) return known as T;
    const made = make();
    this.#known.set(key, made);
    return made;
  }
}
