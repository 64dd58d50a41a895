/** Verdicts as headlines: the judge, the verdict, and a sentence. */

import type { KernelVerdict, LibbpfVerdict, Problem } from '#analysis/kernel/verdict.ts';
import { type FileCheck, isElfRefused } from '#analysis/libbpf/file-check.ts';
import type { Span } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import { spanText } from '#views/parts/IssueFacts.tsx';
import { finalStage, isForeign } from './stages.ts';

export type Headline = {
  readonly outcome: 'ok' | 'refused' | 'unseen';
  readonly title: string;
  /** Plain text; names out of the file in it are raw. */
  readonly text: string;
  readonly refusal: {
    readonly errno: string;
    /** The line of the log; empty if nothing is logged. */
    readonly line: string;
    readonly typeId: number | null;
  } | null;
};

const KERNEL = 'Linux 6.18';
const LIBBPF = 'libbpf 1.8';

/** Returns the kernel's verdict on a machine of the blob's byte order. */
export function kernelHeadline(check: FileCheck): Headline {
  const stage = finalStage(check);
  const who = isForeign(stage) ? `${KERNEL} on a big-endian machine` : KERNEL;
  if (check.loaded !== null && check.loaded.stopped !== null) {
    const text = 'libbpf aborts while it opens the object and loads nothing.';
    return { outcome: 'unseen', title: `Not loaded: libbpf fails first`, text, refusal: null };
  }
  if (isElfRefused(check)) {
    const text = 'libbpf does not open the file. Below is the verdict on its BTF alone.';
    return { outcome: 'unseen', title: `Not loaded: libbpf fails first`, text, refusal: null };
  }
  const { native } = stage.verdict;
  if (native.verdict === 'ok') {
    return {
      outcome: 'ok',
      title: `${who} accepts this BTF`,
      text: acceptedText(check),
      refusal: null,
    };
  }
  const { errno, word, typeId, rule } = native;
  return {
    outcome: 'refused',
    title: `${who} rejects this BTF`,
    text: `Rule: ${rule}`,
    refusal: { errno, line: word, typeId },
  };
}

function acceptedText({ stored, loaded, onBase }: FileCheck): string {
  if (onBase) return 'As module BTF on its base.';
  if (loaded === null) return 'As stored: BPF_BTF_LOAD would accept these bytes.';
  return stored.verdict.native.verdict === 'ok'
    ? 'Both as compiled and as libbpf loads it.'
    : 'As libbpf loads it. Rejected before libbpf’s fix-ups.';
}

/** Returns libbpf's verdict. libbpf reads both byte orders. */
export function libbpfHeadline(check: FileCheck): Headline {
  const { stored, loaded, elf } = check;
  if (elf?.verdict === 'refused' && isElfRefused(check)) {
    return {
      outcome: 'refused',
      title: `${LIBBPF} does not open this file`,
      text: `Rule: ${elf.rule}`,
      refusal: { errno: elf.errno, line: elf.message, typeId: null },
    };
  }
  if (loaded !== null && loaded.stopped !== null) {
    return {
      outcome: 'refused',
      title: `${LIBBPF} aborts`,
      text: loaded.stopped,
      refusal: null,
    };
  }
  const { libbpf } = stored.verdict;
  if (libbpf.verdict === 'ok') {
    const text =
      'It checks less: the records must parse, and the types that they reference must exist.';
    return { outcome: 'ok', title: `${LIBBPF} accepts it`, text, refusal: null };
  }
  return {
    outcome: 'refused',
    title: `${LIBBPF} rejects it`,
    text: libbpf.message === '' ? 'It logs nothing.' : '',
    refusal: { errno: libbpf.errno, line: libbpf.message, typeId: null },
  };
}

/** Returns the verdict of the newest kernel, in one line. */
export function nextText(next: KernelVerdict): string {
  if (next.verdict === 'ok') return 'The newest kernel accepts this BTF';
  const { errno, word, typeId } = next;
  const parts = [
    errno,
    ...(word === '' ? [] : [word]),
    ...(typeId === null ? [] : [`[${typeId}]`]),
  ];
  return `The newest kernel rejects this BTF: ${parts.join(', ')}`;
}

/** A verdict in a word or two, for a stage. */
export function shortVerdict(verdict: KernelVerdict | LibbpfVerdict): string {
  return verdict.verdict === 'ok' ? 'accepted' : `rejected: ${verdict.errno}`;
}

/** A problem as lines of text. Names in it are escaped as on the page; `span` is null where the bytes are not in the file. */
export function problemReport(fileName: string, problem: Problem, span: Span | null): string {
  const { sentence, word, typeId, rule, where, by } = problem;
  return [
    `${fileName}: ${sentence}`,
    `  rejected by: ${by === 'both' ? 'kernel and libbpf' : by}`,
    ...(word === '' ? [] : [`  log: ${word}`]),
    `  rule: ${rule}`,
    `  source: ${where}`,
    ...(typeId === null ? [] : [`  type: [${typeId}]`]),
    ...(span === null ? [] : [`  bytes: ${spanText(span)}`]),
  ]
    .map(visible)
    .join('\n');
}
