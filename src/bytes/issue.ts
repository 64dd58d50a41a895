/** Errors of parsing: `formats` throw `Malformed`, `ingest` makes it an `Issue` once per region. */
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

const MAX_OF_A_CODE = 20;
const MAX_OF_A_SUBJECT = 500;

/** Fields of an issue besides its code, message and region. */
export type Finding = Omit<Issue, 'code' | 'message' | 'region' | 'severity'> &
  Partial<Pick<Issue, 'severity'>>;

type Tally = { count: number; readonly severity: Severity };

/** Issues of one subject, limited in number, since a damaged file repeats its faults. */
export class IssueCollector {
  readonly #region: string;
  readonly #issues: Issue[] = [];
  readonly #tallies = new Map<string, Tally>();
  #dropped = 0;

  /** `region` is the display name of the subject. */
  constructor(region: string) {
    this.#region = region;
  }

  /** Adds a warning unless `describe` returns another severity. Past the limits only counts, without that call. */
  add(code: string, describe: () => { readonly message: string } & Finding): void {
    const tally = this.#tallies.get(code);
    if (tally !== undefined && tally.count >= MAX_OF_A_CODE) {
      tally.count += 1;
      return;
    }
    if (this.#issues.length >= MAX_OF_A_SUBJECT) {
      this.#dropped += 1;
      return;
    }
    const issue: Issue = { severity: 'warning', region: this.#region, code, ...describe() };
    this.#issues.push(issue);
    if (tally === undefined) this.#tallies.set(code, { count: 1, severity: issue.severity });
    else tally.count += 1;
  }

  /** Returns the number of issues with this code, including those past the limits. */
  countOf(code: string): number {
    return this.#tallies.get(code)?.count ?? 0;
  }

  /** Returns all issues, and the numbers of those past the limits. */
  issues(): Issue[] {
    const issues = [...this.#issues];
    for (const [code, { count, severity }] of this.#tallies) {
      if (count <= MAX_OF_A_CODE) continue;
      const first = this.#issues.find((issue) => issue.code === code);
      issues.push({
        severity,
        code,
        region: this.#region,
        span: first?.span ?? null,
        message: `${count - MAX_OF_A_CODE} more like this: ${first?.message ?? code}`,
        found: `${count} in all`,
      });
    }
    if (this.#dropped > 0) {
      issues.push({
        severity: 'warning',
        code: 'findings.more',
        region: this.#region,
        span: null,
        message: `${this.#dropped} more findings in ${this.#region} are not listed`,
      });
    }
    return issues;
  }
}
