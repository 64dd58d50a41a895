/** Counts the levels of types, so that chains of them have a limit. */
import type { CType } from './c-types.ts';

/** Levels of the types that `levelsOf` was asked for. */
const levels = new WeakMap<object, number>();

/** Returns the number of pointers, arrays, qualifiers, typedefs, atomics and functions around `type`'s innermost type. */
export function levelsOf(type: CType): number {
  const around: NonNullable<CType>[] = [];
  let at = type;
  while (at !== null && !levels.has(at)) {
    const inner = innerOf(at);
    if (inner === undefined) break;
    around.push(at);
    at = inner;
  }
  let count = at === null ? 0 : (levels.get(at) ?? 0);
  for (const outer of around.reverse()) levels.set(outer, ++count);
  return count;
}

/** Returns the type that a pointer, array, qualifier, typedef, atomic or function is made of. */
function innerOf(type: NonNullable<CType>): CType | undefined {
  switch (type.kind) {
    case 'pointer':
      return type.to;
    case 'func':
      return type.returns;
    case 'array':
    case 'qualified':
    case 'typedef':
    case 'atomic':
      return type.of;
    default:
      return undefined;
  }
}
