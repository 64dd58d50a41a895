/**
 * The rules of kernel/bpf/btf.c of Linux 6.18 for a BTF blob: log line, error number, sentence.
 * Words are from the kernel's logs, except for rules that no blob can break.
 */
import { BtfKind, RELEASED_KIND_MAX } from '#formats/btf/kinds.ts';
import type { Errno } from './verdict.ts';

export type KernelRule = {
  /** Constant part of the kernel's log line; empty if the kernel logs no line. */
  readonly word: string;
  readonly errno: Errno;
  readonly rule: string;
  /** True if neither the log line nor the one before it names the type. */
  readonly unnamed?: true;
};

const rule = (word: string, text: string, errno: Errno = 'EINVAL'): KernelRule => ({
  word,
  errno,
  rule: text,
});

/** Returns a rule whose log line does not name the type. */
const unnamed = (word: string, text: string, errno: Errno = 'EINVAL'): KernelRule => ({
  ...rule(word, text, errno),
  unnamed: true,
});

/** Returns a rule for which the kernel logs no line. */
const silent = (text: string, errno?: Errno): KernelRule => unnamed('', text, errno);

/** Differences between the kernels for which verdicts are given. */
export type KernelVersion = {
  readonly name: string;
  readonly kindMax: number;
  /** Size of `struct btf_header` in bytes. */
  readonly headerSize: 24 | 32;
  /** Bits of `info` that this kernel allows. */
  readonly infoMask: number;
};

export const LINUX_6_18: KernelVersion = {
  name: 'Linux 6.18',
  kindMax: RELEASED_KIND_MAX,
  headerSize: 24,
  infoMask: 0x9f00ffff,
};

/** bpf-next of September 2026 (commit a3df1140): location kinds, layout section, 24-bit vlen. */
export const BPF_NEXT: KernelVersion = {
  name: 'bpf-next',
  kindMax: BtfKind.LOCSEC,
  headerSize: 32,
  infoMask: 0xffffffff,
};

/** Rules for the blob as a whole. */
export const BLOB_RULES = {
  blobSize: rule('', 'A BTF blob has at most 16 MiB.', 'E2BIG'),
  hdrLenMissing: rule('hdr_len not found', 'A blob has at least the 8 bytes up to hdr_len.'),
  headerCut: rule('btf_header not found', 'hdr_len is at most the size of the blob.'),
  headerTail: rule(
    'Unsupported btf_header',
    'Bytes of the header after the 24 that the kernel supports are zero.',
    'E2BIG',
  ),
  magic: rule('Invalid magic', 'The magic number is 0xeb9f in the byte order of the machine.'),
  version: rule('Unsupported version', 'The version is 1.', 'ENOTSUPP'),
  flags: rule('Unsupported flags', 'The flags of the header are 0.', 'ENOTSUPP'),
  noData: rule('No data', 'Something follows the header.'),
  sectionOffset: rule('Invalid section offset', 'Each section begins inside the blob.'),
  sectionGap: rule(
    'Unsupported section found',
    'Types and strings fill all that follows the header, without a gap.',
  ),
  sectionOverlap: rule('Section overlap found', 'Types and strings do not overlap.'),
  sectionTotal: rule(
    'Total section length too long',
    'Types and strings together end where the blob ends.',
  ),
  stringsLast: rule('String section is not at the end', 'The strings are the last section.'),
  strings: rule(
    'Invalid string section',
    'The strings have 1 to 16,777,216 bytes and begin and end with NUL.',
  ),
  typesAligned: rule('Unaligned type_off', 'The types begin at a multiple of 4 behind the header.'),
  noTypes: rule('No type found', 'There is at least one type.'),
  tooManyTypes: rule('Too many types', 'A blob has at most 1,048,573 types.', 'E2BIG'),
} as const;

