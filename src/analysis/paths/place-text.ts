/**
 * Parses and writes the two ends of a path: `task_struct`, `struct inode`, `sk_family`, `*.pid`,
 * `sock.sk_rcvbuf`, or a type key such as `struct:foo~1`.
 */
import {
  findTypeKey,
  formatTypeKey,
  parseTypeKey,
  type TypeKey,
} from '#analysis/types/type-key.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { TypeTable } from '#model/type-table.ts';

export type PlaceText = {
  /** Type at this end of the path; null for `*.field`. */
  readonly type:
    | { readonly by: 'key'; readonly key: TypeKey }
    /** `keyword` is null if the text has a name without `struct` or another keyword. */
    | { readonly by: 'name'; readonly name: string; readonly keyword: string | null }
    | null;
  /** Field after the first dot or arrow: `mm.pgd`; empty if the text names only a type. */
  readonly field: string;
};

const KEYWORDS = /^(struct|union|enum|typedef)\s+(?=\S)/;
const MAX_LENGTH = 1024;

/** Parses the text for one end of a path, or returns null for blank text. Accepts any text. */
export function parsePlace(text: string): PlaceText | null {
  const trimmed = text.slice(0, MAX_LENGTH).trim();
  if (trimmed === '') return null;
  const at = trimmed.search(/\.|->/);
  const head = at < 0 ? trimmed : trimmed.slice(0, at).trim();
  const field = at < 0 ? '' : trimmed.slice(at).replace(/^(\.|->)\s*/, '');
  if (head === '*' || head === '') return { type: null, field };
  const key = parseTypeKey(head);
  if (key !== null) return { type: { by: 'key', key }, field };
  const keyword = KEYWORDS.exec(head);
  const name = keyword === null ? head : head.slice(keyword[0].length);
  return { type: { by: 'name', name, keyword: keyword?.[1] ?? null }, field };
}

/** Returns the text for a type: the name if the type is the first with that name, else the key. */
export function placeOfType(key: TypeKey): string {
  const plain = key.ordinal === 0 && /^[A-Za-z_]\w*$/.test(key.name);
  const isPlainKind = key.kind === 'struct' || key.kind === 'typedef';
  // A name with a dot or an arrow would be read as a type and a field.
  return plain && isPlainKind
    ? key.name
    : formatTypeKey(key).replaceAll('.', '%2E').replaceAll('-', '%2D');
}

export type QuestionText = {
  readonly from: string;
  readonly to: string;
  /** True to include paths that end with container_of. */
  readonly around: boolean;
};

const AROUND = 'container_of';

/** Returns the text of a question: `task_struct>sk_family`, `sock>tcp_sock>container_of`. */
export function formatQuestion({ from, to, around }: QuestionText): string {
  return [from.trim(), to.trim(), ...(around ? [AROUND] : [])].join('>');
}

/** Parses a text of `formatQuestion`. `>` separates its parts, but `->` is part of an end. */
export function parseQuestion(text: string): QuestionText {
  const [from = '', to = '', around = ''] = text.split(/(?<!-)>/).map((part) => part.trim());
  return { from, to, around: around === AROUND };
}

/** An example of a path question about the kernel's types. */
export type ExampleQuestion = QuestionText & {
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

/** Names in the example questions that are fields, not types. */
const FIELDS: ReadonlySet<string> = new Set(['i_ino', 'sk_family']);

/** Returns at most `limit` example questions whose types exist in `t`. */
export function exampleQuestions(t: TypeTable, limit: number): ExampleQuestion[] {
  const known = new Map<string, boolean>();
  const has = (name: string) =>
    getOrCreate(known, name, () => findTypeKey(t, { kind: 'struct', name, ordinal: 0 }) !== null);
  const questions: ExampleQuestion[] = [];
  for (const example of EXAMPLES) {
    if (questions.length >= limit) break;
    // Searching for a missing name takes a scan, so stop early in a file without task_struct.
    if (known.size > 1 && questions.length === 0) break;
    if (has(example.from) && (FIELDS.has(example.to) || has(example.to))) questions.push(example);
  }
  return questions;
}
