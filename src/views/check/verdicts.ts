import type { KernelVerdict, LibbpfVerdict, Problem } from '#analysis/kernel/verdict.ts';
import {
  type CheckStage,
  checkSpan,
  type FileCheck,
  isElfRefused,
  type LoadedStage,
} from '#analysis/libbpf/file-check.ts';
import type { Span } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import type { Selection } from '#model/selection.ts';
import { spanText } from '#views/parts/IssueFacts.tsx';

type Headline = {
  readonly outcome: 'ok' | 'refused' | 'unseen';
  readonly title: string;
  /** Plain text. Names in it are not escaped. */
  readonly text: string;
  readonly refusal: {
    readonly errno: string;
    /** Line that the kernel or libbpf logs with the verdict; empty if nothing is logged. */
    readonly line: string;
    readonly typeId: number | null;
  } | null;
};

const KERNEL = 'Linux 6.18';
const LIBBPF = 'libbpf 1.8';

function headline(
  outcome: Headline['outcome'],
  title: string,
  text: string,
  refusal: Headline['refusal'] = null,
): Headline {
  return { outcome, title, text, refusal };
}

/** Returns the verdict of a kernel that has the byte order of the BTF. */
export function kernelHeadline(check: FileCheck): Headline {
  const stage = finalStage(check);
  const who = isForeign(stage) ? `${KERNEL} on a ${stage.verdict.machine} machine` : KERNEL;
  const isAborted = check.loaded !== null && check.loaded.stopped !== null;
  if (isAborted || isElfRefused(check)) {
    const text = isAborted
      ? 'libbpf aborts while it opens the object and loads nothing.'
      : 'libbpf does not open the file. Below is the verdict on its BTF alone.';
    return headline('unseen', 'Not loaded: libbpf fails first', text);
  }
  const { native } = stage.verdict;
  if (native.verdict === 'ok') {
    return headline('ok', `${who} accepts this BTF`, acceptedText(check));
  }
  const { errno, word, typeId, rule } = native;
  const refusal = { errno, line: word, typeId };
  return headline('refused', `${who} rejects this BTF`, `Rule: ${rule}`, refusal);
}

function acceptedText({ stored, loaded, onBase }: FileCheck): string {
  if (onBase) return 'As module BTF on its base.';
  if (loaded === null) return 'As stored: BPF_BTF_LOAD would accept these bytes.';
  return stored.verdict.native.verdict === 'ok'
    ? 'Both as compiled and as libbpf loads it.'
    : 'As libbpf loads it. Rejected before libbpf’s fix-ups.';
}

/** Returns the verdict of libbpf, which reads both byte orders. */
export function libbpfHeadline(check: FileCheck): Headline {
  const { stored, loaded, elf } = check;
  if (elf?.verdict === 'refused' && isElfRefused(check)) {
    const refusal = { errno: elf.errno, line: elf.message, typeId: null };
    return headline('refused', `${LIBBPF} does not open this file`, `Rule: ${elf.rule}`, refusal);
  }
  if (loaded !== null && loaded.stopped !== null) {
    return headline('refused', `${LIBBPF} aborts`, loaded.stopped);
  }
  const { libbpf } = stored.verdict;
  if (libbpf.verdict === 'ok') {
    const text =
      'It checks less: the records must parse, and the types that they reference must exist.';
    return headline('ok', `${LIBBPF} accepts it`, text);
  }
  const { errno, message } = libbpf;
  const text = message === '' ? 'It logs nothing.' : '';
  return headline('refused', `${LIBBPF} rejects it`, text, { errno, line: message, typeId: null });
}

/** Returns the verdict of the newest kernel in one line. */
export function nextText(next: KernelVerdict): string {
  if (next.verdict === 'ok') return 'The newest kernel accepts this BTF';
  const { errno, word, typeId } = next;
  const parts = [errno, word, typeId === null ? '' : `[${typeId}]`].filter(Boolean);
  return `The newest kernel rejects this BTF: ${parts.join(', ')}`;
}

/** Returns a verdict in a few words, for the button of a stage. */
export function shortVerdict(verdict: KernelVerdict | LibbpfVerdict): string {
  return verdict.verdict === 'ok' ? 'accepted' : `rejected: ${verdict.errno}`;
}

/** Returns a problem as escaped lines of text. `span`: the bytes in the file, if known. */
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

/** BTF in the file (`stored`), fix-ups (`rewrites`), BTF as loaded, system calls (`calls`). */
export type StageName = 'stored' | 'rewrites' | 'loaded' | 'calls';

/** Returns the stage of the final verdict: `loaded` if there is one, else `stored`. */
export function finalStage(check: FileCheck): CheckStage {
  return check.loaded ?? check.stored;
}

/** Returns the stage that the selected bytes belong to, else the stage of the final verdict. */
export function firstStage(check: FileCheck, selection: Selection): StageName {
  const { stored, loaded } = check;
  if (loaded === null) return 'stored';
  const last = loaded.stopped === null ? 'loaded' : 'stored';
  const hasSelected = (stage: CheckStage) =>
    shownProblems(stage).some((place) => isSelected(selection, checkSpan(check, stage, place)));
  if (last === 'loaded' && hasSelected(loaded)) return 'loaded';
  if (hasSelected(stored)) return 'stored';
  return selectedRewrite(check, loaded, selection) === null ? last : 'rewrites';
}

/** Returns the number of the first fix-up whose bytes are selected; null if there is none. */
export function selectedRewrite(
  check: FileCheck,
  loaded: LoadedStage,
  selection: Selection,
): number | null {
  const index = loaded.rewrites.findIndex((place) =>
    isSelected(selection, checkSpan(check, loaded, place)),
  );
  return index < 0 ? null : index;
}

/** Returns true if exactly the bytes of `span` are selected. */
export function isSelected(selection: Selection, span: Span | null): boolean {
  if (selection.kind !== 'bytes' || span === null) return false;
  return selection.start === span.start && selection.end === span.end;
}

/** Returns true if the kernel's verdict differs only because the BTF is of another machine. */
export function isForeign({ verdict: { kernel, native } }: CheckStage): boolean {
  return kernel.verdict === 'refused' && !isSameVerdict(kernel, native);
}

/** Returns true if both verdicts accept, or both reject by the same rule at the same place. */
export function isSameVerdict(a: KernelVerdict, b: KernelVerdict): boolean {
  if (a.verdict === 'ok' || b.verdict === 'ok') return a.verdict === b.verdict;
  return a.word === b.word && a.blobOffset === b.blobOffset;
}

/** Returns the problems to list, except the problem that the BTF is of another machine. */
export function shownProblems(stage: CheckStage): readonly Problem[] {
  const { kernel, problems } = stage.verdict;
  if (kernel.verdict === 'ok' || !isForeign(stage)) return problems;
  return problems.filter(
    ({ blobOffset, word }) => blobOffset !== kernel.blobOffset || word !== kernel.word,
  );
}
