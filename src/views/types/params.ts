/** Parameters of functions. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import type { Param } from '#model/type-items.ts';
import { kindOf, refOf, type TypeTable } from '#model/type-table.ts';

/** The prototype that tells the parameters of a FUNC or FUNC_PROTO; null for other kinds. */
export function protoOf(types: TypeTable, id: TypeId): TypeId | null {
  const kind = kindOf(types, id);
  if (kind === BtfKind.FUNC_PROTO) return id;
  const target = kind === BtfKind.FUNC ? (refOf(types, id) ?? VOID) : VOID;
  return kindOf(types, target) === BtfKind.FUNC_PROTO ? target : null;
}

/** Is this the `…` of variable arguments: the last parameter, without name and type? */
export function isEllipsis(params: readonly Param[], index: number): boolean {
  const param = params[index];
  return index === params.length - 1 && param?.type === VOID && param.name === '';
}
