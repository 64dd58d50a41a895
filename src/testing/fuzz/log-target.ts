/** Fuzz targets for logs of the verifier: mutated logs, and logs that are slow by their shape. */
import { lineRow } from '#analysis/verifier/line-row.ts';
import { overviewOf, readLines } from '#analysis/verifier/log-overview.ts';
import { Replay } from '#analysis/verifier/replay.ts';
import { replayColumns } from '#analysis/verifier/replay-columns.ts';
import { loopCosts } from '#analysis/verifier/replay-cost.ts';
import { replayLines } from '#analysis/verifier/replay-source.ts';
import { shownValue, stateRows, valueFacts } from '#analysis/verifier/state-rows.ts';
import { lastWrite, stepFacts } from '#analysis/verifier/step-facts.ts';
import { statesOf } from '#analysis/verifier/step-states.ts';
import { toldAnswer } from '#analysis/verifier/told-answer.ts';
import type { LogBinding } from '#analysis/verifier/typed-value.ts';
import { walkOf } from '#analysis/verifier/walk.ts';
import { finish } from '#bytes/long-work.ts';
import { LOGS, logTable } from '#testing/verifier-logs.ts';
import type { ReportStep } from './opened.ts';

/** Reads every line of a log, and checks that lines and parts are in order. */
export function readLogTable(bytes: Uint8Array, reportStep: ReportStep): void {
  reportStep('log table');
  const table = logTable(bytes, 1 + (bytes.length % 4096));
  const { starts } = table.columns;
  reportStep('log lines');
  for (let line = 0; line < table.lineCount; line++) {
    if (line > 0 && !((starts[line - 1] ?? 0) < (starts[line] ?? 0))) {
      throw new Error(`line ${line} begins before the line before`);
    }
    JSON.stringify(lineRow(line + 1, table.line(line)));
  }
  reportStep('log parts');
  let end = -1;
  for (const { firstLine, lastLine, errorLines } of table.parts) {
    const isInOrder = firstLine > end && lastLine >= firstLine && lastLine < table.lineCount;
    if (!isInOrder)
      throw new Error(`the part of lines ${firstLine} to ${lastLine} is out of order`);
    const isOutside = errorLines.some((line) => line < firstLine || line > lastLine);
    if (isOutside) throw new Error(`an error is outside of the lines ${firstLine} to ${lastLine}`);
    end = lastLine;
  }
}

/** Number of steps of a walk whose states are read. */
const MAX_STEPS = 20;

/** Explains each log of a text, and replays its walk, without an object and with `binding`. */
export function answerLogs(binding: LogBinding) {
  return (bytes: Uint8Array, reportStep: ReportStep): void => {
    const table = logTable(bytes);
    reportStep('log overview');
    const { overview } = finish(overviewOf(table));
    readLines(table, [...overview.failures.slice(0, MAX_STEPS)]);
    for (const part of overview.parts) {
      for (const bound of [NO_BINDING, binding]) {
        reportStep('log answer');
        const answer = toldAnswer(table, part, bound);
        JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
        if (part.kind !== 'verifier') continue;
        reportStep('log walk');
        const walk = walkOf(table, part);
        const replay = new Replay(replayColumns(walk), answer.step);
        replayLines(replay, bound.object === null ? null : { model: bound.object, program: null });
        loopCosts(replay);
        for (const { first, depth } of replay.segments) replay.callers(first + depth);
        reportStep('log states');
        const stride = Math.ceil(walk.stepCount / MAX_STEPS);
        for (let step = 0; step < walk.stepCount; step += stride) {
          const facts = stepFacts(walk, statesOf(walk), step);
          for (const name of ['R0', 'R6', 'fp-8']) lastWrite(walk, statesOf(walk), step, name);
          for (const { before, after } of stateRows(facts.before, facts.after)) {
            const value = after ?? before;
            if (value === null) continue;
            shownValue(value, bound);
            valueFacts(value);
          }
          replay.otherSide(replay.branchAt(step) ?? step, step);
        }
      }
    }
  };
}

const NO_BINDING: LogBinding = { object: null, program: null, kernel: null };

const PIECES: readonly string[] = [
  ...['\n', '\n', '\n', '0: ', '7: (b7) r0 = 0', ' ; ', ' 17: ', 'R1=', 'R1_rw=', 'fp-8=', '????'],
  ...['scalar(', 'id=', 'var_off=(0x0; ', ')', '(', ',', '=', ' ', '    ', '\t', '; x @ a.c:1'],
  ...['from 1 to 2: ', 'safe', 'frame1: ', 'refs=1', ',2', 'cb', 'func#0 @0', '\\n', '\\t', '\\"'],
  ...['subprog#0 f:', 'Live regs before insn:', 'Verification failed: A: B', 'Reason:', 'At:'],
  ...[
    '  f @ a.c:1:2',
    '  >>> 1 | x',
    '     | ^-- error: y',
    '\x1b[1m',
    '\x1b]8;;',
    '\r',
    '\0',
    'ÿ',
  ],
  ...['libbpf: ', "prog 'x': ", '-- BEGIN PROG LOAD LOG --', '-- END PROG LOAD LOG --', 'app[1]: '],
  ...['load program: a: b', ' (7 line(s) omitted)', 'Verifier output: ', '99999999999999999999'],
  ...['processed 1 insns (limit 1000000)', 'verification time 1 usec', 'stack depth 1+', '[ 1.2] '],
  ...[
    '1: (85) call bpf_map_lookup_elem#1',
    '2: (85) call pc+1',
    '3: (95) exit',
    '4: (05) goto pc-4',
  ],
  ...['5: (15) if r0 == 0x0 goto pc-3', '6: (7b) *(u64 *)(r10 -8) = r1', '9: (bf) r6 = r0'],
  ...[
    'caller:',
    'callee:',
    'returning from callee:',
    'R0=map_value_or_null(id=1,map=m)',
    'R10=fp0',
  ],
  ...["R0 invalid mem access 'map_value_or_null'", 'R6 !read_ok', 'Unreleased reference id=1'],
  ...['invalid access to packet, off=0 size=4', 'BPF program is too large. Processed 9 insn'],
  ...['infinite loop detected at insn 4', 'Validating f() func#1...', 'arg#0 reference type'],
  ...Object.values(LOGS),
];

/** Returns a log of a few pieces, some of which are repeated many times. */
function hostileLog(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at + 1 < bytes.length && text.length < 200_000; at += 2) {
    const piece = PIECES[(bytes[at] ?? 0) % PIECES.length] ?? '';
    const times = bytes[at + 1] ?? 0;
    text += piece.repeat(times < 240 ? 1 + (times & 3) : 2 ** (times - 240));
  }
  return text.slice(0, 200_000);
}

/** Reads and explains a log of pieces that the bytes of the input choose. */
export function readHostileLog(binding: LogBinding) {
  const answer = answerLogs(binding);
  return (bytes: Uint8Array, reportStep: ReportStep): void => {
    const log = new TextEncoder().encode(hostileLog(bytes));
    readLogTable(log, reportStep);
    answer(log, reportStep);
  };
}
