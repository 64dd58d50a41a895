/** Issues of one subject, limited in number, since a damaged file repeats its faults. */
import type { Issue, Severity } from './issue.ts';
import type { Span } from './span.ts';

const MAX_OF_A_CODE = 20;
const MAX_OF_A_SUBJECT = 500;

/** Fields of an issue besides its code and message. */
export type Finding = {
  readonly span: Span | null;
  readonly severity?: Severity;
  readonly expected?: string;
  readonly found?: string;
  readonly advice?: string;
};

type Tally = { count: number; readonly severity: Severity };

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
