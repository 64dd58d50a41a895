/**
 * One minimal blob for each rule of kernel/bpf/btf.c. It breaks that rule, and none that the kernel
 * checks earlier.
 */
import {
  BLOB_RULES,
  type KernelRule,
  META_RULES,
  REFERENCE_RULES,
} from '#analysis/kernel/rules.ts';
import { u32 } from './assemble.ts';
import { type BtfSpec, btfBlob } from './btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  enum64,
  enumeration,
  float,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  record,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
  variable,
} from './btf-types.ts';

const char = int('char', 1);
const word = int('int', 4);
const member = (type: number, bitOffset = 0, name = 'm') => ({ name, type, bitOffset });
const field = (type: number, bitOffset: number, bitfieldSize: number) => ({
  name: 'm',
  type,
  bitOffset,
  bitfieldSize,
});
/** Types other than INT that consist of whole bytes. Type 1 must be an INT. */
const wholes = [array(1, 1, 1), struct('w', 4, []), enumeration('e', []), ptr(0)];
const chain = (count: number, from: number): TypeRecord[] =>
  Array.from({ length: count }, (_, i) => modifier('const', from + i + 1));

/**
 * Rule, records that break the rule (from type 1), and the type and offset in the kernel's verdict.
 */
type RuleBlob = readonly [
  rule: KernelRule,
  types: readonly TypeRecord[],
  typeId: number,
  at: number,
];

