/** The pins of a lesson on the selected type and its members. */
import { useMemo } from 'react';
import { pathKey } from '#analysis/layout/member-rows.ts';
import type { TypeId } from '#model/ids.ts';
import { type Pin, usePins } from '#store/pins.ts';
import type { FileId } from '#store/session.ts';

export type MemberPins = ReadonlyMap<string, readonly Pin[]>;

const NONE: MemberPins = new Map();

/** The pins by `pathKey`, of the type or of the struct that it stands for. */
export function memberPins(pins: readonly Pin[], type: TypeId, composite: TypeId): MemberPins {
  const found = new Map<string, Pin[]>();
  for (const pin of pins) {
    const { selection } = pin;
    if (selection.kind !== 'type' || selection.memberPath.length === 0) continue;
    if (selection.type !== type && selection.type !== composite) continue;
    const key = pathKey(selection.memberPath);
    found.set(key, [...(found.get(key) ?? []), pin]);
  }
  return found.size === 0 ? NONE : found;
}

/** The pins of the lesson's step on the members of `type`. */
export function useMemberPins(id: FileId, type: TypeId, composite: TypeId): MemberPins {
  const pins = usePins(id);
  return useMemo(() => memberPins(pins, type, composite), [pins, type, composite]);
}

/** The pins of the lesson's step on `type` as a whole. */
export function useTypePins(id: FileId, type: TypeId): readonly Pin[] {
  return usePins(id).filter(
    ({ selection }) =>
      selection.kind === 'type' && selection.type === type && selection.memberPath.length === 0,
  );
}
