/** Finds the variables of a section in the DATASECs of BTF. */
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { type VarSecinfo, varSecinfosOf } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';

/** Returns the DATASECs by section name; the first of equal names. Computed once per table. */
export const datasecsOf = memoized((t: TypeTable): ReadonlyMap<string, TypeId> => {
  const datasecs = new Map<string, TypeId>();
  for (let id = t.firstId; id <= lastId(t); id++) {
    const type = typeId(id);
    if (kindOf(t, type) !== BtfKind.DATASEC) continue;
    const name = nameOf(t, type);
    if (!datasecs.has(name)) datasecs.set(name, type);
  }
  return datasecs;
});

/** Returns the static variable at `offset` of the section. Global ones have no offset in BTF. */
export function variableAt(t: TypeTable, section: string, offset: number): VarSecinfo | null {
  const datasec = datasecsOf(t).get(section);
  if (datasec === undefined) return null;
  const holds = (item: VarSecinfo) => item.offset <= offset && offset < item.offset + item.size;
  return varSecinfosOf(t, datasec).find(holds) ?? null;
}
