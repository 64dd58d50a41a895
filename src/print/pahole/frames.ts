/** State of a struct or union that is being written. */
import { Layout } from './layouts.ts';
import type { Remark } from './members.ts';

/** Progress in writing the member of the current row. */
export const Phase = {
  START: 0,
  /** Has written the type of the unnamed bit-field that precedes the member. */
  FILLED: 1,
  /** Has written all text that precedes the member. */
  DECLARED: 2,
  /** Has written the type of the member. */
  TYPED: 3,
  /** Has written the type of an unnamed bit-field in the padding. */
  PADDED: 4,
  /** Has written a type that is declared inside. */
  DECLARED_INSIDE: 5,
} as const;

/** Style in which a type is written. A nested type starts with the style of its container. */
export class Style {
  /** Width of the column of member types. If negative, C's `%-*s` uses the absolute value. */
  typeSpacing = 0;
  nameSpacing = 0;
  /** Number of tabs before the closing brace. */
  indent = 0;
  /** Offset in bytes of the composite in the outermost composite. */
  baseOffset = 0;
  /** True if offsets count from this composite, as after a pointer. */
  isRelative = false;
  inUnion = false;
  isFirst = false;
  isLast = false;
  /** True if a summary of sizes and holes follows the members. */
  withStats = false;
  /** True if `typedef` precedes the outermost composite. */
  isTypedef = false;
  /** Declared name with a space, which follows the composite. */
  suffix = '';
}

export class Frame {
  id = 0;
  isUnion = false;
  readonly layout = new Layout();
  row = 0;
  /** State of the current member: a value of `Phase`. */
  phase: number = Phase.START;
  /** Style of this composite; members inherit it. */
  style = new Style();
  /** Tabs before each member. */
  indent = '';
  /** Number of the cache line in which a union, and so each of its members, begins. */
  cacheline = 0;

  /** Offset of the current member in the outermost composite; place at which its text starts. */
  offset = 0;
  textStart = 0;
  /** Array bounds that follow a composite inside of a declaration. */
  bounds = '';

  /** Row of the latest written member; -1 before the first member. */
  last = -1;
  lastSize = 0;
  /** True if an empty line must precede the next text. */
  newline = false;
  sums = new Sums();

  /** Number of types declared inside that are written. */
  declaredInside = 0;
  /** Bytes of padding that unnamed bit-fields cover so far; -1 before the first. */
  padded = -1;

  /** Prepares the frame for composite `id`. The caller must set `layout` and `style`. */
  reset(id: number, isUnion: boolean): void {
    this.id = id;
    this.isUnion = isUnion;
    this.phase = Phase.START;
    this.last = -1;
    this.lastSize = 0;
    this.newline = false;
    this.sums = new Sums();
    this.declaredInside = 0;
    this.padded = -1;
  }
}

/** Sums over the members written so far, for the summary. */
export class Sums {
  bytes = 0;
  bits = 0;
  holes = 0;
  bitHoles = 0;
  /** Number of members that are structs with padding, and the sum of their padding in bytes. */
  paddings = 0;
  padding = 0;
  /** For holes, bit holes and bit padding: number of member structs with some, and the total. */
  holed = 0;
  holesInside = 0;
  bitHoled = 0;
  bitHolesInside = 0;
  bitPadded = 0;
  bitPadding = 0;
  /** Number of structs with a flexible array at the end; number of structs that contain one. */
  flexible = 0;
  holdingFlexible = 0;
  forced = 0;
  forcedHoles = 0;
  forcedHole = 0;

  add({ padding, holes, bitHoles, bitPadding, isFlexible, holdsFlexible }: Remark): void {
    if (padding !== 0) this.paddings++;
    this.padding += padding;
    if (holes !== 0) this.holed++;
    this.holesInside += holes;
    if (bitHoles !== 0) this.bitHoled++;
    this.bitHolesInside += bitHoles;
    if (bitPadding !== 0) this.bitPadded++;
    this.bitPadding += bitPadding;
    if (isFlexible) this.flexible++;
    if (holdsFlexible) this.holdingFlexible++;
  }
}
