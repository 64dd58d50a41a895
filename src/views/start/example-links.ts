/** Addresses of the places that the start page shows first. */

/** The atlas of the six toy kernels, and the struct that is drawn from it. */
export const LIVE_ATLAS = 'toy.btfatlas';
export const LIVE_STRUCT = 'task_struct';

/** Returns the address of the struct in History, with a member chosen or without. */
export function historyLink(member: string | null): string {
  const chosen = member === null ? '' : `&item=${encodeURIComponent(member)}`;
  return `#/history?file=sample:${LIVE_ATLAS}&entry=struct:${LIVE_STRUCT}${chosen}`;
}

export const EXAMPLE_LINKS = {
  /** The access string 0:1:0:0 of `exec_trace.bpf.o`. */
  accessString: '#/core?file=sample:exec_trace.bpf.o&core=.text@0x98&step=1',
  /** `struct task_struct` of `toy-6.18.btf`, in the link itself. */
  carriedType:
    '#/types?file=btf1:2QhRTU1RasMwFJPchLk_Wf52kbHv3sQ1jldM82LXfik9zc46EjZagYQEQhrMhx3ff4iOhsYae-hIDoY8sGff8408EuwNt3zuunG0tDgBO5_gi6pvV9e0rkHhXFOvEU19uOJ79peGvLh6Q6kpQwTxkfSvtNuQp4iSJuglTajRz674GhfFqkm2pU1DFoHZH0uanALr1ycg8n-sWf3s7gLxxYW8LooRRwz4BQ&type=struct:task_struct',
} as const;
