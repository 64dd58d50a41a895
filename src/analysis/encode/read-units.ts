/**
 * Reads the units of a file as pahole does: one by one, or all as one where they refer to each
 * other.
 *
 * Source: pahole 1.31, dwarf_loader.c, `cus__load_module`, `cus__merging_cu`.
 */
import { Malformed } from '#bytes/issue.ts';
import { hexText } from '#bytes/text.ts';
import { DW_AT, DW_FORM, DW_TAG, DW_UT } from '#formats/dwarf/constants.ts';
import type { DwarfReader, DwarfUnit } from '#formats/dwarf/reader.ts';
import type { Decisions } from './decisions.ts';
import { type LoadOptions, loadUnit } from './load-unit.ts';
import { Unit } from './unit-tags.ts';

/** The DWARF of a file, and how its units were compiled. */
export type UnitSource = {
  readonly dwarf: DwarfReader;
  /** Number that is added to the addresses in `dwarf` before they are looked up in sections. */
  readonly bias: bigint;
  /** True if a note of the kernel says that the units were compiled as one; null without a note. */
  readonly isLto: boolean | null;
};

export type ReadOptions = Pick<LoadOptions, 'names' | 'decisions' | 'hasDeclTags' | 'hasTypeTags'>;

/** Yields each unit with its entries. Throws `Malformed` for a damaged unit and for type units. */
export function* readUnits(
  { dwarf, bias, isLto }: UnitSource,
  options: ReadOptions,
): Generator<Unit, void> {
  const [issue] = dwarf.issues;
  if (issue !== undefined) throw new Malformed(issue);
  const sources = dwarf.units.filter((unit) => hasEntries(unit, options.decisions));
  const isMerged = isLto ?? sources.some(refersToOthers);
  const load = (unit: Unit, source: DwarfUnit) =>
    loadUnit(unit, source, { ...options, bias, isMerged });
  const [first] = sources;
  if (first !== undefined && isMerged) {
    const unit = newUnit(first, '', sources.at(-1) ?? first);
    for (const source of sources) load(unit, source);
    yield unit;
    return;
  }
  for (const source of sources) {
    const unit = newUnit(source, source.root.string(DW_AT.name) ?? '', source);
    load(unit, source);
    yield unit;
  }
}

/** Returns true for a unit with entries of its own. Throws for one that pahole mixes up. */
function hasEntries(unit: DwarfUnit, decisions: Decisions): boolean {
  if (unit.isTypeUnit) {
    const { region } = unit.section;
    throw new Malformed({
      code: 'encode.type-unit',
      region,
      message: `${region}: pahole 1.31 does not find the types of type units, so nothing is encoded`,
      span: null,
      expected: 'types in the units that use them',
      found: `a type unit at ${hexText(unit.offset)}, as -fdebug-types-section makes it`,
    });
  }
  const { unitType } = unit.header;
  const { tag } = unit.root;
  if (unitType === DW_UT.skeleton || tag === DW_TAG.partial_unit) {
    decisions.entryLeftOut(unit.root.offset, tag);
    return false;
  }
  return tag === DW_TAG.compile_unit;
}

/** Returns the unit of `source`, or of all units from there to `last`. */
function newUnit(source: DwarfUnit, name: string, last: DwarfUnit): Unit {
  const { root, header } = source;
  return new Unit({
    name,
    language: root.number(DW_AT.language) ?? 0,
    isClang: (root.string(DW_AT.producer) ?? '').includes('clang'),
    addressSize: header.addressSize,
    start: source.offset,
    end: last.endOffset,
  });
}

/** Returns true if an entry of the unit may refer to other units. */
function refersToOthers(unit: DwarfUnit): boolean {
  return unit.places.table.form.includes(DW_FORM.ref_addr);
}
