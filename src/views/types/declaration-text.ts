/** Makes the texts of a type in all forms, and the names of their files. */

import type { TypeId } from '#model/ids.ts';
import { isComposite, memberAt, memberCount } from '#model/type-items.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { rawRecord } from '#print/btf-dump.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { type HeaderOptions, selfContainedHeader } from '#print/c-dump/header.ts';
import { goDeclaration, rustDeclaration, zigDeclaration } from '#print/declarations/languages.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import type { DeclarationForm } from './state.ts';

/** Title and description of each form. */
export const FORM_WORDS: Readonly<
  Record<DeclarationForm, { readonly title: string; readonly about: string }>
> = {
  source: { title: 'Source', about: '' },
  c: { title: 'C', about: 'as bpftool prints it' },
  header: { title: 'Header', about: 'compiles alone, with all types that it needs' },
  pahole: { title: 'pahole', about: 'with offsets, sizes and holes, as pahole -C prints it' },
  raw: { title: 'Raw', about: 'the record, as bpftool lists it' },
  zig: { title: 'Zig', about: 'the same layout, with the types it holds' },
  rust: { title: 'Rust', about: 'the same layout, with the types it holds' },
  go: { title: 'Go', about: 'the same layout, with the types it holds' },
};

/** Maximum characters of a text that the page makes. The command prints longer texts. */
const MAX_LENGTH = 1 << 22;

type MakeText = (types: TypeTable, id: TypeId, header: HeaderOptions) => string;

/** A form that needs the types alone. */
type TypesForm = Exclude<DeclarationForm, 'source'>;

const TEXTS: Readonly<Record<TypesForm, MakeText>> = {
  c: (types, id) => cDeclaration(types, id, { maxLength: MAX_LENGTH }),
  header: selfContainedHeader,
  pahole: (types, id) => (isComposite(kindOf(types, id)) ? paholeOf(types, id).trimEnd() : ''),
  raw: rawRecord,
  zig: zigDeclaration,
  rust: rustDeclaration,
  go: goDeclaration,
};

/** Returns the text of the type `id` in `form`, not escaped; empty if `form` has none. */
export function declarationText(
  types: TypeTable,
  id: TypeId,
  form: TypesForm,
  header: HeaderOptions,
): string {
  return TEXTS[form](types, id, header);
}

const ENDINGS: Readonly<Record<TypesForm | 'C++' | 'Rust' | 'Go' | 'Zig', string>> = {
  c: '.h',
  header: '.h',
  pahole: '.pahole.txt',
  raw: '.btf.txt',
  zig: '.zig',
  rust: '.rs',
  go: '.go',
  'C++': '.hpp',
  Rust: '.rs',
  Go: '.go',
  Zig: '.zig',
};

/** Returns a file name such as `task_struct.h`. Special characters become `_`. */
export function declarationFileName(
  types: TypeTable,
  id: TypeId,
  form: keyof typeof ENDINGS,
): string {
  const name = nameOf(types, id).slice(0, 100).replace(/\W/g, '_');
  return `${name === '' ? `type_${id}` : name}${ENDINGS[form]}`;
}

/** Returns the index at which the type's own declaration begins, after the types it needs. */
export function ownDeclarationStart(text: string, form: DeclarationForm): number {
  if (form === 'source' || form === 'c' || form === 'pahole' || form === 'raw') return 0;
  if (form === 'header') {
    let start = 0;
    for (const { index } of text.matchAll(/^(?:struct|union|enum|typedef)\b/gm)) start = index;
    return start;
  }
  const blank = text.trimEnd().lastIndexOf('\n\n');
  return blank < 0 ? 0 : blank + 2;
}

/** Maximum number of member names that are offered. */
const MAX_NAMES = 10_000;
/** Maximum number of members that are read: a hostile file can nest them without end. */
const MAX_LOOKS = 100_000;

/** Returns the names of all members, also inside anonymous members, each once. Not escaped. */
export function choosableMembers(types: TypeTable, composite: TypeId): string[] {
  const names = new Set<string>();
  const stack = [{ type: composite, next: 0 }];
  for (let looks = 0; looks < MAX_LOOKS && names.size < MAX_NAMES; looks++) {
    const level = stack.at(-1);
    if (level === undefined) break;
    const member =
      level.next < memberCount(types, level.type)
        ? memberAt(types, level.type, level.next++)
        : null;
    if (member === null) {
      stack.pop();
      continue;
    }
    const inner = skipModifiers(types, member.type);
    if (member.name !== '') names.add(member.name);
    else if (isComposite(kindOf(types, inner))) stack.push({ type: inner, next: 0 });
  }
  return [...names];
}

type ClippedText = { readonly text: string; readonly linesLeftOut: number };

/** Returns the first lines, up to `limit` characters: browsers need seconds for a million. */
export function clipLines(text: string, limit: number): ClippedText {
  if (text.length <= limit) return { text, linesLeftOut: 0 };
  const cut = text.lastIndexOf('\n', limit);
  const end = cut > 0 ? cut : limit;
  let linesLeftOut = 1;
  for (let at = text.indexOf('\n', end + 1); at >= 0; at = text.indexOf('\n', at + 1)) {
    linesLeftOut++;
  }
  return { text: text.slice(0, end), linesLeftOut };
}

/** Lines of the first block of the own declaration, and of other blocks. */
const OWN_LINES = 24;
const BLOCK_LINES = 30;

/** Whole lines of a text. `at` is the index of their first character. */
export type LineBlock = { readonly at: number; readonly text: string };

/**
 * Splits a text into blocks of lines. A block begins at `own`; it is longer, up to the end of the
 * text, where that is less than half of it away.
 */
export function lineBlocks(text: string, own: number): LineBlock[] {
  const blocks: LineBlock[] = [];
  for (let at = 0; at < text.length; ) {
    const limit = at < own ? own : text.length;
    let end = afterLines(text, at, at === own ? OWN_LINES : BLOCK_LINES, limit);
    if (at === own && afterLines(text, end, OWN_LINES / 2, limit) === limit) end = limit;
    blocks.push({ at, text: text.slice(at, end) });
    at = end;
  }
  return blocks;
}

/** Returns the index after so many lines from `at` on, at most `limit`. */
function afterLines(text: string, at: number, lines: number, limit: number): number {
  let end = at;
  for (let i = 0; i < lines && end < limit; i++) {
    const lineEnd = text.indexOf('\n', end);
    end = lineEnd < 0 ? limit : Math.min(lineEnd + 1, limit);
  }
  return end;
}

export function lineCount(text: string): number {
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
