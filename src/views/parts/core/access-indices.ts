import { parseAccessString } from '#analysis/core/access-string.ts';
import { coreRecordsAt } from '#analysis/core/core-records.ts';
import type { AccessPath } from '#analysis/core/parse-spec.ts';
import { selectionInsn } from '#analysis/selection/selection.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';

/** Returns the selected record, or the first of the selected instruction; null for none. */
export function selectedCore(model: ObjectModel, selection: Selection): CoreIndex | null {
  if (selection.kind === 'core') {
    return selection.core < model.ext.core.count ? selection.core : null;
  }
  const place = selectionInsn(model, selection);
  if (place === null) return null;
  return coreRecordsAt(model, place.section, place.insnOff)[0] ?? null;
}

export type AccessIndex = {
  /** Position of the index in the access string, from 0. */
  readonly step: number;
  readonly text: string;
  /** `fault` is an invalid index, `unreached` an index after it, `step` any index before it. */
  readonly state: 'step' | 'fault' | 'unreached';
};

/** Returns the indices of an access string with their states. Other text is one index. */
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

/** Returns the selected index. Without a selection returns the invalid index, else the last one. */
export function shownStep(path: AccessPath, step: number | null): number {
  const count = accessIndices(path).length;
  const last = path.error === null ? path.steps.length - 1 : path.error.atStep;
  return Math.max(0, Math.min(count - 1, step ?? last));
}

/** Returns the member indices from the root to the first step that is not a member. */
export function memberPathOf(path: AccessPath): number[] {
  const members: number[] = [];
  for (const step of path.steps.slice(1)) {
    if (step.means !== 'member' && step.means !== 'anonymous-member') break;
    members.push(step.index);
  }
  return members;
}
