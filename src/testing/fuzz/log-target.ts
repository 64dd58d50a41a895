/** Fuzz targets for logs of the verifier: mutated logs, and logs that are slow by their shape. */
import { lineRow } from '#analysis/verifier/line-row.ts';
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

/** Reads a log of pieces that the bytes of the input choose. */
export function readHostileLog(bytes: Uint8Array, reportStep: ReportStep): void {
  readLogTable(new TextEncoder().encode(hostileLog(bytes)), reportStep);
}
