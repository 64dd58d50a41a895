/** The model of an opened file. Plain data and typed arrays only, so that the worker can transfer it to the page. */
import type { Issue } from '#bytes/issue.ts';
import type { Endian, Span } from '#bytes/span.ts';
import type { ArchiveMember } from '#formats/containers/member.ts';
import { EM } from '#formats/elf/constants.ts';
import type { BtfIdTable } from './btf-ids.ts';
import type { ExtTables } from './ext.ts';
import type { RelocationTable } from './relocations.ts';
import type { SectionTable } from './sections.ts';
import type { SplitBase } from './split-base.ts';
import type { SymbolTable } from './symbols.ts';
import type { TypeTable } from './type-table.ts';

export type { ArchiveMember };

export type HeaderField = {
  /** Spelling of the C headers: `e_machine`. */
  readonly name: string;
  /** Stored value: `0xf7`. */
  readonly value: string;
  /** Meaning of the value: `BPF`. Empty if the value needs no explanation. */
  readonly meaning: string;
  readonly span: Span;
};

/** A header with its fields: the ELF header, the BTF header, the .BTF.ext header. */
export type HeaderBlock = {
  readonly title: string;
  readonly span: Span;
  readonly fields: readonly HeaderField[];
};

/** The part of a model that only one object format has; only the modules of that format read it. */
export type FormatPart = {
  /** Display name of the format: `eCOFF`. */
  readonly formatName: string;
};

/** The release of a kernel, as `uname -r` prints it, and its source in the image. */
export type KernelVersion = {
  readonly release: string;
  readonly from: 'boot header' | 'linux_banner';
};

export type ObjectModel = {
  readonly name: string;
  /** `elf`, `btf`, or the format of a module in `analysis/formats/modules.ts`. */
  readonly format: string;
  /** Size in bytes of the parsed bytes, after unpacking. */
  readonly size: number;
  /** Unpacked containers, outermost first: `['gzip']`. Offsets are in the unpacked bytes. */
  readonly containers: readonly string[];
  readonly endian: Endian;
  readonly addressBits: 32 | 64;
  /** `e_machine` and its name; for eCOFF the number of the machine in ELF; null for a raw BTF blob. */
  readonly machine: { readonly number: number; readonly name: string } | null;
  /** `e_type` or its equivalent as a word: `relocatable`, `executable` …; empty for a raw BTF blob. */
  readonly fileType: string;
  readonly headers: readonly HeaderBlock[];
  readonly sections: SectionTable;
  readonly symbols: SymbolTable;
  readonly relocations: RelocationTable;
  /** null if the file has no readable BTF. */
  readonly types: TypeTable | null;
  /** Properties of the base of split BTF; null for BTF without a base. */
  readonly splitBase: SplitBase | null;
  readonly ext: ExtTables;
  /** The ids in `.BTF_ids` of a kernel or module. */
  readonly btfIds: BtfIdTable;
  /** Release of a kernel whose image has it; BTF does not. */
  readonly kernelVersion: KernelVersion | null;
  /** Data of one format, for its analyses; null for ELF and BTF. The tables above have the data of all formats. */
  readonly own: FormatPart | null;
  readonly issues: readonly Issue[];
};

/** True if the machine field is BPF (or 0, as old clang wrote). */
export function isBpf(model: ObjectModel): boolean {
  return model.machine?.number === EM.bpf || model.machine?.number === 0;
}

/** True if the code has BPF's encoding, as also in Solana programs (SBPF versions 0 and 1), which BPF loaders refuse. */
export function hasBpfCode(model: ObjectModel): boolean {
  return isBpf(model) || model.machine?.number === EM.sbpf;
}

/** True if the code is for DEC Alpha, in any format. */
export function isAlpha(model: ObjectModel): boolean {
  return model.machine?.number === EM.alpha;
}

/** Returns the distance in bytes between possible starts of instructions. */
export function insnSlot(model: ObjectModel): 4 | 8 {
  return isAlpha(model) ? 4 : 8;
}

/** Returns the display name of the file's format. */
export function formatName({ format, own }: ObjectModel): string {
  return own?.formatName ?? (format === 'btf' ? 'BTF' : 'ELF');
}
