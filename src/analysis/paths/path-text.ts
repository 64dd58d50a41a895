/**
 * What a person writes for a path: the expression in C, and the reads of a BPF program
 * by libbpf's macros.
 *
 * Source: the kernel's tools/lib/bpf/bpf_core_read.h and bpf_helpers.h. Raw names.
 */

import { isSpellable } from '#analysis/types/declarator.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { append } from '#bytes/append.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { type DescribedPath, type PathStep, pointersIn } from './describe-path.ts';
import type { ContainerPart } from './path-goal.ts';

const NEXT = 'void *next;';

/** How a container_of is told: what BTF cannot confirm is called a guess, a list by its name. */
export const CONTAINER_TEXT: Readonly<Record<ContainerPart, string>> = {
  list: 'via list: container_of',
  link: 'via link: container_of',
  general: 'guess: container_of',
  part: 'container_of',
};

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

/** A name for a pointer to the type: as the kernel calls it, else the type's own; `p` where that will not do. */
function variableOf(t: TypeTable, path: DescribedPath): string {
  const name = nameOf(t, path.start);
  const usual = Object.hasOwn(USUAL_NAMES, name) ? USUAL_NAMES[name] : undefined;
  const short = usual ?? name.replace(/_(?:struct|t)$/, '');
  return short.length <= 41 && isSpellable(short) ? short : 'p';
}

/** `struct task_struct *task;` */
export function declarationOf(t: TypeTable, path: DescribedPath): string {
  return `${typeExpression(t, path.start)} *${variableOf(t, path)};`;
}

/** `task->nsproxy->net_ns`; null where C has no name for what it ends at. */
export function pathInC(t: TypeTable, path: DescribedPath): string | null {
  let text = variableOf(t, path);
  let joiner = '->';
  for (const step of path.steps) {
    if (step.endsUnnamed && step.field === '') return null;
    if (step.kind === 'container') {
      if (step.endsUnnamed) return null;
      text = `container_of(${text}, ${typeExpression(t, step.root)}, ${step.field})`;
      joiner = '->';
      continue;
    }
    text = `${text}${joiner}${step.field}${elementsOf(step)}`;
    joiner = step.beyond.at(-1) === 'array' ? '.' : '->';
  }
  return path.steps.at(-1)?.endsUnnamed === true ? null : text;
}

/** `[0]` for each pointer and array that is gone through by an index: all but the pointer that `->` follows. */
function elementsOf({ beyond }: PathStep): string {
  return '[0]'.repeat(beyond.length - (beyond.at(-1) === 'pointer' ? 1 : 0));
}

/**
 * The statements that read it in a BPF program, one to a line: `BPF_CORE_READ(task,
 * nsproxy, net_ns);` null where C has no name for a part.
 */
export function pathInBpf(t: TypeTable, path: DescribedPath): readonly string[] | null {
  if (pathInC(t, path) === null) return null;
  const lines: string[] = [];
  let source = variableOf(t, path);
  let fields: string[] = [];
  const read = () =>
    fields.length === 0 ? source : `BPF_CORE_READ(${[source, ...fields].join(', ')})`;
  const goOn = (from: string) => {
    source = from;
    fields = [];
  };
  path.steps.forEach((step, i) => {
    const isLast = i === path.steps.length - 1;
    if (step.kind === 'container') {
      goOn(`container_of(${read()}, ${typeExpression(t, step.root)}, ${step.field})`);
      return;
    }
    if (
      isLast &&
      path.endsAtField &&
      (step.bitfieldSize > 0 || kindOf(t, skipModifiers(t, step.to)) === BtfKind.ARRAY)
    ) {
      append(lines, readOfOdd(t, step, [source, ...fields]));
      goOn('');
      return;
    }
    if (isLast && !path.endsAtField && step.beyond.length === 0) {
      // A struct inside another is seldom small enough for the stack of a program: its address will do.
      goOn(`&${read()}->${step.field}`);
      return;
    }
    fields.push(step.field);
    const extra = pointersIn(step.beyond) - 1;
    if (step.beyond.length <= 1) return;
    // Behind a pointer to a pointer the macro has no place for an element.
    if (extra > 0 && !lines.includes(NEXT)) lines.push(NEXT);
    for (let left = extra; left > 0; left--) {
      lines.push(`bpf_probe_read_kernel(&next, sizeof(next), ${read()});`);
      goOn('next');
    }
    goOn(`(${typeExpression(t, step.to)} *)${read()}`);
  });
  const last = read();
  return last === '' ? lines : [...lines, `${last};`];
}

/** Bit-fields and arrays are no values that BPF_CORE_READ could give. `path` is what leads to their struct. */
function readOfOdd(t: TypeTable, step: PathStep, path: readonly string[]): string[] {
  const [source = '', ...before] = path;
  if (step.bitfieldSize === 0) {
    return [`BPF_CORE_READ_INTO(&value, ${[...path, step.field].join(', ')});`];
  }
  if (before.length === 0) return [`BPF_CORE_READ_BITFIELD_PROBED(${source}, ${step.field});`];
  return [
    `${typeExpression(t, step.root)} *p = BPF_CORE_READ(${path.join(', ')});`,
    `BPF_CORE_READ_BITFIELD_PROBED(p, ${step.field});`,
  ];
}
