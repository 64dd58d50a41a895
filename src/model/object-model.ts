/**
 * One opened file as the rest of the program sees it. Plain data and typed
 * arrays only, so that it crosses from the worker to the page by transfer.
 */
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

/** A field of a file header, ready to be read by a person. */
export type HeaderField = {
  /** As the C headers spell it: `e_machine`. */
  readonly name: string;
  /** As stored: `0xf7`. */
  readonly value: string;
  /** What it means here: `BPF`. Empty when the value says it all. */
  readonly meaning: string;
  readonly span: Span;
};

/** A header with its fields: the ELF header, the BTF header, the .BTF.ext header. */
export type HeaderBlock = {
  readonly title: string;
  readonly span: Span;
  readonly fields: readonly HeaderField[];
};

/** What only one format of objects has; only the modules of that format look inside. */
export type FormatPart = {
  /** What people call the format: `eCOFF`. */
  readonly formatName: string;
};

/** The release of a kernel, as `uname -r` prints it, and what of its image says so. */
export type KernelVersion = {
  readonly release: string;
  readonly from: 'boot header' | 'linux_banner';
};

export type ObjectModel = {
  readonly name: string;
  /** `elf`, `btf`, or the format of a module in `analysis/formats/modules.ts`. */
  readonly format: string;
  /** Size in bytes of what was parsed (after unpacking). */
  readonly size: number;
  /** What was unpacked on the way, outermost first: `['gzip']`. Offsets are in the unpacked bytes. */
  readonly containers: readonly string[];
  readonly endian: Endian;
  readonly addressBits: 32 | 64;
  /** `e_machine` with its name, of eCOFF that of the ELF files of its machine; null for a raw BTF blob. */
  readonly machine: { readonly number: number; readonly name: string } | null;
  /** `e_type`, or what the headers of another format come to, as a word: `relocatable`, `executable` …; empty for a raw BTF blob. */
  readonly fileType: string;
  readonly headers: readonly HeaderBlock[];
  readonly sections: SectionTable;
  readonly symbols: SymbolTable;
  readonly relocations: RelocationTable;
  /** null where the file has no BTF that can be read. */
  readonly types: TypeTable | null;
  /** What is known of the base of split BTF; null where the types stand alone. */
  readonly splitBase: SplitBase | null;
  readonly ext: ExtTables;
  /** The ids in `.BTF_ids` of a kernel or module. */
  readonly btfIds: BtfIdTable;
  /** Of a kernel whose image tells it; BTF does not. */
  readonly kernelVersion: KernelVersion | null;
  /**
   * What only the format of this file has; null for ELF and BTF. The tables above hold what
   * every format has; what needs more to be understood is understood on this.
   */
  readonly own: FormatPart | null;
  readonly issues: readonly Issue[];
};

/** Does the machine field say BPF (or nothing, as old clang wrote)? */
export function isBpf(model: ObjectModel): boolean {
  return model.machine?.number === EM.bpf || model.machine?.number === 0;
}

/**
 * Is the code that of BPF? That of a Solana program is, whose file is loaded by none of BPF's
 * loaders: versions 0 and 1 of SBPF have BPF's encoding.
 */
export function hasBpfCode(model: ObjectModel): boolean {
  return isBpf(model) || model.machine?.number === EM.sbpf;
}

const EM_ALPHA = 0x9026;

/** Is the code that of a DEC Alpha, in whichever format? */
export function isAlpha(model: ObjectModel): boolean {
  return model.machine?.number === EM_ALPHA;
}

/** Bytes from one place where an instruction may begin to the next. */
export function insnSlot(model: ObjectModel): 4 | 8 {
  return isAlpha(model) ? 4 : 8;
}

/** What people call the format of the file. */
export function formatName({ format, own }: ObjectModel): string {
  return own?.formatName ?? (format === 'btf' ? 'BTF' : 'ELF');
}