/** Rules of the first pass, which checks each record alone. */
export const META_RULES = {
  metaLeft: rule('meta_left', 'A record ends inside the type section.'),
  info: rule(
    'Invalid btf_info',
    'Bits 16 to 23, 29 and 30 of info are 0: vlen has 16 bits, the kind 5.',
  ),
  kind: rule('Invalid kind', 'The kind is 1 to 19.'),
  nameOffset: rule('Invalid name_offset', 'A name offset lies inside the strings.'),
  vlen: rule('vlen != 0', 'vlen is 0 for this kind.'),
  kindFlag: rule('Invalid btf_info kind_flag', 'kind_flag is 0 for this kind.'),
  intData: rule('Invalid int_data', 'The top 4 bits of the data word of an INT are 0.'),
  intBits: rule('nr_bits exceeds', 'Offset and width of an INT add up to at most 128 bits.'),
  intSize: rule('nr_bits exceeds type_size', 'The bits of an INT fit into its size.'),
  encoding: rule(
    'Unsupported encoding',
    'The encoding of an INT is none, SIGNED, CHAR or BOOL, one at a time.',
    'ENOTSUPP',
  ),
  typeId: rule(
    'Invalid type_id',
    'A type id is at most 1,048,575, and not void where a size is needed.',
  ),
  identifier: rule(
    'Invalid name',
    'The name is an identifier of at most 512 characters: letters, digits, _ and dots, no digit first.',
  ),
  noName: rule('Invalid name', 'This kind has no name.'),
  tagText: rule('Invalid name', 'The text of a TYPE_TAG is not empty.'),
  sectionName: rule(
    'Invalid name',
    'The name of a DATASEC is printable, not empty, and has at most 512 characters.',
  ),
  fwdType: rule('type != 0', 'The type word of a FWD is 0.'),
  arraySize: rule('size != 0', 'The size word of an ARRAY is 0.'),
  arrayElem: rule('Invalid elem', 'The element type of an ARRAY is not void.'),
  arrayIndex: rule('Invalid index', 'The index type of an ARRAY is not void.'),
  memberNameOffset: rule(
    'Invalid member name_offset',
    'The name offset of a member lies inside the strings.',
  ),
  memberOrder: rule(
    'Invalid member bits_offset',
    'Members of a union begin at bit 0, those of a struct in ascending order.',
  ),
  memberOffset: rule(
    'Member bits_offset exceeds its struct size',
    'A member begins inside its struct or at its end.',
  ),
  enumSize: rule('Unexpected size', 'The size of an enum is 1, 2, 4 or 8.'),
  funcLinkage: rule(
    'Invalid func linkage',
    'The linkage of a FUNC is 0 (static) or 1 (global); the loader rewrites extern ones.',
  ),
  varLinkage: rule(
    'Linkage not supported',
    'The linkage of a VAR is 0 (static) or 1 (global); the loader rewrites extern ones.',
  ),
  datasecSize: rule('size == 0', 'A DATASEC has a size; the loader fills it in.'),
  datasecSum: rule('Invalid btf_info size', 'The variables of a DATASEC fit into its size.'),
  varOffset: rule(
    'Invalid offset',
    'A variable begins inside its DATASEC and not before the end of the previous one.',
  ),
  varSize: rule('Invalid size', 'A variable has a size, at most that of its DATASEC.'),
  varEnd: rule('Invalid offset+size', 'A variable ends inside its DATASEC.'),
  floatSize: rule('Invalid type_size', 'The size of a FLOAT is 2, 4, 8, 12 or 16.'),
  tagValue: rule('Invalid value', 'The text of a DECL_TAG is not empty.'),
  tagComponent: rule('Invalid component_idx', 'component_idx of a DECL_TAG is at least -1.'),
} as const;

/** Rules of the second pass (references between records) and the third pass (type tags). */
export const REFERENCE_RULES = {
  depth: rule(
    'Exceeded max resolving depth',
    'At most 32 unresolved types are on one path.',
    'E2BIG',
  ),
  loop: rule(
    'Loop detected',
    'A type does not contain itself by value, nor through pointers alone.',
    'EEXIST',
  ),
  typeId: rule(
    'Invalid type_id',
    'The referenced type exists and is not a VAR, DATASEC or DECL_TAG.',
  ),
  varType: rule('Invalid type_id', 'The type of a VAR has a size.'),
  funcType: rule('Invalid type_id', 'A FUNC refers to a FUNC_PROTO.'),
  tagTarget: rule(
    'Invalid type_id',
    'A DECL_TAG is on a struct, union, function, variable or typedef.',
  ),
  tagComponent: rule(
    'Invalid component_idx',
    'component_idx of a DECL_TAG is the number of a member or argument that exists; variables and typedefs have none.',
  ),
  arrayElem: rule('Invalid elem', 'The element type of an ARRAY exists and has a size.'),
  arrayIndex: rule(
    'Invalid index',
    'The index type of an ARRAY is an INT of 8, 16, 32, 64 or 128 bits without offset.',
  ),
  arrayInt: rule(
    'Invalid array of int',
    'An INT in an ARRAY has 8, 16, 32, 64 or 128 bits and no offset.',
  ),
  arraySize: rule('Array size overflows U32_MAX', 'An ARRAY has at most 4,294,967,295 bytes.'),
  member: rule('Invalid member', 'The type of a member exists and has a size.'),
  memberOffset32: rule('bits_offset exceeds U32_MAX', 'The bit offset of a member fits 32 bits.'),
  memberCopyBits: rule(
    'nr_copy_bits exceeds',
    'An INT member and the bits in front of it in its first byte have at most 128 bits.',
  ),
  memberEnd: rule('Member exceeds struct_size', 'A member ends inside its struct.'),
  memberByte: rule(
    'Member is not byte aligned',
    'Only an INT or a bit-field begins inside a byte.',
  ),
  memberAligned: rule(
    'Member is not properly aligned',
    'A FLOAT member is aligned to its size, at most 8 bytes.',
  ),
  memberBase: rule(
    'Invalid member base type',
    'An INT member of a struct with kind_flag has 8, 16, 32, 64 or 128 bits and no offset.',
  ),
  memberWidth: rule(
    'Invalid member bitfield_size',
    'A bit-field is an INT or enum and no wider than that (an enum: 32 bits).',
  ),
  memberBoundary: rule(
    'Invalid member offset',
    'An INT member that is no bit-field begins at a byte.',
  ),
  notVar: rule('Not a VAR kind member', 'What a DATASEC lists are VARs.'),
  varSize: rule('Invalid size', 'A variable takes at least the size of its type.'),
  returnType: rule(
    'Invalid return type',
    'A function returns void or a type that exists and has a size.',
  ),
  arg: rule(
    'Invalid arg#',
    'An argument has a type with a size; its name, if any, is an identifier. Only a last one without a name may be void.',
  ),
  argName: rule('Invalid arg#', 'All arguments of a FUNC have names.'),
  tagOrder: unnamed(
    "Type tags don't precede modifiers",
    'TYPE_TAGs come before all other modifiers of a type.',
  ),
  tagChain: unnamed(
    'Max chain length or cycle detected',
    'At most 32 modifiers follow each other.',
    'ELOOP',
  ),
} as const;

