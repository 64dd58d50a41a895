/** JSON on standard output, as other programs read it: indented, and a newline at the end. */
import type { NodeIo } from './command.ts';

const encoder = new TextEncoder();
/** No name in a file holds a NUL, so nothing else looks like this. */
const MARK = '\u0000bigint:';
const MARKED = /"\\u0000bigint:(-?\d+)"/g;

/** Writes one value. A bigint becomes a whole number with all its digits. */
export function printJson(io: NodeIo, value: unknown): void {
  const text = JSON.stringify(
    value,
    (_, item: unknown) => (typeof item === 'bigint' ? `${MARK}${item}` : item),
    2,
  );
  io.out(encoder.encode(`${text.replace(MARKED, '$1')}\n`));
}

/** Writes lines of text, some thousand at a time. */
export async function printLines(
  io: NodeIo,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  let batch: string[] = [];
  const flush = () => {
    if (batch.length > 0) io.out(encoder.encode(`${batch.join('\n')}\n`));
    batch = [];
  };
  for await (const line of lines) {
    batch.push(line);
    if (batch.length === 2048) flush();
  }
  flush();
}
