import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  keysAbove,
  type MemberPage,
  memberPage,
  pageOfPath,
  pathKey,
} from '#analysis/layout/member-rows.ts';
import { addTo } from '#bytes/cache.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Pin, usePins } from '#store/session/pins.ts';
import type { FileId } from '#store/session/session.ts';

/** The shown struct or union, and the path of the selected member. */
export type StructProps = {
  readonly types: TypeTable;
  /** The selected type: a struct, a union, or a modifier such as `const` of one. */
  readonly type: TypeId;
  /** The struct or union without modifiers. */
  readonly composite: TypeId;
  readonly memberPath: readonly number[];
};

const NO_KEYS = (): ReadonlySet<string> => new Set();

/**
 * Returns the unfolded members: `atFirst`, those that the user has unfolded, and those that contain
 * the selected member. Folding a parent of the selected member selects the parent.
 */
export function useUnfolded(
  memberPath: readonly number[],
  choose: (path: readonly number[]) => void,
  atFirst: () => ReadonlySet<string> = NO_KEYS,
) {
  const [unfolded, setUnfolded] = useState(atFirst);
  const missing = keysAbove(memberPath).filter((key) => !unfolded.has(key));
  if (missing.length > 0) setUnfolded(new Set([...unfolded, ...missing]));

  // A ref, because a `toggle` that changes with the selection would redraw all rows.
  const selectedKey = useRef('');
  useLayoutEffect(() => {
    selectedKey.current = pathKey(memberPath);
  }, [memberPath]);
  const toggle = useCallback(
    (path: readonly number[]) => {
      const key = pathKey(path);
      if (!unfolded.has(key)) {
        setUnfolded(new Set([...unfolded, key]));
        return;
      }
      const selected = selectedKey.current;
      if (selected !== key && isWithin(selected, key)) choose(path);
      setUnfolded(new Set([...unfolded].filter((other) => !isWithin(other, key))));
    },
    [unfolded, choose],
  );
  return { unfolded, toggle, setUnfolded };
}

function isWithin(key: string, outer: string): boolean {
  return key === outer || key.startsWith(`${outer}/`);
}

/** Returns the page that the user opened after selecting a member, else the page of that member. */
export function useMemberPage(
  types: TypeTable,
  composite: TypeId,
  memberPath: readonly number[],
): readonly [MemberPage, (number: number) => void] {
  const selected = pageOfPath(memberPath);
  const [opened, setAsked] = useState({ composite, selected, number: selected });
  const isCurrent = opened.composite === composite && opened.selected === selected;
  const page = memberPage(types, composite, isCurrent ? opened.number : selected);
  return [page, (number) => setAsked({ composite, selected, number })];
}

export type MemberPins = ReadonlyMap<string, readonly Pin[]>;

export const NO_PINS: MemberPins = new Map();

/** Groups pins on members of `type`, or of the struct that `type` modifies, by `pathKey`. */
export function memberPins(pins: readonly Pin[], type: TypeId, composite: TypeId): MemberPins {
  const byPath = new Map<string, Pin[]>();
  for (const pin of pins) {
    const { selection } = pin;
    if (selection.kind !== 'type' || selection.memberPath.length === 0) continue;
    if (selection.type !== type && selection.type !== composite) continue;
    addTo(byPath, pathKey(selection.memberPath), pin);
  }
  return byPath.size === 0 ? NO_PINS : byPath;
}

export function useMemberPins(id: FileId, type: TypeId, composite: TypeId): MemberPins {
  const pins = usePins(id);
  return useMemo(() => memberPins(pins, type, composite), [pins, type, composite]);
}

/** Returns the pins on `type` as a whole. */
export function useTypePins(id: FileId, type: TypeId): readonly Pin[] {
  return usePins(id).filter(
    ({ selection }) =>
      selection.kind === 'type' && selection.type === type && selection.memberPath.length === 0,
  );
}
