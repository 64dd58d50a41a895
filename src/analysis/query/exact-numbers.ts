/** Reads the integers of a query exactly: squirreling reads them as doubles, but `1n` as a bigint. */
import type { Statement } from 'squirreling';

/** Replaces each integer literal beyond 2^53 by a bigint, in place. `sql` is the text. */
export function readExactly(statement: Statement, sql: string): void {
  const open: unknown[] = [statement];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    if (isLargeNumber(at)) {
      const text = sql.slice(at.positionStart, at.positionEnd);
      if (/^-?\d+$/.test(text)) at.value = BigInt(text);
      continue;
    }
    for (const part of Object.values(at)) if (typeof part === 'object') open.push(part);
  }
}

type LargeNumber = { value: number | bigint; positionStart: number; positionEnd: number };

function isLargeNumber(node: object): node is LargeNumber {
  return (
    'type' in node &&
    node.type === 'literal' &&
    'value' in node &&
    typeof node.value === 'number' &&
    !Number.isSafeInteger(node.value)
  );
}
