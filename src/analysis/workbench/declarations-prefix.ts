/** Beginning of a `file=` parameter that contains declarations: all that the start page needs of it. */

export const PREFIX = 'c1:';

/** Returns true for a `file=` parameter that contains declarations. */
export function isDeclarationsKey(key: string): boolean {
  return key.startsWith(PREFIX);
}
