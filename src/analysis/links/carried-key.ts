/** Returns true if a `file=` carries types or a file: the page then loads the code to read them. */
export function isCarriedKey(key: string): boolean {
  return /^(btf|bytes)\d+:/.test(key);
}
