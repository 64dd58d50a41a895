/**
 * What a person writes for a way: the expression in C, and the reads of a BPF program
 * by libbpf's macros.
 *
 * Source: the kernel's tools/lib/bpf/bpf_core_read.h and bpf_helpers.h. Raw names.
 */
import { typeExpression } from '#analysis/type-name.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { type DescribedWay, pointersIn, type WayHop } from './describe-way.ts';
import type { ContainerPart } from './path-goal.ts';

const NEXT = 'void *next;';

/** How a container_of is told: what BTF cannot confirm is called a guess, a list by its name. */
export function containerWords(through: ContainerPart): string {
  switch (through) {
    case 'list':
      return 'via list: container_of';
    case 'link':
      return 'via link: container_of';
    case 'general':
      return 'guess: container_of';
    case 'part':
      return 'container_of';
  }
}

/** How the kernel's own code calls a pointer to these. */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  block_device: 'bdev',
  bpf_prog: 'prog',
  cgroup: 'cgrp',
  css_set: 'cset',
  file_system_type: 'fs_type',
  files_struct: 'files',
  mm_struct: 'mm',
  net_device: 'dev',
  request_queue: 'q',
  sk_buff: 'skb',
  super_block: 'sb',
  task_struct: 'task',
  tty_struct: 'tty',
  vm_area_struct: 'vma',
  vfsmount: 'mnt',
  sock: 'sk',
  request: 'rq',
};

const KEYWORDS: ReadonlySet<string> = new Set(
  'auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while'.split(
    ' ',
  ),
);

/** A name for a pointer to the type: as the kernel calls it, else the type's own; `p` where that will not do. */
function variableOf(t: TypeTable, way: DescribedWay): string {
  const name = nameOf(t, way.start);
  const usual = Object.hasOwn(USUAL_NAMES, name) ? USUAL_NAMES[name] : undefined;
  const short = usual ?? name.replace(/_(?:struct|t)$/, '');
  return /^[A-Za-z_]\w{0,40}$/.test(short) && !KEYWORDS.has(short) ? short : 'p';
}

/** `struct task_struct *task;` */
export function declarationOf(t: TypeTable, way: DescribedWay): string {
  return `${typeExpression(t, way.start)} *${variableOf(t, way)};`;
}

/** `task->nsproxy->net_ns`; null where C has no name for what it ends at. */
export function wayInC(t: TypeTable, way: DescribedWay): string | null {
  let text = variableOf(t, way);
  let joiner = '->';
  for (const hop of way.hops) {
    if (hop.endsUnnamed && hop.field === '') return null;
    if (hop.kind === 'container') {
      if (hop.endsUnnamed) return null;
      text = `container_of(${text}, ${typeExpression(t, hop.root)}, ${hop.field})`;
      joiner = '->';
      continue;
    }
    text = `${text}${joiner}${hop.field}${elementsOf(hop)}`;
    joiner = hop.beyond.at(-1) === 'array' ? '.' : '->';
  }
  return way.hops.at(-1)?.endsUnnamed === true ? null : text;
}

/** `[0]` for each pointer and array that is gone through by an index: all but the pointer that `->` follows. */
function elementsOf({ beyond }: WayHop): string {
  return '[0]'.repeat(beyond.length - (beyond.at(-1) === 'pointer' ? 1 : 0));
}

/**
 * The statements that read it in a BPF program, one to a line: `BPF_CORE_READ(task,
 * nsproxy, net_ns);` null where C has no name for a part.
 */
export function wayInBpf(t: TypeTable, way: DescribedWay): readonly string[] | null {
  if (wayInC(t, way) === null) return null;
  const lines: string[] = [];
  let source = variableOf(t, way);
  let fields: string[] = [];
  const read = () =>
    fields.length === 0 ? source : `BPF_CORE_READ(${[source, ...fields].join(', ')})`;
  const goOn = (from: string) => {
    source = from;
    fields = [];
  };
  way.hops.forEach((hop, i) => {
    const isLast = i === way.hops.length - 1;
    if (hop.kind === 'container') {
      goOn(`container_of(${read()}, ${typeExpression(t, hop.root)}, ${hop.field})`);
      return;
    }
    if (isLast && way.endsAtField && (hop.bitfieldSize > 0 || isArray(t, hop))) {
      lines.push(...readOfOdd(t, hop, [source, ...fields]));
      goOn('');
      return;
    }
    if (isLast && !way.endsAtField && hop.beyond.length === 0) {
      // A struct inside another is seldom small enough for the stack of a program: its address will do.
      goOn(`&${read()}->${hop.field}`);
      return;
    }
    fields.push(hop.field);
    const extra = pointersIn(hop.beyond) - 1;
    if (hop.beyond.length <= 1) return;
    // Behind a pointer to a pointer the macro has no place for an element.
    if (extra > 0 && !lines.includes(NEXT)) lines.push(NEXT);
    for (let left = extra; left > 0; left--) {
      lines.push(`bpf_probe_read_kernel(&next, sizeof(next), ${read()});`);
      goOn('next');
    }
    goOn(`(${typeExpression(t, hop.to)} *)${read()}`);
  });
  const last = read();
  return last === '' ? lines : [...lines, `${last};`];
}

function isArray(t: TypeTable, hop: WayHop): boolean {
  return kindOf(t, skipModifiers(t, hop.to)) === BtfKind.ARRAY;
}

/** Bit-fields and arrays are no values that BPF_CORE_READ could give. `way` is what leads to their struct. */
function readOfOdd(t: TypeTable, hop: WayHop, way: readonly string[]): string[] {
  const [source = '', ...before] = way;
  if (hop.bitfieldSize === 0) {
    return [`BPF_CORE_READ_INTO(&value, ${[...way, hop.field].join(', ')});`];
  }
  if (before.length === 0) return [`BPF_CORE_READ_BITFIELD_PROBED(${source}, ${hop.field});`];
  return [
    `${typeExpression(t, hop.root)} *p = BPF_CORE_READ(${way.join(', ')});`,
    `BPF_CORE_READ_BITFIELD_PROBED(p, ${hop.field});`,
  ];
}
