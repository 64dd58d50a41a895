/** Addresses chosen by a linker, and terms of Tru64 UNIX Object File Specification, 4.3.4. */
import {
  LAYOUT_KEY,
  type LayoutField,
  type LayoutValues,
  type RelocationLayout,
} from '#analysis/objects/relocation-facts.ts';
import { memoized } from '#bytes/cache.ts';
import { type EcoffFile, ecoffFile } from '#formats/ecoff/ecoff-file.ts';
import { externalAt, sectionOfClass } from '#formats/ecoff/external-symbols.ts';
import type { Relocation, RelocationTable } from '#formats/ecoff/relocations.ts';
import { R, R_SN_ABS, sectionNumberName } from '#formats/ecoff/relocations.ts';
import type { SectionHeader } from '#formats/ecoff/section-headers.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolName, symbolType } from '#model/symbols.ts';

export type Layout = RelocationLayout;

/** Storage class of absolute symbols, whose values do not change when a section moves. */
const SC_ABS = 5;

/** Returns `identityLayout(file)`, the same object for each call: results are cached by layout. */
export const storedLayoutOf = memoized(identityLayout);

/** Returns the layout that keeps all sections and symbols at their addresses. */
export function identityLayout(file: EcoffFile): Layout {
  return { sections: new Map(), symbols: new Map(), gp: headerGp(file), link: 'final' };
}

/** Returns a section's move in bytes: `this_new_scn_addr - this_old_scn_addr`. */
export function sectionMove(layout: Layout, section: SectionHeader): bigint {
  return (layout.sections.get(section.name) ?? section.sVaddr) - section.sVaddr;
}

/** Returns the moves of all sections by name; for sections with equal names that of the first. */
export function sectionMoves(file: EcoffFile, layout: Layout): ReadonlyMap<string, bigint> {
  const moves = new Map<string, bigint>();
  for (const section of file.sections) {
    if (!moves.has(section.name)) moves.set(section.name, sectionMove(layout, section));
  }
  return moves;
}

/** Returns `EXTR.asym.value` for an external entry, else `new_scn_addr - old_scn_addr`, or null. */
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

/** Returns the gp value in the optional header; 0 for a file without that header. */
export function headerGp(file: EcoffFile): bigint {
  return file.optional?.gpValue ?? 0n;
}

/** Returns, by entry, its gp minus the header's gp; GPVALUE changes gp (4.3.2.2, 4.3.4.18). */
export function gpDeltas(table: RelocationTable): Uint32Array {
  const deltas = new Uint32Array(table.count);
  let delta = 0;
  for (let n = 0; n < table.count; n++) {
    if (((table.bits[n] ?? 0) & 0xff) === R.gpvalue) delta = table.rSymndx[n] ?? 0;
    deltas[n] = delta;
  }
  return deltas;
}

/** Maximum number of sections in the address form. */
const MAX_SECTIONS = 32;
const MAX_SYMBOLS = 48;
const ALLOC = 2n;

/** Returns the fields of the address form: sections, gp, symbols. Empty without relocations. */
export function layoutFields(model: ObjectModel): readonly LayoutField[] {
  const file = ecoffFile(model);
  // Linked files have only compact records, which linkers do not apply.
  if (file === null || file.relocations.length === 0) return [];
  const stored = storedLayoutOf(file);
  const { sections, symbols } = model;
  const fields = new Map<string, LayoutField>();
  for (let i = 1; i < sections.count && fields.size < MAX_SECTIONS; i++) {
    const name = sectionName(sections, sectionIndex(i));
    if (((sections.flags[i] ?? 0n) & ALLOC) === 0n || fields.has(name)) continue;
    fields.set(name, { key: name, label: name, what: 'section', stored: sections.addr[i] ?? 0n });
  }
  const { gp } = LAYOUT_KEY;
  fields.set(gp, { key: gp, label: gp, what: 'gp', stored: stored.gp });
  const maxFields = fields.size + MAX_SYMBOLS;
  for (let i = 0; i < symbols.count && fields.size < maxFields; i++) {
    const name = symbolName(symbols, symbolIndex(i));
    if (!isOpen(model, i) || name === '') continue;
    const key = LAYOUT_KEY.symbolMark + name;
    fields.set(key, { key, label: name, what: kindOf(model, i), stored: null });
  }
  return [...fields.values()];
}

/** `scTlsUndefined`, `scTlsCommon`: the symbol's value is an offset in thread-local storage. */
const SC_TLS: ReadonlySet<number> = new Set([9, 29]);

function kindOf({ symbols }: ObjectModel, i: number): LayoutField['what'] {
  if (SC_TLS.has(symbols.shndx[i] ?? 0)) return 'thread-local';
  return symbolType(symbols, symbolIndex(i)) === SymbolType.FUNC ? 'procedure' : 'datum';
}

/** Returns true if the symbol is undefined, common, or in a section that the file lacks. */
function isOpen({ symbols }: ObjectModel, i: number): boolean {
  return (symbols.section[i] ?? 0) <= 0 && symbols.shndx[i] !== SC_ABS;
}

/** Default address of text on Tru64 UNIX; data and shared libraries have higher addresses. */
const TEXT_START = 0x120001000n;
const DATA_START = 0x140000000n;
const LIBRARY_START = 0x3ff80001000n;
/** Bytes from the start of `.lita` to gp, so that signed 16-bit offsets reach its first 64 KiB. */
const GP_DISTANCE = 0x7ff0n;
const WRITE = 1n;
const PAGE = 0x1000n;
/** Example address for data in other objects, higher than the data of this object. */
const COMMON_START = 0x140100000n;
const DATUM_SIZE = 0x10n;

/** Returns example values for the address form; empty if the form has no fields. */
export function exampleLayout(model: ObjectModel): LayoutValues {
  const fields = layoutFields(model);
  const sizes = sizesByName(model);
  const values = new Map<string, bigint>();
  const next = { procedure: LIBRARY_START, datum: COMMON_START, 'thread-local': 0n };
  let text = TEXT_START;
  let data = DATA_START;
  for (const { key, what } of fields) {
    if (what === 'gp' || what === 'base') continue;
    if (what !== 'section') {
      values.set(key, next[what]);
      next[what] += what === 'procedure' ? PAGE : DATUM_SIZE;
      continue;
    }
    const { size, isWritten } = sizes.get(key) ?? { size: 0n, isWritten: false };
    values.set(key, isWritten ? data : text);
    const length = BigInt.asUintN(48, (size + 15n) & ~15n);
    if (isWritten) data += length;
    else text += length;
  }
  const pool = values.get('.lita') ?? DATA_START;
  if (fields.length > 0) values.set(LAYOUT_KEY.gp, pool + GP_DISTANCE);
  return values;
}

function sizesByName({ sections }: ObjectModel) {
  const sizes = new Map<string, { readonly size: bigint; readonly isWritten: boolean }>();
  for (let i = sections.count - 1; i > 0; i--) {
    const isWritten = ((sections.flags[i] ?? 0n) & WRITE) !== 0n;
    sizes.set(sectionName(sections, sectionIndex(i)), {
      size: sections.declaredSize[i] ?? 0n,
      isWritten,
    });
  }
  return sizes;
}
