/** Writes what an object needs of a kernel: a sentence, a table, fields of JSON, a badge. */
import { isExact, type Since } from '#analysis/kernel/kernel-features.ts';
import type { Need, NeedKind, Use } from '#analysis/needs/need.ts';
import { decidingNeeds, type Needs } from '#analysis/needs/needs.ts';
import type { NeedsOnKernel } from '#analysis/needs/on-kernel.ts';
import { counted } from '#bytes/text.ts';

/** What an object needs, and which of the kernels that are given have it. */
export type ObjectNeeds = {
  /** Path of the object. */
  readonly object: string;
  readonly needs: Needs;
  readonly kernels: readonly NeedsOnKernel[];
};

/** Words for kinds of needs before the name; empty if the name says it all. */
const KIND_WORDS: Readonly<Record<NeedKind, string>> = {
  helper: 'helper',
  'map-type': 'map type',
  'map-flag': 'map flag',
  'program-type': 'program type',
  'program-flag': 'program flag',
  'attach-type': 'attach type',
  kfunc: 'kfunc',
  struct_ops: 'struct_ops',
  iterator: 'iterator',
  instruction: '',
  member: 'member',
  type: 'type',
  enumerator: 'enumerator',
  callback: 'callback',
  target: 'target',
  variable: 'kernel variable',
  symbol: 'kernel symbol',
  option: 'kernel option',
};

/** Words for attach targets by kind of program. */
const TARGET_WORDS: Readonly<Record<string, string>> = {
  tp_btf: 'tracepoint',
  lsm: 'LSM hook',
  lsm_cgroup: 'LSM hook',
};

/** Returns a need in words, `helper bpf_loop`; names are raw text. */
export function needText({ kind, name, by }: Need): string {
  const words = kind === 'target' ? `${by} ${TARGET_WORDS[by] ?? 'function'}` : KIND_WORDS[kind];
  return words === '' ? name : `${words} ${name}`;
}

/** Returns a place: `insn 7 of on_exec, x.bpf.c:31`; names are raw text. */
export function placeText({ program, map, insn, source }: Use): string {
  if (map !== null) return `map ${map}`;
  if (program === null) return '';
  if (insn === null) return `program ${program}`;
  const line = source === null ? '' : `, ${source.file.replace(/^.*\//, '')}:${source.line}`;
  return `insn ${insn} of ${program}${line}`;
}

/** Returns the use of a need in words, with the number of other programs and maps. */
function usesText({ uses }: Need): string {
  const [first, ...more] = uses;
  const text = first === undefined ? '' : placeText(first);
  return more.length === 0 ? text : `${text} and ${more.length} more`;
}

/** Returns the range of versions as text: `6.12`, or `6.2…6.12` if 6.1 is the newest without. */
export function sinceText(since: Since): string {
  if (isExact(since)) return since.version;
  return since.lacking === null ? `≤ ${since.version}` : `≤ ${since.version}, > ${since.lacking}`;
}

/** Returns the source of a version as text. */
export function sourceText({ version, lacking, commit }: Since): string {
  if (commit !== null)
    return /^[0-9a-f]{12}$/.test(commit) ? `commit ${commit}` : `commit "${commit}"`;
  return lacking === null
    ? `in the BTF of ${version}`
    : `in the BTF of ${version}, not of ${lacking}`;
}

/** Number of needs that the sentence names. */
const NAMED = 2;

