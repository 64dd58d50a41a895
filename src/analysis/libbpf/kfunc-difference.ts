/** Tells how the prototype of a kfunc in an object differs from the kernel's. */
import { essentialName } from '#analysis/core/essential-name.ts';
import { findInKernel, type LoadKernel } from '#analysis/kernel/kernel.ts';
import { implicitArgKfuncs } from '#analysis/kernel/kfuncs.ts';
import { declaratorText } from '#analysis/types/declarator.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { type ItemReader, readParams } from '#model/type-items.ts';
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
  if (!hasImplicitArg(name, kernel)) return `${both} ${difference}`;
  const cause = `The kernel's last parameter is implicit: the build of this kernel left it in its BTF, since the kfunc has no tag bpf_kfunc.`;
  return `${both} ${difference} ${cause}`;
}

/** Returns true if the kernel's BTF still has the implicit argument of a kfunc. */
export function hasImplicitArg(name: string, kernel: LoadKernel): boolean {
  const found = findInKernel(kernel, BtfKind.FUNC, essentialName(name));
  return found !== null && implicitArgKfuncs(found.types).some(({ func }) => func === found.id);
}

/** Returns the first parameter that differs, else the result. Source: bpf_core_types_are_compat. */
function firstDifference(local: Prototype, target: Prototype): string {
  const own = readParams(local.types, local.id);
  const others = readParams(target.types, target.id);
  for (let index = 0; index < Math.max(own.count, others.count); index++) {
    const isHere =
      index >= Math.min(own.count, others.count) ||
      !areCompatible(local.types, own.type(index), target.types, others.type(index));
    if (!isHere) continue;
    const sides = [paramText(local, own, index), paramText(target, others, index)];
    return `parameter ${index + 1}: ${sides.join(' against ')}`;
  }
  const results = [local, target].map(({ types, id }) =>
    typeText({ types, id }, typeId(sizeOrTypeOf(types, id)), ''),
  );
  return `the result: ${results.join(' against ')}`;
}

function paramText(proto: Prototype, params: ItemReader, index: number): string {
  if (index >= params.count) return 'none';
  const type = params.type(index);
  return type === 0 ? '...' : typeText(proto, type, '');
}

function typeText({ types }: Prototype, type: TypeId, name: string): string {
  return declaratorText(types, type, name, MAX_DECLARATION, { tags: false });
}
