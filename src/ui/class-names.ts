/** Joins the class names that are there; a name that is absent, false or empty is left out. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names
    .filter((name) => name !== undefined && name !== null && name !== false && name !== '')
    .join(' ');
}
