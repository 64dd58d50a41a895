/**
 * Computes the bytes of a section after relocation: in ELF with every section at address 0, as in the
 * object file; in formats with layouts, under a layout. Entries without a known result change nothing.
 * Source: "BPF LLVM Relocations", section "Different Relocation Types".
 */
import { formatModule } from '#analysis/formats/registry.ts';
import type { RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { relocationsInRange, relocationsTouching } from './by-place.ts';
import { relocationMeaning } from './meaning.ts';

/** Limits the distance from `r_offset` to the end of the changed bytes: eight bytes at offset four. */
export const MAX_REACH = 12;

/**
 * Returns a copy of `bytes`, which begin at `byteOffset` of the section, after relocation. `bytes` may
 * begin or end inside a site. At overlapping sites the last entry by offset applies.
 */
export function relocatedBytes(
  model: ObjectModel,
  section: SectionIndex,
  byteOffset: number,
  bytes: Uint8Array,
  layout: RelocationLayout | null = null,
): Uint8Array {
  const touching = (start: number, end: number) => relocationsTouching(model, section, start, end);
  const ofFormat =
    layout &&
    formatModule(model)?.relocations.relocatedWindow(
      ...([model, section, byteOffset, bytes, layout, touching] as const),
    );
  if (ofFormat) return ofFormat;
  const changed = bytes.slice();
  const end = byteOffset + bytes.length;
  for (const reloc of relocationsInRange(model, section, byteOffset - MAX_REACH, end)) {
    const { site, siteSpan, result } = relocationMeaning(model, reloc);
    // Without a span the site is outside the section, or compressed.
    if (site === null || siteSpan === null || result === null) continue;
    const size = site.bitSize / 8;
    for (let i = 0; i < size; i++) {
      const at = site.byteOffset + i - byteOffset;
      if (at < 0 || at >= changed.length) continue;
      const shift = 8 * (model.endian === 'little' ? i : size - 1 - i);
      changed[at] = Number(BigInt.asUintN(8, result >> BigInt(shift)));
    }
  }
  return changed;
}
