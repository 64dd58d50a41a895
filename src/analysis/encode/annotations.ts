/**
 * Reads decl tags and type tags, as clang and gcc write them.
 *
 * Source: pahole 1.31, dwarf_loader.c, `add_tag_annotation`, `add_gnu_annotation_chain`,
 * `die__create_new_pointer_tag`, `die__add_btf_type_tag`.
 */
import { DW_AT, DW_TAG } from '#formats/dwarf/constants.ts';
import type { Die } from '#formats/dwarf/die.ts';
import { type EntryValues, GNU_ANNOTATION, SLOT } from './entry-values.ts';
import type { NameTable } from './name-table.ts';
import {
  type Annotation,
  annotate,
  type PointerType,
  TypeAnnotation,
  type Unit,
} from './unit-tags.ts';

/** Most annotations of one entry: entries may share them, and those of a damaged file lead in circles. */
const MAX_ANNOTATIONS = 64;

type Receiver = { annotations: Annotation[] } | null;

export class Annotations {
  readonly #unit: Unit;
  readonly #entry: EntryValues;
  readonly #names: NameTable;
  readonly #hasDeclTags: boolean;

  constructor(
    unit: Unit,
    entry: EntryValues,
    { names, hasDeclTags }: { readonly names: NameTable; readonly hasDeclTags: boolean },
  ) {
    this.#unit = unit;
    this.#entry = entry;
    this.#names = names;
    this.#hasDeclTags = hasDeclTags;
  }

  /** Returns the current entry if it has annotations as gcc writes them; else null. */
  gnuDie(): Die | null {
    return this.#entry.has(SLOT.gnuAnnotation) ? this.#entry.die() : null;
  }

  /** Adds the current entry, an annotation, to the decl tags of `receiver`. */
  addDeclTag(receiver: Receiver, component: number): void {
    if (receiver === null || !this.#hasDeclTags) return;
    if (this.#names.text(this.#entry.name(SLOT.name)) !== 'btf_decl_tag') return;
    annotate(receiver, { value: this.#entry.name(SLOT.constValue), component });
  }

  /** Adds the current entry to the type tags of a pointer, in the order of the file. */
  addTypeTag(pointer: PointerType): void {
    if (this.#names.text(this.#entry.name(SLOT.name)) !== 'btf_type_tag') return;
    const { offset } = this.#entry.scanner;
    pointer.tags ??= [];
    pointer.tags.push(this.#typeTag(offset, this.#entry.name(SLOT.constValue)));
  }

  addGnuDeclTags(die: Die, receiver: Receiver, component: number): void {
    if (receiver === null || !this.#hasDeclTags) return;
    for (const each of annotationsOf(die)) {
      if (each.string(DW_AT.name) !== 'btf_decl_tag') continue;
      annotate(receiver, { value: this.#text(each), component });
    }
  }

  /** Puts the outermost type tag first. clang lists the inner one first, gcc the outer one. */
  endTypeTags(pointer: PointerType, die: Die | null): void {
    if (pointer.tags !== null) {
      pointer.tags.reverse();
      return;
    }
    if (die === null) return;
    for (const each of annotationsOf(die)) {
      if (each.string(DW_AT.name) !== 'btf_type_tag') return;
      pointer.tags ??= [];
      pointer.tags.push(this.#typeTag(each.offset, this.#text(each)));
    }
  }

  #text(die: Die): number {
    const place = die.stringPlace(DW_AT.const_value);
    return place === null ? 0 : this.#names.idAt(place.section, place.offset);
  }

  #typeTag(offset: number, value: number): TypeAnnotation {
    const added = new TypeAnnotation(offset, value);
    this.#unit.addType(added);
    return added;
  }
}

/** Yields the annotations of gcc: each entry names the next. */
function* annotationsOf(die: Die): Generator<Die, void, void> {
  let at = die.reference(GNU_ANNOTATION);
  for (let count = 0; at !== null && count < MAX_ANNOTATIONS; count++) {
    const next = die.unit.reader.dieAt(at);
    if (next.tag !== DW_TAG.GNU_annotation) return;
    yield next;
    at = next.reference(GNU_ANNOTATION);
  }
}
