/** Compiles headers of a kernel's structs: sizes and offsets must equal those of the kernel. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, sizeOrTypeOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { corpusKernels, kernelIds, readCorpusFile } from '#testing/corpus.ts';
import { isLong, runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { type HeaderOptions, selfContainedHeader } from './header.ts';

const CLANG = 'clang-19';
const hasClang = spawnSync(CLANG, ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Names of well-known structs, including some of the largest. */
const WELL_KNOWN = [
  'task_struct',
  'sk_buff',
  'sock',
  'net_device',
  'file',
  'inode',
  'mm_struct',
  'bpf_prog',
  'tcp_sock',
  'request_queue',
];
const PER_KERNEL = runs(120);

type Case = { readonly id: TypeId; readonly name: string };

/** Returns the well-known structs and unions, and some others, evenly distributed. */
function casesOf(t: TypeTable): Case[] {
  const cases: Case[] = [];
  const seen = new Set<string>();
  for (let i = 1; i <= t.count; i++) {
    const id = typeId(i);
    const name = isComposite(kindOf(t, id)) ? nameOf(t, id) : '';
    if (name !== '' && !seen.has(name)) cases.push({ id, name });
    seen.add(name);
  }
  const step = Math.floor(cases.length / PER_KERNEL);
  return cases.filter(({ name }, i) => WELL_KNOWN.includes(name) || i % step === 0);
}

const tag = (t: TypeTable, { id, name }: Case) =>
  `${kindOf(t, id) === BtfKind.UNION ? 'union' : 'struct'} ${name}`;

/** Returns the byte offset of each member that `offsetof` finds, also in anonymous members. */
function offsetsOf(t: TypeTable, type: TypeId, base = 0): Map<string, number> {
  const offsets = new Map<string, number>();
  for (const { name, type: inner, bitOffset, bitfieldSize } of membersOf(t, type)) {
    const bytes = base + bitOffset / 8;
    const within = skipModifiers(t, inner);
    if (name !== '' && bitfieldSize === 0) offsets.set(name, bytes);
    else if (name === '' && isComposite(kindOf(t, within))) {
      for (const [key, value] of offsetsOf(t, within, bytes)) offsets.set(key, value);
    }
  }
  return offsets;
}

function assertions(t: TypeTable, subject: Case, offsets: ReadonlyMap<string, number>): string {
  const type = tag(t, subject);
  const size = `_Static_assert(sizeof(${type}) == ${sizeOrTypeOf(t, subject.id)}, "size");`;
  const offsetLines = [...offsets].map(
    ([name, bytes]) =>
      `_Static_assert(__builtin_offsetof(${type}, ${name}) == ${bytes}, "${name}");`,
  );
  return [size, ...offsetLines, ''].join('\n');
}

/** Returns the compiler's errors: one line for each file that it rejects. */
function compiled(group: string, files: ReadonlyMap<string, string>): string[] {
  const place = join(folder, group);
  mkdirSync(place);
  for (const [name, text] of files) writeFileSync(join(place, `${name}.c`), text);
  const names = [...files.keys()].map((name) => `${name}.c`);
  const args = ['-target', 'bpf', '-fsyntax-only', '-w', '-ferror-limit=1', ...names];
  const { stderr } = spawnSync(CLANG, args, { cwd: place, maxBuffer: 1 << 26 });
  return stderr
    .toString()
    .split('\n')
    .filter((line) => line.includes('error:'));
}

describe.skipIf(!hasClang)('clang for BPF', () => {
  const wanted = isLong ? [kernelIds.first, kernelIds.secondArm64] : [kernelIds.secondArm64];
  const kernels = corpusKernels();

  it.each(wanted)(
    'lays out structs of %s as the kernel does',
    (kernel) => {
      const entry = kernels.find(({ id }) => id === kernel);
      if (entry === undefined) throw new Error(`no kernel ${kernel}`);
      const t = tableOf(readCorpusFile(entry));
      const whole = new Map<string, string>();
      const chosen = new Map<string, string>();
      for (const subject of casesOf(t)) {
        const { id, name } = subject;
        const header = (options: HeaderOptions) => selfContainedHeader(t, id, options);
        const offsets = offsetsOf(t, id);
        whole.set(name, header({ preserveAccessIndex: true }) + assertions(t, subject, offsets));
        // Offsets of every third member: padding replaces the other members.
        const chosenOffsets = new Map([...offsets].filter((_, i) => i % 3 === 1));
        const members = [...chosenOffsets.keys()];
        chosen.set(name, header({ members }) + assertions(t, subject, chosenOffsets));
      }
      expect(whole.size).toBeGreaterThanOrEqual(PER_KERNEL);
      expect(compiled(`${kernel}-whole`, whole)).toEqual([]);
      expect(compiled(`${kernel}-chosen`, chosen)).toEqual([]);
    },
    120_000,
  );
});
