/** Writes all types as text, as the worker does, for tests of views without a worker. */
import type { TypeTable } from '#model/type-table.ts';
import { writeJson, writeRaw } from '#print/btf-dump.ts';
import { gathered } from '#print/byte-text.ts';
import { type COptions, writeC } from '#print/c-dump/dump.ts';
import { type PaholeOptions, writePahole } from '#print/pahole/pahole.ts';
import type { TextFormat } from '#views/text/state.ts';
import type { WholeText } from '#views/text/whole-text.ts';

const WRITERS = { c: writeC, raw: writeRaw, json: writeJson, pahole: writePahole };

/** Returns all types as text. Names must be UTF-8. */
export function textOf(
  types: TypeTable,
  format: TextFormat,
  options: COptions & PaholeOptions = {},
): WholeText {
  const bytes = gathered((out) => {
    for (const _ of WRITERS[format](types, out, options));
  });
  const text = new TextDecoder().decode(bytes);
  const lines = format === 'json' ? text.split(/(?<=[[,])(?=\{"[a-z])/) : text.split(/(?<=\n)/);
  const lineStarts: number[] = [];
  let at = 0;
  for (const line of lines) {
    lineStarts.push(at);
    at += new TextEncoder().encode(line).length;
  }
  return { bytes, lineStarts: Uint32Array.from(text === '' ? [] : lineStarts), isCut: false };
}