export const metaBlobs: readonly RuleBlob[] = [
  [META_RULES.info, [record(1, { vlen: 0x10000, name: 'i' })], 1, 4],
  [META_RULES.kind, [word, record(25)], 2, 7],
  [META_RULES.kind, [record(0)], 1, 7],
  [META_RULES.nameOffset, [typedef(999, 0)], 1, 0],
  [META_RULES.nameOffset, [enumeration('e', [[999, 0]])], 1, 12],
  [META_RULES.nameOffset, [enum64('e', [[999, 0n]])], 1, 12],
  [META_RULES.vlen, [record(2, { vlen: 3 })], 1, 4],
  [META_RULES.vlen, [{ ...word, vlen: 1 }], 1, 4],
  [META_RULES.vlen, [{ ...fwd('f'), vlen: 1 }], 1, 4],
  [META_RULES.vlen, [{ ...array(2, 2, 1), vlen: 1 }, word], 1, 4],
  [META_RULES.vlen, [{ ...variable('v', 2), vlen: 1 }, word], 1, 4],
  [META_RULES.vlen, [{ ...float('f', 4), vlen: 1 }], 1, 4],
  [META_RULES.vlen, [{ ...declTag('t', 2), vlen: 1 }, typedef('t', 0)], 1, 4],
  [META_RULES.kindFlag, [record(10, { kindFlag: true })], 1, 7],
  ...[
    word,
    array(2, 2, 1),
    func('f', 2),
    funcProto(0),
    variable('v', 2),
    datasec('.bss', 4, []),
    float('f', 4),
  ].map((type): RuleBlob => [META_RULES.kindFlag, [{ ...type, kindFlag: true }, word], 1, 7]),
  [META_RULES.intData, [int('i', 4, { encoding: 0x10 })], 1, 12],
  [META_RULES.intBits, [int('i', 16, { bits: 128, bitOffset: 1 })], 1, 12],
  [META_RULES.intSize, [int('i', 1, { bits: 9 })], 1, 8],
  [META_RULES.encoding, [int('i', 1, { encoding: 3 })], 1, 12],
  [META_RULES.typeId, [ptr(0x100000)], 1, 8],
  [META_RULES.typeId, [variable('v', 0)], 1, 8],
  [META_RULES.typeId, [word, struct('s', 4, [member(0)])], 2, 16],
  [META_RULES.typeId, [datasec('.bss', 4, [[0, 0, 4]])], 1, 12],
  [META_RULES.identifier, [typedef('', 0)], 1, 0],
  [META_RULES.identifier, [typedef('9', 0)], 1, 0],
  [META_RULES.identifier, [typedef('x'.repeat(513), 0)], 1, 0],
  [META_RULES.identifier, [fwd('a b')], 1, 0],
  [META_RULES.identifier, [word, struct('s', 4, [member(1, 0, 'a-b')])], 2, 12],
  [META_RULES.identifier, [enumeration('e', [['', 0]])], 1, 12],
  [META_RULES.identifier, [enumeration('1', [])], 1, 0],
  [META_RULES.identifier, [enum64('e', [['', 0n]])], 1, 12],
  [META_RULES.identifier, [func('', 2), funcProto(0)], 1, 0],
  [META_RULES.identifier, [variable('', 2), word], 1, 0],
  [META_RULES.noName, [record(2, { name: 'p' })], 1, 0],
  [META_RULES.noName, [{ ...array(2, 2, 1), name: 'a' }, word], 1, 0],
  [META_RULES.noName, [{ ...funcProto(0), name: 'f' }], 1, 0],
  [META_RULES.tagText, [typeTag('', 0)], 1, 0],
  [META_RULES.sectionName, [datasec('.a\t', 4, [])], 1, 0],
  [META_RULES.sectionName, [datasec('', 4, [])], 1, 0],
  [META_RULES.fwdType, [record(7, { name: 'f', sizeOrType: 1 })], 1, 8],
  [META_RULES.arraySize, [{ ...array(2, 2, 1), sizeOrType: 4 }, word], 1, 8],
  [META_RULES.arrayElem, [array(0, 2, 1), word], 1, 12],
  [META_RULES.arrayIndex, [array(2, 0, 1), word], 1, 16],
  [META_RULES.memberNameOffset, [word, struct('s', 4, [{ ...member(1), name: 999 }])], 2, 12],
  [META_RULES.memberOrder, [word, union('u', 8, [member(1, 32)])], 2, 20],
  [META_RULES.memberOrder, [word, struct('s', 8, [member(1, 32), member(1, 0)])], 2, 32],
  [META_RULES.memberOffset, [word, struct('s', 4, [member(1, 33)])], 2, 20],
  [META_RULES.enumSize, [enumeration('e', [], { size: 0 })], 1, 8],
  [META_RULES.enumSize, [enum64('e', [], { size: 16 })], 1, 8],
  [META_RULES.funcLinkage, [func('f', 2, 2), funcProto(0)], 1, 4],
  [META_RULES.varLinkage, [variable('v', 2, 2), word], 1, 12],
  [META_RULES.datasecSize, [word, variable('v', 1), datasec('.bss', 0, [[2, 0, 4]])], 3, 8],
  [META_RULES.varOffset, [word, variable('v', 1), datasec('.bss', 4, [[2, 4, 4]])], 3, 16],
  [META_RULES.varSize, [word, variable('v', 1), datasec('.bss', 4, [[2, 0, 5]])], 3, 20],
  [META_RULES.varEnd, [word, variable('v', 1), datasec('.bss', 8, [[2, 5, 4]])], 3, 20],
  [
    META_RULES.datasecSum,
    [
      word,
      variable('v', 1),
      // The sizes overflow the kernel's 32-bit sum: 2^31 + 2^31 is 0.
      datasec('.bss', 0xffffffff, [
        [2, 0x80000000, 0x80000000],
        [2, 0x80000000, 0x80000000],
      ]),
    ],
    3,
    8,
  ],
  [META_RULES.floatSize, [float('f', 1)], 1, 8],
  [META_RULES.tagValue, [declTag('', 2), typedef('t', 0)], 1, 0],
  [META_RULES.tagComponent, [declTag('t', 2, -2), typedef('t', 0)], 1, 12],
  ...[1, 3, 14, 17].map((kind): RuleBlob => [META_RULES.metaLeft, [word, record(kind)], 2, 0]),
  ...[4, 6, 13, 15, 19].map(
    (kind): RuleBlob => [META_RULES.metaLeft, [word, record(kind, { vlen: 9 })], 2, 0],
  ),
];

