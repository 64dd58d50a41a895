/**
 * What could not be read, and where. `formats` throw `Malformed` at the first
 * field that cannot be honoured; `ingest` turns it into an `Issue` once per
 * region, so that one bad region never hides the good ones.
 */
import type { Span } from './span.ts';

/** `error`: something is not shown. `warning`: shown, but odd. `note`: good to know. */
export type Severity = 'error' | 'warning' | 'note';

export type Issue = {
  readonly severity: Severity;
  /** Stable, dotted: `btf.header-too-short`. Tests and links name this, never the words. */
  readonly code: string;
  /** One plain sentence. Names from the file in it are raw text: escape them when drawn. */
  readonly message: string;
  /** Where in the file, or null for the whole file. */
  readonly span: Span | null;
  /** The region it was found in, as a person calls it: `.BTF`, `ELF header`. */
  readonly region: string;
  readonly expected?: string;
  readonly found?: string;
  /** What the person can do about it. */
  readonly advice?: string;
};

/** The only error that our parsing throws on bad input. */
export class Malformed extends Error {
  readonly issue: Issue;

  constructor(issue: Omit<Issue, 'severity'> & { readonly severity?: Severity }) {
    super(issue.message);
    this.name = 'Malformed';
    this.issue = { severity: 'error', ...issue };
  }
}

/** Runs `read`; a `Malformed` is added to `issues` and gives null. Any other error is our bug and escapes. */
export function attempt<T>(issues: Issue[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    issues.push(error.issue);
    return null;
  }
}

/** As `attempt`, for work that reads the file on the way. */
export async function attemptAsync<T>(issues: Issue[], read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    issues.push(error.issue);
    return null;
  }
}
