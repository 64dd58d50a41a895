/**
 * Errors of parsing. `formats` throw `Malformed` at the first field that cannot be read; `ingest`
 * turns it into an `Issue` once per region, so that a bad region does not hide the others.
 */
import type { Span } from './span.ts';

/** `error`: a part is not shown. `warning`: shown, but unusual. `note`: information. */
export type Severity = 'error' | 'warning' | 'note';

export type Issue = {
  readonly severity: Severity;
  /** Stable, dotted: `btf.header-too-short`. Tests and links use the code, never the message. */
  readonly code: string;
  /** One plain sentence. Names from the file are raw text: the view escapes them. */
  readonly message: string;
  /** Span in the file, or null for the whole file. */
  readonly span: Span | null;
  /** Display name of the region: `.BTF`, `ELF header`. */
  readonly region: string;
  readonly expected?: string;
  readonly found?: string;
  /** Action for the user. */
  readonly advice?: string;
};

/** The only error that a parser of this project throws on bad input. */
export class Malformed extends Error {
  readonly issue: Issue;

  constructor(issue: Omit<Issue, 'severity'> & { readonly severity?: Severity }) {
    super(issue.message);
    this.name = 'Malformed';
    this.issue = { severity: 'error', ...issue };
  }
}

/** Runs `read`. Adds a `Malformed` to `issues` and returns null; any other error is a bug and propagates. */
export function attempt<T>(issues: Issue[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    issues.push(error.issue);
    return null;
  }
}

/** As `attempt`, for a `read` that returns a promise. */
export async function attemptAsync<T>(issues: Issue[], read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    issues.push(error.issue);
    return null;
  }
}
