/** Joins the class names, without absent, false and empty ones. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names
    .filter((name) => name !== undefined && name !== null && name !== false && name !== '')
    .join(' ');
}