/** Rules for the location kinds, which bpf-next has. */
export const LOCATION_RULES = {
  size: rule('Unexpected size', 'A LOC_PARAM describes a parameter of 1 to 16 bytes.'),
  vlen: rule('Invalid vlen', 'A LOC_PARAM has as many words as its flags and its size ask for.'),
  flags: rule(
    'Invalid flags',
    'The flags of a LOC_PARAM are those of a constant, an address, a register or a load.',
  ),
  func: rule('Invalid func', 'A site of a LOCSEC names a function: an id of 1 to 1,048,575.'),
  proto: rule(
    'Invalid loc_proto',
    'A site of a LOCSEC names a LOC_PROTO: an id of 1 to 1,048,575.',
  ),
  protoType: rule('Invalid loc_proto type', 'The type word of a LOC_PROTO is 0.'),
  protoParam: rule('Invalid loc_param#', 'An entry of a LOC_PROTO is a LOC_PARAM or 0.'),
  sectionType: rule('Invalid locsec type', 'The type word of a LOCSEC is 0.'),
  siteFunc: rule('Invalid func#', 'The function of a site is a FUNC with a FUNC_PROTO.'),
  siteProto: rule('Invalid loc_proto#', 'The locations of a site are a LOC_PROTO.'),
  siteLength: rule(
    'Mismatched vlen for loc_proto#',
    'A LOC_PROTO has as many entries as the function has arguments.',
  ),
} as const;

/** Rules for special fields of structs; the kernel logs no line. Source: btf_parse_struct_metas. */
export const FIELD_RULES = {
  bits: silent('A member of a struct with special fields begins at a byte.'),
  unique: silent('A struct has one bpf_spin_lock and one bpf_res_spin_lock.', 'E2BIG'),
  count: silent('A struct has at most 11 special fields, those of its members included.', 'E2BIG'),
  depth: silent('Special fields are at most 31 structs or 31 arrays deep.', 'E2BIG'),
  repeated: silent(
    'Of the special fields only kptrs, bpf_list_head and bpf_rb_root are in arrays.',
  ),
  tags: silent('The pointer of a kptr has one TYPE_TAG.'),
  tagName: silent(
    'A TYPE_TAG behind a pointer in a struct with special fields is kptr, kptr_untrusted, percpu_kptr or uptr.',
  ),
  kptrTarget: silent('A kptr points to a struct that is defined.'),
  destructor: silent('A kptr to a struct of the kernel is to one with a destructor.', 'ENOENT'),
  contains: silent(
    'A bpf_list_head or bpf_rb_root has one DECL_TAG of the form contains:TYPE:NODE.',
  ),
  containsType: silent('The struct that contains: names exists.', 'ENOENT'),
  end: silent('A special field ends inside its struct.', 'EFAULT'),
  overlap: silent('Special fields do not overlap.', 'EEXIST'),
  node: silent(
    'The node that contains: names is one member: a bpf_list_node of a list, a bpf_rb_node of a tree, aligned to 8 bytes.',
  ),
  nodeMissing: silent('The member that contains: names exists.', 'ENOENT'),
  bothLocks: silent('A struct has a bpf_spin_lock or a bpf_res_spin_lock, not both.'),
  noLock: silent('A struct with a bpf_list_head or bpf_rb_root has a lock.'),
  noRefcount: silent('A struct with a bpf_list_node and a bpf_rb_node has a bpf_refcount.'),
  none: silent(
    'A struct with a member of a special type has at least one with the size and alignment of the kernel.',
    'EFAULT',
  ),
  owned: silent('What contains: names is a struct with special fields.', 'EFAULT'),
  cycle: silent(
    'A struct that is in a list or tree and has one itself does not contain structs that have one.',
    'ELOOP',
  ),
} as const;

/** Rules for special fields of map values, without a log line. Source: syscall.c, map_check_btf. */
export const MAP_RULES = {
  oneWay: silent('Programs may read and write a map with special fields.', 'EACCES'),
  mapType: silent('The type of the map supports each special field in its value.', 'EOPNOTSUPP'),
  uptrKernel: silent('A uptr points to no struct of the kernel.'),
  uptrEmpty: silent('A uptr points to a struct that has a size.'),
  uptrSize: silent('A uptr points to a struct of at most 4,096 bytes.', 'E2BIG'),
} as const;
