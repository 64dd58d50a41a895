/** Which lines of a whole text are about which type. */
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { TextFormat, WholeText } from '#store/texts.ts';
import { definitionAt, linesOfDefinition } from './definition-lines.ts';
import { linesOfRecord, recordAt } from './record-lines.ts';
import type { Block } from './text-lines.ts';

type TypeBlock = { readonly type: TypeId; readonly block: Block };

/** The type that a line is about, and all lines that are about it; null for a line between types. */
export function typeAtLine(
  text: WholeText,
  format: TextFormat,
  types: TypeTable,
  line: number,
): TypeBlock | null {
  return format === 'c' || format === 'pahole'
    ? definitionAt(text, format, types, line)
    : recordAt(text, format, line);
}

/** The lines about `type`; null where the text has none, as a header has none for a pointer. */
export function blockOfType(
  text: WholeText,
  format: TextFormat,
  types: TypeTable,
  type: TypeId,
): Block | null {
  return format === 'c' || format === 'pahole'
    ? linesOfDefinition(text, format, types, type)
    : linesOfRecord(text, format, type);
}
