/** A range of a query and the line that contains it. Lines and columns count from 1. */
export type QueryPlace = {
  readonly line: number;
  readonly column: number;
  /** Text of the line: before the range, in the range, after the range. */
  readonly before: string;
  readonly wrong: string;
  readonly after: string;
};

/** Returns the range from `start` to `end` (exclusive), cut at the end of its first line. */
export function placeIn(text: string, start: number, end: number): QueryPlace {
  const at = Math.max(0, Math.min(start, text.length));
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const newline = text.indexOf('\n', at);
  const lineEnd = newline < 0 ? text.length : newline;
  const stop = Math.max(at, Math.min(end, lineEnd));
  return {
    line: text.slice(0, at).split('\n').length,
    column: at - lineStart + 1,
    before: text.slice(lineStart, at),
    wrong: text.slice(at, stop),
    after: text.slice(stop, lineEnd),
  };
}
