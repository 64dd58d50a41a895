/**
 * Checks what objects of the large corpus need against `load` on its kernels, one for each version:
 * an older kernel is refused, and no later kernel is refused because of something that needs lists.
 */
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { compareVersions, type Version } from '#analysis/kernel/version.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import type { Reason } from '#analysis/libbpf/outcome.ts';
import type { Need } from '#analysis/needs/need.ts';
import { needsOf } from '#analysis/needs/needs.ts';
import { needsOnKernel } from '#analysis/needs/on-kernel.ts';
import { needText } from '#print/needs-text.ts';
import {
  type CorpusFile,
  corpusObjects,
  corpusPath,
  isLargeCorpus,
  readCorpusFile,
} from '#testing/corpus.ts';
import { openModel, openObject } from '#testing/open-model.ts';

const FOLDERS = ['kernels', 'verifier/other-kernels/btf'];
/** Objects with needs of many kinds: every eighth of the corpus, and those about loading. */
const STEP = 8;
const LOADING = 'load2/objects';

/** Needs that `load` does not decide: the kernel checks them when it attaches the program. */
const AT_ATTACH = new Set([
  ...['BPF_TRACE_KPROBE_MULTI', 'BPF_TRACE_KPROBE_SESSION', 'BPF_TRACE_UPROBE_MULTI'],
  ...['BPF_TRACE_UPROBE_SESSION', 'BPF_TCX_INGRESS', 'BPF_TCX_EGRESS', 'BPF_NETKIT_PRIMARY'],
  ...['BPF_NETKIT_PEER', 'BPF_SK_SKB_VERDICT'],
]);
const isLeftToAttach = ({ kind, name }: Need) => kind === 'attach-type' && AT_ATTACH.has(name);

/** Needs that a kernel may lack because of its options. */
const BY_OPTIONS: ReadonlySet<string> = new Set(['kfunc', 'struct_ops', 'iterator']);

const file = (path: string): CorpusFile => {
  return { id: path, name: path.replace(/^.*\//, '').replace(/\.zst$/, ''), file: path };
};

type Kernel = { readonly version: Version; readonly kernel: LoadKernel };

/** Returns one kernel for each version, with all of its options if there is one. */
async function readKernels(): Promise<Kernel[]> {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(corpusPath(folder)).map((name) => `${folder}/${name}`),
  ).filter((path) => /vmlinux-.*\.btf\.zst$/.test(path));
  const chosen = new Map<Version, string>();
  for (const path of paths.toSorted((a, b) => rank(a) - rank(b))) {
    const [, major, minor] = /vmlinux-(\d+)\.(\d+)/.exec(path) ?? [];
    const version: Version = `${Number(major)}.${Number(minor)}`;
    if (!chosen.has(version)) chosen.set(version, path);
  }
  const kernels: Kernel[] = [];
  for (const [version, path] of chosen) {
    const { types } = await openModel('vmlinux', readCorpusFile(file(path)));
    const facts = { config: null, kallsyms: null, unameVersion: null, modules: [] };
    kernels.push({
      version,
      kernel: { name: path, vmlinux: types, release: `${version}.0`, ...facts },
    });
  }
  return kernels.toSorted((a, b) => compareVersions(a.version, b.version));
}

function rank(path: string): number {
  return (path.includes('-amd64') ? 0 : 2) + (path.includes('cloud') ? 1 : 0);
}

function readObjects(): CorpusFile[] {
  const loading = readdirSync(corpusPath(LOADING)).filter((name) => name.endsWith('.o'));
  return [
    ...corpusObjects().filter((_, i) => i % STEP === 0),
    ...loading.map((name) => file(`${LOADING}/${name}`)),
  ];
}

/** Texts of reasons that a kernel lacks something. */
const LACKS = /has no (?:helper|map type|program type|member|type|enumerator)|not found in kernel/;

/** Returns true for a reason about something that the list of needs has, too. */
function isOfNeed({ about, text, step }: Reason): boolean {
  const of = about?.of;
  // Members of struct_ops maps that are set to numbers, and BTF ids in code, are no needs.
  if (step === 'struct_ops' || /BTF id \d+, which is no/.test(text)) return false;
  return of === 'helper' || of === 'record' || step === 'instruction' || LACKS.test(text);
}

/** Kinds of needs that `load` leaves to the kernel. */
const LEFT_TO_KERNEL: ReadonlySet<string> = new Set(['program-flag', 'map-flag']);
/** A call of a function that the kernel has, before it has kfuncs. */
const isOldKfunc = ({ kind, name }: Need) => kind === 'instruction' && name === 'call of a kfunc';
const isLeftToKernel = (need: Need) => LEFT_TO_KERNEL.has(need.kind) || isOldKfunc(need);

const isRefusal = ({ outcome }: Reason) => outcome === 'fails' || outcome === 'rejected';

/** Number of objects and kernels by result. */
const table = new Map<string, number>();
const count = (line: string) => table.set(line, (table.get(line) ?? 0) + 1);

describe.skipIf(!isLargeCorpus)('what objects need', () => {
  const kernels = isLargeCorpus ? readKernels() : Promise.resolve([]);

  it.each(isLargeCorpus ? readObjects().map((one) => [one.id, one] as const) : [])(
    '%s',
    async (_, entry) => {
      const { model, source } = await openObject(entry.name, readCorpusFile(entry));
      const object = await loadObject(model, source);
      if (object.failures.length > 0) {
        count('libbpf does not open the object');
        return;
      }
      const needs = needsOf(object);
      const wrong: string[] = [];
      for (const { version, kernel } of await kernels) {
        const isOlder = needs.version !== null && compareVersions(version, needs.version) < 0;
        const { lacks } = needsOnKernel(object, needs, kernel);
        const lacked = lacks.filter(({ since }) => since !== null);
        const verdict = judgeLoad(object, kernel);
        const loaded = verdict.programs.filter(({ autoload }) => autoload);
        const reasons = [verdict, ...loaded].flatMap((one) => one.reasons).filter(isRefusal);
        const say = (words: string) => wrong.push(`${version}, needs ${needs.version}: ${words}`);
        if (isOlder && needs.lacking !== null && compareVersions(version, needs.lacking) <= 0) {
          if (lacked.length === 0) say('lacks nothing');
          if (reasons.length > 0) count('older, refused');
          else if (lacked.every(isLeftToAttach)) count('older, refused only when it attaches');
          else if (lacked.every((one) => isLeftToAttach(one) || isLeftToKernel(one))) {
            count('older, refused for what load leaves to the kernel');
          } else if (verdict.outcome === 'may-fail') count('older, may be refused');
          else say(`is not refused for ${lacked.map(needText).join(', ')}`);
        }
        if (needs.never.length > 0 && reasons.length === 0) say('is accepted');
        if (isOlder || needs.never.length > 0) continue;
        const missing = lacked.filter(({ kind }) => !BY_OPTIONS.has(kind));
        if (missing.length > 0) say(`lacks ${missing.map(needText).join(', ')}`);
        const ofNeeds = reasons.filter(isOfNeed);
        if (reasons.length === 0) count('loads');
        else if (lacks.length > 0) count('lacks what depends on the kernel');
        else if (ofNeeds.length === 0) count('refused for what is no need');
        else say(`is refused: ${ofNeeds[0]?.step} ${ofNeeds[0]?.text}`);
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );

  afterAll(() => {
    const lines = Array.from(table, ([line, number]) => `| ${line} | ${number} |`);
    process.stdout.write(`| object and kernel | number |\n| --- | --- |\n${lines.join('\n')}\n`);
  });
});
