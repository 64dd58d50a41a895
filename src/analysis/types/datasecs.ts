/** Variables by the section that they lie in, as BTF tells it. */
import { oncePer } from '#bytes/keep.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { type VarSecinfo, varSecinfosOf } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';

/** DATASECs by the name of their section, of equals the first. Found once for a table. */
export const datasecsOf = oncePer((t: TypeTable): ReadonlyMap<string, TypeId> => {
  const found = new Map<string, TypeId>();
  for (let id = t.firstId; id <= lastId(t); id++) {
    const type = typeId(id);
    if (kindOf(t, type) !== BtfKind.DATASEC) continue;
    const name = nameOf(t, type);
    if (!found.has(name)) found.set(name, type);
  }
  return found;
});

/**
 * The variable at `offset` bytes of the section. Only static variables are found
 * for sure: compilers leave the offsets of global ones at 0.
 */
export function variableAt(t: TypeTable, section: string, offset: number): VarSecinfo | null {
  const datasec = datasecsOf(t).get(section);
  if (datasec === undefined) return null;
  const holds = (item: VarSecinfo) => item.offset <= offset && offset < item.offset + item.size;
  return varSecinfosOf(t, datasec).find(holds) ?? null;
}
