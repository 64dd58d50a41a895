/** What one step of the resolving pass may ask of the walk. `resolver.ts` is the walk. */
import type { BlobTypes } from './blob-types.ts';
import type { Report } from './report.ts';

/** A type and bytes: of an array or of another type with a size. */
export type Sized = { readonly id: number; readonly size: number };

/**
 * How a step ends: another type was put on top and this one waits for it, or it
 * is broken, which has been reported, or it is resolved: to a type (0 = it stands
 * for itself), and for an array with its size.
 */
export type Outcome = 'waits' | 'broken' | Sized;

export type ResolveWalk = {
  readonly records: BlobTypes;
  readonly report: Report;
  /** The item of the type on top that is to be looked at next. */
  nextItem: number;
  /** Was `id` found to be broken, or could its record not be read at all? */
  isBroken(id: number): boolean;
  isResolved(id: number): boolean;
  /** Must the existing type `id` be resolved before one that names it, in the mode of this walk? */
  mustPush(id: number): boolean;
  /** Puts `id` on top. False where the walk is too deep or has come in a circle, which is reported. */
  push(id: number): boolean;
  /** The pointer at which a resolved modifier ends, where the walk must still go on behind that. */
  pointerBehind(id: number): number | null;
  /** What the resolved type `id` was resolved to: for a FUNC its FUNC_PROTO. */
  resolvedId(id: number): number;
  /** The type with a size that `id` comes to; null where it has none, `unknown` where something on the way is broken. */
  sizedOf(id: number): Sized | 'unknown' | null;
};
