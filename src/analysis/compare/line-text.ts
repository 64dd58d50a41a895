/** A line of a compared type as C declares it, its name apart so that it can stand out. */
import { declarator } from '#analysis/types/declarator.ts';
import { emit, TextOut } from '#analysis/types/text-out.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, stringAt, type TypeTable } from '#model/type-table.ts';
import { placeText } from './changes.ts';
import type { TypeLine } from './type-lines.ts';

/** Raw text: `int (*`, `show`, `)(void *)`. */
export type DeclaredLine = {
  readonly before: string;
  readonly name: string;
  readonly after: string;
};

/** More than fits a row, less than a hostile file can ask for. */
const MAX_LENGTH = 200;
/** Stands for the name while the declaration around it is written; no C name has it. */
const MARK = '\u0001';

/** `struct {` for an anonymous type that is opened; else the whole declaration without a semicolon. */
export function declaredLine(types: TypeTable, line: TypeLine): DeclaredLine {
  const name = line.nameOff === 0 ? '' : bounded(stringAt(types, line.nameOff));
  if (line.type === null) return { before: '', name, after: ` = ${line.value}` };
  if (line.opens !== null) {
    const keyword = kindName(kindOf(types, line.opens)).toLowerCase();
    return { before: `${keyword} {${name === '' ? '' : ' … } '}`, name, after: '' };
  }
  if (line.role === 'param' && line.type === 0 && name === '') {
    return { before: '...', name: '', after: '' };
  }
  if (line.role === 'variable' || line.role === 'return' || line.role === 'target') {
    const after = line.size === null ? '' : `  (${line.size} bytes)`;
    return {
      before: line.role === 'variable' ? '' : typeExpression(types, line.type),
      name,
      after,
    };
  }
  const width = line.bitfieldSize === 0 ? '' : ` : ${line.bitfieldSize}`;
  const around = declaredAround(types, line.type);
  return { before: around.before, name, after: `${around.after}${width}` };
}

/** The same in one piece. Raw text. */
export function lineText(types: TypeTable, line: TypeLine): string {
  const { before, name, after } = declaredLine(types, line);
  return `${before}${name}${after}`.trim();
}

/** Where a line stands: `0x58`, `0x58:3`, `#2` for a parameter; empty where that means nothing. */
export function linePlace({ role, index, bitOffset }: TypeLine): string {
  if (role === 'param') return `#${index + 1}`;
  if (role === 'return') return 'returns';
  return bitOffset === null ? '' : placeText(bitOffset);
}

function declaredAround(types: TypeTable, type: TypeId) {
  const out = new TextOut(MAX_LENGTH);
  emit(declarator({ types, out, open: new Set<TypeId>() }, type, MARK), out);
  const text = out.full ? `${out}…` : out.toString();
  const [before = '', after = ''] = text.split(MARK);
  return { before, after };
}

function bounded(name: string): string {
  return name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name;
}
