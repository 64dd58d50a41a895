/**
 * The tools whose texts are printed in several versions, the default version first. A printer has a
 * `Dialect` per version with its differences.
 *
 * bpftool 7.8 is 7.8.0 with the fix of its sorted C in bpf-next: 7.5 to 7.8.0 omit the first sorted
 * type. pahole 1.31 is that of July 2026 (acmel/dwarves, commit 1436daf).
 */
export const TOOL_VERSIONS = {
  bpftool: ['7.8', '7.1'],
  pahole: ['1.31', '1.24'],
} as const;

export type Tool = keyof typeof TOOL_VERSIONS;
export type VersionOf<T extends Tool> = (typeof TOOL_VERSIONS)[T][number];

/** The version of each tool; the default version for a missing tool. */
export type ToolVersions = { readonly [T in Tool]?: VersionOf<T> };
