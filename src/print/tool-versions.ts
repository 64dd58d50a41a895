/**
 * Versions of each tool whose texts can be written; the default version is first. Each printer has
 * a `Dialect` per version.
 *
 * bpftool 7.8 is 7.8.0 with bpf-next's fix of its sorted C: 7.5 to 7.8.0 omit the first sorted
 * type. pahole 1.31 is that of July 2026 (acmel/dwarves, commit 1436daf).
 */
export const TOOL_VERSIONS = {
  bpftool: ['7.8', '7.1'],
  pahole: ['1.31', '1.24'],
} as const;

export type Tool = keyof typeof TOOL_VERSIONS;
export type VersionOf<T extends Tool> = (typeof TOOL_VERSIONS)[T][number];

/** Version of each tool. A missing tool has its default version. */
export type ToolVersions = { readonly [T in Tool]?: VersionOf<T> };