export const referenceBlobs: readonly RuleBlob[] = [
  [REFERENCE_RULES.depth, [...chain(33, 1), word], 1, 0],
  [REFERENCE_RULES.loop, [ptr(2), ptr(1)], 1, 0],
  [REFERENCE_RULES.loop, [struct('s', 4, [member(1)])], 1, 0],
  [REFERENCE_RULES.loop, [typedef('t', 2), struct('s', 4, [member(1)])], 1, 0],
  [REFERENCE_RULES.typeId, [ptr(9)], 1, 8],
  [REFERENCE_RULES.typeId, [typedef('t', 9)], 1, 8],
  [REFERENCE_RULES.typeId, [variable('v', 9)], 1, 8],
  [REFERENCE_RULES.typeId, [ptr(2), variable('v', 3), word], 1, 8],
  [REFERENCE_RULES.typeId, [ptr(2), func('f', 3), funcProto(0)], 1, 8],
  [REFERENCE_RULES.varType, [variable('v', 2), fwd('f')], 1, 8],
  [REFERENCE_RULES.funcType, [func('f', 2), word], 1, 8],
  [REFERENCE_RULES.tagTarget, [declTag('t', 2), word], 1, 8],
  [REFERENCE_RULES.tagComponent, [declTag('t', 2, 0), typedef('t', 0)], 1, 12],
  [REFERENCE_RULES.tagComponent, [word, struct('s', 4, [member(1)]), declTag('t', 2, 1)], 3, 12],
  [REFERENCE_RULES.arrayElem, [array(2, 3, 1), fwd('f'), word], 1, 12],
  [REFERENCE_RULES.arrayIndex, [array(2, 3, 1), word, enumeration('e', [])], 1, 16],
  [REFERENCE_RULES.arrayInt, [array(2, 3, 1), int('b', 1, { bits: 3 }), word], 1, 12],
  [REFERENCE_RULES.arraySize, [array(2, 2, 0x40000000), word], 1, 20],
  [REFERENCE_RULES.member, [struct('s', 4, [member(2)]), fwd('f')], 1, 16],
  [REFERENCE_RULES.member, [struct('s', 4, [member(2)]), modifier('const', 3), fwd('f')], 1, 16],
  [
    REFERENCE_RULES.member,
    [struct('s', 4, [field(2, 0, 0)]), modifier('const', 3), fwd('f')],
    1,
    16,
  ],
  [
    REFERENCE_RULES.memberOffset32,
    [int('i', 2, { bits: 8, bitOffset: 8 }), struct('s', 0xffffffff, [member(1, 0xffffffff)])],
    2,
    20,
  ],
  [REFERENCE_RULES.memberCopyBits, [int('i', 16), struct('s', 64, [member(1, 4)])], 2, 20],
  [REFERENCE_RULES.memberCopyBits, [int('i', 16), struct('s', 64, [field(1, 4, 125)])], 2, 20],
  [REFERENCE_RULES.memberEnd, [word, struct('s', 3, [member(1)])], 2, 20],
  [REFERENCE_RULES.memberEnd, [ptr(0), struct('s', 15, [member(1, 64)])], 2, 20],
  [REFERENCE_RULES.memberEnd, [word, struct('s', 3, [field(1, 0, 32)])], 2, 20],
  ...wholes.map(
    (type): RuleBlob => [
      REFERENCE_RULES.memberEnd,
      [word, type, struct('s', 3, [member(2)])],
      3,
      20,
    ],
  ),
  [REFERENCE_RULES.memberEnd, [float('f', 8), struct('s', 4, [member(1)])], 2, 20],
  [REFERENCE_RULES.memberEnd, [enumeration('e', []), struct('s', 3, [field(1, 0, 32)])], 2, 20],
  [REFERENCE_RULES.memberByte, [ptr(0), struct('s', 64, [member(1, 4)])], 2, 20],
  ...wholes.map(
    (type): RuleBlob => [
      REFERENCE_RULES.memberByte,
      [word, type, struct('s', 64, [member(2, 4)])],
      3,
      20,
    ],
  ),
  [REFERENCE_RULES.memberByte, [enumeration('e', []), struct('s', 8, [field(1, 4, 0)])], 2, 20],
  [REFERENCE_RULES.memberAligned, [float('f', 12), struct('s', 64, [member(1, 32)])], 2, 20],
  [REFERENCE_RULES.memberBase, [int('i', 4, { bits: 5 }), struct('s', 4, [field(1, 0, 2)])], 2, 20],
  [REFERENCE_RULES.memberWidth, [ptr(0), struct('s', 8, [field(1, 0, 2)])], 2, 20],
  [REFERENCE_RULES.memberWidth, [char, struct('s', 4, [field(1, 0, 9)])], 2, 20],
  [REFERENCE_RULES.memberWidth, [enumeration('e', []), struct('s', 8, [field(1, 0, 33)])], 2, 20],
  [REFERENCE_RULES.memberBoundary, [char, struct('s', 4, [field(1, 3, 0)])], 2, 20],
  [REFERENCE_RULES.notVar, [word, datasec('.bss', 4, [[1, 0, 4]])], 2, 12],
  [REFERENCE_RULES.varSize, [word, variable('v', 1), datasec('.bss', 4, [[2, 0, 3]])], 3, 20],
  [REFERENCE_RULES.returnType, [funcProto(2), fwd('f')], 1, 8],
  [REFERENCE_RULES.arg, [funcProto(0, [['a', 9]])], 1, 16],
  [REFERENCE_RULES.arg, [funcProto(0, [['1', 2]]), word], 1, 12],
  [REFERENCE_RULES.arg, [funcProto(0, [['a', 0]])], 1, 12],
  [REFERENCE_RULES.tagOrder, [modifier('const', 2), typeTag('t', 0)], 1, 8],
  [REFERENCE_RULES.tagChain, [ptr(20), ...chain(38, 2), word], 2, 0],
];

