/** Reads the logs that people reported in public, in the form that each tool writes them. */
import { describe, expect, it } from 'vitest';
import { parseLog } from '#testing/all-at-once.ts';
import { isLargeCorpus, readCorpusText } from '#testing/corpus.ts';
import { explainLine } from './explain.ts';
import { lineKind } from './line-kind.ts';

/** Lines of a build that only name a file, of a source, and of the verifier. */
const WITHOUT_SENTENCE =
  /^ {2}(?:BTF|LD|BTFIDS) {2}|#\[error|^\[ {2}672\.\d{6}\] BPF:$|has to have BTF in order to use/;

/** Sources that may write a line of each file. */
const SOURCES = {
  'aya-lines.txt': 'aya libbpf',
  'btf-load-invalid-member.txt': 'libbpf btf',
  'build-btfids.txt': 'build',
  'cilium-lines.txt': 'cilium',
  'dmesg-invalid-name.txt': 'btf kernel',
  'dmesg-name-offset.txt': 'btf kernel',
  'extern-section.txt': 'libbpf',
  'libbpf-old.txt': 'libbpf',
  'link-nobtf.txt': 'libbpf bpftool',
  'pahole-int56.txt': 'build',
  'prefixes.txt': 'libbpf cilium',
  'spinlock-btf.txt': 'libbpf verifier',
  'structops-member.txt': 'libbpf',
  'tc-relo.txt': 'tc',
} as const;

/** Lines that report no failure, though their words are of one. */
const NOTES = /skipping unrecognized|BTF is optional|Retrying without|ANNOTATE_KV|as pinned|fixup/;

describe.runIf(isLargeCorpus)('logs of public reports', () => {
  it.each(Object.entries(SOURCES))('%s has a sentence a line', (file, sources) => {
    const { lines } = parseLog(readCorpusText(`reports/logs/${file}`));
    const told = lines.filter(({ text }) => text !== '' && !WITHOUT_SENTENCE.test(text));
    const unexplained = told.filter(
      (line) => explainLine(line).replace(/.*own words.*/, '') === '',
    );
    expect(unexplained.map(({ text }) => text)).toEqual([]);
    const foreign = told.filter(({ source }) => !sources.split(' ').includes(source ?? ''));
    expect(foreign.map(({ text, source }) => `${source}: ${text}`)).toEqual([]);
    const notes = told.filter(({ text }) => NOTES.test(text));
    expect(notes.filter((line) => lineKind(line) !== 'information')).toEqual([]);
  });

  it('tell a refusal of the verifier from a failure of CO-RE', () => {
    const { lines } = parseLog(readCorpusText('reports/logs/cilium-lines.txt'));
    for (const line of lines) {
      const isCore = /CO-RE|no BTF found/.test(line.text);
      expect(line.event?.event === 'loader-error', line.text).toBe(isCore);
    }
  });
});
