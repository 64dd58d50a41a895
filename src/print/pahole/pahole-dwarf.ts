/**
 * Writes the structs and unions of DWARF byte for byte as `pahole -F dwarf FILE` 1.31: unit by unit,
 * each name with one layout once, but for types with types declared inside; one type as
 * `pahole -F dwarf -C NAME FILE`. Source: pahole, pahole.c, `print_classes`, `class__filter`,
 * `type__compare`, `pahole_stealer`.
 */
import { Decisions } from '#analysis/encode/decisions.ts';
import { NameTable } from '#analysis/encode/name-table.ts';
import { readUnits, type UnitSource } from '#analysis/encode/read-units.ts';
import { resolveTypes } from '#analysis/encode/resolve-unit.ts';
import { placeMembers } from '#analysis/encode/type-sizes.ts';
import { Composite, NamedType, type Unit } from '#analysis/encode/unit-tags.ts';
import type { Endian } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_LANG, DW_TAG } from '#formats/dwarf/constants.ts';
import type { DwarfReader } from '#formats/dwarf/reader.ts';
import type { ByteText } from '#print/byte-text.ts';
import { CompositeWriter } from './composite-writer.ts';
import { Declaration } from './declaration.ts';
import { writeType } from './pahole.ts';
import { Sizes } from './sizes.ts';
import { TypeNames } from './type-names.ts';
import { unitRecords } from './unit-records.ts';

/** Limit of written members between two yields. */
const STEP_MEMBERS = 1 << 13;

const { C, C89, C99, C11, C17, C23, Mips_Assembler } = DW_LANG;
const LANGUAGES: ReadonlySet<number> = new Set([C, C89, C99, C11, C17, C23, Mips_Assembler]);

/** Tags of units that pahole does not read with those that use them. */
const PARTS: ReadonlySet<number> = new Set([DW_TAG.imported_unit, DW_TAG.partial_unit]);

/**
 * Returns true for DWARF of which pahole's text can be written: units of C and of assembler, each
 * with its own entries, in the file with their code. Throws `Malformed` if a unit is damaged.
 */
export function hasPaholeText({ units, issues, hasAddressesElsewhere }: DwarfReader): boolean {
  if (issues.length > 0 || hasAddressesElsewhere) return false;
  return units.every((unit) => {
    // The types of a skeleton are in another file, which pahole does not read.
    if (unit.dwoId !== null) return false;
    if (unit.isTypeUnit || unit.places.table.tag.some((tag) => PARTS.has(tag))) return false;
    return unit.root.tag === DW_TAG.compile_unit && LANGUAGES.has(unit.language ?? C);
  });
}

type PaholeFile = UnitSource & { readonly endian: Endian; readonly size: number };

/** Yields the units of a file with their types resolved and members placed. Throws `Malformed`. */
function* placedUnits(file: PaholeFile, names: NameTable): Generator<Unit, void> {
  const decisions = new Decisions(names, false);
  const options = { names, decisions, hasDeclTags: false, hasTypeTags: true };
  for (const unit of readUnits(file, options)) {
    resolveTypes(unit);
    placeMembers(unit, names, file.endian === 'little');
    yield unit;
  }
}

/** A type by its name, which is not escaped; of any kind that pahole finds if `kind` is null. */
export type NamedEntry = { readonly name: string; readonly kind: number | null };

/**
 * Writes the first type with the name, of the first unit that has one. Yields after each unit.
 * Returns false if there is none. Throws `Malformed`.
 */
export function* writeTypeOfDwarf(
  file: PaholeFile,
  { name, kind }: NamedEntry,
  out: ByteText,
): Generator<void, boolean> {
  const names = new NameTable(file.size);
  for (const unit of placedUnits(file, names)) {
    const found = unit.types.find(
      (type) =>
        type instanceof NamedType &&
        !type.isDeclaration &&
        (kind === null || KINDS.get(type.tag) === kind) &&
        type.name !== 0 &&
        names.shown(type.name) === name,
    );
    if (found != null) {
      const records = unitRecords(unit, names);
      writeType(records, new Sizes(records, unit.addressSize), found.id, out);
      return true;
    }
    yield;
  }
  return false;
}

/** Kinds of BTF by DW_TAG of types that pahole finds by name. */
const KINDS: ReadonlyMap<number, number> = new Map([
  [DW_TAG.structure_type, BtfKind.STRUCT],
  [DW_TAG.class_type, BtfKind.STRUCT],
  [DW_TAG.union_type, BtfKind.UNION],
  [DW_TAG.enumeration_type, BtfKind.ENUM],
  [DW_TAG.typedef, BtfKind.TYPEDEF],
]);

/** Writes all structs and unions. Yields after some of them. Throws `Malformed`. */
export function* writePaholeOfDwarf(file: PaholeFile, out: ByteText): Generator<void, void> {
  const names = new NameTable(file.size);
  const printed = new PrintedComposites();
  for (const unit of placedUnits(file, names)) {
    const composites = unit.types.filter((type) => type instanceof Composite && printed.add(type));
    if (composites.length === 0) continue;
    const records = unitRecords(unit, names);
    const sizes = new Sizes(records, unit.addressSize);
    const declaration = new Declaration(records, new TypeNames(records));
    const writer = new CompositeWriter(records, sizes, declaration, out);
    for (const composite of composites) {
      writer.begin(composite?.id ?? 0, null);
      while (!writer.advance(STEP_MEMBERS)) yield;
    }
    writer.flush();
    yield;
  }
}

/** Limit of compared types per name: only hostile files have more different types of one name. */
const MAX_COMPARED = 1 << 8;

/** Composites that are printed, by name. */
class PrintedComposites {
  readonly #byName = new Map<number, Composite[]>();

  /** Returns true if the composite is printed. Must be called once for each, in order. */
  add(composite: Composite): boolean {
    const { name, isDeclaration, isTopLevel } = composite;
    if (name === 0 || isDeclaration || !isTopLevel) return false;
    const same = this.#byName.get(name);
    if (same === undefined) {
      this.#byName.set(name, [composite]);
      return true;
    }
    if (same.some((each) => isSame(each, composite))) return false;
    if (same.length < MAX_COMPARED) same.push(composite);
    return true;
  }
}

/**
 * Returns true if pahole finds that the new type `b` is `a`. pahole compares the n-th member of `a`
 * with the n-th entry of `b`, which may be a type declared inside: then they differ.
 */
function isSame(a: Composite, b: Composite): boolean {
  if (a.byteSize !== b.byteSize || a.members.length !== b.members.length) return false;
  if (b.declared.some(({ members }, i) => members + i < b.members.length)) return false;
  return a.members.every((member, i) => {
    const other = b.members[i];
    if (other === undefined) return false;
    if (member.name !== 0 && other.name !== 0 && member.name !== other.name) return false;
    return member.bitOffset === other.bitOffset && member.bitfieldSize === other.bitfieldSize;
  });
}
