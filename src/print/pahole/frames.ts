/** The state of a struct or union that is being written. */
import { emptyLayout, type Layout } from './layouts.ts';

/** How far a composite has come with the member of its row. */
export const Phase = {
  START: 0,
  /** The type of the unnamed bit-field in front of it is written. */
  FILLED: 1,
  /** All that comes in front of it is written. */
  DECLARED: 2,
  /** Its type is written. */
  TYPED: 3,
} as const;

/** How a type is written. A composite takes it over from the one that it is in, with changes. */
export type Style = {
  /** Width of the types of members, in characters. Negative in depth, where C takes it for positive. */
  typeSpacing: number;
  /** Width of the names of members. */
  nameSpacing: number;
  /** Tabs before what closes the composite. */
  indent: number;
  /** Offset of the composite in the outermost one, in bytes. */
  baseOffset: number;
  /** Offsets count from the composite, as in what a pointer points at. */
  isRelative: boolean;
  inUnion: boolean;
  isFirst: boolean;
  isLast: boolean;
  /** Are sizes and holes summed up at the end? */
  withStats: boolean;
  /** `typedef`, before the outermost. */
  isTypedef: boolean;
  /** What the composite declares, with the space before it; written after it. */
  suffix: string;
};

export class Frame {
  id = 0;
  isUnion = false;
  readonly layout: Layout = emptyLayout();
  row = 0;
  /** Of `Phase`. */
  phase: number = Phase.START;
  /** Its own style; what members take over. */
  readonly style: Style = {
    typeSpacing: 0,
    nameSpacing: 0,
    indent: 0,
    baseOffset: 0,
    isRelative: false,
    inUnion: false,
    isFirst: false,
    isLast: false,
    withStats: false,
    isTypedef: false,
    suffix: '',
  };
  /** Tabs before its members. */
  indent = '';
  /** The cache line in which a union begins, and each of its members. */
  cacheline = 0;

  /** Of the member that is being written: offset in the outermost composite, and where its text begins. */
  offset = 0;
  textStart = 0;
  /** What follows the composite that is written in place for it: bounds of arrays. */
  bounds = '';

  /** Row of the last member that was written; -1 = none. */
  last = -1;
  lastSize = 0;
  /** Was something written that an empty line must follow? */
  newline = false;
  sumBytes = 0;
  sumBits = 0;
  sumHoles = 0;
  sumBitHoles = 0;
  paddings = 0;
  sumPaddings = 0;
  forced = 0;
  forcedHoles = 0;
  sumForcedHoles = 0;

  /** Makes it fit for another composite. `layout` and `style` are for the caller to fill in. */
  reset(id: number, isUnion: boolean): void {
    this.id = id;
    this.isUnion = isUnion;
    this.phase = Phase.START;
    this.last = -1;
    this.lastSize = 0;
    this.newline = false;
    this.sumBytes = 0;
    this.sumBits = 0;
    this.sumHoles = 0;
    this.sumBitHoles = 0;
    this.paddings = 0;
    this.sumPaddings = 0;
    this.forced = 0;
    this.forcedHoles = 0;
    this.sumForcedHoles = 0;
  }
}
