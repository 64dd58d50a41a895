/**
 * A layout that a linker could have chosen, and what the terms of the document's
 * formulas are under it.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, section
 * 4.3.4, "the following notation".
 */
import type { RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import { externalAt, sectionOfClass } from '#formats/ecoff/external-symbols.ts';
import { R_SN_ABS, type Relocation, sectionNumberName } from '#formats/ecoff/relocations.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';

export type Layout = RelocationLayout;

const SC_ABS = 5;

const stored = new WeakMap<EcoffFile, Layout>();

/** As `identityLayout`, one for a file: what is worked out under a layout is kept by it. */
export function storedLayoutOf(file: EcoffFile): Layout {
  let layout = stored.get(file);
  if (layout === undefined) {
    layout = identityLayout(file);
    stored.set(file, layout);
  }
  return layout;
}

/** The layout in which nothing moves. */
export function identityLayout(file: EcoffFile): Layout {
  const gp = file.optional?.gpValue ?? 0n;
  return { sections: new Map(), symbols: new Map(), gp, link: 'final' };
}

/** `this_new_scn_addr - this_old_scn_addr`: how far a section moves. */
export function sectionMove(layout: Layout, section: SectionHeader): bigint {
  return (layout.sections.get(section.name) ?? section.sVaddr) - section.sVaddr;
}

/** How far each section moves, by name; of sections with one name the first counts. */
export function sectionMoves(file: EcoffFile, layout: Layout): ReadonlyMap<string, bigint> {
  const moves = new Map<string, bigint>();
  for (const section of file.sections) {
    if (!moves.has(section.name)) moves.set(section.name, sectionMove(layout, section));
  }
  return moves;
}

/**
 * What an entry tracks: `EXTR.asym.value` of an external one, `new_scn_addr -
 * old_scn_addr` of a local one. `moves` is `sectionMoves` of the layout. Null
 * where the layout or the object does not say.
 */
export function trackedValue(
  file: EcoffFile,
  layout: Layout,
  moves: ReadonlyMap<string, bigint>,
  entry: Relocation,
): bigint | null {
  if (entry.rExtern) return symbolValue(file, layout, moves, entry.rSymndx);
  if (entry.rSymndx === R_SN_ABS) return 0n;
  return moves.get(sectionNumberName(entry.rSymndx) ?? '') ?? null;
}

function symbolValue(
  file: EcoffFile,
  layout: Layout,
  moves: ReadonlyMap<string, bigint>,
  index: number,
): bigint | null {
  const symbol = file.externals === null ? null : externalAt(file.externals, index);
  if (symbol === null) return null;
  const stated = layout.symbols.get(symbol.name);
  if (stated !== undefined) return stated;
  if (symbol.sc === SC_ABS) return symbol.value;
  const move = moves.get(sectionOfClass(symbol.sc) ?? '');
  return move === undefined ? null : symbol.value + move;
}
