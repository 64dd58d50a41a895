/** State of the view *Needs*. */
import { choiceField, ViewState } from '#store/session/view-state.ts';

/** Parts of the view: features of the kernel, or the fields of CO-RE with the minimal artifacts. */
const PARTS = ['kernel', 'fields'] as const;
export type NeedsPart = (typeof PARTS)[number];

export const needsState = new ViewState(
  'needs-part',
  { part: 'kernel' as NeedsPart },
  { address: { part: choiceField('part', PARTS) } },
);
