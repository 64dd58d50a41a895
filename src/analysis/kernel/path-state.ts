/** State of a program on one path: registers, stack frames, and the inputs that the path assumes. */

/**
 * A pointer that is not null. `values`: map values, which others may change; `constants`: values
 * that the verifier reads; `memory`: other memory with numbers; `object`: a kernel object, or an unknown number other than 0; `context`: the first
 * argument of the program; `end`: the end of the packet.
 */
export type Pointer = {
  readonly to:
    | 'stack'
    | 'context'
    | 'values'
    | 'constants'
    | 'memory'
    | 'object'
    | 'packet'
    | 'end';
  /** Offset in bytes; null if unknown. */
  readonly off: number | null;
  /** Index of the stack frame. */
  readonly frame: number;
};

/** A number computed from an input: one result for each value that the input may have. */
export type Vector = {
  readonly input: number;
  readonly results: readonly bigint[];
  /** Number of bits if it may be any unsigned number of so many bits, besides `results`; else 0. */
  readonly anyOf: number;
};

export type Cell =
  | bigint
  | Vector
  | Pointer
  /** Address of a number that the verifier knows. */
  | { readonly number: bigint; readonly byteSize: number }
  /** An unsigned number of so many bits that the verifier may know. */
  | { readonly bits: number }
  | { readonly map: number | null }
  | { readonly func: number }
  /** A register that a call has made unreadable. */
  | 'unreadable'
  /** A value of which the verifier may know more than is known here. */
  | undefined;

/** Part of the stack: a stored value, or `any` for memory that a helper has filled. */
type StackEntry = { readonly size: number; readonly value: Cell | 'any' };

export type Frame = {
  readonly registers: Cell[];
  /** Entries by offset from the frame pointer. Bytes without entry are unknown. */
  readonly stack: Map<number, StackEntry>;
  /** Slot after the call; null where the path ends with the function. */
  readonly returnTo: number | null;
};

export type State = {
  slot: number;
  readonly frames: Frame[];
  /** Indexes of the values that each input may still have; none if the input is unknown. */
  readonly live: Map<number, readonly number[]>;
  /** Input that is the length of the packet; null before it is compared. */
  packet: Vector | null;
  /** Branches that the path takes although the verifier may know that they are not taken. */
  doubts: Doubts;
};

/** Direction by decision. */
export type Doubts = ReadonlyMap<number, boolean>;

const REGISTERS = 11;
const FRAME_POINTER = 10;

export function isPointer(cell: Cell): cell is Pointer {
  return typeof cell === 'object' && 'to' in cell;
}

export function isVector(cell: Cell): cell is Vector {
  return typeof cell === 'object' && 'results' in cell;
}

export function pointer(to: Pointer['to'], off: number | null = 0, frame = 0): Pointer {
  return { to, off, frame };
}

export function newFrame(index: number, returnTo: number | null): Frame {
  const registers = new Array<Cell>(REGISTERS).fill(undefined);
  registers[FRAME_POINTER] = pointer('stack', 0, index);
  return { registers, stack: new Map(), returnTo };
}

export function copyState({ frames, live, ...state }: State): State {
  return {
    ...state,
    frames: frames.map(({ registers, stack, returnTo }) => ({
      registers: registers.slice(),
      stack: new Map(stack),
      returnTo,
    })),
    live: new Map(live),
  };
}

export function top({ frames }: State): Frame {
  return frames[frames.length - 1] ?? newFrame(0, null);
}

/** Makes r0 to r5 unreadable, as after a call. */
export function clobber({ registers }: Frame): void {
  registers.fill('unreadable', 0, 6);
}

export function isNumber(cell: Cell): cell is bigint | Vector {
  return typeof cell === 'bigint' || isVector(cell);
}

/** Returns true for a value that is an address, and therefore not 0. */
export function isAddress(cell: Cell): boolean {
  return typeof cell === 'object' && !isVector(cell) && !('bits' in cell);
}

/** Stores a value of `size` bytes; `any` for bytes that may be anything. */
export function store(frame: Frame, off: number, size: number, value: Cell | 'any'): void {
  for (const [at, entry] of frame.stack) {
    if (at < off + size && off < at + entry.size) frame.stack.delete(at);
  }
  frame.stack.set(off, { size, value });
}

/** Forgets the stack at and above an offset. */
export function forgetAbove(frame: Frame, off: number): void {
  for (const [at, { size }] of frame.stack) {
    if (at + size > off) frame.stack.delete(at);
  }
}

/** Returns the loaded bytes; `any` if they may be anything, undefined if they are unknown. */
export function load(frame: Frame, off: number, size: number, isLittle: boolean): Cell | 'any' {
  const exact = frame.stack.get(off);
  if (exact?.size === size) return exact.value;
  for (const [at, entry] of frame.stack) {
    if (at > off || at + entry.size < off + size) continue;
    if (entry.value === 'any') return 'any';
    if (typeof entry.value !== 'bigint' || !isLittle) return undefined;
    return BigInt.asUintN(8 * size, entry.value >> BigInt(8 * (off - at)));
  }
  return undefined;
}

/**
 * Returns true if one of the paths is taken whatever the decisions are: for each decision in doubt,
 * there are paths for both directions.
 */
export function isCertain(paths: readonly Doubts[], depth = 0): boolean {
  if (paths.some((doubts) => doubts.size === 0)) return true;
  const [decision] = paths[0]?.keys() ?? [];
  if (decision === undefined || depth > MAX_DOUBTS) return false;
  return [true, false].every((direction) =>
    isCertain(
      paths.flatMap((doubts) => {
        const taken = doubts.get(decision);
        if (taken !== undefined && taken !== direction) return [];
        const others = new Map(doubts);
        others.delete(decision);
        return [others];
      }),
      depth + 1,
    ),
  );
}

const MAX_DOUBTS = 5;
