/** What a BPF object brings along, by libbpf's rules: its programs and its licence. Maps and variables are in `values/`. */

import { type FunctionRange, functionsOf } from '#analysis/objects/functions.ts';
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { selectionInsn } from '#analysis/selection/selection.ts';
import { lowerBound } from '#bytes/binary-search.ts';
import { addTo } from '#bytes/keep.ts';
import { decodeName } from '#bytes/text.ts';
import type { SectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';

export type ProgramRow = {
  readonly func: FunctionRange;
  /** Raw text: escape it when drawn. */
  readonly sectionName: string;
  /** What libbpf makes of the section's name: `kprobe`, `xdp`; empty where it knows no such name. */
  readonly kind: string;
  /** What follows in the name: the function, tracepoint or cgroup hook. Raw text. */
  readonly attachTo: string;
  /** Slots of eight bytes, as bpftool counts them: a ld_imm64 is two. */
  readonly insnCount: number;
  readonly coreCount: number;
};

/** The programs of a file, then its subprograms, both in the order of the file. None where the code is not BPF. A row is made when it is looked at. */
export class ProgramRows {
  readonly length: number;
  /** How many of them are programs. */
  readonly programCount: number;
  readonly #model: ObjectModel;
  readonly #functions: readonly FunctionRange[];
  /** Row → number in `#functions`. */
  readonly #order: Uint32Array;
  readonly #cores: ReadonlyMap<number, readonly number[]>;

  /** Of what `functionsOf` finds. */
  constructor(model: ObjectModel) {
    const functions = functionsOf(model);
    this.#model = model;
    this.#functions = functions;
    this.length = isBpf(model) ? functions.length : 0;
    this.#order = new Uint32Array(this.length);
    this.#cores = coreOffsets(model);
    // Programs are put in from the front and the others from the back, which are then turned round.
    let [front, back] = [0, this.length];
    for (let number = 0; number < this.length; number++) {
      this.#order[functions[number]?.isProgram === true ? front++ : --back] = number;
    }
    this.#order.subarray(back).reverse();
    this.programCount = front;
  }

  at(row: number): ProgramRow | undefined {
    const func = this.#functions[this.#order[row] ?? -1];
    if (func === undefined) return;
    const { section, start, end, isProgram } = func;
    const name = sectionName(this.#model.sections, section);
    return {
      func,
      sectionName: name,
      ...(isProgram ? programType(name) : { kind: '', attachTo: '' }),
      insnCount: Math.floor((end - start) / 8),
      coreCount: countBetween(this.#cores.get(section) ?? [], start, end),
    };
  }

  /** The row whose instructions the selection is in; null where there is none. */
  rowOf(selection: Selection): number | null {
    const place = selectionInsn(this.#model, selection);
    if (place === null) return null;
    const row = this.#order.findIndex((number) => {
      const func = this.#functions[number];
      if (func?.section !== place.section) return false;
      return place.insnOff >= func.start && place.insnOff < func.end;
    });
    return row < 0 ? null : row;
  }
}

/** `insn_off` of all CO-RE records by section, rising. */
function coreOffsets({ ext }: ObjectModel): Map<number, number[]> {
  const bySection = new Map<number, number[]>();
  for (let i = 0; i < ext.core.count; i++) {
    addTo(bySection, ext.core.section[i] ?? -1, ext.core.insnOff[i] ?? 0);
  }
  for (const offsets of bySection.values()) offsets.sort((a, b) => a - b);
  return bySection;
}

function countBetween(rising: readonly number[], start: number, end: number): number {
  return lowerBound(rising, end) - lowerBound(rising, start);
}

/** The section named `license`; null where there is none. */
export function licenseSection({ sections }: ObjectModel): SectionIndex | null {
  return loaderSections.of(sections).license[0] ?? null;
}

/** The licence that the kernel is told, out of the bytes of `licenseSection`. Null where there is none. Raw text. */
export function licenseOf(model: ObjectModel, sectionBytes: Uint8Array): string | null {
  return licenseSection(model) === null || sectionBytes.length === 0
    ? null
    : decodeName(sectionBytes, 0);
}

/**
 * What libbpf makes of the name of a program's section.
 *
 * Source: libbpf's documentation, "Program Types and ELF Sections" (the table of
 * SEC() names), libbpf 1.x. A name that ends in `+` takes `name` and `name/…`;
 * all others must be met exactly.
 */
const SECTIONS: readonly string[] = `
  socket sk_reuseport/migrate sk_reuseport
  kprobe+ uprobe+ uprobe.s+ kretprobe+ uretprobe+ uretprobe.s+
  kprobe.multi+ kretprobe.multi+ kprobe.session+
  uprobe.multi+ uretprobe.multi+ uprobe.session+
  uprobe.multi.s+ uretprobe.multi.s+ uprobe.session.s+
  ksyscall+ kretsyscall+ usdt+ usdt.s+
  tc/ingress tc/egress tcx/ingress tcx/egress tc classifier action
  netkit/primary netkit/peer
  tracepoint+ tp+ raw_tracepoint+ raw_tp+ raw_tracepoint.w+ raw_tp.w+ tp_btf+
  fentry.multi+ fexit.multi+ fsession.multi+ fentry.multi.s+ fexit.multi.s+ fsession.multi.s+
  fentry+ fmod_ret+ fexit+ fsession+ fentry.s+ fmod_ret.s+ fexit.s+ fsession.s+ freplace+
  lsm+ lsm.s+ lsm_cgroup+ iter+ iter.s+ syscall
  xdp.frags/devmap xdp/devmap xdp.frags/cpumap xdp/cpumap xdp.frags xdp
  perf_event lwt_in lwt_out lwt_xmit lwt_seg6local
  sockops sk_skb/stream_parser sk_skb/stream_verdict sk_skb/verdict sk_skb sk_msg
  lirc_mode2 flow_dissector
  cgroup_skb/ingress cgroup_skb/egress cgroup/skb
  cgroup/sock_create cgroup/sock_release cgroup/sock cgroup/post_bind4 cgroup/post_bind6
  cgroup/bind4 cgroup/bind6 cgroup/connect4 cgroup/connect6 cgroup/connect_unix
  cgroup/sendmsg4 cgroup/sendmsg6 cgroup/sendmsg_unix
  cgroup/recvmsg4 cgroup/recvmsg6 cgroup/recvmsg_unix
  cgroup/getpeername4 cgroup/getpeername6 cgroup/getpeername_unix
  cgroup/getsockname4 cgroup/getsockname6 cgroup/getsockname_unix
  cgroup/sysctl cgroup/getsockopt cgroup/setsockopt cgroup/dev
  struct_ops+ struct_ops.s+ sk_lookup netfilter
`
  .trim()
  .split(/\s+/);

// None of the names that end in `+` has a slash, so that what stands before the first is the name.
const WITH_REST = new Set(SECTIONS.filter((s) => s.endsWith('+')).map((s) => s.slice(0, -1)));
const EXACT = new Set(SECTIONS.filter((entry) => !entry.endsWith('+')));

type ProgramType = {
  /** The name that libbpf goes by: `kprobe`, `xdp`; empty where it knows none. */
  readonly kind: string;
  /** What stands behind it: `do_unlinkat`, `syscalls/sys_enter_openat`. Raw text. */
  readonly attachTo: string;
};

/** The program type that a section of this name asks for. A leading `?` (do not load by itself) counts for nothing. */
export function programType(sectionName: string): ProgramType {
  const name = sectionName.startsWith('?') ? sectionName.slice(1) : sectionName;
  if (EXACT.has(name)) return { kind: name, attachTo: '' };
  const [kind = ''] = name.split('/', 1);
  return WITH_REST.has(kind)
    ? { kind, attachTo: name.slice(kind.length + 1) }
    : { kind: '', attachTo: '' };
}
