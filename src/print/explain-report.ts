/** Prints explained logs for GitHub: a summary as Markdown, and annotations of source lines. */
import type { ExplainedLog } from '#analysis/verifier/explain-log.ts';
import { visible } from '#bytes/text.ts';
import { stepText } from './explain-text.ts';
import { markdownText } from './load-text.ts';

/** Yields one log as Markdown. */
export function* explainMarkdown(log: ExplainedLog): Generator<string> {
  const { program, verdict, cause, error, fix, steps } = log;
  yield `### ${markdownText(program ?? 'Log')}: ${verdict}`;
  yield '';
  if (cause !== '') yield* [markdownText(cause), ''];
  for (const step of steps) yield `- ${markdownText(stepText(step))}`;
  if (steps.length > 0) yield '';
  if (fix !== '') yield* [markdownText(fix), ''];
  if (error !== null) yield* [`Line ${error.n}: ${markdownText(error.line.trim())}`, ''];
}

/** Returns the annotation of a log: a workflow command of GitHub; null without a failure. */
export function explainAnnotation({ error, cause, fix, program }: ExplainedLog): string | null {
  if (error === null) return null;
  const { file = null, line = null } = error.source ?? {};
  const fields = [
    ...(file === null ? [] : [`file=${property(file)}`]),
    ...(line === null ? [] : [`line=${line}`]),
    `title=${property(program ?? 'Refused')}`,
  ];
  const told = cause === '' ? error.line.trim() : cause;
  return `::error ${fields.join(',')}::${data([told, fix].join(' ').trim())}`;
}

/** Escapes the message of a workflow command. Source: actions/toolkit, command.ts. */
function data(text: string): string {
  return text.split('\n').map(visible).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
