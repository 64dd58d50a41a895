/** Facts of a relocation entry in every format: meaning, details, layout and list cells. */
import type { Span } from '#bytes/span.ts';
import type { RelocIndex, SectionIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import type { RelocationTarget } from './relocation-target.ts';
import type { SectionRole } from './section-role.ts';

export type RelocationSite = {
  readonly section: SectionIndex;
  /** Bytes from the start of the section to the first changed byte. */
  readonly byteOffset: number;
  /** Bits that are read and written; 0 if unknown or none. */
  readonly bitSize: number;
};

/** Bits that an entry changes or refers to. */
export type SiteMark = {
  /** File bytes of the word that contains the bits. */
  readonly span: Span;
  /** The lowest bit, counted from the least significant bit of the word in the file's byte order. */
  readonly bitStart: number;
  readonly bitLength: number;
  /** Role of the bits: `displacement`, `partner`; empty for the relocated word. */
  readonly role: string;
};

export type RelocationMeaning = {
  /** `R_BPF_64_64`, `R_X86_64_PC32`; `type 5` for an unknown number. */
  readonly typeName: string;
  readonly known: boolean;
  /** With S and A: `(S + A) / 8 - 1`; empty for no formula or an unknown formula. */
  readonly formula: string;
  /** Name of the symbol; for a section symbol the name of the section. Raw text. */
  readonly symbolText: string;
  /** S; null without a symbol. */
  readonly symbolValue: bigint | null;
  /** A; null if unreadable. */
  readonly addend: bigint | null;
  /** Result of the formula. */
  readonly result: bigint | null;
  readonly site: RelocationSite | null;
  /** File bytes of the site; null if not stored uncompressed in the file. */
  readonly siteSpan: Span | null;
  /** All bits of the site, for pairs of both halves; empty if not stored uncompressed in the file. */
  readonly marks: readonly SiteMark[];
  readonly target: RelocationTarget | null;
  /** Role of the patched section. */
  readonly belongsTo: SectionRole;
  /** One or two sentences about the written value and the site. Raw names. */
  readonly words: string;
  /** The formula with its numbers: `(0x0 + 0x18) / 8 - 1 = 2`; empty without a formula. */
  readonly numbers: string;
};

/** A stored field, by its C name. */
export type EntryField = {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
};

/** A group of bits of a stored word. */
export type WordPart = {
  readonly field: string;
  readonly length: number;
  readonly value: bigint;
  readonly meaning: string;
};

/** The result of one authority. */
export type Variant = {
  /** The authority: `The document`. */
  readonly by: string;
  readonly formula: string;
  /** The formula with its numbers; empty if a number is unknown. */
  readonly numbers: string;
  /** The result as text; empty without a result. */
  readonly value: string;
  /** This result keeps the program correct. */
  readonly isMeant: boolean;
};

/** A navigation stop of a group: an entry, or one of the two sites of an entry. */
export type GroupStop = {
  readonly reloc: RelocIndex;
  readonly selection: Selection;
  /** `LITERAL`, `use as base`, `ldah`. */
  readonly role: string;
  /** Address of the stop. */
  readonly address: bigint;
};

/** A group of related entries. */
export type RelocationGroup = {
  readonly title: string;
  readonly about: string;
  /** Reason why the group is incomplete; null if complete. */
  readonly error: string | null;
  /** The formulas of an expression. */
  readonly infix: readonly string[];
  readonly stops: readonly GroupStop[];
};

/** A value on the stack of an expression. */
export type StackValue = { readonly text: string; readonly value: bigint | null };

/** The state of an expression after one of its entries. */
export type StackState = {
  /** `PUSH (.text+0x30)`. */
  readonly does: string;
  /** The stack, bottom first. */
  readonly stack: readonly StackValue[];
  /** The value of a STORE, as a formula and as a number; null if the entry is no STORE. */
  readonly stored: StackValue | null;
  /** Reason why the entry failed; null if it did not. */
  readonly problem: string | null;
};

/** An instruction before and after an optimisation. */
export type RewrittenInsn = {
  readonly address: bigint;
  readonly before: number;
  /** null for an unchanged instruction. */
  readonly after: number | null;
};

export type Rewriting = {
  /** The optimisation in one sentence. */
  readonly words: string;
  readonly insns: readonly RewrittenInsn[];
};

export type RelocationDetail = {
  readonly fields: readonly EntryField[];
  /** The stored word with more than one field, highest bit first; null if the entry has no such word. */
  readonly word: { readonly label: string; readonly parts: readonly WordPart[] } | null;
  readonly variants: readonly Variant[];
  /** Reason why the variants differ; null if equal. */
  readonly reason: string | null;
  /** Restriction on the result; null without a restriction. */
  readonly restriction: string | null;
  /** The broken rule, or the reason for a missing result; null without a problem. */
  readonly problem: string | null;
  readonly group: RelocationGroup | null;
  /** The stack after this entry; null outside an expression. */
  readonly stack: StackState | null;
  readonly rewriting: Rewriting | null;
};

/** Empty details. */
export const NO_DETAIL: RelocationDetail = {
  fields: [],
  word: null,
  variants: [],
  reason: null,
  restriction: null,
  problem: null,
  group: null,
  stack: null,
  rewriting: null,
};

/** A possible layout of a linker. */
export type RelocationLayout = {
  /** New address by section name; unnamed sections do not move. */
  readonly sections: ReadonlyMap<string, bigint>;
  /** Values of external symbols by name; not needed for symbols that the object defines. */
  readonly symbols: ReadonlyMap<string, bigint>;
  /** The global pointer of the output. */
  readonly gp: bigint;
  /** A partial link (`ld -r`) keeps the entries; GNU ld then treats some entries differently. */
  readonly link: 'final' | 'partial';
};

/** A field of the layout form. */
export type LayoutField = {
  /** Key in `layoutText`: `.text`, `gp`, `@printf`. Raw text. */
  readonly key: string;
  /** Label of the field. Raw text. */
  readonly label: string;
  readonly what: 'section' | 'gp' | 'procedure' | 'datum' | 'thread-local';
  /** Value in the file; null for undefined symbols. */
  readonly stored: bigint | null;
};

/** Values by the key of their field. */
export type LayoutValues = ReadonlyMap<string, bigint>;

/** Key of gp, and prefix of symbol keys. */
export const LAYOUT_KEY = { gp: 'gp', symbolMark: '@' } as const;

/** The columns of a list of entries. */
export type ListColumn =
  | 'offset'
  | 'info'
  | 'insn'
  | 'section'
  | 'type'
  | 'symbol'
  | 's'
  | 'a'
  | 'result'
  | 'address'
  | 'symndx'
  | 'bits'
  | 'extern';

/** Texts of an entry for columns that only some formats have; empty without a value. */
export type ListCells = {
  readonly symndx: string;
  /** `0:32`: bit offset and size of the stored bits of an expression. */
  readonly bits: string;
  readonly extern: string;
  /** Result under the layout. */
  readonly result: string;
};

export const NO_CELLS: ListCells = { symndx: '', bits: '', extern: '', result: '' };

/** A second site of an entry, besides `r_vaddr`. */
export type FurtherPlace = {
  readonly reloc: RelocIndex;
  /** Bytes from the start of the patched section. */
  readonly byteOffset: number;
};
