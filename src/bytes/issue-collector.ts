/**
 * Findings of one subject. Equal ones beyond twenty become a number, and the
 * whole subject stops at five hundred: a damaged file repeats its faults.
 */
import type { Issue, Severity } from './issue.ts';
import type { Span } from './span.ts';

const MAX_OF_A_CODE = 20;
const MAX_OF_A_SUBJECT = 500;

/** What is told of one finding beside its code and message. */
export type Finding = {
  readonly span: Span | null;
  readonly severity?: Severity;
  readonly expected?: string;
  readonly found?: string;
  readonly advice?: string;
};

type Tally = { count: number; readonly severity: Severity };

export class Collected {
  readonly #region: string;
  readonly #issues: Issue[] = [];
  readonly #tallies = new Map<string, Tally>();
  #left = 0;

  /** `region`: where all of them are, as a person calls it. */
  constructor(region: string) {
    this.#region = region;
  }

  /** A warning unless `finding` says otherwise. Past the limits it is only counted, and `tell` is not asked. */
  add(code: string, tell: () => { readonly message: string } & Finding): void {
    const tally = this.#tallies.get(code);
    if (tally !== undefined && tally.count >= MAX_OF_A_CODE) {
      tally.count += 1;
      return;
    }
    if (this.#issues.length >= MAX_OF_A_SUBJECT) {
      this.#left += 1;
      return;
    }
    const issue: Issue = { severity: 'warning', region: this.#region, code, ...tell() };
    this.#issues.push(issue);
    if (tally === undefined) this.#tallies.set(code, { count: 1, severity: issue.severity });
    else tally.count += 1;
  }

  /** How many findings of this code there were, told or not. */
  countOf(code: string): number {
    return this.#tallies.get(code)?.count ?? 0;
  }

  /** All that is told, and how many are not. */
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
    if (this.#left > 0) {
      issues.push({
        severity: 'warning',
        code: 'findings.more',
        region: this.#region,
        span: null,
        message: `${this.#left} more findings in ${this.#region} are not listed`,
      });
    }
    return issues;
  }
}
