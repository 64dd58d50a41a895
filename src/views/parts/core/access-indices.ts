/** Which record, and which index of its access string, a selection is about. */

import { parseAccessString } from '#analysis/core/access-string.ts';
import { coreRecordsAt } from '#analysis/core/core-records.ts';
import type { AccessPath } from '#analysis/core/parse-spec.ts';
import { selectionInsn } from '#analysis/selection/selection.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';

/** The record that is selected, or the first of the instruction that is; null where there is none. */
export function selectedCore(model: ObjectModel, selection: Selection): CoreIndex | null {
  if (selection.kind === 'core') {
    return selection.core < model.ext.core.count ? selection.core : null;
  }
  const place = selectionInsn(model, selection);
  if (place === null) return null;
  return coreRecordsAt(model, place.section, place.insnOff)[0] ?? null;
}

export type AccessIndex = {
  /** Its place in the string, from 0. */
  readonly step: number;
  /** The number in the access string, as text. */
  readonly text: string;
  /** `step`: followed. `fault`: leads nowhere. `unreached`: behind the fault. */
  readonly state: 'step' | 'fault' | 'unreached';
};

/** The indices of an access string and how far the walk came. What is no number is one index of its own. */
export function accessIndices(path: AccessPath): AccessIndex[] {
  const { indices, error } = parseAccessString(path.accessStr);
  const texts = indices.map(String);
  if (error !== null) texts.push(path.accessStr.split(':').slice(indices.length).join(':'));
  const fault = path.error?.atStep ?? null;
  return texts.map((text, i) => ({
    step: i,
    text,
    state: i < path.steps.length ? 'step' : i === fault ? 'fault' : 'unreached',
  }));
}

/** The index that is looked at: the selected one, else the last that leads somewhere or fails. */
export function shownStep(path: AccessPath, step: number | null): number {
  const count = accessIndices(path).length;
  const last = path.error === null ? path.steps.length - 1 : path.error.atStep;
  return Math.max(0, Math.min(count - 1, step ?? last));
}

/** Member numbers from the root as far as the path goes through members only; empty for other relocations. */
export function memberPathOf(path: AccessPath): number[] {
  const members: number[] = [];
  for (const step of path.steps.slice(1)) {
    if (step.means !== 'member' && step.means !== 'anonymous-member') break;
    members.push(step.index);
  }
  return members;
}
