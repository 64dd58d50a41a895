/**
 * The records that `BtfWriter` takes: one plain object for each type, its fields
 * named as in include/uapi/linux/btf.h.
 *
 * Source: "BTF Type Format", sections 2.2.1 to 2.2.19. Numbers are as stored;
 * ids are those of the blob that is written.
 */
import type { BtfKind } from './kinds.ts';

/**
 * A name as text (written as UTF-8), as bytes, or as the offset of a string that
 * is there already. Empty text and offset 0 both mean: no name.
 */
export type BtfName = string | Uint8Array | number;

/** What every record may have. Left out: no name, and kind_flag 0. */
type Head = { readonly name?: BtfName; readonly kindFlag?: boolean };

export type BtfIntRecord = Head & {
  readonly kind: typeof BtfKind.INT;
  /** Bytes. */
  readonly size: number;
  /** 1 SIGNED, 2 CHAR, 4 BOOL, or a combination. */
  readonly encoding: number;
  /** BTF_INT_OFFSET. */
  readonly bitOffset: number;
  /** BTF_INT_BITS. */
  readonly bits: number;
};

export type BtfFloatRecord = Head & {
  readonly kind: typeof BtfKind.FLOAT;
  /** Bytes. */
  readonly size: number;
};

/** Kinds that are one reference and nothing else. */
export type BtfReferenceRecord = Head & {
  readonly kind:
    | typeof BtfKind.PTR
    | typeof BtfKind.CONST
    | typeof BtfKind.VOLATILE
    | typeof BtfKind.RESTRICT
    | typeof BtfKind.TYPEDEF
    | typeof BtfKind.TYPE_TAG;
  readonly type: number;
};

export type BtfArrayRecord = Head & {
  readonly kind: typeof BtfKind.ARRAY;
  readonly elemType: number;
  readonly indexType: number;
  readonly nelems: number;
};

export type BtfMember = {
  readonly name?: BtfName;
  readonly type: number;
  /** Bits from the start of the struct. */
  readonly bitOffset: number;
  /** Bits; other than 0 only where the record has kind_flag. */
  readonly bitfieldSize?: number;
};

export type BtfCompositeRecord = Head & {
  readonly kind: typeof BtfKind.STRUCT | typeof BtfKind.UNION;
  /** Bytes. */
  readonly size: number;
  readonly members: readonly BtfMember[];
};

/** kind_flag tells whether the values are signed. */
export type BtfEnumRecord = Head & {
  readonly kind: typeof BtfKind.ENUM | typeof BtfKind.ENUM64;
  /** Bytes. */
  readonly size: number;
  readonly enumerators: readonly { readonly name?: BtfName; readonly value: bigint }[];
};

/** kind_flag set: a union. */
export type BtfFwdRecord = Head & { readonly kind: typeof BtfKind.FWD };

export type BtfFuncRecord = Head & {
  readonly kind: typeof BtfKind.FUNC;
  readonly type: number;
  /** 0 static, 1 global, 2 extern. */
  readonly linkage: number;
};

export type BtfFuncProtoRecord = Head & {
  readonly kind: typeof BtfKind.FUNC_PROTO;
  /** The return type. */
  readonly type: number;
  /** Type 0 without a name in the last place stands for `...`. */
  readonly params: readonly { readonly name?: BtfName; readonly type: number }[];
};

export type BtfVarRecord = Head & {
  readonly kind: typeof BtfKind.VAR;
  readonly type: number;
  /** 0 static, 1 global, 2 extern. */
  readonly linkage: number;
};

export type BtfDatasecRecord = Head & {
  readonly kind: typeof BtfKind.DATASEC;
  /** Bytes. */
  readonly size: number;
  /** Offsets and sizes in bytes. */
  readonly secinfos: readonly {
    readonly type: number;
    readonly offset: number;
    readonly size: number;
  }[];
};

export type BtfDeclTagRecord = Head & {
  readonly kind: typeof BtfKind.DECL_TAG;
  readonly type: number;
  /** -1 = the type itself. */
  readonly componentIdx: number;
};

export type BtfRecord =
  | BtfIntRecord
  | BtfFloatRecord
  | BtfReferenceRecord
  | BtfArrayRecord
  | BtfCompositeRecord
  | BtfEnumRecord
  | BtfFwdRecord
  | BtfFuncRecord
  | BtfFuncProtoRecord
  | BtfVarRecord
  | BtfDatasecRecord
  | BtfDeclTagRecord;
