/** All loaders whose lines have rows. A new loader is a file like `./tc.ts` and a line here. */
import { AYA } from './aya.ts';
import { BCC } from './bcc.ts';
import { BPFTOOL } from './bpftool.ts';
import { BPFTRACE } from './bpftrace.ts';
import { CILIUM } from './cilium.ts';
import { CLANG } from './clang.ts';
import { KERNEL_BUILD, KERNEL_LOG } from './kernel-build.ts';
import { LIBBPF } from './libbpf.ts';
import { LIBBPF_OLD } from './libbpf-old.ts';
import { LIBBPF_PARTS } from './libbpf-parts.ts';
import { LIBXDP } from './libxdp.ts';
import type { LoaderTable } from './row.ts';
import { TC } from './tc.ts';
import { VERISTAT } from './veristat.ts';

export const LOADERS: readonly LoaderTable[] = [
  { source: 'libbpf', prefix: 'libbpf: ', rows: [...LIBBPF, ...LIBBPF_PARTS, ...LIBBPF_OLD] },
  { source: 'libxdp', prefix: 'libxdp: ', rows: LIBXDP },
  { source: 'cilium', rows: CILIUM },
  { source: 'aya', rows: AYA },
  { source: 'bpftool', rows: BPFTOOL },
  { source: 'tc', rows: TC },
  { source: 'bpftrace', rows: BPFTRACE },
  { source: 'bcc', rows: BCC },
  { source: 'veristat', rows: VERISTAT },
  { source: 'build', rows: KERNEL_BUILD },
  { source: 'kernel', rows: KERNEL_LOG },
  { source: 'clang', rows: CLANG },
];
