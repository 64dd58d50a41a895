import { describe, expect, it } from 'vitest';
import { IssueCollector } from './issue.ts';

const span = { start: 0, end: 4 };

describe('IssueCollector', () => {
  it('lists twenty of a code and counts the rest', () => {
    const found = new IssueCollector('.BTF');
    for (let i = 0; i < 50; i++) found.add('a', () => ({ message: `no. ${i}`, span }));
    found.add('b', () => ({ message: 'once', span, severity: 'note' }));
    const issues = found.issues();
    expect(issues).toHaveLength(22);
    expect(issues[20]).toMatchObject({ code: 'b', severity: 'note', region: '.BTF' });
    expect(issues[21]).toMatchObject({
      code: 'a',
      severity: 'warning',
      message: '30 more like this: no. 0',
      found: '50 in all',
    });
    expect(found.countOf('a')).toBe(50);
  });

  it('stops at five hundred of all codes, and counts the rest', () => {
    const found = new IssueCollector('.BTF');
    for (let i = 0; i < 700; i++) found.add(`code ${i}`, () => ({ message: 'x', span }));
    const issues = found.issues();
    expect(issues).toHaveLength(501);
    expect(issues.at(-1)).toMatchObject({ code: 'findings.more', span: null });
    expect(issues.at(-1)?.message).toContain('200 more');
  });
});
