/**
 * The global pointer in effect at each entry: that of the optional header until
 * a GPVALUE entry sets another, for the entries from it on.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, sections
 * 4.3.2.2 and 4.3.4.18. Ranges follow the order of the entries, in each section anew.
 */
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { R, type RelocationTable } from '#formats/ecoff/relocations.ts';

/** The gp that the object's header gives; 0 where it has no optional header. */
export function headerGp(file: EcoffFile): bigint {
  return file.optional?.gpValue ?? 0n;
}

/** For each entry what the ranges add to the header's gp, as a column. */
export function gpDeltas(table: RelocationTable): Uint32Array {
  const deltas = new Uint32Array(table.count);
  let delta = 0;
  for (let n = 0; n < table.count; n++) {
    if (((table.bits[n] ?? 0) & 0xff) === R.gpvalue) delta = table.rSymndx[n] ?? 0;
    deltas[n] = delta;
  }
  return deltas;
}
