/** All loaders whose lines have rows. A new loader is a file like `./aya.ts` and a line here. */
import { AYA } from './aya.ts';
import { CILIUM } from './cilium.ts';
import { KERNEL_BUILD, KERNEL_LOG } from './kernel-build.ts';
import { LIBBPF } from './libbpf.ts';
import { LIBBPF_OLD } from './libbpf-old.ts';
import { LIBBPF_PARTS } from './libbpf-parts.ts';
import type { LoaderTable } from './row.ts';

export const LOADERS: readonly LoaderTable[] = [
  { source: 'libbpf', prefix: 'libbpf: ', rows: [...LIBBPF_OLD, ...LIBBPF, ...LIBBPF_PARTS] },
  { source: 'aya', rows: AYA },
  { source: 'build', rows: KERNEL_BUILD },
  { source: 'kernel', rows: KERNEL_LOG },
  { source: 'cilium', rows: CILIUM },
];
