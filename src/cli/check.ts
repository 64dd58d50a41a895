/** `btfscope check`: prints the kernel's and libbpf's verdicts on BTF, and its problems. */
import { formatModule } from '#analysis/formats/registry.ts';
import { type MapFault, mapFaultText } from '#analysis/kernel/map-rules.ts';
import type { Errno, KernelVerdict, Problem } from '#analysis/kernel/verdict.ts';
import { checkElf, type ElfRefusal } from '#analysis/libbpf/elf-rules.ts';
import {
  type CheckStage,
  checkFile,
  checkSpan,
  checkStored,
  type FileCheck,
  isElfRefused,
} from '#analysis/libbpf/file-check.ts';
import type { Rewrite } from '#analysis/libbpf/fixup-copy.ts';
import { issuesOf } from '#analysis/lint/all-issues.ts';
import type { BtfOrigin } from '#analysis/lint/kernel-btf.ts';
import { originOf } from '#analysis/lint/lint.ts';
import { ORIGIN_CODES } from '#analysis/lint/origin-codes.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { counted, hexText, visible } from '#bytes/text.ts';
import { rawBtf, storedBtf } from '#ingest/blob.ts';
import { originFields, originLines } from '#print/btf-origin.ts';
import { type Call, type Command, CommandFailure, flag, type NodeIo, valued } from './command.ts';
import { type NamedBase, openBase, openObject } from './open.ts';

export const check: Command = {
  name: 'check',
  positionals: ['FILE'],
  options: [
    valued('base', 'BASE', 'check FILE as split BTF on top of this base'),
    flag('json', 'print JSON'),
  ],
  run,
};

async function run(call: Call): Promise<void> {
  const base = await openBase(call.io, call.all('base'));
  const facts = await judged(call.io, call.positional(0), base);
  if ('verdict' in facts) {
    return await call.print(
      () => facts,
      () => checkText(facts),
    );
  }
  const { failure, ...found } = facts;
  if (failure === null || found.findings.length > 0) {
    await call.print(
      () => found,
      () => [`${found.name}: no BTF`, ...findingLines(found.findings)].map(visible),
    );
  }
  if (failure !== null) throw new CommandFailure(failure);
}

/** Result for a file without BTF. `failure` is null for a format that has no BTF, such as eCOFF. */
type WithoutBtf = Pick<CheckFacts, 'name' | 'elf' | 'btf_bytes' | 'findings'> & {
  readonly failure: string | null;
};

async function judged(
  io: NodeIo,
  path: string,
  base: NamedBase | null,
): Promise<CheckFacts | WithoutBtf> {
  try {
    const { model, source } = await openObject(io, path, base);
    const stored = await storedBtf(model, source);
    const { issues, origin: notes } = await issuesOf(model, source);
    if (stored !== null) {
      const origin = await originOf(model);
      return checkFacts(model.name, checkFile(stored, model), [...issues, ...notes], origin);
    }
    const elf = checkElf(model);
    const refusal = elf?.verdict === 'refused' ? `; ${elfLine(elf)}` : '';
    const dwarf = issues.find(({ code }) => code === 'btf.only-dwarf');
    const remark = dwarf === undefined ? '' : `; ${dwarf.message}. ${dwarf.advice ?? ''}`;
    const failure = `${path} has no BTF to check${refusal}${remark}`;
    return {
      name: model.name,
      elf,
      btf_bytes: 0,
      findings: issues.filter((issue) => issue !== dwarf).map(findingFacts),
      failure: formatModule(model) === null ? visible(failure) : null,
    };
  } catch (error) {
    if (!(error instanceof Malformed) || !isRefusedBlob(error)) throw error;
    const source = await io.open(path);
    const { bytes, fileOffset } = await rawBtf(source);
    return checkFacts(source.name, checkStored(bytes, fileOffset, base?.types ?? null), [], null);
  }
}

/**
 * Returns true for invalid BTF, or a file that may be BTF with a wrong magic number. BTF that does
 * not fit the given base is not invalid: on this base, all its names and ids would be wrong.
 */
function isRefusedBlob({ issue }: Malformed): boolean {
  if (issue.code === 'btf.base-does-not-fit') return false;
  return issue.code.startsWith('btf.') || issue.code === 'file.unknown';
}

type VerdictFacts = {
  readonly verdict: 'ok' | 'refused';
  /** The kernel's error; null if there is none, or if libbpf never loads the BTF. */
  readonly errno: Errno | null;
  /** The constant part of the kernel's log line; empty if the kernel logs nothing. */
  readonly word: string;
  readonly type_id: number | null;
  /** Offset of the error; null if there is no error, or if the bytes are not in the file. */
  readonly file_offset: number | null;
  readonly rule: string | null;
  readonly where: string | null;
};

