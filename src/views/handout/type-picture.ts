/** A type as C with its offsets, and the line of one member marked. */
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberAt } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import { type Line, linesAround } from './lines.ts';

const MAX_LINES = 24;
/** A line of a hostile type is as long as the file. */
const MAX_LENGTH = 160;

/** The declaration; of a long one the lines around the member. Structs and unions as pahole writes them, with offsets and sizes. */
export function typeLines(types: TypeTable, id: TypeId, memberPath: readonly number[]): Line[] {
  const isLaidOut = isComposite(kindOf(types, id));
  const text = isLaidOut ? paholeOf(types, id) : cDeclaration(types, id);
  const lines = (text === '' ? cDeclaration(types, id) : text).trimEnd().split('\n');
  const marked = isLaidOut ? memberLine(types, id, memberPath, lines) : -1;
  return linesAround(lines.length, marked, MAX_LINES, (i) => cut(lines[i] ?? ''));
}

function cut(line: string): string {
  const text = line.replaceAll('\t', '  ');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** The line that declares the member: its name, and behind it the comment with its offset. -1 where there is none. */
function memberLine(
  types: TypeTable,
  id: TypeId,
  memberPath: readonly number[],
  lines: readonly string[],
): number {
  let at = skipModifiers(types, id);
  let from = 0;
  for (const index of memberPath) {
    const member = memberAt(types, at, index);
    if (member === null) return -1;
    if (member.name !== '') {
      const found = lines.findIndex((line, i) => i >= from && declares(line, member.name));
      if (found < 0) return -1;
      from = found;
    }
    at = skipModifiers(types, member.type);
  }
  return memberPath.length === 0 ? -1 : from;
}

function declares(line: string, name: string): boolean {
  const code = line.split('/*')[0] ?? '';
  const names: readonly string[] = code.match(/[A-Za-z_$][\w$]*/g) ?? [];
  return line.includes('/*') && names.includes(name);
}
