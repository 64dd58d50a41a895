/** Interface of object formats other than ELF and BTF. `formats/modules.ts` lists the formats. */
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

/** A part of a file outside all sections. */
export type FileTable = Span & {
  /** Label of the part, not escaped: `relocations of .text`. */
  readonly label: string;
  /** Kind of the part in the format's own terms: `relocations`, `symbols`. */
  readonly what: string;
  readonly family: 'header' | 'relocations' | 'symbols';
  /** Index of the relocation table within the file; 0 if the part is not a relocation table. */
  readonly index: number;
};

export type SectionTypeText = {
  /** Section type: `PROGBITS` as `llvm-readelf -S` prints it, or the `STYP_` name of eCOFF. */
  readonly type: string;
  /** Flag letters of the section; empty if the format has no flags. */
  readonly flags: string;
};

export type SymbolText = {
  /** Symbol type: `FUNC` as `llvm-readelf -s` prints it, or `stProc` of eCOFF. */
  readonly type: string;
  /** The symbol's section, or why it has none (`UND`, `scCommon`); not escaped. */
  readonly place: string;
};

export type FormatModule = {
  /** Value of `ObjectModel.format` to which this module belongs. */
  readonly format: string;
  /** Returns the parts of the file, headers first. Damaged parts may be empty or overlap. */
  readonly fileTables: (model: ObjectModel) => Iterable<FileTable>;
  readonly tableField: (structure: FileStructure, table: FileTable, span: Span) => StructureField;
  /** Title of the document that describes the section headers. */
  readonly sectionSource: string;
  /** Returns the contents of a format-specific section, or null for other sections. */
  readonly sectionParts: (structure: FileStructure, span: Span) => (() => FieldList) | null;
  readonly sectionType: (model: ObjectModel, section: SectionIndex) => SectionTypeText;
  /** Returns the texts of a symbol, or null if the model's columns show everything. */
  readonly symbolText: (model: ObjectModel, symbol: SymbolIndex) => SymbolText | null;
  readonly lint: (model: ObjectModel) => Generator<void, readonly Issue[]>;
  readonly relocations: {
    readonly meaning: (model: ObjectModel, reloc: RelocIndex) => RelocationMeaning;
    readonly detail: (
      model: ObjectModel,
      reloc: RelocIndex,
      layout: RelocationLayout,
    ) => RelocationDetail;
    /** Returns true if entries of this type use the offset as an operand, not as an address. */
    readonly isOperand: (rType: number) => boolean;
    /** Returns true if entries of this type only mark the second site of another entry. */
    readonly isFiller: (rType: number) => boolean;
    readonly furtherPlaces: (model: ObjectModel) => readonly FurtherPlace[];
    /**
     * Returns `bytes` with relocations applied; the bytes begin at `byteOffset` of `section`.
     * `touching` returns the relocation entries between two offsets.
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
    /** The format's term for the target of an entry that patches neither code nor data. */
    readonly otherWord: string;
    /** Returns one or two sentences about the relocation entries of a table. */
    readonly about: (role: SectionRole) => string;
    /** Returns the relocation layout with the addresses stored in the file. */
    readonly storedLayout: (model: ObjectModel) => RelocationLayout;
    /** Returns the input fields for a layout's addresses; empty if no layout applies. */
    readonly layoutFields: (model: ObjectModel) => readonly LayoutField[];
    readonly exampleLayout: (model: ObjectModel) => LayoutValues;
  };
  /** Returns the content of the file as a JSON document. */
  readonly report: (model: ObjectModel) => string;
  /** Returns the lines of the relocation listing in the form of the format's document. */
  readonly listing: (model: ObjectModel) => Iterable<string>;
};
