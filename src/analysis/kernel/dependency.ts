/** What an answer on a kernel depends on, if it is not certain. */
import type { LoadKernel } from './kernel.ts';
import { isSince, type Version } from './version.ts';

/**
 * What an undecided reason depends on: files about the kernel, its version, a branch that constants
 * do not decide, the running kernel, the rest of a search that is cut off, or libbpf's reading of a
 * broken file.
 */
export const DEPENDENCIES = [
  'modules',
  'config',
  'kallsyms',
  'release',
  'branch',
  'running',
  'search',
  'file',
] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

/** What an answer depends on; for a certain answer it has no meaning. Absent: the running kernel. */
export type DependsOn = { readonly dependsOn?: Dependency | undefined };

/** Returns a dependency on the version if the kernel may be older than one of `versions`, or not. */
export function byVersion(kernel: LoadKernel, ...versions: readonly Version[]): DependsOn {
  const isUnknown = versions.some((version) => isSince(kernel, version) === null);
  return isUnknown ? { dependsOn: 'release' } : {};
}
