/**
 * The kinds of BTF types: one table of the contents of each record, from which all decoders take
 * strides, names and type ids. Source: include/uapi/linux/btf.h; Documentation/bpf/btf.rst, section
 * 2.2; for kinds 20 to 22 bpf-next of September 2026 (commit 33c5a327). The wide encoding has 24
 * bits of `vlen` and 7 of `kind`; the classic encoding uses the lower 16 and 5 of them.
 */
export const BTF_MAGIC = 0xeb9f;
export const BTF_VERSION = 1;
/** Largest vlen of the encoding before 2026, which has 16 bits for it. */
export const CLASSIC_MAX_VLEN = 0xffff;

export const BtfKind = {
  UNKN: 0,
  INT: 1,
  PTR: 2,
  ARRAY: 3,
  STRUCT: 4,
  UNION: 5,
  ENUM: 6,
  FWD: 7,
  TYPEDEF: 8,
  VOLATILE: 9,
  CONST: 10,
  RESTRICT: 11,
  FUNC: 12,
  FUNC_PROTO: 13,
  VAR: 14,
  DATASEC: 15,
  FLOAT: 16,
  DECL_TAG: 17,
  TYPE_TAG: 18,
  ENUM64: 19,
  LOC_PARAM: 20,
  LOC_PROTO: 21,
  LOCSEC: 22,
} as const;

/** Bits of the encoding of an INT. */
export const IntEncoding = { SIGNED: 1, CHAR: 2, BOOL: 4 } as const;

/** Number of kinds: `kind` has 7 bits. */
export const MAX_KINDS = 128;

/** Role of a type id in a record. */
export type ReferenceRole =
  | 'type'
  | 'member'
  | 'param'
  | 'return'
  | 'element'
  | 'index'
  | 'var'
  | 'target'
  | 'location'
  | 'function'
  | 'locations';

/** Content of a 32-bit field: the offset of a string, the id of a type, or a number. */
type FieldContent =
  | { readonly holds: 'name' | 'u32' | 's32' }
  | { readonly holds: 'type'; readonly role: ReferenceRole };

type BtfField = FieldContent & {
  /** Spelling of include/uapi/linux/btf.h. */
  readonly name: string;
  /** Bytes from the start of the struct. */
  readonly offset: number;
  /** Size in bytes. All fields are words so far. */
  readonly width: 4;
};

/** A struct of the header that follows `struct btf_type`, once or `vlen` times. */
export type BtfStruct<Name extends string = string> = {
  readonly cType: string;
  readonly fields: readonly BtfField[];
  /** Offset of each field in bytes. */
  readonly at: Readonly<Record<Name, number>>;
  /** Size of all fields in bytes. */
  readonly size: number;
};

const name: FieldContent = { holds: 'name' };
const u32: FieldContent = { holds: 'u32' };
const s32: FieldContent = { holds: 's32' };
const type = (role: ReferenceRole): FieldContent => ({ holds: 'type', role });

/** Builds a struct of 4-byte fields in the order of the keys. */
function struct<Name extends string>(
  cType: string,
  contents: Readonly<Record<Name, FieldContent>>,
): BtfStruct<Name> {
  const names = Object.keys(contents) as Name[];
  const fields = names.map((key, i): BtfField => {
    const content: FieldContent = contents[key];
    return { ...content, name: key, offset: 4 * i, width: 4 };
  });
  const at = Object.fromEntries(fields.map((field) => [field.name, field.offset]));
  return { cType, fields, at: at as Record<Name, number>, size: 4 * names.length };
}

export const BTF_ARRAY = struct('struct btf_array', {
  type: type('element'),
  index_type: type('index'),
  nelems: u32,
});
export const BTF_MEMBER = struct('struct btf_member', {
  name_off: name,
  type: type('member'),
  offset: u32,
});
export const BTF_ENUM = struct('struct btf_enum', { name_off: name, val: s32 });
export const BTF_ENUM64 = struct('struct btf_enum64', {
  name_off: name,
  val_lo32: u32,
  val_hi32: u32,
});
export const BTF_PARAM = struct('struct btf_param', { name_off: name, type: type('param') });
export const BTF_VAR_SECINFO = struct('struct btf_var_secinfo', {
  type: type('var'),
  offset: u32,
  size: u32,
});

export const LocFlag = {
  SIGNED: 0x1,
  CONST: 0x2,
  ADDR: 0x4,
  REG: 0x8,
  DEREF: 0x10,
  OFFSET: 0x20,
} as const;

/** A word of a LOC_PARAM: a DWARF register number, or 32 bits of a constant or an offset. */
export const BTF_LOC_VALUE = struct('__u32', { value: u32 });
/** Entry N of a LOC_PROTO is the LOC_PARAM of parameter N; 0 if its location is unknown. */
export const BTF_LOC_PROTO_PARAM = struct('__u32', { type: type('location') });
/** An inlined call. `offset` is in bytes from the start of the section of the LOCSEC. */
export const BTF_LOC_SITE = struct('struct btf_loc', {
  func: type('function'),
  loc_proto: type('locations'),
  offset: u32,
});

type BtfKindSpec = {
  /** The third word of `struct btf_type`: the size in bytes, unused, or the role of a type id. */
  readonly third: 'size' | 'unused' | ReferenceRole;
  /** Meaning of `vlen`. */
  readonly vlen: 'items' | 'linkage' | 'unused';
  /** Struct that follows `struct btf_type` once. */
  readonly fixed: BtfStruct | null;
  /** Struct that follows `vlen` times. */
  readonly item: BtfStruct | null;
};

