/**
 * Which types pahole prints when it is asked for all of a file.
 *
 * In the order of ids: each struct and union that has a name and is no forward
 * declaration. Of those that say the same only the first: name, size, and the
 * names, offsets and widths of members, but not their types.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { HEAD_WORDS, MEMBER_WORDS, type Records } from './records.ts';

/** So many types of one name, all of them different, are only in files that were made to take long. */
const MAX_COMPARED = 1 << 8;

export class Printed {
  readonly #records: Records;
  /** The last one that is printed, by name, and the one before it with that name, by id. */
  readonly #latest = new Map<string, number>();
  readonly #previous = new Map<number, number>();

  constructor(records: Records) {
    this.#records = records;
  }

  /** Is it printed? To be asked once for each id, in their order. */
  add(id: number): boolean {
    const records = this.#records;
    const kind = records.kind(id);
    if (kind !== BtfKind.STRUCT && kind !== BtfKind.UNION) return false;
    const name = records.name(id);
    if (name === null) return false;
    const latest = this.#latest.get(name);
    let other = latest;
    for (let count = 0; other !== undefined && count < MAX_COMPARED; count++) {
      if (this.#isSame(other, id)) return false;
      other = this.#previous.get(other);
    }
    if (latest !== undefined) this.#previous.set(id, latest);
    this.#latest.set(name, id);
    return true;
  }

  /** Of two with the same name. */
  #isSame(a: number, b: number): boolean {
    const records = this.#records;
    const { words } = records;
    const count = records.vlen(a);
    if (count !== records.vlen(b) || records.size(a) !== records.size(b)) return false;
    // Without the flag all of the word is the offset, and nothing is a bit-field.
    const maxOffset = records.kindFlag(a) === records.kindFlag(b) ? 0xffffffff : 0xffffff;
    let atA = records.start(a) + HEAD_WORDS;
    let atB = records.start(b) + HEAD_WORDS;
    for (let i = 0; i < count; i++, atA += MEMBER_WORDS, atB += MEMBER_WORDS) {
      const offset = words[atA + 2] ?? 0;
      if (offset !== words[atB + 2] || offset > maxOffset) return false;
      const nameA = records.nameAt(atA);
      const nameB = records.nameAt(atB);
      if (nameA !== null && nameB !== null && nameA !== nameB) return false;
    }
    return true;
  }
}
