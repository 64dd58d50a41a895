/**
 * Whether the verifier reaches an instruction of a program, as far as constants decide it.
 *
 * An instruction that `constants.ts` does not reach is dead code for the verifier too; an
 * instruction on every path is certainly reached; all others are undecided.
 */
import { upperBound } from '#bytes/arrays.ts';
import { addTo } from '#bytes/cache.ts';
import { OPCODE } from '#formats/bpf/opcodes.ts';
import { type Flow, flowOf, type ReachCode } from './constants.ts';

export type Reach = 'never' | 'perhaps' | 'certain';

const SLOT = 8;

/** Returns the verdict for each slot of `asked`; these instructions end the program if they are reached. */
export function reachOf(code: ReachCode, asked: readonly number[]): Map<number, Reach> {
  const flow = flowOf(code, new Set(asked));
  const certain = flow === null ? null : certainFunctions(code, flow);
  const verdict = (slot: number): Reach => {
    if (flow === null || certain === null) return 'perhaps';
    if (!flow.reached.has(slot)) return 'never';
    return certain.get(startOf(code, slot)) === 'all' ? 'certain' : 'perhaps';
  };
  return new Map(asked.map((slot) => [slot, verdict(slot)]));
}

/** The slot at which the function of `slot` begins. */
function startOf({ starts }: ReachCode, slot: number): number {
  return starts[upperBound(starts, slot) - 1] ?? 0;
}

/** The slots that every way from the start of a function to its exits leads through; `all` where no exit is reached. */
type Certain = ReadonlySet<number> | 'all';

/** Returns the next slots in the function; calls are stepped over. */
type NextOf = (slot: number) => number[];

/** Returns the certain slots of the functions that are certainly entered: the program itself, and those with a certain call. */
function certainFunctions(code: ReachCode, flow: Flow): ReadonlyMap<number, Certain> {
  const nextOf: NextOf = (slot) => [...(flow.next.get(slot) ?? [])];
  const calls = new Map<number, number[]>();
  for (const at of flow.reached) {
    const callee = isCallAt(code, at) ? code.callee(at) : null;
    if (callee !== null && at < callee) addTo(calls, callee, at);
  }
  const certain = new Map<number, Certain>();
  // libbpf appends a subprogram after its first caller.
  for (const start of code.starts) {
    const isCalled = (calls.get(start) ?? []).some((at) => {
      const around = certain.get(startOf(code, at));
      return around === 'all' || around?.has(at) === true;
    });
    if (start === 0 || isCalled) certain.set(start, certainSlots(code, nextOf, start));
  }
  return certain;
}

/**
 * Returns the slots on every path: each is on the one path that is found first. The other slots are
 * walked once, from each slot of that path on: the slots that a detour passes are not certain.
 */
function certainSlots(code: ReachCode, nextOf: NextOf, start: number): Certain {
  const way = wayToExit(code, nextOf, start);
  if (way === null) return 'all';
  const placeOf = new Map(way.map((slot, place) => [slot, place]));
  const certain = new Set<number>();
  const seen = new Set<number>();
  let furthest = 0;
  for (const [place, slot] of way.entries()) {
    if (furthest <= place) certain.add(slot);
    const waiting = nextOf(slot);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const back = placeOf.get(at);
      if (back !== undefined) furthest = Math.max(furthest, back);
      else if (!seen.has(at)) {
        seen.add(at);
        // Another exit: no later slot is certain.
        if (isExitAt(code, at)) furthest = way.length;
        waiting.push(...nextOf(at));
      }
    }
  }
  return certain;
}

/** Slots from `start` to the first exit that is found; null where none is reached. */
function wayToExit(code: ReachCode, nextOf: NextOf, start: number): readonly number[] | null {
  const cameFrom = new Map<number, number | null>([[start, null]]);
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isExitAt(code, at)) {
      const way: number[] = [];
      for (let step: number | null = at; step !== null; step = cameFrom.get(step) ?? null) {
        way.push(step);
      }
      return way.reverse();
    }
    for (const next of nextOf(at)) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      waiting.push(next);
    }
  }
  return null;
}

function isCallAt(code: ReachCode, slot: number): boolean {
  return code.bytes[slot * SLOT] === OPCODE.call;
}

function isExitAt(code: ReachCode, slot: number): boolean {
  return code.bytes[slot * SLOT] === OPCODE.exit;
}
