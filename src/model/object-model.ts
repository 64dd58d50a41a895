/** Model of an opened file. Contains only plain data that a worker can transfer to the page. */
import type { Issue } from '#bytes/issue.ts';
import type { Endian, Span } from '#bytes/span.ts';
import type { ArchiveMember } from '#formats/containers/member.ts';
import { EM } from '#formats/elf/constants.ts';
import type { BtfIdTable } from './btf-ids.ts';
import type { DwarfFacts } from './dwarf.ts';
import type { ExtTables } from './ext.ts';
import type { RelocationTable } from './relocations.ts';
import type { SectionTable } from './sections.ts';
import type { SplitBase } from './split-base.ts';
import type { SymbolTable } from './symbols.ts';
import type { TypeTable } from './type-table.ts';

export type { ArchiveMember };

export type HeaderField = {
  /** Name of the field in the C header, for example `e_machine`. */
  readonly name: string;
  /** Stored value as text, for example `0xf7`. */
  readonly value: string;
  /** Meaning of the value, for example `BPF`; empty if the value needs none. */
  readonly meaning: string;
  readonly span: Span;
};

/** A header and its fields, for example the ELF header or the `.BTF` header. */
export type HeaderBlock = {
  readonly title: string;
  readonly span: Span;
  readonly fields: readonly HeaderField[];
};

/** Part of a model that only one object format has. Only modules of that format read it. */
export type FormatPart = {
  /** Display name of the format, for example `eCOFF`. */
  readonly formatName: string;
};

/** Release of a kernel as `uname -r` prints it, and where the release was found. */
export type KernelVersion = {
  readonly release: string;
  readonly from: 'boot header' | 'linux_banner';
};

export type ObjectModel = {
  readonly name: string;
  /** Format: `elf`, `btf`, or a format in `analysis/formats/modules.ts`. */
  readonly format: string;
  /** Size of the file in bytes, after unpacking. */
  readonly size: number;
  /** Containers of the file, the outermost first: `['gzip']`. Offsets are in the unpacked file. */
  readonly containers: readonly string[];
  readonly endian: Endian;
  readonly addressBits: 32 | 64;
  /** `e_machine` (in eCOFF the equivalent) and its name; null for raw BTF. */
  readonly machine: { readonly number: number; readonly name: string } | null;
  /** `e_type` or its equivalent as a word, for example `relocatable`; empty for raw BTF. */
  readonly fileType: string;
  readonly headers: readonly HeaderBlock[];
  readonly sections: SectionTable;
  readonly symbols: SymbolTable;
  readonly relocations: RelocationTable;
  /** Types of the file: of its BTF, else of its DWARF; null if it has neither that can be read. */
  readonly types: TypeTable | null;
  /** Facts about the DWARF of the file; null if it has none. */
  readonly dwarf: DwarfFacts | null;
  /** Size and choice of the base of split BTF; null for BTF without a base. */
  readonly splitBase: SplitBase | null;
  readonly ext: ExtTables;
  /** Ids in the section `.BTF_ids` of a kernel or module. */
  readonly btfIds: BtfIdTable;
  /** Release of a kernel, from its image; BTF does not contain the release. */
  readonly kernelVersion: KernelVersion | null;
  /** Data of one object format for its own analyses; null for ELF and BTF. */
  readonly own: FormatPart | null;
  readonly issues: readonly Issue[];
};

/** Returns the types of the file's BTF; null if it has none, also if it has types of DWARF. */
export function btfOf({ types, dwarf }: ObjectModel): TypeTable | null {
  return dwarf?.dieOffset == null ? types : null;
}

/** Returns true if the machine is BPF, or 0, which old clang wrote. */
export function isBpf(model: ObjectModel): boolean {
  return model.machine?.number === EM.bpf || model.machine?.number === 0;
}

/** Returns true for BPF code. Solana's SBPF 0 and 1 are included, although kernels refuse them. */
export function hasBpfCode(model: ObjectModel): boolean {
  return isBpf(model) || model.machine?.number === EM.sbpf;
}

/** Returns true if the code is for DEC Alpha, in any object format. */
export function isAlpha(model: ObjectModel): boolean {
  return model.machine?.number === EM.alpha;
}

/** Returns the size of an instruction slot in bytes. Instructions start at multiples of it. */
export function insnSlot(model: ObjectModel): 4 | 8 {
  return isAlpha(model) ? 4 : 8;
}

/** Returns the display name of the format of the file. */
export function formatName({ format, own }: ObjectModel): string {
  return own?.formatName ?? (format === 'btf' ? 'BTF' : 'ELF');
}
