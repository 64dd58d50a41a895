import type { Issue } from '#bytes/issue.ts';
import { KeyValue } from '#ui/KeyValue.tsx';
import { issueFacts } from './issue-text.ts';

/** What was expected, what was found, and where. */
export function IssueFacts({ issue }: { readonly issue: Issue }) {
  return <KeyValue items={issueFacts(issue).map((fact) => ({ ...fact, isMono: true }))} />;
}
