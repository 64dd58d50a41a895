/** Where a document is out of date or errs, each with what this tool does: the tests of the tool are the witness. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { arrayData, kindOf } from '#model/type-table.ts';
import { typeOf } from './find-types.ts';
import { flow, record, word } from './picture.ts';
import { btfKind, llvmReloc, tru64, zigStd } from './sources.ts';
import type { TermCard } from './term.ts';

export const ERRATA_CARDS: readonly TermCard[] = [
  {
    id: 'errata-arrays',
    says: [
      'BTF Type Format still says that pahole and LLVM collapse int a[5][6] into one array of 30 elements: out of date.',
      'Both write a chain, an ARRAY of 5 ARRAYs of 6, and the tool prints a[5][6] from two records; the workbench compiles the same chain.',
    ],
    picture: flow(['ARRAY nelems 5', 'ARRAY nelems 6', 'INT int'], 0),
    source: btfKind(3, 'ARRAY'),
    related: ['kind-array', 'nelems', 'index-type'],
    find: typeOf(
      [BtfKind.ARRAY],
      (t, id) => kindOf(t, arrayData(t, id).elemType) === BtfKind.ARRAY,
    ),
  },
  {
    id: 'errata-foo',
    says: [
      'BPF LLVM Relocations prints STRUCT foo with size=8 vlen=2 above the three members a, b and c.',
      'The C above it has three members in 12 bytes: clang and the workbench write size=12 vlen=3, and Check rejects a member beyond the size.',
    ],
    picture: record('struct foo', 'a:4 b:4 c:4', 'c'),
    source: llvmReloc('CO-RE Relocation Examples'),
    related: ['kind-struct', 'vlen', 'member'],
    find: null,
  },
  {
    id: 'errata-overflow',
    says: [
      'For more than 65,535 entries 4.2.3 says that r_symndx of the first entry has the number, 4.3.4.1 that r_vaddr has it.',
      'The tool reads r_vaddr, which the example of R_ABS shows; GNU binutils ignores S_NRELOC_OVFL and reads 65,535 entries.',
    ],
    picture: record('first relocation entry', 'r_vaddr:8 r_symndx:4 r_bits:4', 'r_vaddr'),
    source: tru64('4.3.4.1'),
    related: ['r-vaddr', 'r-symndx'],
    find: null,
  },
  {
    id: 'zig-btf',
    says: [
      'Zig’s std.os.linux.bpf.btf has the records as extern and packed structs: size_type, union of size and typ, is the third word, IntInfo the word behind an INT.',
      'Its ext module, btf_ext.zig, is for .BTF.ext.',
    ],
    picture: word(32, 'kind_flag:1 unused_2:2 kind:5 unused_1:8 vlen:16', 'kind'),
    source: zigStd('Type'),
    related: ['info', 'size-or-type', 'int-encoding', 'btf-ext'],
    find: typeOf([BtfKind.INT]),
  },
  {
    id: 'zig-constants',
    says: [
      'btf.zig has magic 0xeb9f and version 1, and the limits max_type 0xfffff, max_name_offset 0xffffff and max_vlen 0xffff.',
      'They are BTF_MAGIC, BTF_VERSION, BTF_MAX_TYPE, BTF_MAX_NAME_OFFSET and BTF_MAX_VLEN of Linux 6.18.',
    ],
    picture: word(32, '_:12 max_type:20', 'max_type'),
    source: zigStd('max_type'),
    related: ['zig-btf', 'zig-limits', 'type-id', 'vlen'],
    find: null,
  },
  {
    id: 'zig-kinds',
    says: [
      'Kind is an enum of five bits: unknown is 0, int 1, then all kinds of the kernel in lower case to enum64, 19.',
      'Zig writes typ for type, size_type for the third word, boolean for BOOL, external for extern, and bit and bitfield_size for the parts of a member’s offset.',
    ],
    picture: word(32, 'kind_flag:1 unused_2:2 kind:5 unused_1:8 vlen:16', 'kind'),
    source: zigStd('Kind'),
    related: ['zig-btf', 'kind', 'size-or-type', 'linkage'],
    find: null,
  },
  {
    id: 'zig-values',
    says: [
      'IntInfo.encoding is an enum without 0, so the unsigned int of each C program has no valid value there, and DeclTag.component_idx is u32 where the document has -1.',
      'Enum64.val_lo32 is i32, though a low half has no sign.',
    ],
    picture: word(32, 'reserved_2:4 encoding:4 offset:8 reserved_1:8 bits:8', 'encoding'),
    source: zigStd('IntInfo'),
    related: ['zig-btf', 'int-encoding', 'component-idx', 'kind-enum64'],
    find: typeOf([BtfKind.INT]),
  },
  {
    id: 'zig-limits',
    says: [
      'kind is u5, max_vlen 0xffff and Header 24 bytes, so the format of 2026 does not fit: 7 bits of kind, 24 bits of vlen, a header of 32 bytes.',
      'Its comments give kind_flag to Struct, Union and Fwd only, and size not to Float and Enum64.',
    ],
    picture: word(32, 'kind_flag:1 kind:7 vlen:24', 'kind'),
    source: zigStd('Kind'),
    related: ['zig-btf', 'info-wide', 'kind-flag'],
    find: null,
  },
];
