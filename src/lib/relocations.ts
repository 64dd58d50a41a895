/** Reads the ELF and eCOFF relocations of an object. */
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocIndex, sectionIndex } from '#model/ids.ts';
import { sectionName } from '#model/sections.ts';
import { ObjectFile } from './open.ts';

/** A relocation entry, and its effect when the file is linked or loaded. */
export type Relocation = {
  /** The section that the entry patches; null if the entry names none. */
  readonly section: string | null;
  /** Number of the entry in its relocation table, from 0. */
  readonly index: number;
  /** Offset of the patched bytes, `r_offset`. */
  readonly offset: bigint;
  /** Number of the relocation type in the file. */
  readonly type: number;
  /** Name of the relocation type, `R_BPF_64_64`; `type 77` for an unknown number. */
  readonly typeName: string;
  /** Name of the symbol, not escaped: use `visible` before you show it. */
  readonly symbol: string;
  /** Value of the symbol (S); null if the entry has no symbol. */
  readonly symbolValue: bigint | null;
  /** The addend (A); null if its bytes cannot be read. */
  readonly addend: bigint | null;
  /** The value that the relocation writes; null if unknown. */
  readonly result: bigint | null;
  /** The function, variable, map or section that the symbol names; null if there is none. */
  readonly target: string | null;
  /** Sentence that states which value is written, and where. Names are not escaped. */
  readonly text: string;
};

/** Yields the relocations of an object, or only of `section`, in file order. */
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