type StageFacts = VerdictFacts & {
  /** The kernel's verdict on a machine that has the blob's byte order and size of pointers. */
  readonly native: VerdictFacts;
  /** That machine: `32-bit`, `big-endian`; empty for 64-bit little-endian. */
  readonly native_machine: string;
  /** The verdict of bpf-next on a machine with the blob's byte order. */
  readonly next: VerdictFacts;
  /** `ok`, the errno of libbpf's error, or `refused` for an error without an errno. */
  readonly libbpf: 'ok' | 'refused' | Errno;
  /** libbpf's log; empty if libbpf accepts the blob. */
  readonly libbpf_message: string;
  readonly problems: readonly ReturnType<typeof problemFacts>[];
  readonly more_problems: number;
};

type CheckFacts = ReturnType<typeof checkFacts>;
type LoadedFacts = NonNullable<CheckFacts['loaded']>;

/** Returns the results of a check as JSON data. Offsets count from the start of the file. */
function checkFacts(
  name: string,
  check: FileCheck,
  issues: readonly Issue[],
  origin: BtfOrigin | null,
) {
  const { stored, loaded } = check;
  const isInfo = ({ code }: Issue) => code.startsWith('ext.');
  return {
    name,
    /** libbpf's error for the ELF file, before libbpf reads the BTF; null if there is none. */
    elf: check.elf,
    bpf_object: check.isObject,
    btf_bytes: check.size,
    on_base: check.onBase,
    ...stageFacts(check, stored),
    /** Results after libbpf has opened the object; null if the file is not an object. */
    loaded: loaded && {
      ...(loaded.stopped === null ? stageFacts(check, loaded) : stoppedFacts(loaded.stopped)),
      rewrites: loaded.rewrites.map((rewrite) => rewriteFacts(check, loaded, rewrite)),
      more_rewrites: loaded.moreRewrites,
      /** The reason why libbpf loads nothing; null if libbpf loads the BTF. */
      stopped: loaded.stopped,
      /** Maps whose key and value types BPF_MAP_CREATE rejects or ignores. */
      maps: loaded.maps,
    },
    /** Parts of func_info and line_info that BPF_PROG_LOAD or libbpf rejects. */
    program_info: issues.filter(isInfo).map(infoFacts),
    /** Findings that are no verdict: of types, instructions and CO-RE records, kfuncs, names. */
    findings: issues.filter((issue) => !isInfo(issue)).map(findingFacts),
    /** Encoder and readers of the BTF of a kernel or module; null for other files. */
    origin: origin && originFields(origin),
  };
}

function findingFacts({ severity, code, message, span, expected, found, advice }: Issue) {
  return {
    severity,
    code,
    message,
    file_offset: span?.start ?? null,
    expected: expected ?? null,
    found: found ?? null,
    advice: advice ?? null,
  };
}

function infoFacts({ severity, code, message, span, expected, found, advice }: Issue) {
  return {
    severity,
    code,
    message,
    file_offset: span?.start ?? null,
    expected: expected ?? null,
    found: found ?? null,
    consequence: advice ?? null,
  };
}

function stageFacts(check: FileCheck, stage: CheckStage): StageFacts {
  const { kernel, native, machine, next, libbpf, problems, moreProblems } = stage.verdict;
  return {
    ...verdictFacts(check, stage, kernel),
    native: verdictFacts(check, stage, native),
    native_machine: machine,
    next: verdictFacts(check, stage, next),
    libbpf: libbpf.verdict === 'ok' ? 'ok' : libbpf.errno,
    libbpf_message: libbpf.verdict === 'ok' ? '' : libbpf.message,
    problems: problems.map((problem) => problemFacts(check, stage, problem)),
    more_problems: moreProblems,
  };
}

