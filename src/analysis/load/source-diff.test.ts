import { describe, expect, it } from 'vitest';
import { guardedLine, lineHunk, unifiedDiff } from './source-diff.ts';

const guard = (text: string) => guardedLine(text, 'ok(x)');

describe('guardedLine', () => {
  it.each([
    ['\tuse(p->x);', ['\tif (ok(x))', '\t\tuse(p->x);']],
    ['\tp->x++;', ['\tif (ok(x))', '\t\tp->x++;']],
    ['\ts += p->x;', ['\tif (ok(x))', '\t\ts += p->x;']],
    ['\tv = p->x;', ['\tv = ok(x)', '\t\t? p->x', '\t\t: 0;']],
    ['\tlong v = f(p->x, ";");', ['\tlong v = ok(x)', '\t\t? f(p->x, ";")', '\t\t: 0;']],
    ['\tstruct t *v = p->x;', ['\tstruct t *v = ok(x)', '\t\t? p->x', '\t\t: 0;']],
    ['\te->a[1] = p->x;', ['\te->a[1] = ok(x)', '\t\t? p->x', '\t\t: 0;']],
    ['  return p->x;', ['  return ok(x)', '  \t? p->x', '  \t: 0;']],
    ['\tif (p->x > 3) {', ['\tif (ok(x) && (p->x > 3)) {']],
    ['\tif (p->x)', ['\tif (ok(x) && p->x)']],
    ['\t} else if (!f(p)) {', ['\t} else if (ok(x) && (!f(p))) {']],
  ])('guards %j', (text, lines) => {
    expect(guard(text)).toEqual(lines);
  });

  it.each([
    '\tuse(p->x,',
    '\t    p->x);',
    '\tfor (i = 0; i < p->x; i++)',
    '\tswitch (p->x) {',
    '\tif (a) v = p->x; else v = 1;',
    '\tv = p->x; w = 2;',
    '\tcase 1: v = p->x;',
    '}',
    '',
    '\tv = p->x; // the end',
  ])('does not guess at %j', (text) => {
    expect(guard(text)).toBeNull();
  });

  it('has the other value where there is one', () => {
    const other = (text: string) => (text.includes('->x') ? text.replace('->x', '->y') : null);
    expect(guardedLine('\tv = p->x;', 'ok', other)).toEqual([
      '\tv = ok',
      '\t\t? p->x',
      '\t\t: p->y;',
    ]);
    expect(guardedLine('\tf(p->x);', 'ok', other)).toEqual([
      '\tif (ok)',
      '\t\tf(p->x);',
      '\telse',
      '\t\tf(p->y);',
    ]);
    expect(guardedLine('\tif (p->x)', 'ok', other)).toEqual(['\tif (ok ? p->x : p->y)']);
    expect(guardedLine('\tv = q;', 'ok', other)).toBeNull();
  });
});

describe('unifiedDiff', () => {
  it('counts the lines that earlier hunks added', () => {
    const line = (number: number, text: string) => ({ file: './a.c', line: number, text });
    const hunks = [
      lineHunk(line(9, 'b;'), ['B;']),
      lineHunk(line(3, 'a;'), ['if (x)', '\ta;']),
    ].filter((hunk) => hunk !== null);
    expect(unifiedDiff(hunks).split('\n')).toEqual([
      '--- a/a.c',
      '+++ b/a.c',
      '@@ -3,1 +3,2 @@',
      '-a;',
      '+if (x)',
      '+\ta;',
      '@@ -9,1 +10,1 @@',
      '-b;',
      '+B;',
    ]);
    expect(unifiedDiff([])).toBe('');
    expect(lineHunk(line(1, ''), null)).toBeNull();
  });
});
