import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { rawRecord } from '#print/btf-dump.ts';

/** Returns all own types as `bpftool btf dump format raw` prints them, line by line. */
export function rawLines(types: TypeTable): string[] {
  const ids = Array.from({ length: types.count }, (_, i) => typeId(types.firstId + i));
  return ids.flatMap((id) => rawRecord(types, id).split('\n'));
}
