/** Assigns the jump arrows of a listing to lanes, so that jumps in a lane do not overlap. */
import { upperBound } from '#bytes/arrays.ts';
import { decodeInsn, insnOffsets, isCall, jumpTarget } from '#formats/bpf/insn.ts';
import { hasBpfCode, type ObjectModel } from '#model/object-model.ts';
import type { CodeListing } from './code-listing.ts';

/** A jump between two rows of the listing. */
export type Jump = { readonly from: number; readonly to: number };

/** The part of a jump in a row; lane 0 is next to the text. */
export type LanePart = Jump & { readonly lane: number };

export type JumpLanes = {
  /** Number of lanes with a jump. */
  readonly count: number;
  /** Returns the parts of a row, at most one per lane. */
  readonly partsAt: (row: number) => readonly LanePart[];
};

/** Maximum number of lanes; further jumps have no arrow. */
const MAX_LANES = 6;
/** Maximum number of instructions with arrows, so that a hostile file does not take seconds. */
const MAX_INSNS = 100_000;

/** Returns the jumps of BPF code with content `bytes`, without calls. */
export function jumpLanes(model: ObjectModel, bytes: Uint8Array, listing: CodeListing): JumpLanes {
  if (!hasBpfCode(model) || listing.insnCount > MAX_INSNS) return lanesOf([]);
  const jumps: Jump[] = [];
  for (const offset of insnOffsets(bytes, model.endian)) {
    const insn = decodeInsn(bytes, offset, model.endian);
    const target = insn === null || isCall(insn) ? null : jumpTarget(insn);
    if (target === null || target < 0) continue;
    const to = listing.rowOfInsn(target);
    if (to >= 0) jumps.push({ from: listing.rowOfInsn(offset), to });
  }
  return lanesOf(jumps);
}

/** Assigns lanes; the shortest jumps are next to the text. */
export function lanesOf(jumps: readonly Jump[]): JumpLanes {
  const lanes: Lane[] = Array.from({ length: MAX_LANES }, () => ({ jumps: [], tops: [] }));
  const byLength = jumps.toSorted((a, b) => lengthOf(a) - lengthOf(b) || a.from - b.from);
  for (const jump of byLength) lanes.find((lane) => isFree(lane, jump) && put(lane, jump));
  const used = lanes.filter((lane) => lane.jumps.length > 0);
  return {
    count: used.length,
    partsAt: (row) =>
      used.flatMap((lane, number) => {
        const jump = lane.jumps[upperBound(lane.tops, row) - 1];
        return jump !== undefined && bottomOf(jump) >= row ? [{ ...jump, lane: number }] : [];
      }),
  };
}

/** Jumps of a lane, ordered by their top rows `tops`. */
type Lane = { readonly jumps: Jump[]; readonly tops: number[] };

const topOf = ({ from, to }: Jump) => Math.min(from, to);
const bottomOf = ({ from, to }: Jump) => Math.max(from, to);
const lengthOf = (jump: Jump) => bottomOf(jump) - topOf(jump);

function isFree({ jumps, tops }: Lane, jump: Jump): boolean {
  const at = upperBound(tops, bottomOf(jump));
  const before = jumps[at - 1];
  return before === undefined || bottomOf(before) < topOf(jump);
}

function put({ jumps, tops }: Lane, jump: Jump): true {
  const at = upperBound(tops, topOf(jump));
  jumps.splice(at, 0, jump);
  tops.splice(at, 0, topOf(jump));
  return true;
}