/** Rule on the header or the whole blob, blob that breaks the rule, and offset in the verdict. */
export const headerBlobs: readonly (readonly [rule: KernelRule, spec: BtfSpec, at: number])[] = [
  [BLOB_RULES.headerCut, { types: [word], header: { hdrLen: 999 } }, 4],
  [
    BLOB_RULES.headerTail,
    { types: [word], headerLength: 32, header: { layoutOff: 0x01010101 } },
    24,
  ],
  [BLOB_RULES.version, { types: [word], header: { version: 2 } }, 2],
  [BLOB_RULES.flags, { types: [word], header: { flags: 1 } }, 3],
  [BLOB_RULES.sectionOffset, { types: [word], header: { strOff: 999 } }, 16],
  [BLOB_RULES.sectionGap, { types: [word], header: { typeLen: 12 } }, 16],
  [BLOB_RULES.sectionOverlap, { types: [word], header: { strOff: 12 } }, 16],
  [BLOB_RULES.sectionTotal, { types: [word], header: { strLen: 6 } }, 20],
  [BLOB_RULES.strings, { types: [int(0, 4)], strings: new Uint8Array([0, 65]) }, 41],
  [
    BLOB_RULES.typesAligned,
    { types: [], strings: new Uint8Array(2), header: { typeOff: 2, strOff: 0 } },
    8,
  ],
  [BLOB_RULES.noTypes, { types: [] }, 12],
];

const sound = btfBlob({ types: [word, ptr(1)] }).bytes;

/** Rule, description and blob, for rules that do not fit the two lists above. */
export const wholeBlobs: readonly (readonly [rule: KernelRule, what: string, bytes: Uint8Array])[] =
  [
    [BLOB_RULES.blobSize, 'over 16 MiB', new Uint8Array(16 * 1024 * 1024 + 1)],
    [BLOB_RULES.hdrLenMissing, 'of 7 bytes', sound.subarray(0, 7)],
    [BLOB_RULES.magic, 'of zeros', new Uint8Array(64)],
    [BLOB_RULES.noData, 'of a header', sound.subarray(0, 24)],
    [
      BLOB_RULES.stringsLast,
      'with its strings in front of its types',
      btfBlob({
        types: [],
        strings: new Uint8Array(20),
        header: { typeOff: 4, typeLen: 16, strOff: 0, strLen: 4 },
      }).bytes,
    ],
    [
      META_RULES.metaLeft,
      'with 4 bytes behind its last type',
      btfBlob({ types: [word, { ...typedef('t', 1), tail: () => [u32(1)] }] }).bytes,
    ],
    [
      REFERENCE_RULES.argName,
      'with a FUNC whose argument has no name',
      btfBlob({ types: [word, funcProto(0, [['', 1]]), func('f', 2)] }).bytes,
    ],
  ];
