/** A problem as lines of text, for a report. */
import type { Problem } from '#analysis/check/verdict.ts';
import type { Span } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import { spanText } from '#views/parts/issue-text.ts';

/** Names in it are escaped as on the page; `span` is null where the bytes are not in the file. */
export function problemReport(fileName: string, problem: Problem, span: Span | null): string {
  const { sentence, word, typeId, rule, where, by } = problem;
  return [
    `${fileName}: ${sentence}`,
    `  refused by: ${by === 'both' ? 'kernel and libbpf' : by}`,
    ...(word === '' ? [] : [`  log: ${word}`]),
    `  rule: ${rule}`,
    `  written in: ${where}`,
    ...(typeId === null ? [] : [`  type: [${typeId}]`]),
    ...(span === null ? [] : [`  bytes: ${spanText(span)}`]),
  ]
    .map(visible)
    .join('\n');
}
