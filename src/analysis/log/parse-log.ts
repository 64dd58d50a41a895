/**
 * Reads a pasted log line by line: libbpf, cilium/ebpf, aya, the kernel's verifier and its check of
 * BTF, in any mix. An unknown line has no event. Text of any size is safe: long lines and many
 * lines are cut, and every pattern is linear in the length of the line.
 */
import { readBtfLine } from './btf-lines.ts';
import { readAyaLine, readCiliumLine } from './core-errors.ts';
import { readBareSpec, readLibbpfLine } from './libbpf-lines.ts';
import { readLoaderRow } from './loader-rows.ts';
import type { LineReading, LogLine } from './log-line.ts';
import { readVerifierLine } from './verifier-lines.ts';

/** Maximum characters of a line that are read; lines of loaders are far shorter. */
const MAX_LINE_LENGTH = 4096;
const MAX_LINES = 100_000;

/** Yields the lines of `text`, at most `maxLines`, including empty lines. Never throws. */
export function* logLines(text: string, maxLines = MAX_LINES): Generator<LogLine, void, void> {
  const count = Math.min(maxLines, MAX_LINES);
  let btfType: number | null = null;
  let start = 0;
  for (let lineNumber = 0; lineNumber < count && start < text.length; lineNumber++) {
    const end = endOfLine(text, start);
    const line = lineText(text, start, end);
    const reading = readLine(line, btfType);
    const { event } = reading;
    if (event?.event === 'btf-type') btfType = event.typeId;
    yield {
      lineNumber,
      text: line,
      source: reading.source,
      prog: reading.prog ?? null,
      reloIndex: reading.reloIndex ?? null,
      event,
    };
    start = end + 1;
  }
}

/** Returns the number of lines of a text. Text after the last newline is a line, too. */
export function countLines(text: string): number {
  let count = 0;
  for (let start = 0; start < text.length; start = endOfLine(text, start) + 1) count += 1;
  return count;
}

function endOfLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline < 0 ? text.length : newline;
}

function lineText(text: string, start: number, end: number): string {
  const line = text.slice(start, Math.min(end, start + MAX_LINE_LENGTH));
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Reads a line. `btfType` is the type that earlier lines of the kernel's BTF check named last. */
export function readLine(line: string, btfType: number | null): LineReading {
  const libbpf = readLibbpfLine(line);
  if (libbpf !== null) return libbpf.event === null ? (readLoaderRow(line) ?? libbpf) : libbpf;
  if (WALK.test(line)) return readVerifierLine(line) ?? { source: null, event: null };
  const printed = line.replace(DMESG_TIME, '');
  return (
    readCiliumLine(line) ??
    readAyaLine(line) ??
    readLoaderRow(printed) ??
    readBtfLine(withoutBpfMark(printed), btfType) ??
    readVerifierLine(line) ??
    readBareSpec(line) ?? { source: null, event: null }
  );
}

/** Start of a line of the verifier's walk, which no loader writes. */
const WALK = /^(?:\d{1,7}: (?:\(|R\d|safe)|; |R\d|from \d|processed |mark_precise|func#)/;
/** Time that dmesg writes before a line: seconds, or with `-T` the date. */
const DMESG_TIME = /^\[(?: {0,8}\d{1,10}\.\d{6}|\w{3} \w{3} [\d :]{1,20})\] /;
/** Mark of a line of the kernel's check of BTF in the kernel log. Source: __btf_verifier_log. */
const BPF_MARK = /^BPF:[ \t]*/;

/** Returns the line of the kernel's check of BTF as it is in a log of BPF_BTF_LOAD. */
function withoutBpfMark(line: string): string {
  if (!BPF_MARK.test(line)) return line;
  const text = line.replace(BPF_MARK, '');
  return text.startsWith('[') ? text : `\t${text}`;
}