const plain = { vlen: 'unused', fixed: null, item: null } as const;
const sized: BtfKindSpec = { third: 'size', ...plain };
const reference: BtfKindSpec = { third: 'type', ...plain };
const unused: BtfKindSpec = { third: 'unused', ...plain };
const list = (third: BtfKindSpec['third'], item: BtfStruct): BtfKindSpec => ({
  third,
  vlen: 'items',
  fixed: null,
  item,
});

const KINDS: Readonly<Record<keyof typeof BtfKind, BtfKindSpec>> = {
  UNKN: unused,
  INT: { ...sized, fixed: struct('__u32', { data: u32 }) },
  PTR: reference,
  ARRAY: { ...unused, fixed: BTF_ARRAY },
  STRUCT: list('size', BTF_MEMBER),
  UNION: list('size', BTF_MEMBER),
  ENUM: list('size', BTF_ENUM),
  FWD: unused,
  TYPEDEF: reference,
  VOLATILE: reference,
  CONST: reference,
  RESTRICT: reference,
  FUNC: { ...reference, vlen: 'linkage' },
  FUNC_PROTO: list('return', BTF_PARAM),
  VAR: { ...reference, fixed: struct('struct btf_var', { linkage: u32 }) },
  DATASEC: list('size', BTF_VAR_SECINFO),
  FLOAT: sized,
  DECL_TAG: {
    ...reference,
    third: 'target',
    fixed: struct('struct btf_decl_tag', { component_idx: s32 }),
  },
  TYPE_TAG: reference,
  ENUM64: list('size', BTF_ENUM64),
  LOC_PARAM: { ...list('size', BTF_LOC_VALUE), fixed: struct('__u32', { flags: u32 }) },
  LOC_PROTO: list('unused', BTF_LOC_PROTO_PARAM),
  LOCSEC: list('unused', BTF_LOC_SITE),
};

const NAMES: readonly string[] = Object.keys(BtfKind);
const SPECS: readonly BtfKindSpec[] = Object.values(KINDS);

/** Highest kind that this reader knows. */
export const BTF_KIND_MAX = NAMES.length - 1;

/** Highest kind of Linux 6.18 and libbpf 1.8; bpf-next has had higher kinds since September 2026. */
export const RELEASED_KIND_MAX = BtfKind.ENUM64;

/** True for the kinds that this reader knows; false for 0. */
export function isKnownKind(kind: number): boolean {
  return kind > 0 && kind <= BTF_KIND_MAX;
}

/** Names of `enum btf_func_linkage` by value; variables have the same order. */
export const Linkage = { static: 0, global: 1, extern: 2 } as const;

export const LINKAGE_NAMES: readonly string[] = ['static', 'global', 'extern'];

/** Returns the kind as bpftool prints it: `STRUCT`; an unknown kind is `KIND_23`. */
export function kindName(kind: number): string {
  return NAMES[kind] ?? `KIND_${kind}`;
}

/** Returns the row of `kind`, or null for 0 and unknown kinds. */
export function kindSpec(kind: number): BtfKindSpec | null {
  return kind === 0 ? null : (SPECS[kind] ?? null);
}

/** Size in bytes of `struct btf_type`, the common part of all records. */
export const BTF_TYPE_SIZE = 12;

/** Bytes after `struct btf_type`: `fixed` once, `item` `vlen` times. */
export type KindLayout = { readonly fixed: number; readonly item: number };

const LAYOUTS: readonly KindLayout[] = SPECS.map(({ fixed, item }) => ({
  fixed: fixed?.size ?? 0,
  item: item?.size ?? 0,
}));

/** Returns the layout of `kind`, or null for 0 and unknown kinds. */
export function kindLayout(kind: number): KindLayout | null {
  return kind === 0 ? null : (LAYOUTS[kind] ?? null);
}

/** Returns the role of the type id in the third word; null if that word is not a type id. */
export function thirdWordRole(kind: number): ReferenceRole | null {
  const third = SPECS[kind]?.third ?? 'unused';
  return third === 'size' || third === 'unused' ? null : third;
}

/** True if the third word of a record of `kind` is a size in bytes: of the type, or the parameter of a LOC_PARAM. */
export function hasSize(kind: number): boolean {
  return SPECS[kind]?.third === 'size' && kind !== BtfKind.LOC_PARAM;
}

/** True if `vlen` of a record of `kind` counts items. */
export function hasItems(kind: number): boolean {
  return SPECS[kind]?.vlen === 'items';
}

/** Returns `kind` of an info word: 7 bits. */
export function infoKind(info: number): number {
  return (info >>> 24) & (MAX_KINDS - 1);
}

/** Returns `vlen` of an info word: 24 bits. */
export function infoVlen(info: number): number {
  return info & 0xffffff;
}

/** Returns `kind_flag`, bit 31 of an info word. */
export function infoKindFlag(info: number): boolean {
  return info >>> 31 === 1;
}

export type IntData = {
  /** BTF_INT_ENCODING: bits of `IntEncoding`. */
  readonly encoding: number;
  readonly bitOffset: number;
  /** BTF_INT_BITS. */
  readonly bits: number;
};

/** Decodes the data word of an INT. Source: "BTF Type Format", section 2.2.1. */
export function intDataOf(data: number): IntData {
  return { encoding: (data >>> 24) & 0xf, bitOffset: (data >>> 16) & 0xff, bits: data & 0xff };
}

/** Returns the bits from the start of the struct to a member, by its `offset` word. Source: section 2.2.4. */
export function memberBitOffset(offset: number, kindFlag: boolean): number {
  return kindFlag ? offset & 0xffffff : offset;
}

/** Returns the width of a bit-field in bits, by the member's `offset` word; 0 if the member is not a bit-field. */
export function memberBitSize(offset: number, kindFlag: boolean): number {
  return kindFlag ? offset >>> 24 : 0;
}
