/** The layout that a person states for a file: one for all views that show what relocations write. */

import { useMemo } from 'react';
import type { LayoutValues, RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import { layoutOf, layoutText, parseLayout } from '#analysis/relocations/layout.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileId } from '#store/session.ts';
import { setViewParam, useViewParam } from '#store/view-state.ts';

/** Views whose address keeps the layout. */
const VIEWS = ['relocations', 'bytes'] as const;
const KEY = 'layout';

export type StatedLayout = {
  /** null where layouts change nothing in this file. */
  readonly layout: RelocationLayout | null;
  /** What was stated; empty = as the file has it. */
  readonly values: LayoutValues;
  readonly state: (values: LayoutValues) => void;
};

/** The layout as the address of `view` has it, and how to state another. */
export function useStatedLayout(
  id: FileId,
  model: ObjectModel,
  view: (typeof VIEWS)[number],
): StatedLayout {
  const text = useViewParam(id, view, KEY) ?? '';
  const values = useMemo(() => parseLayout(text), [text]);
  const layout = useMemo(() => layoutOf(model, values), [model, values]);
  return { layout, values, state: stateLayout };
}

function stateLayout(values: LayoutValues): void {
  const text = values.size === 0 ? null : layoutText(values);
  for (const view of VIEWS) setViewParam(view, KEY, text);
}
