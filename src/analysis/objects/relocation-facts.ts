/** Facts about relocation entries in every format: meaning, details, layout, list cells. */
import type { Span } from '#bytes/span.ts';
import type { RelocIndex, SectionIndex } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import type { RelocationTarget } from './relocation-target.ts';
import type { SectionRole } from './section-role.ts';

export type RelocationSite = {
  readonly section: SectionIndex;
  /** Offset of the first changed byte, from the start of the section. */
  readonly byteOffset: number;
  /** Number of bits that the relocation reads and writes; 0 if unknown or none. */
  readonly bitSize: number;
};

/** Bits that an entry changes or refers to. */
export type SiteMark = {
  /** Position in the file of the word that contains the bits. */
  readonly span: Span;
  /** Lowest of the bits, as bit number in the word: bit 0 is the least significant bit. */
  readonly bitStart: number;
  readonly bitLength: number;
  /** Role of the bits: `displacement`, `partner`; empty for the relocated bits. */
  readonly role: string;
};

export type RelocationMeaning = {
  /** Relocation type: `R_BPF_64_64`, `R_X86_64_PC32`, or `type 5` if unknown. */
  readonly typeName: string;
  readonly known: boolean;
  /** Formula of the relocation with S and A: `(S + A) / 8 - 1`; empty if there is none. */
  readonly formula: string;
  /** Name of the symbol, not escaped; for a section symbol the name of its section. */
  readonly symbolText: string;
  /** S, the value of the symbol; null without a symbol. */
  readonly symbolValue: bigint | null;
  /** A, the addend; null if unreadable. */
  readonly addend: bigint | null;
  /** Result of the formula; null if unknown. */
  readonly result: bigint | null;
  readonly site: RelocationSite | null;
  /** Position of the site in the file; null if the section is compressed or not in the file. */
  readonly siteSpan: Span | null;
  /** All bits of the site, including both halves of a pair; empty if `siteSpan` is null. */
  readonly marks: readonly SiteMark[];
  readonly target: RelocationTarget | null;
  /** Role of the section that the entry patches. */
  readonly belongsTo: SectionRole;
  /** One or two sentences about the written value and the site. Names are not escaped. */
  readonly words: string;
  /** The formula with numbers: `(0x0 + 0x18) / 8 - 1 = 2`; empty without a formula. */
  readonly numbers: string;
};

/** A stored field of a relocation entry, with its C name. */
export type EntryField = {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
};

/** A field of one or more bits in a stored word, such as the opcode of an instruction. */
export type WordPart = {
  readonly field: string;
  readonly length: number;
  readonly value: bigint;
  readonly meaning: string;
};

/** The relocation result according to one authority, such as the document or a linker. */
export type Variant = {
  /** Name of the authority: `The document`. */
  readonly by: string;
  readonly formula: string;
  /** The formula with numbers in place of symbols; empty if a number is unknown. */
  readonly numbers: string;
  /** The relocated value as text; empty if the authority gives no value. */
  readonly value: string;
  /** True if this value keeps the program correct. */
  readonly isMeant: boolean;
};

/** A site in a group of entries that the user can go to. An entry with two sites has two stops. */
export type GroupStop = {
  readonly reloc: RelocIndex;
  readonly selection: Selection;
  /** Role of the site in the group: `LITERAL`, `use as base`, `ldah`. */
  readonly role: string;
  /** Address of the site. */
  readonly address: bigint;
};

/** Relocation entries that belong together. */
export type RelocationGroup = {
  readonly title: string;
  readonly about: string;
  /** Reason why the group is incomplete, or null if the group is complete. */
  readonly error: string | null;
  /** Formulas of a stack expression, written in infix notation. */
  readonly infix: readonly string[];
  readonly stops: readonly GroupStop[];
};

/** A value on the stack of a relocation expression. */
export type StackValue = { readonly text: string; readonly value: bigint | null };

/** State of a relocation expression after one of its entries. */
export type StackState = {
  /** Operation of the entry: `PUSH (.text+0x30)`. */
  readonly does: string;
  /** Values on the stack, bottom first. */
  readonly stack: readonly StackValue[];
  /** Value that a STORE writes, as a formula and a number; null if the entry is not a STORE. */
  readonly stored: StackValue | null;
  /** Reason why the entry failed, or null if the entry succeeded. */
  readonly problem: string | null;
};

/** An instruction before and after a linker's optimisation. */
export type RewrittenInsn = {
  readonly address: bigint;
  readonly before: number;
  /** Instruction word after the optimisation; null if the instruction stays the same. */
  readonly after: number | null;
};

export type Rewriting = {
  /** Description of the optimisation in one sentence. */
  readonly words: string;
  readonly insns: readonly RewrittenInsn[];
};

export type RelocationDetail = {
  readonly fields: readonly EntryField[];
  /** The stored word if it has several fields, highest bit first; null for other entries. */
  readonly word: { readonly label: string; readonly parts: readonly WordPart[] } | null;
  readonly variants: readonly Variant[];
  /** Reason why the variants differ; null if the variants agree. */
  readonly reason: string | null;
  /** Restriction on the result, such as a range; null without a restriction. */
  readonly restriction: string | null;
  /** Rule that the entry breaks, or reason why no result exists; null without a problem. */
  readonly problem: string | null;
  readonly group: RelocationGroup | null;
  /** Stack of the expression after this entry; null if the entry is in no expression. */
  readonly stack: StackState | null;
  readonly rewriting: Rewriting | null;
};

/** Details of an entry for which a format provides none. */
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

/** Addresses that a linker could assign. */
export type RelocationLayout = {
  /** New address by section name; a section that is not in the map keeps its address. */
  readonly sections: ReadonlyMap<string, bigint>;
  /** Values of symbols that the object does not define, by name. */
  readonly symbols: ReadonlyMap<string, bigint>;
  /** Value of the global pointer (gp) in the linked file. */
  readonly gp: bigint;
  /** `partial` is `ld -r`, which keeps the entries; GNU ld relocates some of them differently. */
  readonly link: 'final' | 'partial';
};

/** An input field for one address of a layout. */
export type LayoutField = {
  /** Name of the field in `layoutText`, not escaped: `.text`, `gp`, `$GOT`, `@printf`. */
  readonly key: string;
  /** Label of the field in the form, not escaped. */
  readonly label: string;
  readonly what: 'section' | 'gp' | 'base' | 'procedure' | 'datum' | 'thread-local';
  /** Value stored in the file; null for undefined symbols. */
  readonly stored: bigint | null;
};

/** User values of the layout fields, by field key. */
export type LayoutValues = ReadonlyMap<string, bigint>;

/** Keys of layout fields: `gp`, and the prefixes of symbols and of bases in ELF formulas. */
export const LAYOUT_KEY = { gp: 'gp', symbolMark: '@', baseMark: '$' } as const;

/** A column of the relocation list. */
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

/** Texts of an entry in columns that only some formats have; a text without a value is empty. */
export type ListCells = {
  readonly symndx: string;
  /** Bit offset and size of the bits that an expression stores: `0:32`. */
  readonly bits: string;
  readonly extern: string;
  /** Relocated value under the current layout. */
  readonly result: string;
};

export const NO_CELLS: ListCells = { symndx: '', bits: '', extern: '', result: '' };

/** A second site of a relocation entry, in addition to the site at `r_vaddr`. */
export type FurtherPlace = {
  readonly reloc: RelocIndex;
  /** Offset of the second site, in bytes from the start of the patched section. */
  readonly byteOffset: number;
};
