/**
 * Decides whether the verifier reaches an instruction. An instruction that `flow.ts` does not reach is
 * dead code for the verifier; one on every path is certainly reached; others are undecided.
 */
import { addTo } from '#bytes/cache.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import { OPCODE } from '#formats/bpf/opcodes.ts';
import { type Flow, flowOf, type ReachCode, startOf } from './flow.ts';

export type Reach = 'never' | 'perhaps' | 'certain';

/** Returns the verdict for each slot of `traps`, at which the program ends. */
export function reachOf(code: ReachCode, traps: readonly number[]): Map<number, Reach> {
  const flow = flowOf(code, new Set(traps));
  const certain = flow === null ? null : certainFunctions(code, flow);
  const verdict = (slot: number): Reach => {
    if (flow === null || certain === null) return 'perhaps';
    if (!flow.reached.has(slot)) return 'never';
    return certain.get(startOf(code, slot)) === 'all' ? 'certain' : 'perhaps';
  };
  return new Map(traps.map((slot) => [slot, verdict(slot)]));
}

/** Slots on every path from the start of a function to its exits; `all` if no exit is reached. */
type Certain = ReadonlySet<number> | 'all';

/** Returns the next slots in the same function. */
type NextOf = (slot: number) => number[];

/** Returns the certain slots of the program and of the functions with a certain call, by their start. */
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
      const inCaller = certain.get(startOf(code, at));
      return inCaller === 'all' || inCaller?.has(at) === true;
    });
    if (start === 0 || isCalled) certain.set(start, certainSlots(code, nextOf, start));
  }
  return certain;
}

/** Returns the slots of one path to an exit that no detour leaves out. Visits each other slot once. */
function certainSlots(code: ReachCode, nextOf: NextOf, start: number): Certain {
  const path = pathToExit(code, nextOf, start);
  if (path === null) return 'all';
  const placeOf = new Map(path.map((slot, place) => [slot, place]));
  const certain = new Set<number>();
  const seen = new Set<number>();
  /** Place in the path at which the longest detour so far returns. */
  let furthest = 0;
  for (const [place, slot] of path.entries()) {
    if (furthest <= place) certain.add(slot);
    const waiting = nextOf(slot);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const back = placeOf.get(at);
      if (back !== undefined) furthest = Math.max(furthest, back);
      else if (!seen.has(at)) {
        seen.add(at);
        // After another exit, no later slot is certain.
        if (isExitAt(code, at)) furthest = path.length;
        waiting.push(...nextOf(at));
      }
    }
  }
  return certain;
}

/** Returns the slots from `start` to an exit; null if none is reached. */
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
