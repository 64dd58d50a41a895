/** Why a worker is lost, in words: which step it was at, and what becomes of the file. */
import type { Issue } from '#bytes/issue.ts';
import type { Method } from './protocol.ts';

/** What a person calls the work. */
const WORDS: Readonly<Record<Method, string>> = {
  open: 'parsing of the file',
  tryBase: 'the base check',
  setBase: 'parsing of the file on its base',
  declare: 'parsing of the declarations',
  bytes: 'byte access',
  find: 'the palette search',
  searchTypes: 'the type search',
  referrers: 'the search for users of a type',
  graph: 'the graph',
  graphReferrers: 'the search for users of a type',
  paths: 'the path search',
  fieldNames: 'the field search',
  findings: 'linting',
  check: 'the check',
  resolveCore: 'CO-RE relocation',
  explainCore: 'the CO-RE trace',
  followLog: 'log parsing',
  minBtf: 'BTF minimization',
  text: 'text output',
  typesLink: 'link creation',
  fileLink: 'link creation',
  compare: 'the comparison',
  duplicates: 'the search for duplicates',
  sha256: 'file hashing',
};

/** What the worker was at, as far as it is known: `linting (code)`. */
export function stepText(method: Method, progressStep: string | null): string {
  return progressStep === null ? WORDS[method] : `${WORDS[method]} (${progressStep})`;
}

export const STUCK = 'worker.stuck';

/** It stopped by itself, or the browser ended it. */
export function diedIssue(how: string, step: string | null): Issue {
  const at = step === null ? '' : ` during ${step}`;
  return lost('worker.died', `The worker of this file stopped${at}: ${how || 'no reason given'}`);
}

/** It was ended since it did not answer. */
export function stuckIssue(seconds: number, step: string | null): Issue {
  const at = step === null ? '' : ` during ${step}`;
  return lost(
    STUCK,
    `The worker of this file did not answer for ${seconds} seconds${at} and was ended`,
  );
}

function lost(code: string, message: string): Issue {
  return {
    severity: 'error',
    code,
    message,
    span: null,
    region: '',
    advice: 'Open the file again. If it happens twice, please report it.',
  };
}
