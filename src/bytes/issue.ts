/** Errors of parsers. `formats` throws `Malformed`; `ingest` converts the error to an `Issue`. */
import type { Span } from './span.ts';

/** `error`: a part is missing. `warning`: a part is unusual. `note`: information. */
export type Severity = 'error' | 'warning' | 'note';

export type Issue = {
  readonly severity: Severity;
  /** Stable code, for example `btf.header-too-short`. Tests and links use codes, not messages. */
  readonly code: string;
  /** One plain sentence. Names from the file are not escaped here; the view escapes them. */
  readonly message: string;
  /** Span of the fault in the file; null if the issue is about the whole file. */
  readonly span: Span | null;
  /** Display name of the damaged region, for example `.BTF` or `ELF header`. */
  readonly region: string;
  readonly expected?: string;
  readonly found?: string;
  readonly advice?: string;
};

/** The only error that the parsers of btfscope throw on bad input. */
export class Malformed extends Error {
  readonly issue: Issue;

  constructor(issue: Omit<Issue, 'severity'> & { readonly severity?: Severity }) {
    super(issue.message);
    this.name = 'Malformed';
    this.issue = { severity: 'error', ...issue };
  }
}

/** Returns the result of `read`. If it throws `Malformed`, returns null and adds the issue. */
export function attempt<T>(issues: Issue[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    issues.push(error.issue);
    return null;
  }
}

/** Runs an asynchronous `read` as `attempt` does. */
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

/** Fields of an issue that `IssueCollector.add` needs in addition to code and message. */
export type Finding = Omit<Issue, 'code' | 'message' | 'region' | 'severity'> &
  Partial<Pick<Issue, 'severity'>>;

type Tally = { count: number; readonly severity: Severity };

/** Collects the issues of one region, up to limits: a damaged file repeats its faults. */
export class IssueCollector {
  readonly #region: string;
  readonly #issues: Issue[] = [];
  readonly #tallies = new Map<string, Tally>();
  #dropped = 0;

  /** Collects issues about the region with the display name `region`. */
  constructor(region: string) {
    this.#region = region;
  }

  /** Adds an issue, by default a warning. Beyond the limits, only counts it. */
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

  /** Returns the number of issues with the code `code`, including the issues beyond the limits. */
  countOf(code: string): number {
    return this.#tallies.get(code)?.count ?? 0;
  }

  /** Returns the collected issues, then issues that tell how many more there are. */
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
