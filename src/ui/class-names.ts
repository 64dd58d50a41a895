/** Returns the names joined by spaces, without those that are null, false or empty. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names
    .filter((name) => name !== undefined && name !== null && name !== false && name !== '')
    .join(' ');
}
