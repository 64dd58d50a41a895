/** Sizes in bytes for a pass that asks for many: own types at once, those of the base as they come. */
import { approximateSizes, sizeOf } from '#analysis/types/sizes.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

export class TypeSizes {
  readonly #types: TypeTable;
  readonly #own: Float64Array;
  readonly #ofBase = new Map<number, number>();

  constructor(types: TypeTable) {
    this.#types = types;
    this.#own = approximateSizes(types);
  }

  /** `NaN` for what has no size, or is not there; rounded above 2^53. */
  of(id: number): number {
    const { firstId, base } = this.#types;
    if (id >= firstId) return this.#own[id - firstId] ?? NaN;
    if (base === null) return NaN;
    let size = this.#ofBase.get(id);
    if (size === undefined) {
      const exact = sizeOf(base, typeId(id));
      size = exact === null ? NaN : Number(exact);
      this.#ofBase.set(id, size);
    }
    return size;
  }
}
