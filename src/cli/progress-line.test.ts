import { describe, expect, it } from 'vitest';
import { ProgressLine } from './progress-line.ts';

/** Returns a progress line on a terminal whose clock the test sets. */
function lineOn({ isTerminal = true, isOutTerminal = false } = {}) {
  const written: string[] = [];
  const clock = { now: 0 };
  const line = new ProgressLine({
    isTerminal: () => isTerminal,
    isOutTerminal: () => isOutTerminal,
    now: () => clock.now,
    write: (text) => written.push(text),
  });
  const at = (now: number, text: string | null) => {
    clock.now = now;
    line.show(text);
    return written.splice(0);
  };
  return { at, line, written };
}

describe('progress', () => {
  it('is shown after a second, ten times a second, and erased', () => {
    const { at } = lineOn();
    expect(at(999, 'kernel 1 of 9')).toEqual([]);
    expect(at(1000, 'kernel 2 of 9')).toEqual(['\r\u001b[Kkernel 2 of 9 (1 s)']);
    expect(at(1099, 'kernel 3 of 9')).toEqual([]);
    expect(at(2100, 'kernel 4 of 9')).toEqual(['\r\u001b[Kkernel 4 of 9 (2 s)']);
    expect(at(2101, null)).toEqual(['\r\u001b[K']);
    expect(at(2102, null)).toEqual([]);
  });

  it('is not shown where standard error is no terminal', () => {
    expect(lineOn({ isTerminal: false }).at(5000, 'kernel 1 of 9')).toEqual([]);
  });

  it('is no longer than a line', () => {
    const [text = ''] = lineOn().at(5000, 'x'.repeat(200));
    expect(text.slice('\r\u001b[K'.length)).toHaveLength(79);
  });

  it('is erased for standard output, and not shown again on its terminal', () => {
    const both = lineOn({ isOutTerminal: true });
    both.at(1000, 'kernel 1 of 9');
    both.line.beforeOut();
    expect(both.written.splice(0)).toEqual(['\r\u001b[K']);
    expect(both.at(3000, 'kernel 2 of 9')).toEqual([]);
    const file = lineOn();
    file.line.beforeOut();
    expect(file.at(3000, 'kernel 2 of 9')).toHaveLength(1);
  });
});
