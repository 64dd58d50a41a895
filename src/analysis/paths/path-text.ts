/**
 * Writes a path in C: the expression, and the reads of a BPF program by libbpf's macros. Raw names.
 * Source: the kernel's tools/lib/bpf/bpf_core_read.h and bpf_helpers.h.
 */
import { isSpellable } from '#analysis/types/declarator.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { append } from '#bytes/arrays.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { type DescribedPath, type PathStep, pointersIn } from './describe-path.ts';
import type { ContainerPart } from './path-goal.ts';

const NEXT = 'void *next;';

/** Names of container_of steps. BTF cannot confirm a guess. */
export const CONTAINER_TEXT: Readonly<Record<ContainerPart, string>> = {
  list: 'via list: container_of',
  link: 'via link: container_of',
  general: 'guess: container_of',
  part: 'container_of',
};

/** Names of pointers in the kernel's own code. */
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

/** Returns a name for a pointer to the type: the kernel's, else the type's, else `p` for unusable names. */
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

/** Returns `task->nsproxy->net_ns`; null if C has no name for its end. */
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

/** Returns `[0]` for each pointer and array except a last pointer, which `->` follows. */
function elementsOf({ beyond }: PathStep): string {
  return '[0]'.repeat(beyond.length - (beyond.at(-1) === 'pointer' ? 1 : 0));
}

/** Returns the reads of a BPF program, as `BPF_CORE_READ(task, nsproxy, net_ns);`; null if C has no name for a part. */
export function pathInBpf(t: TypeTable, path: DescribedPath): readonly string[] | null {
  if (pathInC(t, path) === null) return null;
  const lines: string[] = [];
  let source = variableOf(t, path);
  let fields: string[] = [];
  const read = () =>
    fields.length === 0 ? source : `BPF_CORE_READ(${[source, ...fields].join(', ')})`;
  const startFrom = (from: string) => {
    source = from;
    fields = [];
  };
  path.steps.forEach((step, i) => {
    const isLast = i === path.steps.length - 1;
    if (step.kind === 'container') {
      startFrom(`container_of(${read()}, ${typeExpression(t, step.root)}, ${step.field})`);
      return;
    }
    if (
      isLast &&
      path.endsAtField &&
      (step.bitfieldSize > 0 || kindOf(t, skipModifiers(t, step.to)) === BtfKind.ARRAY)
    ) {
      append(lines, readWithoutValue(t, step, [source, ...fields]));
      startFrom('');
      return;
    }
    if (isLast && !path.endsAtField && step.beyond.length === 0) {
      // Takes the address, since an inner struct is rarely small enough for the stack of a program.
      startFrom(`&${read()}->${step.field}`);
      return;
    }
    fields.push(step.field);
    const extra = pointersIn(step.beyond) - 1;
    if (step.beyond.length <= 1) return;
    // After a pointer to a pointer the macro cannot take an element.
    if (extra > 0 && !lines.includes(NEXT)) lines.push(NEXT);
    for (let left = extra; left > 0; left--) {
      lines.push(`bpf_probe_read_kernel(&next, sizeof(next), ${read()});`);
      startFrom('next');
    }
    startFrom(`(${typeExpression(t, step.to)} *)${read()}`);
  });
  const last = read();
  return last === '' ? lines : [...lines, `${last};`];
}

/** Returns the reads of a bit-field or array, which BPF_CORE_READ cannot return. `path` ends at its struct. */
function readWithoutValue(t: TypeTable, step: PathStep, path: readonly string[]): string[] {
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
