/** The log that was pasted for each file, so that it is still there after a look at another view. */
import type { ObjectModel } from '#model/object-model.ts';
import type { LineFilter } from './log-facts.ts';

export type KeptLog = {
  readonly text: string;
  /** Number of the line that is explained; null for the one that tells most. */
  readonly chosen: number | null;
  readonly filter: LineFilter;
};

const NO_LOG: KeptLog = { text: '', chosen: null, filter: 'all' };

const kept = new WeakMap<ObjectModel, KeptLog>();

/** The log last kept for this file, or an empty one. */
export function keptLog(model: ObjectModel): KeptLog {
  return kept.get(model) ?? NO_LOG;
}

/** Keeps it for as long as the file is open. */
export function keepLog(model: ObjectModel, log: KeptLog): void {
  kept.set(model, log);
}
