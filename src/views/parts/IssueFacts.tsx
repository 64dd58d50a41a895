import type { Issue } from '#bytes/issue.ts';
import type { Span } from '#bytes/span.ts';
import { hexText, visible } from '#bytes/text.ts';
import { KeyValue } from '#ui/KeyValue.tsx';
import { countOf } from './number-text.ts';
import { useWriteOffset, type WriteOffset } from './Offset.tsx';

export function IssueFacts({ issue }: { readonly issue: Issue }) {
  const write = useWriteOffset();
  return <KeyValue items={issueFacts(issue, write).map((fact) => ({ ...fact, isMono: true }))} />;
}

type IssueFact = { readonly term: string; readonly value: string };

/** Returns the expected value, the found value and the place of an issue, escaped. */
export function issueFacts(issue: Issue, write: WriteOffset = hexText): IssueFact[] {
  const facts: IssueFact[] = [];
  const add = (term: string, value: string | undefined) => {
    if (value !== undefined && value !== '') facts.push({ term, value: visible(value) });
  };
  add('Expected', issue.expected);
  add('Found', issue.found);
  add('Region', issue.region);
  add('Bytes', issue.span === null ? 'whole file' : spanText(issue.span, write));
  add('Code', issue.code);
  return facts;
}

/** Returns a range of bytes as a text: `0x18 to 0x1c (4 bytes)`. The end is exclusive. */
export function spanText({ start, end }: Span, write: WriteOffset = hexText): string {
  return `${write(start)} to ${write(end)} (${countOf(end - start, 'byte')})`;
}

/** Returns an issue as lines of text for a report. Names are escaped. */
export function issueReport(fileName: string, issue: Issue): string {
  return [
    `${visible(fileName)}: ${issue.severity}: ${visible(issue.message)}`,
    ...issueFacts(issue).map(({ term, value }) => `  ${term.toLowerCase()}: ${value}`),
    ...(issue.advice === undefined ? [] : [`  advice: ${visible(issue.advice)}`]),
  ].join('\n');
}
