/**
 * Names of tables as numbers: equal names get equal numbers, whatever file
 * they stand in, so that whole kernels are compared without decoding a string.
 */
import { stringTable, type TypeTable } from './type-table.ts';

/** Of the empty name. */
export const NO_NAME = 0;

type Place = { readonly blob: Uint8Array; readonly at: number; readonly length: number };

export class NameIds {
  readonly #longest: number;
  readonly #byHash = new Map<number, number>();
  /** One place for each number, to compare with. */
  readonly #places: Place[] = [{ blob: new Uint8Array(0), at: 0, length: 0 }];

  /** Names are compared by their first `longest` bytes: a hostile file may have a megabyte for each of a million. */
  constructor(longest = Infinity) {
    this.#longest = longest;
  }

  /** The number of the name at `nameOff` of the joined string sections of `t`; `NO_NAME` where there is none. */
  idOf(t: TypeTable, nameOff: number): number {
    const table = stringTable(t, nameOff);
    if (table === null) return NO_NAME;
    const { blob, strEnd } = table;
    const at = table.strStart + (nameOff - table.strBase);
    const limit = Math.min(strEnd, at + this.#longest);
    let hash = 0x811c9dc5;
    let end = at;
    for (; end < limit; end++) {
      const byte = blob[end] ?? 0;
      if (byte === 0) break;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    if (end <= at) return NO_NAME;
    // A small number of the engine, to which another can be added.
    return this.#numberOf({ blob, at, length: end - at }, (hash ^ (hash >>> 15)) & 0x3fffffff);
  }

  #numberOf(place: Place, hash: number): number {
    for (let key = hash; ; key++) {
      const known = this.#byHash.get(key);
      if (known === undefined) {
        const id = this.#places.length;
        this.#places.push(place);
        this.#byHash.set(key, id);
        return id;
      }
      if (sameBytes(place, this.#places[known])) return known;
    }
  }
}

function sameBytes(a: Place, b: Place | undefined): boolean {
  if (b === undefined || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a.blob[a.at + i] !== b.blob[b.at + i]) return false;
  }
  return true;
}
