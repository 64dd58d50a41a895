/** Which types the pins stand on: those of a lesson and the notes. */
import { useMemo } from 'react';
import { typeAtOffset } from '#analysis/selection/selection.ts';
import { addTo } from '#bytes/cache.ts';
import type { TypeId } from '#model/ids.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Pin, usePins } from '#store/session/pins.ts';
import type { FileId } from '#store/session/session.ts';

export type PinsByType = ReadonlyMap<TypeId, readonly Pin[]>;

/** The pins by the type that they stand on: on the type, on a member of it, or on bytes of its record. */
export function pinsByType(types: TypeTable, pins: readonly Pin[]): PinsByType {
  const found = new Map<TypeId, Pin[]>();
  for (const pin of pins) {
    const type = pinnedType(types, pin.selection);
    if (type !== null) addTo(found, type, pin);
  }
  return found;
}

function pinnedType(types: TypeTable, selection: Selection): TypeId | null {
  if (selection.kind === 'type') return selection.type;
  return selection.kind === 'bytes' ? typeAtOffset(types, selection.start) : null;
}

/** As `pinsByType`, of an open file; draws again when its pins change. */
export function usePinsByType(id: FileId, types: TypeTable): PinsByType {
  const pins = usePins(id);
  return useMemo(() => pinsByType(types, pins), [types, pins]);
}
