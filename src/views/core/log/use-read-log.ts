import { useLayoutEffect, useState } from 'react';
import type { LogLine } from '#analysis/log/log-line.ts';
import { countLines, logLines } from '#analysis/log/parse-log.ts';

export type ReadLog = {
  readonly lines: readonly LogLine[];
  /** Are these all that are read? */
  readonly isDone: boolean;
  /** All lines of the text, those that are not read among them. */
  readonly lineCount: number;
};

/** Milliseconds of work between two pictures. */
const SLICE_MS = 8;
/** Lines between two looks at the clock. */
const BATCH = 64;

const NOTHING: ReadLog = { lines: [], isDone: true, lineCount: 0 };

/** Reads a log in slices, so that the page moves on meanwhile. What is read is shown as it grows. */
export function useReadLog(text: string): ReadLog {
  const [read, setRead] = useState({ of: '', log: NOTHING });

  // Before the page is painted: a log of some lines is there at once.
  useLayoutEffect(() => {
    const lines: LogLine[] = [];
    const source = logLines(text);
    const lineCount = countLines(text);
    let shown = 0;
    let timer = 0;
    const slice = () => {
      const isDone = takeLines(source, lines);
      // Each picture has twice as many lines: few of them are drawn for nothing.
      if (isDone || lines.length >= 2 * shown) {
        shown = lines.length;
        setRead({ of: text, log: { lines: [...lines], isDone, lineCount } });
      }
      if (!isDone) timer = window.setTimeout(slice, 0);
    };
    slice();
    return () => window.clearTimeout(timer);
  }, [text]);

  return read.of === text ? read.log : NOTHING;
}

/** Takes lines for the length of a slice. Was that all? */
function takeLines(source: Iterator<LogLine, void>, lines: LogLine[]): boolean {
  const end = performance.now() + SLICE_MS;
  for (;;) {
    for (let i = 0; i < BATCH; i++) {
      const next = source.next();
      if (next.done === true) return true;
      lines.push(next.value);
    }
    if (performance.now() > end) return false;
  }
}
