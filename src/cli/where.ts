/** `btfscope where`: prints the fields that contain a byte, from the whole file to single bits. */
import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { childrenOf, fieldsAt } from '#analysis/structure/structure.ts';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';
import { BASE, type Call, type Command, CommandFailure, flag, UsageError } from './command.ts';
import { openFile } from './open.ts';

export const where: Command = {
  name: 'where',
  positionals: ['FILE', 'OFFSET'],
  options: [BASE, flag('json', 'print JSON, one row per field')],
  more: ['OFFSET counts from the start of the (unpacked) file, in decimal or hex (0x1a4).'],
  run,
};

async function run(call: Call): Promise<void> {
  const offset = offsetOf(call.positional(1));
  const { model, source } = await openFile(call);
  if (offset >= model.size) {
    throw new CommandFailure(
      `${visible(model.name)} has ${model.size} bytes: offset ${offset} is past the end`,
    );
  }
  const chain = withBits(fieldsAt(model, offset, await readerAround(source, offset)), offset);
  await call.print(
    () => chain.map(rowOf),
    () => chain.map((field, i) => lineOf(field, depthOf(chain, i))),
  );
}

/** Returns `chain`, with bit fields added if the byte belongs to a number with bit fields. */
function withBits(chain: readonly StructureField[], offset: number): readonly StructureField[] {
  const last = chain.at(-1);
  if (last === undefined || last.kind !== 'field') return chain;
  const parts = childrenOf(last);
  const bits = Array.from({ length: parts.count }, (_, i) => parts.at(i)).filter(
    (part) => part?.kind === 'bits' && offset >= part.span.start && offset < part.span.end,
  );
  return [...chain, ...bits.filter((part) => part !== null)];
}

function offsetOf(text: string): number {
  if (!/^(0x[\da-f]+|\d+)$/i.test(text)) {
    throw new UsageError(
      `"${visible(text)}" is not an offset; expected a number such as 420 or 0x1a4`,
    );
  }
  return Number(text);
}

/** Number of bytes that are read before and after the offset, to decode strings and code. */
const AROUND = 2 * 1024 * 1024;

/** Reads the bytes around an offset in one call. Returns a reader for the bytes that were read. */
async function readerAround(source: ByteSource, offset: number): Promise<ReadBytes> {
  const from = Math.max(0, offset - AROUND);
  const bytes = await source.read(from, offset + AROUND);
  return (start, end) =>
    start < from || Math.min(end, source.size) > from + bytes.length
      ? null
      : bytes.subarray(start - from, end - from);
}

/** Returns the indentation depth of a field. Bit fields of one number have the same depth. */
function depthOf(chain: readonly StructureField[], index: number): number {
  const first = chain.findIndex(({ kind }) => kind === 'bits');
  return first < 0 ? index : Math.min(index, first);
}

/** Returns a line for a field, indented by `depth`: label, place, value and meaning. */
function lineOf(field: StructureField, depth: number): string {
  const { label, cType, span, bits, value, meaning } = field;
  const place =
    bits === null
      ? `0x${span.start.toString(16)}-0x${span.end.toString(16)}`
      : `bits ${bits.start}-${bits.start + bits.length - 1}`;
  const said = [value === null ? '' : `= ${value}`, meaning === '' ? '' : `(${meaning})`];
  const words = [cType === '' ? '' : `<${cType}>`, place, ...said].filter((word) => word !== '');
  return visible(`${'  '.repeat(depth)}${label}  ${words.join('  ')}`);
}

function rowOf(field: StructureField) {
  const { kind, label, name, cType, span, bits, value, meaning, source } = field;
  return {
    kind,
    label,
    name: name === '' ? null : name,
    c_type: cType === '' ? null : cType,
    start: span.start,
    end: span.end,
    bit_start: bits?.start ?? null,
    bit_length: bits?.length ?? null,
    value,
    meaning: meaning === '' ? null : meaning,
    source: source === '' ? null : source,
  };
}