/** Returns the first needs with their uses, and the number of the others. */
function listText(needs: readonly Need[]): string {
  const named = needs.slice(0, NAMED).map((need) => {
    const use = usesText(need);
    return use === '' ? needText(need) : `${needText(need)} (${use})`;
  });
  const more = needs.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns the answer as one sentence; names are raw text. */
export function needsSentence(needs: Needs): string {
  const { version, lacking, never } = needs;
  if (never.length > 0) return `No version of Linux accepts it: ${listText(never)}.`;
  if (version === null) return 'No version of Linux decides what it needs.';
  const list = listText(decidingNeeds(needs));
  if (isExact({ version, lacking })) return `Needs Linux ${version} or later: ${list}.`;
  const older =
    lacking === null ? 'older kernels are not known' : `Linux ${lacking} lacks something`;
  return `Linux ${version} has all it needs, ${older}: ${list}.`;
}

/** Yields the answer for people: the sentence, what decides it, the rest. Names are raw text. */
export function* needsText({ object, needs, kernels }: ObjectNeeds): Generator<string> {
  yield `${object}: ${needsSentence(needs)}`;
  const { required, undecided, optional } = needs;
  if (needs.needsBtf) yield 'libbpf needs the BTF of the kernel.';
  const rows = required.flatMap((need) =>
    need.since === null
      ? []
      : [[sinceText(need.since), needText(need), usesText(need), sourceText(need.since)]],
  );
  if (rows.length > 0) {
    yield '';
    yield* table(['since', 'need', 'used by', 'source'], rows);
  }
  const lists = [
    ['Depends on the kernel', undecided],
    ['Optional: behind a guard, or not loaded by default', optional],
  ] as const;
  for (const [title, list] of lists) {
    if (list.length === 0) continue;
    yield '';
    yield `${title}:`;
    for (const need of list) yield `  ${[needText(need), usesText(need)].join('  ').trimEnd()}`;
  }
  if (kernels.length === 0) return;
  yield '';
  yield kernelsSentence(kernels);
  for (const { kernel, lacks, unknown } of kernels) {
    const all = unknown.length === 0 ? 'has all' : `not known: ${unknown.map(needText).join(', ')}`;
    yield `  ${kernel}  ${lacks.length > 0 ? `lacks ${lacks.map(needText).join(', ')}` : all}`;
  }
}

/** Returns how many kernels have all that an object needs, as a sentence. */
export function kernelsSentence(kernels: readonly NeedsOnKernel[]): string {
  const has = kernels.filter(({ lacks, unknown }) => lacks.length + unknown.length === 0).length;
  const unknown = kernels.filter((one) => one.lacks.length === 0 && one.unknown.length > 0).length;
  const rest = unknown === 0 ? '' : `; of ${unknown} it is not known`;
  return `${has} of ${counted(kernels.length, 'kernel')} ${has === 1 ? 'has' : 'have'} all it needs${rest}.`;
}

/** Yields aligned columns; the last one is not padded. */
function* table(head: readonly string[], rows: readonly (readonly string[])[]): Generator<string> {
  const widths = head.map((text, i) => {
    return rows.reduce((widest, row) => Math.max(widest, row[i]?.length ?? 0), text.length);
  });
  for (const row of [head, ...rows]) {
    yield row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  }
}

/** Returns the fields of a line of JSON as in docs/json.md. */
export function needsFields({ object, needs, kernels }: ObjectNeeds) {
  const { version, lacking, needsBtf, required, never, undecided, optional } = needs;
  return {
    object,
    sentence: needsSentence(needs),
    version,
    lacking,
    needs_btf: needsBtf,
    required: required.map(needFields),
    never: never.map(needFields),
    undecided: undecided.map(needFields),
    optional: optional.map(needFields),
    kernels: kernels.map(({ kernel, lacks, unknown }) => ({
      kernel,
      lacks: lacks.map(needText),
      unknown: unknown.map(needText),
    })),
  };
}

function needFields(need: Need) {
  const { kind, name, by, since, uses } = need;
  return {
    kind,
    name,
    by: by === '' ? null : by,
    version: since?.version ?? null,
    lacking: since?.lacking ?? null,
    source: since === null ? null : sourceText(since),
    uses: uses.map(({ program, map, insn, source }) => ({
      program,
      map,
      insn,
      source: source === null ? null : `${source.file}:${source.line}:${source.column}`,
    })),
  };
}
