import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { issueFacts, issueReport, spanText } from './IssueFacts.tsx';

const issue: Issue = {
  severity: 'warning',
  code: 'btf.flags',
  message: 'Unknown BTF flags 0x1',
  region: '.BTF',
  span: { start: 0x43, end: 0x44 },
  expected: '0x0',
  found: '0x1',
  advice: 'Nothing to do.',
};

it('writes bytes with the first byte after them', () => {
  expect(spanText({ start: 0x18, end: 0x1c })).toBe('0x18 to 0x1c (4 bytes)');
  expect(spanText({ start: 0, end: 1 })).toBe('0x0 to 0x1 (1 byte)');
});

describe('issueFacts', () => {
  it('lists the facts, expected and found first', () => {
    expect(issueFacts(issue).map(({ term }) => term)).toEqual([
      'Expected',
      'Found',
      'Region',
      'Bytes',
      'Code',
    ]);
  });

  it('leaves out what the issue does not say', () => {
    const { expected: _, found: __, ...bare } = issue;
    const facts = issueFacts({ ...bare, span: null, region: '' });
    expect(facts).toEqual([
      { term: 'Bytes', value: 'whole file' },
      { term: 'Code', value: 'btf.flags' },
    ]);
  });
});

describe('issueReport', () => {
  it('has the file, the severity and every fact on a line of its own', () => {
    expect(issueReport('prog.o', issue)).toBe(
      [
        'prog.o: warning: Unknown BTF flags 0x1',
        '  expected: 0x0',
        '  found: 0x1',
        '  region: .BTF',
        '  bytes: 0x43 to 0x44 (1 byte)',
        '  code: btf.flags',
        '  advice: Nothing to do.',
      ].join('\n'),
    );
  });

  it('escapes names that would turn the text around', () => {
    const text = issueReport('a\u202eb.o', { ...issue, message: 'name \u0000' });
    expect(text).toContain('a\\u{202e}b.o');
    expect(text).toContain('name \\x00');
    expect(text).not.toContain('\u202e');
  });
});
