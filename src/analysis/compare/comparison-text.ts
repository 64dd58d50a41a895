/** Text of a compared line as a C declaration. */
import { declaratorText } from '#analysis/types/declarator.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { counted, hexPlace } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import { kindOf, nameOf, stringAt, type TypeTable } from '#model/type-table.ts';
import type { Change } from './changes.ts';
import { sharedWords } from './shared-words.ts';
import type { TypeLine } from './type-lines.ts';

/** Declaration split before and after its name: `int (*`, `show`, `)(void *)`. Not escaped. */
export type DeclaredLine = {
  readonly before: string;
  readonly name: string;
  readonly after: string;
};

/** Maximum length of a text in characters, longer than a visible row. */
const MAX_LENGTH = 200;
/** Placeholder of the name in a declaration; no C name contains it. */
const MARK = '\u0001';

/** Returns a line as C without a semicolon; for an opened anonymous type `struct {`. */
export function declaredLine(types: TypeTable, line: TypeLine): DeclaredLine {
  const name = line.nameOff === 0 ? '' : bounded(stringAt(types, line.nameOff));
  if (line.role === 'hole') {
    const word = line.index === 0 ? 'hole' : 'padding';
    return { before: `/* ${word}: ${bitsText(line.bitfieldSize)} */`, name: '', after: '' };
  }
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

/** Returns the declaration of a line as one text, not escaped. */
export function lineText(types: TypeTable, line: TypeLine): string {
  const { before, name, after } = declaredLine(types, line);
  return `${before}${name}${after}`.trim();
}

/** Returns a line's position: `0x58`, `0x58:3` (bit), `#2` (parameter), `returns`, or empty. */
export function linePlace({ role, index, bitOffset }: TypeLine): string {
  if (role === 'param') return `#${index + 1}`;
  if (role === 'return') return 'returns';
  return bitOffset === null ? '' : hexPlace(bitOffset);
}

function declaredAround(types: TypeTable, type: TypeId) {
  const [before = '', after = ''] = declaratorText(types, type, MARK, MAX_LENGTH).split(MARK);
  return { before, after };
}

function bounded(name: string): string {
  return name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name;
}

/** Returns the text of a change: `offset moved 0x58 → 0x60`. Names are not escaped. */
export function changeText(change: Change): string {
  const { what, before, after } = change;
  switch (what) {
    case 'added':
    case 'removed':
      return what;
    case 'inside':
      return insideWords(before, after);
    case 'hole':
      return `hole ${bitsText(Number(before))} → ${bitsText(Number(after))}`;
    case 'nested':
      return 'in another anonymous struct or union';
    case 'renamed':
      return renamedWords(before, after);
    case 'moved':
      return before.startsWith('#')
        ? `moved from index ${before.slice(1)} to ${after.slice(1)}`
        : `offset moved ${before} → ${after}`;
    case 'bitfield':
      return bitfieldWords(before, after);
    case 'nelems':
      return `array length ${before} → ${after}`;
    case 'type':
      return before === after ? `type changed inside ${before}` : `type ${before} → ${after}`;
    case 'sign':
      return `signedness ${before} → ${after}`;
    case 'tag':
      return tagWords(before, after);
    default:
      return `${what} ${before || '(none)'} → ${after || '(none)'}`;
  }
}

/** Linux builds with -funsigned-char since 6.2 (commit 3bc753c06dd0, Makefile). */
const CHAR_IN_LINUX = 'Linux compiles with -funsigned-char since 6.2';

/** Returns the reason of a change inside if an integer is the reason, as `char` of kernels. */
function insideWords(before: string, after: string): string {
  if (before === '') return 'changed inside';
  const isCharOfLinux = /^char: signed\b/.test(before) && after.startsWith('unsigned');
  return `${before} → ${after}${isCharOfLinux ? ` (${CHAR_IN_LINUX})` : ''}`;
}

/** Returns a size in bits as bytes, with the remaining bits. */
function bitsText(bits: number): string {
  const bytes = Math.floor(bits / 8);
  const rest = bits % 8;
  if (rest === 0) return counted(bytes, 'byte');
  return bytes === 0
    ? counted(rest, 'bit')
    : `${counted(bytes, 'byte')} and ${counted(rest, 'bit')}`;
}

/** BTF does not tell whether a line was renamed: the words of the names may agree. */
function renamedWords(before: string, after: string): string {
  if (before === '') return 'in the place of an anonymous one';
  return sharedWords(before, after) === null
    ? `in the place of ${before}`
    : `renamed? was ${before}`;
}

function bitfieldWords(before: string, after: string): string {
  if (after === '0') return `bit-field of ${before} became plain`;
  if (before === '0') return `became a bit-field of ${after}`;
  return `bits ${before} → ${after}`;
}

function tagWords(before: string, after: string): string {
  if (before === '') return `tag ${after} added`;
  return after === '' ? `tag ${before} removed` : `tags ${before} → ${after}`;
}

/** Returns the name of a type; for an unnamed enum `(anon) FIRST`. Not escaped. */
export function typeLabel(t: TypeTable, id: TypeId): string {
  const name = nameOf(t, id);
  if (name !== '') return name;
  const [first] = enumeratorsOf(t, id);
  return first === undefined ? '(anon)' : `(anon) ${first.name}`;
}
