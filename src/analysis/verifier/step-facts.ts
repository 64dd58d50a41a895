/** What the verifier knew at one step of a walk: states, references, regions, the last write. */
import type { State } from '#formats/verifier-log/line.ts';
import { enteredRegions, openRegion, type Region } from './open-regions.ts';
import { type StepStates, slotName } from './step-states.ts';
import type { Walk } from './walk.ts';

export type StepFacts = {
  readonly before: State;
  readonly after: State;
  /** References that are held after the step, with the step that acquired each, if it is known. */
  readonly held: readonly { readonly ref: number; readonly step: number | null }[];
  /** Regions that are open before the step, with the step that entered each. */
  readonly regions: readonly { readonly region: Region; readonly step: number }[];
};

/** Maximum number of steps of a path that are searched for the acquisition of a reference. */
const MAX_SEARCH = 20_000;

/** Returns what is known at a step. `states` are those of `walk`. */
export function stepFacts(walk: Walk, states: StepStates, step: number): StepFacts {
  const after = states.after(step);
  return {
    before: states.before(step),
    after,
    held: after.refs.map((ref) => ({ ref, step: acquisition(walk, states, step, ref) })),
    regions: enteredRegions(walk).flatMap((region) => {
      const entry = openRegion(walk, step, region);
      return entry === null ? [] : [{ region, step: entry }];
    }),
  };
}

/** Returns the call after which a reference is held for the first time, or null. */
function acquisition(walk: Walk, states: StepStates, step: number, ref: number): number | null {
  let earliest: number | null = null;
  for (let at = step, n = 0; at >= 0 && n < MAX_SEARCH; at = walk.parents[at] ?? -1, n++) {
    if (walk.textOf(at)?.form !== 'call') continue;
    const changes = states.changesOf(at);
    if (changes === null) continue;
    if (!changes.refs.includes(ref)) return earliest;
    earliest = at;
  }
  return earliest;
}

/**
 * Returns the last step before `step` that wrote a register or stack slot, or null. An argument of
 * a subprogram was written by its caller.
 */
export function lastWrite(
  walk: Walk,
  states: StepStates,
  step: number,
  name: string,
): number | null {
  const register = /^R(\d{1,2})$/.exec(name)?.[1];
  const number = register === undefined ? null : Number(register);
  const bytes = new TextEncoder().encode(name);
  let frame = walk.frameOf(step);
  for (let at = walk.parents[step] ?? -1; at >= 0; at = walk.parents[at] ?? -1) {
    const own = walk.frameOf(at);
    if (own > frame) continue;
    if (own < frame) {
      if (number === null || number === 0 || number > 5) return null;
      frame = own;
      // The call itself has no new value for an argument.
      continue;
    }
    const text = walk.textOf(at);
    if (number !== null) {
      if (text?.writes.includes(number) || text?.clobbers.includes(number)) return at;
    } else {
      const stores = text?.form === 'store' || text?.form === 'atomic';
      if (stores && text.mem?.base === 10 && slotName(text.mem.off) === name) return at;
      const isNamed = text?.form === 'call' && walk.table.hasBytes(walk.lines[at] ?? 0, bytes);
      if (isNamed && states.changesOf(at)?.stack.has(name)) return at;
    }
  }
  return null;
}
