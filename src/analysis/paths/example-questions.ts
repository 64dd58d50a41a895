/** Questions to begin with, for files that have the kernel's types. */
import { findTypeKey } from '#analysis/types/type-key.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { QuestionText } from './place-text.ts';

export type ExampleQuestion = QuestionText & {
  /** What it asks, in a few words. */
  readonly about: string;
};

const EXAMPLES: readonly ExampleQuestion[] = [
  ask('task_struct', 'net_device', 'From a task to a network device'),
  ask('task_struct', 'files_struct', 'The open files of a task'),
  ask('task_struct', 'cgroup', 'The cgroup of a task'),
  ask('task_struct', 'inode', 'An inode that a task uses'),
  ask('file', 'i_ino', 'The inode number of an open file'),
  ask('file', 'super_block', 'The file system of an open file'),
  ask('sk_buff', 'sk_family', 'The address family of a packet’s socket'),
  ask('sk_buff', 'net', 'The network namespace of a packet'),
  ask('bpf_prog', 'bpf_map', 'The maps of a BPF program'),
  ask('bio', 'gendisk', 'The disk of a block request'),
  ask('vm_area_struct', 'file', 'The file behind a mapping'),
  { ...ask('sock', 'tcp_sock', 'The TCP socket around a socket'), around: true },
];

function ask(from: string, to: string, about: string): ExampleQuestion {
  return { from, to, about, around: false };
}

/** Ends that are fields, not types. */
const FIELDS: ReadonlySet<string> = new Set(['i_ino', 'sk_family']);

/** At most `limit` of the questions whose types are there. */
export function exampleQuestions(t: TypeTable, limit: number): ExampleQuestion[] {
  const known = new Map<string, boolean>();
  const has = (name: string) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = findTypeKey(t, { kind: 'struct', name, ordinal: 0 }) !== null;
    known.set(name, found);
    return found;
  };
  const found: ExampleQuestion[] = [];
  for (const example of EXAMPLES) {
    if (found.length >= limit) break;
    // Each name that is missing costs a scan: a file without a task_struct is no kernel.
    if (known.size > 1 && found.length === 0) break;
    if (has(example.from) && (FIELDS.has(example.to) || has(example.to))) found.push(example);
  }
  return found;
}
