/** Names of the documents that define fields, with their sections. */
import { isKnownKind, kindName, RELEASED_KIND_MAX } from '#formats/btf/kinds.ts';

/** Cites a section of System V gABI, chapter 4. */
export const gabi = (section: string): string => `System V gABI, chapter 4, “${section}”`;

/** Cites a section of Documentation/bpf/btf.rst. */
export const btf = (section: string): string => `BTF Type Format, ${section}`;

/** Returns the document section about a type kind; section numbers follow the kind numbers. */
export function btfKindSource(kind: number): string {
  if (kind > RELEASED_KIND_MAX && isKnownKind(kind)) {
    return `include/uapi/linux/btf.h of bpf-next, BTF_KIND_${kindName(kind)}`;
  }
  return isKnownKind(kind)
    ? btf(`2.2.${kind} BTF_KIND_${kindName(kind)}`)
    : btf('2.2 Type Encoding');
}

export const BTF_HEADER_SOURCE = btf('2 BTF Type and String Encoding');
export const BTF_TYPE_SOURCE = btf('2.2 Type Encoding');
export const BTF_STRINGS_SOURCE = btf('2.1 String Encoding');
export const BTF_EXT_SOURCE = btf('4.2 .BTF.ext section');
export const BTF_IDS_SOURCE = btf('4.3 .BTF_ids section');
export const BTF_LAYOUT_SOURCE = 'BTF encoding of 2026, layout section';
export const INSN_SOURCE = 'BPF Instruction Set Architecture (RFC 9669), “Instruction encoding”';
export const ALPHA_SOURCE = 'Alpha Architecture Reference Manual, “Instruction formats”';
export const RELOCATION_SOURCE = gabi('Relocation');
export const PROGRAM_SOURCE = 'System V gABI, chapter 5, “Program Header”';
