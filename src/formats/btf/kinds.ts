/**
 * The kinds of `struct btf_type` and how long each record is.
 *
 * Source: include/uapi/linux/btf.h as described in "BTF Type Format" section 2.2;
 * the 2026 encoding widens `vlen` to 24 bits and `kind` to 7 (facts, part b).
 */

export const BTF_MAGIC = 0xeb9f;

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
} as const;

/** The highest kind that this reader knows. */
export const BTF_KIND_MAX = 19;

const NAMES = [
  'UNKN',
  'INT',
  'PTR',
  'ARRAY',
  'STRUCT',
  'UNION',
  'ENUM',
  'FWD',
  'TYPEDEF',
  'VOLATILE',
  'CONST',
  'RESTRICT',
  'FUNC',
  'FUNC_PROTO',
  'VAR',
  'DATASEC',
  'FLOAT',
  'DECL_TAG',
  'TYPE_TAG',
  'ENUM64',
] as const;

/** The kind as bpftool writes it: `STRUCT`; a kind that is not known is `KIND_20`. */
export function kindName(kind: number): string {
  return NAMES[kind] ?? `KIND_${kind}`;
}

/** Size of `struct btf_type`, the part that every record has. */
export const BTF_TYPE_SIZE = 12;

/** Bytes after `struct btf_type`: `fixed` once, and `item` for each of `vlen`. */
export type KindLayout = { readonly fixed: number; readonly item: number };

const none: KindLayout = { fixed: 0, item: 0 };
const LAYOUTS: readonly KindLayout[] = NAMES.map((name): KindLayout => {
  switch (name) {
    case 'INT':
    case 'VAR':
    case 'DECL_TAG':
      return { fixed: 4, item: 0 };
    case 'ARRAY':
      return { fixed: 12, item: 0 };
    case 'STRUCT':
    case 'UNION':
    case 'DATASEC':
    case 'ENUM64':
      return { fixed: 0, item: 12 };
    case 'ENUM':
    case 'FUNC_PROTO':
      return { fixed: 0, item: 8 };
    default:
      return none;
  }
});

/** What follows a record of `kind`, or null when the kind is not known (0 counts as not known). */
export function kindLayout(kind: number): KindLayout | null {
  return kind === 0 ? null : (LAYOUTS[kind] ?? null);
}

/** `kind` out of an info word: 7 bits. */
export function infoKind(info: number): number {
  return (info >>> 24) & 0x7f;
}

/** `vlen` out of an info word: 24 bits. */
export function infoVlen(info: number): number {
  return info & 0xffffff;
}

/** `kind_flag`, bit 31 of an info word. */
export function infoKindFlag(info: number): boolean {
  return info >>> 31 === 1;
}
