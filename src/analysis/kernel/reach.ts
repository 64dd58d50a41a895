/**
 * Decides whether the verifier reaches an instruction. It is dead code if `flow.ts` does not reach
 * it, certainly reached if a run of `walk.ts` reaches it or if it is on every path, else undecided.
 */
import { addTo } from '#bytes/cache.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import { OPCODE } from '#formats/bpf/opcodes.ts';
import { type Flow, flowOf, type ReachCode, startOf } from './flow.ts';
import { certainTraps } from './walk.ts';

export type Reach = 'never' | 'perhaps' | 'certain';

/**
 * Returns the verdict on each slot of `traps`, each as if the traps before it were repaired. The
 * verifier certainly reaches a trap if a run does, if all paths lead through it, or if all paths end
 * at traps.
 */
export function reachOf(code: ReachCode, traps: readonly number[]): Map<number, Reach> {
  const repaired = flowOf(code, NO_TRAPS);
  if (repaired === null) return new Map(traps.map((slot) => [slot, 'perhaps']));
  const reached = traps.filter((slot) => repaired.reached.has(slot));
  const certain = new Set(reached.length === 0 ? [] : certainTraps(code, reached));
  if (certain.size < reached.length) {
    const onAllPaths = certainFunctions(code, repaired);
    const ended = flowOf(code, new Set(traps));
    const ends = ended === null ? null : certainFunctions(code, ended);
    for (const slot of reached) {
      const start = startOf(code, slot);
      const slots = onAllPaths.get(start);
      const isEnd = ended?.reached.has(slot) === true && ends?.get(start) === 'all';
      if (isEnd || (slots !== 'all' && slots?.has(slot) === true)) certain.add(slot);
    }
  }
  const verdict = (slot: number): Reach => {
    if (!repaired.reached.has(slot)) return 'never';
    return certain.has(slot) ? 'certain' : 'perhaps';
  };
  return new Map(traps.map((slot) => [slot, verdict(slot)]));
}

const NO_TRAPS: ReadonlySet<number> = new Set();

/** Slots on every path from the start of a function to its exits; `all` if it reaches no exit. */
type Certain = ReadonlySet<number> | 'all';

/** Returns the slots that can follow a slot in the same function. */
type NextOf = (slot: number) => number[];

/** Maps the first slot of each function that is certainly called to the slots on all its paths. */
function certainFunctions(code: ReachCode, flow: Flow): ReadonlyMap<number, Certain> {
  const nextOf: NextOf = (slot) => [...(flow.next.get(slot) ?? [])];
  const calls = new Map<number, number[]>();
  for (const at of flow.reached) {
    const callee = isCallAt(code, at) ? code.callee(at) : null;
    if (callee !== null && at < callee) addTo(calls, callee, at);
  }
  const certain = new Map<number, Certain>();
  // Callers come first: libbpf appends a subprogram after its first caller.
  for (const start of code.starts) {
    const isCalled = (calls.get(start) ?? []).some((at) => {
      const inCaller = certain.get(startOf(code, at));
      return inCaller === 'all' || inCaller?.has(at) === true;
    });
    if (start === 0 || isCalled) certain.set(start, certainSlots(code, nextOf, start));
  }
  return certain;
}

/** Returns the slots on all paths from `start` to an exit; `all` if no exit is reached. */
function certainSlots(code: ReachCode, nextOf: NextOf, start: number): Certain {
  const path = pathToExit(code, nextOf, start);
  if (path === null) return 'all';
  const placeOf = new Map(path.map((slot, place) => [slot, place]));
  const certain = new Set<number>();
  const seen = new Set<number>();
  /** Highest index in `path` at which a detour comes back to the path. */
  let furthest = 0;
  for (const [place, slot] of path.entries()) {
    if (furthest <= place) certain.add(slot);
    const waiting = nextOf(slot);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const back = placeOf.get(at);
      if (back !== undefined) furthest = Math.max(furthest, back);
      else if (!seen.has(at)) {
        seen.add(at);
        // A detour ends at another exit: no later slot is certain.
        if (isExitAt(code, at)) furthest = path.length;
        waiting.push(...nextOf(at));
      }
    }
  }
  return certain;
}

/** Returns the slots of one path from `start` to an exit; null if no exit is reached. */
function pathToExit(code: ReachCode, nextOf: NextOf, start: number): readonly number[] | null {
  const cameFrom = new Map<number, number | null>([[start, null]]);
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isExitAt(code, at)) {
      const path: number[] = [];
      for (let step: number | null = at; step !== null; step = cameFrom.get(step) ?? null) {
        path.push(step);
      }
      return path.reverse();
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
  return code.bytes[slot * SLOT_SIZE] === OPCODE.call;
}

function isExitAt(code: ReachCode, slot: number): boolean {
  return code.bytes[slot * SLOT_SIZE] === OPCODE.exit;
}
