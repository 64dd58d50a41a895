/** Interface of an object format besides ELF and BTF. `formats/modules.ts` lists the formats. */
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

/** A part of a file that is not in a section. */
export type FileTable = Span & {
  /** Raw text: `relocations of .text`. */
  readonly label: string;
  /** The format's term: `relocations`, `symbols`. */
  readonly what: string;
  readonly family: 'header' | 'relocations' | 'symbols';
  /** Index of a relocation table in the file; 0 for other parts. */
  readonly index: number;
};

export type SectionTypeText = {
  /** `PROGBITS` as `llvm-readelf -S` prints it; the `STYP_` names of eCOFF. */
  readonly type: string;
  /** Flag letters; empty if the format has none. */
  readonly flags: string;
};

export type SymbolText = {
  /** `FUNC` as `llvm-readelf -s` prints it; `stProc` of eCOFF. */
  readonly type: string;
  /** The section, or the reason why there is none: `UND`, `scCommon`. Raw text. */
  readonly place: string;
};

export type FormatModule = {
  /** Value of `ObjectModel.format`. */
  readonly format: string;
  /** Returns the parts, headers first. They may overlap in damaged files, and be empty. */
  readonly fileTables: (model: ObjectModel) => Iterable<FileTable>;
  readonly tableField: (structure: FileStructure, table: FileTable, span: Span) => StructureField;
  /** The document that describes section headers. */
  readonly sectionSource: string;
  /** Returns the parts of a section that is specific to this format; null for other sections. */
  readonly sectionParts: (structure: FileStructure, span: Span) => (() => FieldList) | null;
  readonly sectionType: (model: ObjectModel, section: SectionIndex) => SectionTypeText;
  /** Returns the texts of a symbol; null if the format adds nothing to the model's columns. */
  readonly symbolText: (model: ObjectModel, symbol: SymbolIndex) => SymbolText | null;
  readonly lint: (model: ObjectModel) => Generator<void, readonly Issue[]>;
  readonly relocations: {
    readonly meaning: (model: ObjectModel, reloc: RelocIndex) => RelocationMeaning;
    readonly detail: (
      model: ObjectModel,
      reloc: RelocIndex,
      layout: RelocationLayout,
    ) => RelocationDetail;
    /** Returns whether the offset of entries of this type is an operand, not an address. */
    readonly isOperand: (rType: number) => boolean;
    /** Returns whether entries of this type only mark the site of a second entry. */
    readonly isFiller: (rType: number) => boolean;
    readonly furtherPlaces: (model: ObjectModel) => readonly FurtherPlace[];
    /**
     * Returns `bytes` of `section` from `byteOffset` on after relocation; `touching` returns the
     * entries between two offsets.
     */
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
    /** Term for the target of entries that patch neither code nor data. */
    readonly otherWord: string;
    /** Returns one or two sentences about the entries of a table. */
    readonly about: (role: SectionRole) => string;
    /** Returns the layout with the addresses in the file. */
    readonly storedLayout: (model: ObjectModel) => RelocationLayout;
    /** Returns the fields of the layout form; empty if no layout applies. */
    readonly layoutFields: (model: ObjectModel) => readonly LayoutField[];
    readonly exampleLayout: (model: ObjectModel) => LayoutValues;
  };
  /** Returns the content of the file as JSON. */
  readonly report: (model: ObjectModel) => string;
  /** Returns the lines of the relocation listing of the format's document. */
  readonly listing: (model: ObjectModel) => Iterable<string>;
};
