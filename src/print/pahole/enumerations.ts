/**
 * Enumerations that are written where they are used: `enum { A = 1, } name`.
 *
 * The rules: enumeration__fprintf of pahole 1.24. It takes all values for
 * unsigned, and all enumerations but those of four bytes for packed.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { HEAD_WORDS, type Records } from './records.ts';
import { orNull, padded, tabs } from './text.ts';

const INT_BYTES = 4;

/**
 * An ENUM or ENUM64 whose line is indented by `indent`, and `suffix` after it.
 * One without enumerators is only named, and has no suffix.
 */
export function enumerationText(
  records: Records,
  id: number,
  indent: number,
  suffix: string,
): string {
  const { words } = records;
  const count = records.vlen(id);
  const name = records.name(id);
  const head = name === null ? 'enum' : `enum ${name}`;
  if (count === 0) return head;
  const isWide = records.kind(id) === BtfKind.ENUM64;
  const step = isWide ? 3 : 2;
  const first = records.start(id) + HEAD_WORDS;
  const end = first + step * count;
  let width = 0;
  for (let at = first; at < end; at += step) {
    width = Math.max(width, records.nameAt(at)?.length ?? 0);
  }
  let text = `${head} {\n`;
  for (let at = first; at < end; at += step) {
    const high = isWide ? (words[at + 2] ?? 0) : 0;
    const low = words[at + 1] ?? 0;
    const value = high === 0 ? low : (BigInt(high) << 32n) | BigInt(low);
    text += `${tabs(indent)}\t${padded(orNull(records.nameAt(at)), width)} = ${value},\n`;
  }
  const isPacked = records.size(id) !== 0 && records.size(id) !== INT_BYTES;
  return `${text}${tabs(indent)}}${isPacked ? ' __attribute__((__packed__))' : ''}${suffix}`;
}
