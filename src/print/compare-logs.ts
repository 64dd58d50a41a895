/** Prints two compared logs: the fields of `explain --compare --json`, and text. */
import { type ComparedLogs, differenceText } from '#analysis/verifier/compare-logs.ts';
import type { ComparedLine, WalkLine } from '#analysis/verifier/compare-walks.ts';
import { shownText } from '#analysis/verifier/state-rows.ts';
import { counted } from '#bytes/text.ts';

const NO_BINDING = { object: null, program: null, kernel: null };
const VERDICTS = {
  accepted: 'accepted',
  rejected: 'refused',
  cut: 'cut before its end',
  unknown: 'no verdict',
};

/** Returns the fields of two compared logs. `files` are the paths of the texts. */
export function compareFields(
  files: readonly [string, string],
  { program, verdicts, comparison }: ComparedLogs,
) {
  const { lines, firstLess, steps, shared, apart, isSameCode, isCut } = comparison;
  return {
    files,
    program,
    verdicts,
    insns: steps,
    shared_insns: shared,
    same_code: isSameCode,
    first_less: firstLess < 0 ? null : firstLess,
    apart: apart?.map(({ insn, logLine }) => ({ insn, n: logLine + 1 })) ?? null,
    is_cut: isCut,
    lines: lines.map(({ sides, differences }) => ({
      sides: sides.map(
        (side) =>
          side && {
            file: side.file,
            line: side.line,
            text: side.text,
            insns: side.steps,
            n: side.logLine + 1,
          },
      ),
      differences: differences.map(({ places, names, values, kinds, second, isAfter }) => ({
        places: places.map(({ insn, logLine }) => ({ insn, n: logLine + 1 })),
        registers: names,
        values: values.map((value) => shownText(value, NO_BINDING)),
        kinds,
        second,
        is_after: isAfter,
      })),
    })),
  };
}

/** Yields two compared logs as text. Names are not escaped. */
export function* compareLines({ program, verdicts, comparison }: ComparedLogs): Generator<string> {
  const { lines, firstLess, steps, shared, apart, isSameCode, isCut } = comparison;
  const words = verdicts.map(
    (verdict, i) => `${VERDICTS[verdict]}, ${counted(steps[i] ?? 0, 'walked instruction')}`,
  );
  yield `${program ?? 'Program'}: ${words[0]}; ${words[1]}`;
  const first = lines[firstLess];
  yield first === undefined
    ? `  The second log knows as much as the first at the ${counted(shared, 'instruction')} that both walked.`
    : `  The second log first knows less here: ${placeOf(first.sides[1] ?? first.sides[0])}`;
  if (!isSameCode) yield '  The programs differ: lines are paired by their text.';
  if (apart !== null) {
    const [one, two] = apart;
    const insns = one.insn === two.insn ? `${one.insn}` : `${one.insn} and ${two.insn}`;
    yield `  The paths part after insn ${insns}.`;
  }
  if (isCut) yield '  The paths are long: later rounds of loops were not compared.';
  for (const line of lines) {
    if (line.differences.length === 0) continue;
    yield `  ${placeOf(line.sides[1] ?? line.sides[0])}`;
    for (const difference of line.differences) {
      yield `    ${difference.second}: ${differenceText(difference, [NO_BINDING, NO_BINDING])}`;
    }
  }
  const other = lines.filter(({ sides: [a, b] }) => a?.steps !== b?.steps);
  if (other.length === 0) return;
  yield '  Walked instructions of lines that differ:';
  for (const line of other) yield `    ${costOf(line)}`;
}

function placeOf(side: WalkLine | null): string {
  if (side === null) return '';
  const { file, line, text } = side;
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`} `;
  return text === '' ? `${place}instructions without a source line` : `${place}${text}`;
}

function costOf({ sides: [one, two] }: ComparedLine): string {
  return `${one?.steps ?? 0} → ${two?.steps ?? 0} ${placeOf(two ?? one)}`;
}