/** Returns the results for an object that libbpf does not open: the kernel gets no BTF. */
function stoppedFacts(message: string): StageFacts {
  const refused = { ...ACCEPTED, verdict: 'refused' } as const;
  return {
    ...refused,
    native: refused,
    native_machine: '',
    next: refused,
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

function checkText(facts: CheckFacts): readonly string[] {
  const { loaded, elf } = facts;
  const isAlone = isElfRefused({ elf, isObject: facts.bpf_object });
  const lines = [
    `${facts.name}: BTF of ${facts.btf_bytes} bytes${facts.on_base ? ', on a base' : ''}`,
    ...(elf?.verdict === 'refused' ? [elfLine(elf)] : []),
    // The verdict as loaded is what counts: that of the compiler's BTF says little about it.
    ...(loaded === null ? [] : loadedLines(loaded)),
    ...(loaded === null ? [] : problemLines(' as loaded', loaded)),
    ...(loaded === null ? [] : rewriteLines(loaded)),
    ...stageLines(isAlone ? 'its BTF alone: ' : loaded === null ? '' : 'as compiled: ', facts),
    ...problemLines(loaded === null ? '' : ' as compiled', facts),
    ...mapLines(loaded?.maps ?? []),
    ...infoLines(facts.program_info),
    ...findingLines(facts.findings),
    ...(facts.origin === null ? [] : originLines(facts.origin)),
  ];
  return lines.map(visible);
}

/** Returns a line with the reason why libbpf does not read the BTF. */
function elfLine({ errno, message, rule, where }: ElfRefusal): string {
  const log = message === '' ? '' : `: ${message}`;
  return `libbpf 1.8 does not open the file as a BPF object: ${errno}${log} (${rule} libbpf.c: ${where})`;
}

type Stage = CheckFacts | LoadedFacts;

function stageLines(stage: string, facts: Stage): readonly string[] {
  const { native, native_machine, next, libbpf, libbpf_message } = facts;
  const lines = [`${stage}Linux 6.18 ${verdictText(facts)}`];
  if (native.verdict !== facts.verdict || native.word !== facts.word) {
    lines.push(`${stage}Linux 6.18 on a ${native_machine} machine ${verdictText(native)}`);
  }
  // Print the verdict of the newest kernel only if it differs.
  if (native.verdict !== next.verdict || native.word !== next.word) {
    lines.push(`${stage}bpf-next ${verdictText(next)}`);
  }
  const refusal = libbpf_message === '' ? '' : `: ${libbpf_message}`;
  lines.push(
    `${stage}libbpf 1.8 ${libbpf === 'ok' ? 'accepts it' : `rejects it: ${libbpf}${refusal}`}`,
  );
  return lines;
}

function verdictText({ errno, word, type_id, file_offset }: VerdictFacts): string {
  if (errno === null) return 'accepts it';
  const parts = [
    errno,
    ...(word === '' ? [] : [word]),
    ...(type_id === null ? [] : [`type [${type_id}]`]),
  ];
  const place = file_offset === null ? '' : ` (at offset ${hexText(file_offset)})`;
  return `rejects it: ${parts.join(', ')}${place}`;
}

function loadedLines(loaded: LoadedFacts): readonly string[] {
  const { stopped } = loaded;
  return stopped === null
    ? stageLines('as loaded: ', loaded)
    : [`as loaded: libbpf aborts and loads nothing: ${stopped}`];
}

function rewriteLines({ rewrites, more_rewrites }: LoadedFacts): readonly string[] {
  const count = rewrites.length + more_rewrites;
  return [
    `libbpf applies ${counted(count, 'fix-up')}${count > 0 ? ':' : ''}`,
    ...rewrites.map(
      ({ type_id, before, after, sentence }) =>
        `  ${type_id === null ? '' : `[${type_id}] `}${sentence} (${before} -> ${after})`,
    ),
    ...moreLine(more_rewrites),
  ];
}

function problemLines(stage: string, { problems, more_problems }: Stage): readonly string[] {
  const count = problems.length + more_problems;
  if (count === 0) return [];
  return [
    `${counted(count, 'problem')}${stage}:`,
    ...problems.map(({ file_offset, word, sentence, by, where }) => {
      const place = file_offset === null ? '' : `${hexText(file_offset)} `;
      return `  ${place}${word === '' ? '' : `${word}: `}${sentence} (${by}; ${where})`;
    }),
    ...moreLine(more_problems),
  ];
}

function mapLines(maps: readonly MapFault[]): readonly string[] {
  if (maps.length === 0) return [];
  return [
    `${counted(maps.length, 'map')} with a fault in the BTF of its value:`,
    ...maps.map((fault) => `  ${fault.map}: ${mapFaultText(fault)} (${fault.where})`),
  ];
}

function infoLines(info: CheckFacts['program_info']): readonly string[] {
  if (info.length === 0) return [];
  return [
    `${counted(info.length, 'finding')} in func_info and line_info:`,
    ...info.map(({ severity, file_offset, message, consequence }) => {
      const place = file_offset === null ? '' : `${hexText(file_offset)} `;
      const then = consequence === null ? '' : ` (${consequence})`;
      return `  ${severity}: ${place}${message}${then}`;
    }),
  ];
}

function findingLines(findings: CheckFacts['findings']): readonly string[] {
  const listed = findings.filter(({ code }) => !ORIGIN_CODES.includes(code));
  if (listed.length === 0) return [];
  return [
    `${counted(listed.length, 'finding')}:`,
    ...listed.flatMap(({ severity, file_offset, message, expected, found, advice }) => {
      const place = file_offset === null ? '' : `${hexText(file_offset)} `;
      return [
        `  ${severity}: ${place}${message}`,
        ...(expected === null ? [] : [`    expected: ${expected}`]),
        ...(found === null ? [] : [`    found: ${found}`]),
        ...(advice === null ? [] : [`    ${advice}`]),
      ];
    }),
  ];
}

function moreLine(count: number): readonly string[] {
  return count === 0 ? [] : [`  and ${count} more`];
}
