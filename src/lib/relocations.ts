/** The ELF and eCOFF relocations of an object. */
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocIndex, sectionIndex } from '#model/ids.ts';
import { sectionName } from '#model/sections.ts';
import { ObjectFile } from './open.ts';

/** A relocation entry, and its meaning for the linker or loader. */
export type Relocation = {
  /** The patched section; null if the entry names none. */
  readonly section: string | null;
  /** Number of the entry in its table, from 0. */
  readonly index: number;
  /** `r_offset`. */
  readonly offset: bigint;
  /** Stored number of the type. */
  readonly type: number;
  /** `R_BPF_64_64`; `type 77` for an unknown number. */
  readonly typeName: string;
  /** As in the file: escape it before it is shown. */
  readonly symbol: string;
  /** S; null if there is no symbol. */
  readonly symbolValue: bigint | null;
  /** A; null if it cannot be read. */
  readonly addend: bigint | null;
  /** The written value; null if unknown. */
  readonly result: bigint | null;
  /** The function, variable, map or section of the symbol; null if there is none. */
  readonly target: string | null;
  /** The written value and its place, in one or two sentences. Names as in the file. */
  readonly text: string;
};

/** Yields the relocations of an object, or of the section called `section`, in file order. */
export function* relocations(
  file: ObjectFile,
  section?: string,
): Generator<Relocation, void, undefined> {
  const { model } = ObjectFile.openedOf(file);
  const { relocations: table, sections } = model;
  for (let row = 0; row < table.count; row++) {
    const patched = table.targetSection[row] ?? -1;
    const name = patched > 0 ? sectionName(sections, sectionIndex(patched)) : null;
    if (section !== undefined && name !== section) continue;
    const meaning = relocationMeaning(model, relocIndex(row));
    yield {
      section: name,
      index: table.indexInSection[row] ?? 0,
      offset: table.offset[row] ?? 0n,
      type: table.type[row] ?? 0,
      typeName: meaning.typeName,
      symbol: meaning.symbolText,
      symbolValue: meaning.symbolValue,
      addend: meaning.addend,
      result: meaning.result,
      target: meaning.target?.name ?? null,
      text: meaning.words,
    };
  }
}
