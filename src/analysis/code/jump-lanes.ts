/** Assigns the jump arrows of a listing to lanes, so that the jumps of a lane do not overlap. */
import { upperBound } from '#bytes/arrays.ts';
import { decodeInsn, insnOffsets, isCall, jumpTarget } from '#formats/bpf/insn.ts';
import { hasBpfCode, type ObjectModel } from '#model/object-model.ts';
import type { CodeListing } from './code-listing.ts';

/** Rows of a jump instruction and of its target. */
export type Jump = { readonly from: number; readonly to: number };

/** Part of a jump's arrow in one row. Lane 0 is next to the text. */
export type LanePart = Jump & { readonly lane: number };

export type JumpLanes = {
  /** Number of lanes that contain jumps. */
  readonly count: number;
  /** Returns the parts of arrows in a row, at most one per lane. */
  readonly partsAt: (row: number) => readonly LanePart[];
};

/** Maximum number of lanes. Jumps without a free lane have no arrow. */
const MAX_LANES = 6;
/** Maximum number of instructions with arrows: a hostile file must not delay the page. */
const MAX_INSNS = 100_000;

/** Returns the lanes for the jumps in BPF code with the content `bytes`; calls are not jumps. */
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

/** Assigns lanes to jumps; the shortest jumps get the lanes next to the text. */
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

/** Jumps in a lane, and their top rows `tops`, both sorted by top row. */
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
