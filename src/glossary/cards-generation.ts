/** Terms of how BTF is made and tested, and of what it was in 2019. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { sectionNamed } from './find-objects.ts';
import { COMPOSITES, recordBytes, typeOf } from './find-types.ts';
import { bytes, flow, record, word } from './picture.ts';
import { btf2019, btfKind, btfRst, commit9d5f, kernelBpf } from './sources.ts';
import type { TermCard } from './term.ts';

const GENERATION = kernelBpf('BPF Type Format (BTF)', '6 BTF Generation', 'btf');
const TYPES_2019 = btf2019('2.2 Type Encoding');

export const GENERATION_CARDS: readonly TermCard[] = [
  {
    id: 'btf-generation',
    says: [
      'LLVM 8 and later write .BTF and .BTF.ext with -g, for the BPF target only; pahole converts DWARF to BTF, as for a kernel.',
      'The pahole of 2019 wrote neither .BTF.ext nor FUNC records; later versions write FUNCs.',
    ],
    picture: flow(['clang -g --target=bpf', '.BTF', '.BTF.ext'], 0),
    source: GENERATION,
    related: ['pahole-jv', 'clang-asm', 'btf-ext'],
    find: sectionNamed('.BTF'),
  },
  {
    id: 'pahole-jv',
    says: [
      'pahole -J adds .BTF to an object with DWARF; -V prints each record: kind, name, kind_flag, size, vlen, and below it the members.',
      'A member has type_id, bitfield_size and bits_offset, the same numbers as in btfscope raw.',
    ],
    picture: flow(['DWARF', 'pahole -J', '.BTF'], 1),
    source: GENERATION,
    related: ['btf-generation', 'member', 'bitfield-size'],
    find: typeOf([BtfKind.STRUCT]),
  },
  {
    id: 'clang-asm',
    says: [
      'clang -S writes BTF as assembly: .short 60319 is the magic, then one .long for each word, with the kind and id of each record in a comment.',
      'The strings follow as .ascii, each with its offset.',
    ],
    picture: bytes('9f eb 01 00 18 00 00 00', 0, 2, '.short 60319, 0xeb9f'),
    source: GENERATION,
    related: ['btf-generation', 'magic', 'string-section'],
    find: null,
  },
  {
    id: 'llvm-variables',
    says: [
      'By the document LLVM writes a VAR for static variables, and for global ones that have a section attribute, such as that of SEC.',
      'The clang of today writes one for each global variable, as the DATASECs .data and .bss of an object show, and for each extern that is used.',
    ],
    picture: record('struct btf_var', 'linkage:4', 'linkage'),
    source: btfKind(14, 'VAR'),
    related: ['kind-var', 'var-linkage', 'maps-section'],
    find: typeOf([BtfKind.VAR]),
  },
  {
    id: 'var-linkage',
    says: [
      'The linkage of a VAR: BTF_VAR_STATIC is 0, BTF_VAR_GLOBAL_ALLOCATED is 1, and BTF_VAR_GLOBAL_EXTERN is 2 for a variable that is defined elsewhere.',
      'The kernel accepts 0 and 1; libbpf makes an extern global before it loads the BTF.',
    ],
    picture: record('struct btf_var', 'linkage:4', 'linkage'),
    source: btfRst('2.3.2 Variable Linkage Constant Values', 'variable-linkage-constant-values'),
    related: ['linkage', 'kind-var', 'llvm-variables'],
    find: recordBytes([BtfKind.VAR], 12, 4),
  },
  {
    id: 'enum-sign',
    says: [
      'A signed value of an ENUM of less than 4 bytes is sign-extended to 4, and one of 8 bytes is cut to 4.',
      'A signed value of an ENUM64 of less than 8 bytes is sign-extended to 8, over val_lo32 and val_hi32.',
    ],
    picture: bytes('ff ff ff ff', 0, 4, '-1 of an enum of one byte'),
    source: btfKind(19, 'ENUM64'),
    related: ['kind-enum', 'kind-enum64', 'enumerator'],
    find: typeOf([BtfKind.ENUM, BtfKind.ENUM64]),
  },
  {
    id: 'int-offset',
    says: [
      'The bit at which the value of an INT begins: a member at bit 100 of an INT with BTF_INT_OFFSET 2 and 4 bits has bits 102 to 105, as has one at bit 102 with offset 0.',
      'It was meant to encode bit-fields in more than one form; LLVM and pahole always write 0.',
    ],
    picture: word(32, '_:4 encoding:4 offset:8 _:8 bits:8', 'offset'),
    source: btfKind(1, 'INT'),
    related: ['int-encoding', 'kflag-members', 'bit-field'],
    find: recordBytes([BtfKind.INT], 12, 4),
  },
  {
    id: 'index-type',
    says: [
      'The type of an array’s index, any regular INT; BTF has it because the array type of DWARF has one.',
      'The kernel verifies that it is an INT, and nothing else uses it.',
    ],
    picture: record('struct btf_array', 'type:4 index_type:4 nelems:4', 'index_type'),
    source: btfKind(3, 'ARRAY'),
    related: ['kind-array', 'nelems'],
    find: recordBytes([BtfKind.ARRAY], 16, 4),
  },
  {
    id: 'kflag-members',
    says: [
      'Commit 9d5f9f701b18 of the kernel added kind_flag: an INT of its own for each width of bit-field kept pahole and LLVM from sharing one INT.',
      'With the flag the member has the width; without it the offset word is only an offset.',
    ],
    picture: word(32, 'bitfield_size:8 bit_offset:24', 'bitfield_size'),
    source: commit9d5f(),
    related: ['kind-flag', 'bitfield-size', 'int-offset'],
    find: recordBytes(COMPOSITES, 4, 4),
  },
  {
    id: 'kbuild-extmod',
    says: [
      'A module built outside the kernel tree, make M=path, has KBUILD_EXTMOD set; kbuild then asks pahole for .BTF.base.',
      'It needs the distilled_base feature, which pahole has from 1.28 on.',
    ],
    picture: flow(['KBUILD_EXTMOD', 'pahole distilled_base', '.BTF.base'], 2),
    source: btfRst('4.4 .BTF.base section', 'btf-base-section'),
    related: ['distilled-base', 'split-btf', 'btf-generation'],
    find: sectionNamed('.BTF.base'),
  },
  {
    id: 'btf-selftests',
    says: [
      'The tests of BTF in the kernel tree: tools/testing/selftests/bpf/prog_tests/btf.c, formerly test_btf.c.',
      'They load hundreds of valid and invalid blobs and compare the kernel’s error and log; Check applies the same rules.',
    ],
    picture: flow(['blob', 'BPF_BTF_LOAD', 'error and log'], 1),
    source: btfRst('7 Testing', 'testing'),
    related: ['btf-load', 'verifier-log'],
    find: null,
  },
  {
    id: 'kinds-2019',
    says: [
      'The document of 2019 has 15 kinds, INT to DATASEC, in a kind of 4 bits: bits 24 to 27 of the info word.',
      'FLOAT, DECL_TAG, TYPE_TAG and ENUM64 came later, and with kind 16 the fifth bit.',
    ],
    picture: word(32, 'kind_flag:1 _:3 kind:4 _:8 vlen:16', 'kind'),
    source: TYPES_2019,
    related: ['kind', 'info', 'info-wide'],
    find: recordBytes([BtfKind.FLOAT, BtfKind.DECL_TAG, BtfKind.TYPE_TAG, BtfKind.ENUM64], 4, 4),
  },
  {
    id: 'enum-2019',
    says: [
      'In 2019 an ENUM had kind_flag 0 and size 4; now the size is 1, 2, 4 or 8 and the flag means signed values.',
      'An old blob has negative values without the flag, so its sign cannot be known.',
    ],
    picture: record('BTF_KIND_ENUM of 2019', 'name_off:4 info:4 size=4:4', 'size=4'),
    source: btf2019('2.2.6 BTF_KIND_ENUM'),
    related: ['kind-enum', 'kind-flag', 'enum-sign'],
    find: typeOf([BtfKind.ENUM]),
  },
  {
    id: 'linkage-2019',
    says: [
      'In 2019 a FUNC had vlen 0, and the linkage of a VAR was 0 for static or 1 for a global variable with a place in the file.',
      'Linkage of FUNC in vlen, and extern, came with BTF_FUNC_EXTERN and BTF_VAR_GLOBAL_EXTERN.',
    ],
    picture: word(32, 'kind_flag:1 _:3 kind:4 _:8 vlen:16', 'vlen'),
    source: btf2019('2.2.12 BTF_KIND_FUNC'),
    related: ['linkage', 'var-linkage', 'kind-func'],
    find: typeOf([BtfKind.FUNC]),
  },
  {
    id: 'kflag-2019',
    says: [
      'In 2019 kind_flag was used by STRUCT, UNION and FWD only.',
      'Since then it is also the sign of ENUM and ENUM64, and with DECL_TAG and TYPE_TAG it means that the name is the attribute.',
    ],
    picture: word(32, 'kind_flag:1 _:3 kind:4 _:8 vlen:16', 'kind_flag'),
    source: TYPES_2019,
    related: ['kind-flag', 'enum-2019', 'kind-decl-tag'],
    find: recordBytes([...COMPOSITES, BtfKind.FWD], 4, 4),
  },
];
