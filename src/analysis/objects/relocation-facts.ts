/** What is known of a relocation entry, in every format: its meaning (`relocations/meaning.ts`) and its detail (`relocations/detail.ts`). */
import type { Span } from '#bytes/span.ts';
import type { RelocIndex, SectionIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import type { RelocationTarget } from './relocation-target.ts';
import type { SectionRole } from './section-role.ts';

export type RelocationSite = {
  readonly section: SectionIndex;
  /** Bytes from the start of the section to the first that is changed. */
  readonly byteOffset: number;
  /** Bits that are read and written; 0 where that is not known, or nothing is. */
  readonly bitSize: number;
};

/** Bits that an entry changes or speaks of, exact to the bit. */
export type SiteMark = {
  /** File bytes of the word that holds them. */
  readonly span: Span;
  /** The lowest bit, counted from the least significant one of the word in the file's byte order. */
  readonly bitStart: number;
  readonly bitLength: number;
  /** What is there: `displacement`, `partner`; empty where it is the word as such. */
  readonly role: string;
};

export type RelocationMeaning = {
  /** `R_BPF_64_64`, `R_X86_64_PC32`; `type 5` for a number that is not known. */
  readonly typeName: string;
  readonly known: boolean;
  /** With S and A: `(S + A) / 8 - 1`; empty where nothing is computed, or it is not known what. */
  readonly formula: string;
  /** The symbol's name, or that of the section that it stands for. Raw text. */
  readonly symbolText: string;
  /** S; null where there is no such symbol. */
  readonly symbolValue: bigint | null;
  /** A; null where it cannot be read. */
  readonly addend: bigint | null;
  /** What the formula gives. */
  readonly result: bigint | null;
  readonly site: RelocationSite | null;
  /** File bytes of the site; null where they are not in the file as such. */
  readonly siteSpan: Span | null;
  /** All its bits, of pairs those of both halves; empty where none are in the file as such. */
  readonly marks: readonly SiteMark[];
  readonly target: RelocationTarget | null;
  /** What the section that is patched is for. */
  readonly belongsTo: SectionRole;
  /** One or two plain sentences: what will be written where. Raw names in it. */
  readonly words: string;
  /** The formula with its numbers: `(0x0 + 0x18) / 8 - 1 = 2`; empty where there is none. */
  readonly numbers: string;
};

/** A field as it is stored, by its C name. */
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

/** What one authority computes. */
export type Variant = {
  /** Who says so: `The document`. */
  readonly by: string;
  readonly formula: string;
  /** The formula with its numbers; empty where one of them is not known. */
  readonly numbers: string;
  /** What comes out, as text; empty where nothing does. */
  readonly value: string;
  /** Does this one keep the program right? */
  readonly isMeant: boolean;
};

/** One stop of a group: an entry, or one of the two places of an entry. */
export type GroupStop = {
  readonly reloc: RelocIndex;
  readonly selection: Selection;
  /** `LITERAL`, `use as base`, `ldah`. */
  readonly role: string;
  /** The address that it is about. */
  readonly address: bigint;
};

/** Entries that are understood only together. */
export type RelocationGroup = {
  readonly title: string;
  readonly about: string;
  /** Why it is not whole; null where it is. */
  readonly error: string | null;
  /** The formulas of an expression. */
  readonly infix: readonly string[];
  readonly stops: readonly GroupStop[];
};

/** A value on the stack of an expression. */
export type StackValue = { readonly text: string; readonly value: bigint | null };

/** The state of an expression behind one of its entries. */
export type StackState = {
  /** `PUSH (.text+0x30)`. */
  readonly does: string;
  /** The lowest first. */
  readonly stack: readonly StackValue[];
  /** What a STORE put away, as a formula and as a number; null where the entry stores nothing. */
  readonly stored: StackValue | null;
  /** Why the entry could not work; null where it did. */
  readonly problem: string | null;
};

/** An instruction before and after an optimisation. */
export type RewrittenInsn = {
  readonly address: bigint;
  readonly before: number;
  /** null where it stays as it is. */
  readonly after: number | null;
};

export type Rewriting = {
  /** What may be done, in one sentence. */
  readonly words: string;
  readonly insns: readonly RewrittenInsn[];
};

export type RelocationDetail = {
  readonly fields: readonly EntryField[];
  /** The stored word that has more than one field, from its highest bit on; empty where none has. */
  readonly word: { readonly label: string; readonly parts: readonly WordPart[] } | null;
  readonly variants: readonly Variant[];
  /** Why the variants differ; null where they do not. */
  readonly reason: string | null;
  /** What is demanded of the result; null for nothing. */
  readonly restriction: string | null;
  /** The rule that it breaks, or why nothing comes out; null where all is well. */
  readonly problem: string | null;
  readonly group: RelocationGroup | null;
  /** What the stack holds behind this entry; null where there is no expression. */
  readonly stack: StackState | null;
  readonly rewriting: Rewriting | null;
};

/** Nothing beside the entry itself. */
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

/** A layout that a linker could have chosen. */
export type RelocationLayout = {
  /** New address of each section by name; those that are not named stay. */
  readonly sections: ReadonlyMap<string, bigint>;
  /** Values of external symbols by name; those that the object defines need none. */
  readonly symbols: ReadonlyMap<string, bigint>;
  /** The global pointer of the output. */
  readonly gp: bigint;
  /** A partial link (`ld -r`) keeps the entries; GNU ld then treats some of them otherwise. */
  readonly link: 'final' | 'partial';
};

/** One number that may be stated. */
export type LayoutField = {
  /** `.text`, `gp`, `@printf`: what `layoutText` writes. Raw text. */
  readonly key: string;
  /** What a person calls it. Raw text. */
  readonly label: string;
  readonly what: 'section' | 'gp' | 'procedure' | 'datum' | 'thread-local';
  /** What the file itself says; null for symbols that it leaves open. */
  readonly stored: bigint | null;
};

/** Values by the key of their field. */
export type LayoutValues = ReadonlyMap<string, bigint>;

/** How the key of gp is written, and what marks the key of a symbol. */
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

/** What of an entry stands in columns that only some formats have; texts, empty where there is nothing. */
export type ListCells = {
  readonly symndx: string;
  /** `0:32`: bit offset and size of what an expression stores. */
  readonly bits: string;
  readonly extern: string;
  /** What it comes to under the layout. */
  readonly result: string;
};

export const NO_CELLS: ListCells = { symndx: '', bits: '', extern: '', result: '' };

/** A further place that an entry patches, beside its `r_vaddr`. */
export type FurtherPlace = {
  readonly reloc: RelocIndex;
  /** Bytes from the start of the section that the entry patches. */
  readonly byteOffset: number;
};
