/** Kernels with few types, for tests. */
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { btfBlob } from './btf-blob.ts';
import type { TypeRecord } from './btf-types.ts';
import { tableOf } from './type-table.ts';

/** Returns a kernel whose BTF has `types`, without modules; other facts are unknown. */
export function kernelOf(
  types: readonly TypeRecord[],
  facts: Partial<LoadKernel> = {},
): LoadKernel {
  return {
    name: 'vmlinux',
    vmlinux: tableOf(btfBlob({ types }).bytes),
    modules: [],
    config: null,
    kallsyms: null,
    release: null,
    unameVersion: null,
    ...facts,
  };
}
