/** The jumps of a listing as arrows beside it: each in a lane, so that no two in a lane overlap. */
import { upperBound } from '#bytes/binary-search.ts';
import { decodeInsn, insnOffsets, isCall, jumpTarget } from '#formats/bpf/insn.ts';
import { hasBpfCode, type ObjectModel } from '#model/object-model.ts';
import type { CodeListing } from './code-listing.ts';

/** Rows of the listing. */
export type Jump = { readonly from: number; readonly to: number };

/** What is drawn of a jump in one row, in its lane; lane 0 is the one next to the text. */
export type LanePart = Jump & { readonly lane: number };

export type JumpLanes = {
  /** How many lanes have a jump. */
  readonly count: number;
  /** The parts of a row, at most one a lane. */
  readonly partsAt: (row: number) => readonly LanePart[];
};

/** A jump that would need more has no arrow. */
const MAX_LANES = 6;
/** Longer code gets no arrows: nobody follows them, and a hostile file is not to cost seconds. */
const MAX_INSNS = 100_000;

/** The jumps of BPF code whose bytes are `bytes`; calls are none. */
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

/** The shortest jumps stand next to the text. */
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

/** In the order of their top rows, `tops`. */
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
