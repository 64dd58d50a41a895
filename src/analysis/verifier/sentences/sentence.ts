/**
 * A message, its cause, and a repair if that of the card does not fit. In a text `$1` is a captured
 * part, `$+1` a captured index counted from 1, `$k1` a captured type in words, `{I}` and `{i}` the
 * failing instruction, `{R}` its register, `{v}` its value, `{f}` the called function, `{g}` the
 * global function that a message is about, `{C}` a sentence about its call, `{o}` the
 * function of the instruction, `{slot}` the stack slot; `{from}`,
 * `{since}`, `{by}` and `{taken}` the origin of the value.
 */
export type Sentence = readonly [message: RegExp, cause: string, fix?: string];
