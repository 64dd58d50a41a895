/** `btfscope check` as a person reads it: both verdicts, what libbpf rewrites, and the problems. */
import { visible } from '#bytes/text.ts';
import type { CheckFacts, LoadedFacts, VerdictFacts } from './check-facts.ts';

/** The lines of the report. Names out of the file are escaped. */
export function checkText(facts: CheckFacts): readonly string[] {
  const { loaded } = facts;
  const lines = [
    `${facts.name}: BTF of ${facts.btf_bytes} bytes${facts.on_base ? ', on a base' : ''}`,
    ...stageLines(loaded === null ? '' : 'as compiled: ', facts),
    ...(loaded === null ? [] : loadedLines(loaded)),
    ...problemLines(loaded === null ? '' : ' as compiled', facts),
    ...(loaded === null ? [] : problemLines(' as loaded', loaded)),
  ];
  return lines.map(visible);
}

type Stage = CheckFacts | LoadedFacts;

function stageLines(stage: string, facts: Stage): readonly string[] {
  const { native, libbpf, libbpf_message } = facts;
  const lines = [`${stage}Linux 6.18 ${verdictWords(facts)}`];
  if (native.verdict !== facts.verdict || native.word !== facts.word) {
    lines.push(`${stage}Linux 6.18 on a big-endian machine ${verdictWords(native)}`);
  }
  const refusal = libbpf_message === '' ? '' : `: ${libbpf_message}`;
  lines.push(
    `${stage}libbpf 1.8 ${libbpf === 'ok' ? 'accepts it' : `refuses it: ${libbpf}${refusal}`}`,
  );
  return lines;
}

function verdictWords({ errno, word, type_id, file_offset }: VerdictFacts): string {
  if (errno === null) return 'accepts it';
  const parts = [
    errno,
    ...(word === '' ? [] : [word]),
    ...(type_id === null ? [] : [`type [${type_id}]`]),
  ];
  const place = file_offset === null ? '' : ` (at offset ${hex(file_offset)})`;
  return `refuses it: ${parts.join(', ')}${place}`;
}

function loadedLines(loaded: LoadedFacts): readonly string[] {
  const { rewrites, more_rewrites, stopped } = loaded;
  const count = rewrites.length + more_rewrites;
  const lines = [
    `libbpf rewrites ${count === 1 ? '1 thing' : `${count} things`}${count > 0 ? ':' : ''}`,
    ...rewrites.map(
      ({ type_id, before, after, sentence }) =>
        `  ${type_id === null ? '' : `[${type_id}] `}${sentence} (${before} -> ${after})`,
    ),
    ...moreLine(more_rewrites),
  ];
  if (stopped === null) return [...lines, ...stageLines('as loaded: ', loaded)];
  return [...lines, `libbpf stops there and loads nothing: ${stopped}`];
}

function problemLines(stage: string, { problems, more_problems }: Stage): readonly string[] {
  const count = problems.length + more_problems;
  if (count === 0) return [];
  return [
    `${count === 1 ? '1 problem' : `${count} problems`}${stage}:`,
    ...problems.map(({ file_offset, word, sentence, by, where }) => {
      const place = file_offset === null ? '' : `${hex(file_offset)} `;
      return `  ${place}${word}: ${sentence} (${by}; ${where})`;
    }),
    ...moreLine(more_problems),
  ];
}

function moreLine(count: number): readonly string[] {
  return count === 0 ? [] : [`  and ${count} more`];
}

function hex(offset: number): string {
  return `0x${offset.toString(16)}`;
}
