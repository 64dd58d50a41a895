import { describe, expect, it } from 'vitest';
import { allIssues } from '#analysis/lint/issue-list.ts';
import type { Issue, Severity } from '#bytes/issue.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';
import { damageText } from './damage-text.ts';
import { issueCounts, issueOfSelection, seriousCount } from './issue-list.ts';

function issue(severity: Severity, start: number | null, message = 'm'): Issue {
  const span = start === null ? null : { start, end: start + 4 };
  return { severity, code: 'a.b', message, span, region: '' };
}

describe('issueCounts', () => {
  const issues = [issue('error', 0), issue('note', 0)];

  it('counts by severity what reading and the closer inspection found', () => {
    const findings = [issue('warning', 0), issue('warning', 0)];
    expect(issueCounts(issues, findings)).toEqual({ error: 1, warning: 2, note: 1 });
  });

  it('is the same before the full check is done', () => {
    expect(issueCounts(issues, null)).toEqual({ error: 1, warning: 0, note: 1 });
  });

  it('has no notes on the tab', () => {
    expect(seriousCount(issues, [issue('warning', 0)])).toBe(2);
    expect(seriousCount([issue('note', 0)], null)).toBe(0);
  });
});

describe('allIssues', () => {
  it('puts the worst first, then by place, the whole file before any place', () => {
    const listed = allIssues(
      [issue('note', 0), issue('error', 90), issue('warning', 5)],
      [issue('error', 10), issue('error', null)],
    );
    expect(listed.map(({ severity, span }) => [severity, span?.start ?? null])).toEqual([
      ['error', null],
      ['error', 10],
      ['error', 90],
      ['warning', 5],
      ['note', 0],
    ]);
  });

  it('has no notes about encoder and readers, which are no faults', () => {
    const about = [{ ...issue('note', null), code: 'btf.encoder' }];
    expect(allIssues([], about)).toEqual([]);
    expect(issueCounts([], about)).toEqual({ error: 0, warning: 0, note: 0 });
  });

  it('leaves the lists that it was given as they are', () => {
    const issues = [issue('note', 0), issue('error', 0)];
    allIssues(issues, null);
    expect(issues[0]?.severity).toBe('note');
  });
});

describe('issueOfSelection', () => {
  const issues = [issue('error', null), issue('error', 8, 'a'), issue('note', 8, 'b')];

  it('is the first issue at exactly these bytes', () => {
    expect(issueOfSelection(issues, { kind: 'bytes', start: 8, end: 12 })?.message).toBe('a');
    expect(issueOfSelection(issues, { kind: 'bytes', start: 8, end: 9 })).toBeNull();
    expect(issueOfSelection(issues, NO_SELECTION)).toBeNull();
  });
});

describe('damageText', () => {
  it('is null for a file that is whole, warnings and notes or not', async () => {
    expect(damageText(await sampleModel('doc_core.bpf.o'))).toBeNull();
    expect(damageText(await sampleModel('module.btf'))).toBeNull();
  });

  it('counts the sections that an error is about', async () => {
    const bytes = sampleBytes('doc_core.bpf.o');
    const view = new DataView(bytes.buffer);
    const table = Number(view.getBigUint64(0x28, true));
    // Sections 2 to 5 extend past the file: one issue reports all of them.
    for (const row of [2, 3, 4, 5]) view.setBigUint64(table + 64 * row + 0x20, 1n << 40n, true);
    expect(damageText(await openModel('a.o', bytes))).toMatch(/^4 of \d+ sections are damaged$/);
  });

  it('counts errors where no section is named', async () => {
    const bytes = sampleBytes('doc_core.bpf.o');
    // Sets e_shentsize.
    new DataView(bytes.buffer).setUint16(0x3a, 65, true);
    expect(damageText(await openModel('a.o', bytes))).toBe(
      '1 error: parts of this file cannot be read',
    );
  });
});
