/** Tells how the prototype of a kfunc in an object differs from the kernel's. */
import { essentialName } from '#analysis/core/essential-name.ts';
import { findInKernel, type LoadKernel } from '#analysis/kernel/kernel.ts';
import { implicitArgKfuncs } from '#analysis/kernel/kfuncs.ts';
import { declaratorText } from '#analysis/types/declarator.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { readParams } from '#model/type-items.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import type { Extern } from './externs.ts';
import { areCompatible } from './resolve-externs.ts';

const MAX_DECLARATION = 300;

type Prototype = { readonly types: TypeTable; readonly id: TypeId };

/**
 * Returns both declarations and their first difference as sentences; null if the kernel has no
 * function of the name, or a compatible one.
 */
export function kfuncDifference(
  types: TypeTable | null,
  { name, type }: Pick<Extern, 'name' | 'type'>,
  kernel: LoadKernel,
): string | null {
  const found = findInKernel(kernel, BtfKind.FUNC, essentialName(name));
  if (types === null || found === null) return null;
  const id = typeId(sizeOrTypeOf(found.types, found.id));
  if (areCompatible(types, type, found.types, id)) return null;
  const local = { types, id: type };
  const target = { types: found.types, id };
  const text = (proto: Prototype) => typeText(proto, proto.id, essentialName(name));
  const both = `The object declares ${text(local)}; the kernel has ${text(target)}.`;
  const difference = `First difference: ${firstDifference(local, target)}.`;
  const implicit = implicitArgKfuncs(found.types).find(({ func }) => func === found.id);
  if (implicit === undefined) return `${both} ${difference}`;
  const cause = `The kernel's last parameter is implicit: the build of this kernel left it in its BTF, since the kfunc has no tag bpf_kfunc.`;
  return `${both} ${difference} ${cause}`;
}

/** Returns the first parameter that differs, else the result. Source: bpf_core_types_are_compat. */
function firstDifference(local: Prototype, target: Prototype): string {
  const params = [local, target].map(({ types, id }) => readParams(types, id));
  const [localParams, targetParams] = params;
  const counts = params.map(({ count }) => count);
  for (let index = 0; index < Math.max(...counts); index++) {
    const sides = [local, target].map((proto, side) => {
      const type = params[side]?.type(index);
      return index >= (counts[side] ?? 0) || type === undefined ? 'none' : paramText(proto, type);
    });
    const localType = localParams?.type(index) ?? typeId(0);
    const targetType = targetParams?.type(index) ?? typeId(0);
    const isHere =
      sides.includes('none') || !areCompatible(local.types, localType, target.types, targetType);
    if (isHere) return `parameter ${index + 1}: ${sides.join(' against ')}`;
  }
  const results = [local, target].map(({ types, id }) =>
    typeText({ types, id }, typeId(sizeOrTypeOf(types, id)), ''),
  );
  return `the result: ${results.join(' against ')}`;
}

const paramText = (proto: Prototype, type: TypeId) =>
  type === 0 ? '...' : typeText(proto, type, '');

function typeText({ types }: Prototype, type: TypeId, name: string): string {
  return declaratorText(types, type, name, MAX_DECLARATION, { tags: false });
}
