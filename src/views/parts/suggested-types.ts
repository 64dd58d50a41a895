/** Types to begin with, for views that have none selected. */
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, nameOffOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

export type SuggestedTypes = {
  /** `core`: CO-RE records name them, the most often named first. `size`: the largest structs. */
  readonly why: 'core' | 'size';
  readonly types: readonly TypeId[];
};

/** At most `limit` named structs and unions that are worth a look; none where there is no file or it has no types. */
export function suggestedTypes(model: ObjectModel | null, limit: number): SuggestedTypes {
  const types = model?.types ?? null;
  if (model === null || types === null) return { why: 'size', types: [] };
  const named = typesOfCore(model, types).slice(0, limit);
  return named.length > 0
    ? { why: 'core', types: named }
    : { why: 'size', types: largest(types, limit) };
}

function typesOfCore(model: ObjectModel, types: TypeTable): TypeId[] {
  const { core } = model.ext;
  const uses = new Map<TypeId, number>();
  for (let i = 0; i < core.count; i++) {
    const id = typeId(core.typeId[i] ?? 0);
    if (isNamedComposite(types, id)) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  return [...uses].sort(([a, m], [b, n]) => n - m || a - b).map(([id]) => id);
}

const known = new WeakMap<TypeTable, { readonly limit: number; readonly ids: TypeId[] }>();

/** Several views ask the same, each when it is opened, and a table may have a million types. */
function largest(types: TypeTable, limit: number): TypeId[] {
  const before = known.get(types);
  if (before?.limit === limit) return before.ids;
  const ids = findLargest(types, limit);
  known.set(types, { limit, ids });
  return ids;
}

function findLargest(types: TypeTable, limit: number): TypeId[] {
  const found: TypeId[] = [];
  for (let i = 0; i < types.count; i++) {
    const id = typeId(types.firstId + i);
    if (isNamedComposite(types, id)) found.push(id);
  }
  return found
    .sort((a, b) => sizeOrTypeOf(types, b) - sizeOrTypeOf(types, a) || a - b)
    .slice(0, limit);
}

function isNamedComposite(types: TypeTable, id: TypeId): boolean {
  return isComposite(kindOf(types, id)) && nameOffOf(types, id) !== 0;
}
