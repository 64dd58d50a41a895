/**
 * Applies relocations to the bytes of a section. ELF sections are at address 0, as in the object
 * file; other formats use a layout. An entry without a known result changes nothing. Source: "BPF
 * LLVM Relocations", section "Different Relocation Types".
 */
import { formatModule } from '#analysis/formats/registry.ts';
import type { RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { relocationsInRange, relocationsTouching } from './by-place.ts';
import { relocationMeaning } from './meaning.ts';

/** Maximum bytes from `r_offset` to the end of the changed bytes: 4 bytes, then 8 changed bytes. */
export const MAX_REACH = 12;

/**
 * Returns a relocated copy of `bytes`, which begin at `byteOffset` of the section. `bytes` may
 * begin or end inside a site. If sites overlap, the entry with the highest offset wins.
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
    // An entry has no span if its site is outside the section, or if the section is compressed.
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
