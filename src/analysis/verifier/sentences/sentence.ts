/**
 * A message, its cause, and a repair if that of the card does not fit. In a text `$1` is a captured
 * part, `$+1` a captured index counted from 1, `{I}` and `{i}` the failing instruction, `{R}` its
 * register, `{f}` the called function, `{from}` the origin of the value.
 */
export type Sentence = readonly [message: RegExp, cause: string, fix?: string];
