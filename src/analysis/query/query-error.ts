/** Errors in a query, with their place. */

/** An error in a range of the query, in characters from 0. */
export class QueryError extends Error {
  readonly start: number;
  readonly end: number;

  constructor(message: string, { start, end }: { readonly start: number; readonly end: number }) {
    super(message);
    this.start = start;
    this.end = end;
  }
}

/** Returns the range of a part of a query. */
export function spanOf(at: { readonly positionStart: number; readonly positionEnd: number }) {
  return { start: at.positionStart, end: at.positionEnd };
}
