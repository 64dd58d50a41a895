/**
 * The tools whose texts are written as several of their versions print them, and these versions,
 * the default first. A printer has a table of what its versions do differently, a `Dialect` each.
 *
 * bpftool 7.8 is 7.8.0 with the fix of its sorted C in bpf-next: 7.5 to 7.8.0 leave out the type
 * that is sorted first. pahole 1.31 is that of July 2026 (acmel/dwarves, commit 1436daf).
 */
export const TOOL_VERSIONS = {
  bpftool: ['7.8', '7.1'],
  pahole: ['1.31', '1.24'],
} as const;

export type Tool = keyof typeof TOOL_VERSIONS;
export type VersionOf<T extends Tool> = (typeof TOOL_VERSIONS)[T][number];

/** Whose text it is: of a tool that is not named, that of the default version. */
export type ToolVersions = { readonly [T in Tool]?: VersionOf<T> };
