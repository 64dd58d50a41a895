/** Families of kinds as the kernel's resolving sees them. Source: the `btf_type_is_…` of kernel/bpf/btf.c. */
import { BtfKind, type IntData, intDataOf } from '#formats/btf/kinds.ts';
import { isComposite } from '#model/type-items.ts';
import { isModifier } from '#model/type-table.ts';
import { type BlobTypes, NO_TYPE } from './blob-types.ts';

/** A type and bytes: of an array or of another type with a size. */
export type Sized = { readonly id: number; readonly size: number };

/** Returns whether only a DATASEC, a DECL_TAG or a location may refer to the kind. For the location kinds this is inferred. */
export function isSourceOnly(kind: number): boolean {
  return (
    kind === BtfKind.VAR ||
    kind === BtfKind.DECL_TAG ||
    kind === BtfKind.DATASEC ||
    (kind >= BtfKind.LOC_PARAM && kind <= BtfKind.LOCSEC)
  );
}

/** Returns whether the kind is void, missing, or one without any size. */
export function lacksSize(kind: number): boolean {
  return (
    kind === NO_TYPE ||
    kind === BtfKind.UNKN ||
    kind === BtfKind.FWD ||
    kind === BtfKind.FUNC ||
    kind === BtfKind.FUNC_PROTO ||
    kind === BtfKind.DECL_TAG
  );
}

/** Kinds that lead to another type. */
export function needsResolve(kind: number): boolean {
  return (
    isModifier(kind) ||
    isComposite(kind) ||
    kind === BtfKind.PTR ||
    kind === BtfKind.ARRAY ||
    kind === BtfKind.VAR ||
    kind === BtfKind.FUNC ||
    kind === BtfKind.DECL_TAG ||
    kind === BtfKind.DATASEC
  );
}

/** The three parts of the data word of an INT, widths and offsets in bits. */
export function intOf(r: BlobTypes, id: number): IntData {
  return intDataOf(r.fixed(id));
}

/** Returns whether `id` is an INT of 8, 16, 32, 64 or 128 bits without offset. Source: btf_type_int_is_regular. */
export function isRegularInt(r: BlobTypes, id: number): boolean {
  if (r.kind(id) !== BtfKind.INT) return false;
  const { bitOffset, bits } = intOf(r, id);
  return bitOffset === 0 && [8, 16, 32, 64, 128].includes(bits);
}
