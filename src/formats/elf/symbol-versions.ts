/**
 * Versions of dynamic symbols (`.gnu.version`, `.gnu.version_d`, `.gnu.version_r`). Source: Linux
 * Standard Base Core Specification, "Symbol Versioning"; elf.h (`Elf64_Verdef` etc.).
 */
import type { ByteReader } from '#bytes/byte-reader.ts';

export type SymbolVersion = {
  /** String table that contains the name of the version at offset `nameOff`. */
  readonly names: Uint8Array;
  readonly nameOff: number;
  /** True for a version that the file itself defines (`.gnu.version_d`). */
  readonly isDefined: boolean;
};

/** Entries of `.gnu.version_d` or `.gnu.version_r`, and the string table for their names. */
export type VersionSection = { readonly table: ByteReader; readonly names: Uint8Array };

/** Bit of a `.gnu.version` entry: the symbol is not the default version of its name. */
export const VERSYM_HIDDEN = 0x8000;
const VERSYM_VERSION = 0x7fff;
const DEFINITION = { size: 20, index: 4, aux: 12, next: 16 };
const NEED = { size: 16, count: 2, aux: 8, next: 12 };
const NEED_AUX = { size: 16, index: 6, name: 8, next: 12 };

/** Returns the versions by number. Ignores offsets that lead back or outside of a section. */
export function symbolVersions(
  definitions: VersionSection | null,
  needs: VersionSection | null,
): ReadonlyMap<number, SymbolVersion> {
  const versions = new Map<number, SymbolVersion>();
  const add = (index: number, names: Uint8Array, nameOff: number, isDefined: boolean) =>
    versions.set(index & VERSYM_VERSION, { names, nameOff, isDefined });
  if (definitions !== null) {
    const { table, names } = definitions;
    for (const at of chain(table, 0, DEFINITION.size, DEFINITION.next)) {
      const aux = at + table.u32(at + DEFINITION.aux);
      if (aux + 8 > table.length) continue;
      add(table.u16(at + DEFINITION.index), names, table.u32(aux), true);
    }
  }
  if (needs !== null) {
    const { table, names } = needs;
    let left = Math.floor(table.length / NEED_AUX.size);
    for (const at of chain(table, 0, NEED.size, NEED.next)) {
      let wanted = table.u16(at + NEED.count);
      for (const aux of chain(table, at + table.u32(at + NEED.aux), NEED_AUX.size, NEED_AUX.next)) {
        if (wanted-- <= 0 || left-- <= 0) break;
        add(table.u16(aux + NEED_AUX.index), names, table.u32(aux + NEED_AUX.name), false);
      }
    }
  }
  return versions;
}

/** Yields the offset of each entry. The word at `next` is the distance to the following entry. */
function* chain(table: ByteReader, start: number, size: number, next: number): Generator<number> {
  for (let at = start; at + size <= table.length; ) {
    yield at;
    const step = table.u32(at + next);
    if (step < size) return;
    at += step;
  }
}
