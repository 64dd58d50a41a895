/** Why a worker is lost, in words: which step it was at, and what becomes of the file. */
import type { Issue } from '#bytes/issue.ts';
import type { Method } from './protocol.ts';

/** What a person calls the work. */
const WORDS: Readonly<Record<Method, string>> = {
  open: 'the reading of the file',
  tryBase: 'the trial of a base',
  setBase: 'the reading of the file on its base',
  declare: 'the reading of the declarations',
  bytes: 'the reading of bytes',
  find: 'the palette’s search',
  searchTypes: 'the search of types',
  referrers: 'the search for who uses a type',
  graph: 'the graph',
  graphReferrers: 'the search for who uses a type',
  paths: 'the search for ways between types',
  fieldNames: 'the search of fields',
  findings: 'the closer look',
  check: 'the check',
  resolveCore: 'the resolving of CO-RE relocations',
  explainCore: 'the explaining of a CO-RE relocation',
  followLog: 'the reading of a log',
  minBtf: 'the cutting out of what is needed',
  text: 'the writing of the text',
  typesLink: 'the making of a link',
  fileLink: 'the making of a link',
  compare: 'the comparison',
  duplicates: 'the search for duplicates',
  sha256: 'the hashing of the file',
};

/** What the worker was at, as far as it is known: `the closer look (code)`. */
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
