/** What a format of objects beside ELF and BTF answers in its own way. `formats/modules.ts` lists them. */
import type { FileStructure } from '#analysis/fields/context.ts';
import type { FieldList, StructureField } from '#analysis/fields/field.ts';
import type { Issue } from '#bytes/issue.ts';
import type { Span } from '#bytes/span.ts';
import type { RelocIndex, SectionIndex, SymbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type {
  FurtherPlace,
  LayoutField,
  LayoutValues,
  ListCells,
  ListColumn,
  RelocationDetail,
  RelocationLayout,
  RelocationMeaning,
} from './relocation-facts.ts';
import type { SectionRole } from './section-role.ts';

/** A part of a file beside its sections, of which no section header speaks. */
export type FileTable = Span & {
  /** Raw text: `relocations of .text`. */
  readonly label: string;
  /** What the format calls it: `relocations`, `symbols`. */
  readonly what: string;
  readonly family: 'header' | 'relocations' | 'symbols';
  /** For relocations the number of their table in the file; 0 for all else. */
  readonly index: number;
};

export type SectionTypeText = {
  /** `PROGBITS` as `llvm-readelf -S` prints it; the `STYP_` names of eCOFF. */
  readonly type: string;
  /** Letters; empty where the format has none. */
  readonly flags: string;
};

export type SymbolText = {
  /** `FUNC` as `llvm-readelf -s` prints it; `stProc` of eCOFF. */
  readonly type: string;
  /** The section, or why it lies in none: `UND`, `scCommon`. Raw text. */
  readonly place: string;
};

export type FormatModule = {
  /** As `ObjectModel.format` has it. */
  readonly format: string;
  /** Headers first. They may lie over each other in damaged files, and be empty. */
  readonly fileTables: (model: ObjectModel) => Iterable<FileTable>;
  readonly tableField: (structure: FileStructure, table: FileTable, span: Span) => StructureField;
  /** The document that describes section headers. */
  readonly sectionSource: string;
  /** The parts of a section that only this format has; null for all others. */
  readonly sectionParts: (structure: FileStructure, span: Span) => (() => FieldList) | null;
  readonly sectionType: (model: ObjectModel, section: SectionIndex) => SectionTypeText;
  /** null where the format says no more than the columns of the model. */
  readonly symbolText: (model: ObjectModel, symbol: SymbolIndex) => SymbolText | null;
  readonly lint: (model: ObjectModel) => Generator<void, readonly Issue[]>;
  readonly relocations: {
    readonly meaning: (model: ObjectModel, reloc: RelocIndex) => RelocationMeaning;
    readonly detail: (
      model: ObjectModel,
      reloc: RelocIndex,
      layout: RelocationLayout,
    ) => RelocationDetail;
    /** Is the offset of entries of this type a number to compute with, and no place? */
    readonly isOperand: (rType: number) => boolean;
    /** Do entries of this type only mark the place of another? */
    readonly isFiller: (rType: number) => boolean;
    readonly furtherPlaces: (model: ObjectModel) => readonly FurtherPlace[];
    /** `bytes` of `section` from `byteOffset` on, once applied; `touching` gives the entries between two places. */
    readonly relocatedWindow: (
      model: ObjectModel,
      section: SectionIndex,
      byteOffset: number,
      bytes: Uint8Array,
      layout: RelocationLayout,
      touching: (start: number, end: number) => readonly RelocIndex[],
    ) => Uint8Array;
    readonly columns: readonly ListColumn[];
    readonly cells: (model: ObjectModel, reloc: RelocIndex, layout: RelocationLayout) => ListCells;
    /** What entries are about that patch neither code nor data. */
    readonly otherWord: string;
    /** One or two plain sentences on what the entries of a table do. */
    readonly about: (role: SectionRole) => string;
    /** The layout in which everything stays where the file has it. */
    readonly storedLayout: (model: ObjectModel) => RelocationLayout;
    /** What can be stated; empty where nothing can. */
    readonly layoutFields: (model: ObjectModel) => readonly LayoutField[];
    readonly exampleLayout: (model: ObjectModel) => LayoutValues;
  };
  /** All that was read, as JSON. */
  readonly report: (model: ObjectModel) => string;
  /** Lines of the relocation listing of the format's document. */
  readonly listing: (model: ObjectModel) => Iterable<string>;
};
