/**
 * The kinds of BTF types, as one table of the fields in each record. All decoders take sizes, names
 * and type ids from the table. Source: include/uapi/linux/btf.h; Documentation/bpf/btf.rst, section
 * 2.2; for kinds 20 to 22 bpf-next of September 2026 (commit 33c5a327). The wide encoding of 2026
 * has 24 bits of `vlen` and 7 bits of `kind`. The classic encoding has 16 and 5 bits.
 */
export const BTF_MAGIC = 0xeb9f;
export const BTF_VERSION = 1;
/** Largest `vlen` of the classic encoding, which has 16 bits for `vlen`. */
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

/** Bits of `encoding` of an INT. */
export const IntEncoding = { SIGNED: 1, CHAR: 2, BOOL: 4 } as const;

/** Number of possible kinds: `kind` has 7 bits. */
export const MAX_KINDS = 128;

/** What a type id in a record refers to. */
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

/** Content of a 32-bit field: an offset of a string, a type id, or a number. */
type FieldContent =
  | { readonly holds: 'name' | 'u32' | 's32' }
  | { readonly holds: 'type'; readonly role: ReferenceRole };

type BtfField = FieldContent & {
  /** Name of the field in include/uapi/linux/btf.h. */
  readonly name: string;
  /** Offset of the field in bytes from the start of the struct. */
  readonly offset: number;
  /** Size of the field in bytes. All known fields have 32 bits. */
  readonly width: 4;
};

/** A struct that follows `struct btf_type` once or `vlen` times. */
export type BtfStruct<Name extends string = string> = {
  readonly cType: string;
  readonly fields: readonly BtfField[];
  /** Offset of each field in bytes from the start of the struct. */
  readonly at: Readonly<Record<Name, number>>;
  /** Size of the struct in bytes. */
  readonly size: number;
};

const name: FieldContent = { holds: 'name' };
const u32: FieldContent = { holds: 'u32' };
const s32: FieldContent = { holds: 's32' };
const type = (role: ReferenceRole): FieldContent => ({ holds: 'type', role });

/** Returns a struct of 32-bit fields in the order of the keys of `fields`. */
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

/** One word of a LOC_PARAM: a DWARF register number, or 32 bits of a constant or an offset. */
export const BTF_LOC_VALUE = struct('__u32', { value: u32 });
/** Parameter of a LOC_PROTO: id of the LOC_PARAM with its location, or 0 if that is unknown. */
export const BTF_LOC_PROTO_PARAM = struct('__u32', { type: type('location') });
/** An inlined call in a LOCSEC. `offset` is in bytes from the start of the code section. */
export const BTF_LOC_SITE = struct('struct btf_loc', {
  func: type('function'),
  loc_proto: type('locations'),
  offset: u32,
});

type BtfKindSpec = {
  /** Content of the third word of `struct btf_type`: the size in bytes, a type id, or nothing. */
  readonly third: 'size' | 'unused' | ReferenceRole;
  /** What `vlen` contains: a number of items, the linkage, or nothing. */
  readonly vlen: 'items' | 'linkage' | 'unused';
  /** Struct that follows `struct btf_type` once; null for none. */
  readonly fixed: BtfStruct | null;
  /** Struct that follows `vlen` times; null for none. */
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

/** Highest kind that btfscope can decode. */
export const BTF_KIND_MAX = NAMES.length - 1;

/** Highest kind of Linux 6.18 and libbpf 1.8. bpf-next has higher kinds since September 2026. */
export const RELEASED_KIND_MAX = BtfKind.ENUM64;

/** Returns true for the kinds that btfscope can decode; false for kind 0. */
export function isKnownKind(kind: number): boolean {
  return kind > 0 && kind <= BTF_KIND_MAX;
}

/** Values of `enum btf_func_linkage`. Variables have the same values. */
export const Linkage = { static: 0, global: 1, extern: 2 } as const;

export const LINKAGE_NAMES: readonly string[] = ['static', 'global', 'extern'];

/** Returns the name of a kind as bpftool prints it: `STRUCT`; `KIND_23` for an unknown kind. */
export function kindName(kind: number): string {
  return NAMES[kind] ?? `KIND_${kind}`;
}

/** Returns the table row of `kind`; null for kind 0 and unknown kinds. */
export function kindSpec(kind: number): BtfKindSpec | null {
  return kind === 0 ? null : (SPECS[kind] ?? null);
}

/** Size in bytes of `struct btf_type`, with which each record begins. */
export const BTF_TYPE_SIZE = 12;

/** Numbers of bytes after `struct btf_type`: `fixed` once, `item` for each of the `vlen` items. */
export type KindLayout = { readonly fixed: number; readonly item: number };

const LAYOUTS: readonly KindLayout[] = SPECS.map(({ fixed, item }) => ({
  fixed: fixed?.size ?? 0,
  item: item?.size ?? 0,
}));

/** Returns the sizes of the parts of a record of `kind`; null for kind 0 and unknown kinds. */
export function kindLayout(kind: number): KindLayout | null {
  return kind === 0 ? null : (LAYOUTS[kind] ?? null);
}

/** Returns what the type id in the third word refers to; null if the word is not a type id. */
export function thirdWordRole(kind: number): ReferenceRole | null {
  const third = SPECS[kind]?.third ?? 'unused';
  return third === 'size' || third === 'unused' ? null : third;
}

/** Returns true if the third word of a record of `kind` is a size in bytes. */
export function hasSize(kind: number): boolean {
  return SPECS[kind]?.third === 'size' && kind !== BtfKind.LOC_PARAM;
}

/** Returns true if `vlen` in a record of `kind` is a number of items. */
export function hasItems(kind: number): boolean {
  return SPECS[kind]?.vlen === 'items';
}

/** Returns `kind` from an info word (7 bits). */
export function infoKind(info: number): number {
  return (info >>> 24) & (MAX_KINDS - 1);
}

/** Returns `vlen` from an info word (24 bits). */
export function infoVlen(info: number): number {
  return info & 0xffffff;
}

/** Returns `kind_flag` from an info word (bit 31). */
export function infoKindFlag(info: number): boolean {
  return info >>> 31 === 1;
}

export type IntData = {
  /** Bits of `IntEncoding`, from BTF_INT_ENCODING. */
  readonly encoding: number;
  readonly bitOffset: number;
  /** Number of bits of the integer, from BTF_INT_BITS. */
  readonly bits: number;
};

/** Decodes the data word of an INT. Source: "BTF Type Format", section 2.2.1. */
export function intDataOf(data: number): IntData {
  return { encoding: (data >>> 24) & 0xf, bitOffset: (data >>> 16) & 0xff, bits: data & 0xff };
}

/** Returns the bit offset of a member from its `offset` word. Source: section 2.2.4. */
export function memberBitOffset(offset: number, kindFlag: boolean): number {
  return kindFlag ? offset & 0xffffff : offset;
}

/** Returns the bits of a bit-field from its `offset` word; 0 if the member is not a bit-field. */
export function memberBitSize(offset: number, kindFlag: boolean): number {
  return kindFlag ? offset >>> 24 : 0;
}
