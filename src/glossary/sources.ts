/** The documents that define the terms, with their public addresses. */
import type { Source } from './term.ts';

const KERNEL = 'https://docs.kernel.org/bpf';

/** Documentation/bpf/btf.rst; `anchor` as its headings have it. */
export function btfRst(section: string, anchor: string): Source {
  return { document: 'BTF Type Format', section, address: `${KERNEL}/btf.html#${anchor}` };
}

/** The section of btf.rst on a kind: they are numbered as the kinds are. */
export function btfKind(number: number, name: string): Source {
  const anchor = `btf-kind-${name.toLowerCase().replaceAll('_', '-')}`;
  return btfRst(`2.2.${number} BTF_KIND_${name}`, anchor);
}

/** Documentation/bpf/llvm_reloc.rst. */
export function llvmReloc(section: string): Source {
  const anchor = section.toLowerCase().replaceAll(' ', '-');
  return {
    document: 'BPF LLVM Relocations',
    section,
    address: `${KERNEL}/llvm_reloc.html#${anchor}`,
  };
}

/** The BPF instruction set, by the number and title of a section. */
export function rfc9669(number: string, title: string): Source {
  return {
    document: 'RFC 9669',
    section: `${number} ${title}`,
    address: `https://www.rfc-editor.org/rfc/rfc9669.html#section-${number}`,
  };
}

/** System V gABI, chapter 4 by page. */
export function gabi(section: string, page: string): Source {
  return {
    document: 'System V gABI',
    section,
    address: `https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.${page}.html`,
  };
}

/** A page of the kernel's documentation of BPF. */
export function kernelBpf(document: string, section: string, page: string): Source {
  return { document, section, address: `${KERNEL}/${page}.html` };
}

/** What only libbpf's own source defines, by file and function. */
export function libbpf(file: string, section: string): Source {
  return {
    document: `libbpf, src/${file}`,
    section,
    address: `https://github.com/libbpf/libbpf/blob/master/src/${file}`,
  };
}

/** Tru64 UNIX Object File and Symbol Table Format Specification, chapter 4. */
export function tru64(section: string): Source {
  return {
    document: 'Tru64 UNIX Object File Specification',
    section,
    address:
      'https://alpha-supernova.dev.filibeto.org/lib/rel/5.0A/DOCS/HTML/SUPPDOCS/OBJSPEC/ABOUT.HTM',
  };
}

export const TYPE_ENCODING = btfRst('2.2 Type Encoding', 'type-encoding');
export const BTF_HEADER = btfRst('2 BTF Type and String Encoding', 'btf-type-and-string-encoding');
export const BTF_EXT = btfRst('4.2 .BTF.ext section', 'btf-ext-section');
export const CORE_RECORD = llvmReloc('CO-RE Relocation Record');
export const CORE_KINDS = llvmReloc('Relocation kinds');
export const RELOCATION_TYPES = llvmReloc('Different Relocation Types');

/** A kind that only the header of bpf-next has so far (September 2026); its number is the kind's. */
export function nextKind(name: string): Source {
  return {
    document: 'include/uapi/linux/btf.h of bpf-next',
    section: `BTF_KIND_${name}`,
    address:
      'https://git.kernel.org/pub/scm/linux/kernel/git/bpf/bpf-next.git/tree/include/uapi/linux/btf.h',
  };
}

/** include/uapi/linux/btf.h, for what btf.rst does not tell yet: the encoding of 2026. */
export function btfHeaderFile(section: string): Source {
  return {
    document: 'include/uapi/linux/btf.h',
    section,
    address: 'https://github.com/libbpf/libbpf/blob/master/include/uapi/linux/btf.h',
  };
}

/** The document as it was in Linux 5.2, of 2019. */
export function btf2019(section: string): Source {
  return {
    document: 'BTF Type Format of 2019',
    section,
    address: 'https://www.kernel.org/doc/html/v5.2/bpf/btf.html',
  };
}

/** The commit that gave members of structs the width of bit-fields. */
export function commit9d5f(): Source {
  return {
    document: 'Linux, commit 9d5f9f701b18',
    section: 'bpf: btf: fix struct/union/fwd types with kind_flag',
    address: 'https://github.com/torvalds/linux/commit/9d5f9f701b1891466fb3dbb1806ad97716f95cc3',
  };
}

/** lib/std/os/linux/bpf/btf.zig of Zig, by declaration. */
export function zigStd(section: string): Source {
  return {
    document: 'Zig, lib/std/os/linux/bpf/btf.zig',
    section,
    address: 'https://github.com/ziglang/zig/blob/master/lib/std/os/linux/bpf/btf.zig',
  };
}
