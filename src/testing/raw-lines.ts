import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { rawRecord } from '#print/btf-dump.ts';

/** Returns the file's own types as lines of `bpftool btf dump format raw`. */
export function rawLines(types: TypeTable): string[] {
  const ids = Array.from({ length: types.count }, (_, i) => typeId(types.firstId + i));
  return ids.flatMap((id) => rawRecord(types, id).split('\n'));
}
