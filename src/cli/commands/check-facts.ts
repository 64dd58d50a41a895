/** What `btfscope check` tells, in the shape of its JSON. */

import { type CheckStage, checkSpan, type FileCheck } from '#analysis/check/file-check.ts';
import type { Rewrite } from '#analysis/check/loaded-copy.ts';
import type { Errno, KernelVerdict, Problem } from '#analysis/check/verdict.ts';

export type VerdictFacts = {
  readonly verdict: 'ok' | 'refused';
  /** null where it is accepted, and where libbpf stops before the kernel is asked. */
  readonly errno: Errno | null;
  /** The constant part of the kernel's log line; empty where it logs nothing. */
  readonly word: string;
  readonly type_id: number | null;
  /** null where it is accepted, and where the bytes stand nowhere in the file. */
  readonly file_offset: number | null;
  readonly rule: string | null;
  readonly where: string | null;
};

type StageFacts = VerdictFacts & {
  /** The same kernel on a machine of the blob's own byte order. */
  readonly native: VerdictFacts;
  /** `ok`, the errno with which libbpf refuses the blob, or `refused` where it stops without one. */
  readonly libbpf: 'ok' | 'refused' | Errno;
  /** What libbpf logs; empty where it accepts. */
  readonly libbpf_message: string;
  readonly problems: readonly ReturnType<typeof problemFacts>[];
  readonly more_problems: number;
};

export type LoadedFacts = StageFacts & {
  readonly rewrites: readonly ReturnType<typeof rewriteFacts>[];
  readonly more_rewrites: number;
  /** Why libbpf loads nothing; null where it does not stop. */
  readonly stopped: string | null;
};

export type CheckFacts = StageFacts & {
  readonly name: string;
  readonly btf_bytes: number;
  readonly on_base: boolean;
  /** After libbpf has opened the object; null where the file is none. */
  readonly loaded: LoadedFacts | null;
};

/** The facts of a check; offsets are those of the file. */
export function checkFacts(name: string, check: FileCheck): CheckFacts {
  const { stored, loaded } = check;
  return {
    name,
    btf_bytes: check.size,
    on_base: check.onBase,
    ...stageFacts(check, stored),
    loaded: loaded && {
      ...(loaded.stopped === null ? stageFacts(check, loaded) : stoppedFacts(loaded.stopped)),
      rewrites: loaded.rewrites.map((rewrite) => rewriteFacts(check, loaded, rewrite)),
      more_rewrites: loaded.moreRewrites,
      stopped: loaded.stopped,
    },
  };
}

function stageFacts(check: FileCheck, stage: CheckStage): StageFacts {
  const { kernel, native, libbpf, problems, moreProblems } = stage.verdict;
  return {
    ...verdictFacts(check, stage, kernel),
    native: verdictFacts(check, stage, native),
    libbpf: libbpf.verdict === 'ok' ? 'ok' : libbpf.errno,
    libbpf_message: libbpf.verdict === 'ok' ? '' : libbpf.message,
    problems: problems.map((problem) => problemFacts(check, stage, problem)),
    more_problems: moreProblems,
  };
}

/** An object that libbpf does not open: the kernel never gets to see its BTF. */
function stoppedFacts(message: string): StageFacts {
  const refused = { ...ACCEPTED, verdict: 'refused' } as const;
  return {
    ...refused,
    native: refused,
    libbpf: 'refused',
    libbpf_message: message,
    problems: [],
    more_problems: 0,
  };
}

const ACCEPTED: VerdictFacts = {
  verdict: 'ok',
  errno: null,
  word: '',
  type_id: null,
  file_offset: null,
  rule: null,
  where: null,
};

function verdictFacts(check: FileCheck, stage: CheckStage, verdict: KernelVerdict): VerdictFacts {
  if (verdict.verdict === 'ok') return ACCEPTED;
  const { errno, word, typeId, blobOffset, rule, where } = verdict;
  return {
    verdict: 'refused',
    errno,
    word,
    type_id: typeId,
    file_offset: checkSpan(check, stage, { blobOffset, length: 0 })?.start ?? null,
    rule,
    where,
  };
}

function problemFacts(check: FileCheck, stage: CheckStage, problem: Problem) {
  return {
    by: problem.by,
    word: problem.word,
    type_id: problem.typeId,
    file_offset: checkSpan(check, stage, problem)?.start ?? null,
    blob_offset: problem.blobOffset,
    length: problem.length,
    sentence: problem.sentence,
    rule: problem.rule,
    where: problem.where,
  };
}

function rewriteFacts(check: FileCheck, stage: CheckStage, rewrite: Rewrite) {
  return {
    type_id: rewrite.typeId,
    file_offset: checkSpan(check, stage, rewrite)?.start ?? null,
    blob_offset: rewrite.blobOffset,
    length: rewrite.length,
    before: rewrite.before,
    after: rewrite.after,
    sentence: rewrite.sentence,
  };
}
