/**
 * Writes a path in C, as an expression and as reads with libbpf's macros in a BPF program. Names
 * are not escaped. Source: the kernel's tools/lib/bpf/bpf_core_read.h and bpf_helpers.h.
 */
import { isSpellable } from '#analysis/types/declarator.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { append } from '#bytes/arrays.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { type DescribedPath, type PathStep, pointersIn } from './describe-path.ts';
import type { ContainerPart } from './path-goal.ts';

const NEXT = 'void *next;';

/** Texts for container_of steps. A guess is a step that BTF cannot confirm. */
export const CONTAINER_TEXT: Readonly<Record<ContainerPart, string>> = {
  list: 'via list: container_of',
  link: 'via link: container_of',
  general: 'guess: container_of',
  part: 'container_of',
};

/** Variable names that kernel code uses for pointers to common types. */
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

/** Returns a variable name for a pointer to the type: as in kernel code, else the type's name, else `p`. */
function variableOf(t: TypeTable, path: DescribedPath): string {
  const name = nameOf(t, path.start);
  const usual = Object.hasOwn(USUAL_NAMES, name) ? USUAL_NAMES[name] : undefined;
  const short = usual ?? name.replace(/_(?:struct|t)$/, '');
  return short.length <= 41 && isSpellable(short) ? short : 'p';
}

/** Returns the declaration of the first pointer: `struct task_struct *task;`. */
export function declarationOf(t: TypeTable, path: DescribedPath): string {
  return `${typeExpression(t, path.start)} *${variableOf(t, path)};`;
}

/** Returns the path as `task->nsproxy->net_ns`, or null if C cannot name its end. */
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

/** Returns `[0]` for each pointer and array; not for a last pointer, since `->` follows it. */
function elementsOf({ beyond }: PathStep): string {
  return '[0]'.repeat(beyond.length - (beyond.at(-1) === 'pointer' ? 1 : 0));
}

/** Returns reads for a BPF program: `BPF_CORE_READ(task, nsproxy, net_ns);`. Null if C cannot name a part. */
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
      // An inner struct is rarely small enough for a program's stack, so take its address instead.
      startFrom(`&${read()}->${step.field}`);
      return;
    }
    fields.push(step.field);
    const extra = pointersIn(step.beyond) - 1;
    if (step.beyond.length <= 1) return;
    // BPF_CORE_READ cannot select an element after a pointer to a pointer.
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
