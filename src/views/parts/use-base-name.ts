import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { hasType, type TypeTable } from '#model/type-table.ts';
import { activeFile, baseChoice, useSession } from '#store/session.ts';

/** Name of the base that owns `type` of the file that is looked at; null for the file's own types, and for what is nowhere. */
export function useBaseName(types: TypeTable, type: TypeId): string | null {
  const chosen = useSession((state) => baseChoice(activeFile(state)).chosen?.name ?? null);
  if (type >= types.firstId || !hasType(types, type)) return null;
  return drawnName(chosen ?? '.BTF.base');
}
