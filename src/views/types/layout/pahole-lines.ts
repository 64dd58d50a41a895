/** Lines of pahole's text of one type, each with its member. */
import { pathKey } from '#analysis/layout/member-rows.ts';
import { type LayoutRow, structLayout } from '#analysis/types/struct-layout.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import {
  arrayData,
  isModifier,
  kindOf,
  nameOffOf,
  refOf,
  type TypeTable,
} from '#model/type-table.ts';

export type PaholeLine = {
  /** Raw text. */
  readonly text: string;
  /** Path of the member that the line declares, opens or closes; null for other lines. */
  readonly path: readonly number[] | null;
};

export type PaholeLines = {
  readonly lines: readonly PaholeLine[];
  /** Line with the name and offset of each member, by `pathKey`. */
  readonly lineOfPath: ReadonlyMap<string, number>;
  /** Characters of the longest line, a tab counted as eight. */
  readonly columns: number;
};

/** Text in braces; `members` is empty for enumerations and arguments. */
type Level = {
  readonly path: readonly number[] | null;
  readonly members: readonly LayoutRow[];
  next: number;
};

/** Returns the lines of `text`, which pahole prints for the struct or union `composite`. */
export function paholeLines(types: TypeTable, composite: TypeId, text: string): PaholeLines {
  const lines: PaholeLine[] = [];
  const lineOfPath = new Map<string, number>();
  const reader = new LineReader(types, composite);
  let columns = 0;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const path = reader.read(line.trim());
    if (path !== null) lineOfPath.set(pathKey(path), lines.length);
    lines.push({ text: line, path });
    columns = Math.max(columns, line.length + 7 * line.search(/[^\t]|$/));
  }
  return { lines, lineOfPath, columns };
}

/** Returns the line of a member, else of its parent: members of a named struct are not printed. */
export function lineOfPath(
  { lineOfPath: lines }: PaholeLines,
  path: readonly number[],
): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const line = lines.get(pathKey(path.slice(0, depth)));
    if (line !== undefined) return line;
  }
  return null;
}

/** Follows the braces of a text to the member of each line. */
class LineReader {
  readonly #types: TypeTable;
  readonly #composite: TypeId;
  readonly #levels: Level[] = [];
  /** Cache: the same type can be printed in place a thousand times. */
  readonly #members = new Map<TypeId, readonly LayoutRow[]>();

  constructor(types: TypeTable, composite: TypeId) {
    this.#types = types;
    this.#composite = composite;
  }

  /** Returns the path of the next line's member; null if it has none. */
  read(line: string): readonly number[] | null {
    const level = this.#levels.at(-1);
    if (line.endsWith('{')) {
      const next = level === undefined ? this.#outermost() : this.#opened(level);
      this.#levels.push(next);
      return pathOrNull(next);
    }
    if (line.startsWith('}')) return pathOrNull(this.#levels.pop());
    if (level === undefined || level.path === null || line === '' || line.startsWith('/*')) {
      return null;
    }
    const row = named(level, line);
    return row === null ? null : [...level.path, row.index];
  }

  #outermost(): Level {
    return { path: [], members: this.#membersIn(this.#composite), next: 0 };
  }

  /** Returns the level of the next member with an anonymous type, which is printed in place. */
  #opened(level: Level): Level {
    const row = level.members[level.next];
    const place = row === undefined ? null : writtenInPlace(this.#types, row.type);
    if (row === undefined || place === null || level.path === null) {
      return { path: null, members: [], next: 0 };
    }
    level.next++;
    const members = place.isHeld ? this.#membersIn(place.type) : [];
    return { path: [...level.path, row.index], members, next: 0 };
  }

  #membersIn(composite: TypeId): readonly LayoutRow[] {
    const known = this.#members.get(composite);
    if (known !== undefined) return known;
    const { rows } = structLayout(this.#types, composite);
    const members = rows.filter((row) => row.kind === 'member');
    this.#members.set(composite, members);
    return members;
  }
}

/** The outermost level is the type itself, not a member. */
function pathOrNull(level: Level | undefined): readonly number[] | null {
  return level === undefined || level.path === null || level.path.length === 0 ? null : level.path;
}

/**
 * Returns the anonymous type printed in place. `isHeld`: the member is no array, pointer or enum.
 */
function writtenInPlace(types: TypeTable, type: TypeId) {
  let at = type;
  let isHeld = true;
  // Limits hostile chains of qualifiers and dimensions.
  for (let steps = 0; steps < 16; steps++) {
    const kind = kindOf(types, at);
    const isEnum = kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
    if (isComposite(kind) || isEnum) {
      return nameOffOf(types, at) === 0 ? { type: at, isHeld: isHeld && !isEnum } : null;
    }
    const isPlain = isModifier(kind) && kind !== BtfKind.TYPEDEF;
    if (!isPlain) isHeld = false;
    const next = kind === BtfKind.ARRAY ? arrayData(types, at).elemType : refOf(types, at);
    if (next === null || !(isPlain || kind === BtfKind.ARRAY || kind === BtfKind.PTR)) return null;
    at = next;
  }
  return null;
}

/** Number of members searched: some have no line of their own. */
const LOOK_AHEAD = 8;

/** Returns the next member that the line names. */
function named(level: Level, line: string): LayoutRow | null {
  const comment = line.lastIndexOf('/*');
  const declared = comment < 0 ? line : line.slice(0, comment);
  for (let i = level.next; i < level.next + LOOK_AHEAD; i++) {
    const row = level.members[i];
    if (row === undefined) return null;
    if (row.name === '' || !hasWord(declared, row.name)) continue;
    level.next = i + 1;
    return row;
  }
  return null;
}

function hasWord(text: string, word: string): boolean {
  const isPart = (at: number) => /\w/.test(text.charAt(at));
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(at - 1) && !isPart(at + word.length)) return true;
  }
  return false;
}

/** Piece of a line, by style. */
type PaholePiece = {
  /** Index in the line. */
  readonly at: number;
  /** Raw text, without tabs. */
  readonly text: string;
  readonly role: 'code' | 'comment' | 'hole' | 'cacheline';
};

/** Splits `line` into pieces, with tabs expanded. */
export function paholePieces(line: string): PaholePiece[] {
  const wide = line.replace(/\t/g, '        ');
  const comment = wide.indexOf('/*');
  if (comment < 0) return [{ at: 0, text: wide, role: 'code' }];
  const rest = { at: comment, text: wide.slice(comment), role: roleOf(wide.slice(comment)) };
  return comment === 0 ? [rest] : [{ at: 0, text: wide.slice(0, comment), role: 'code' }, rest];
}

function roleOf(comment: string): PaholePiece['role'] {
  if (comment.startsWith('/* XXX')) return 'hole';
  return comment.startsWith('/* --- cacheline') ? 'cacheline' : 'comment';
}

/** Line of pahole's summary, as pahole names and counts it. */
export type LayoutFact = { readonly term: string; readonly value: string };

/**
 * Returns the summary at the end of pahole's text: `size`, `cachelines`, `members`, and if there
 * are some `holes`, `sum holes`, `padding` and so on. Empty for unions, which pahole does not
 * summarise.
 */
export function layoutFacts(lines: readonly PaholeLine[]): LayoutFact[] {
  const start = lines.findLastIndex(({ text }) => text.startsWith('\t/* size: '));
  if (start < 0) return [];
  const facts: LayoutFact[] = [];
  for (const { text } of lines.slice(start)) {
    const [, inner] = /^\t\/\* ([a-z_].*) \*\/$/.exec(text) ?? [];
    for (const part of inner?.split(', ') ?? []) {
      const [term, value] = part.split(': ');
      if (term !== undefined && value !== undefined) facts.push({ term, value });
    }
  }
  return facts;
}

/** Returns the summary of a union in pahole's terms. */
export function unionFacts(sizeBytes: number, members: number): LayoutFact[] {
  return [
    { term: 'size', value: `${sizeBytes}` },
    { term: 'cachelines', value: `${Math.ceil(sizeBytes / 64)}` },
    { term: 'members', value: `${members}` },
  ];
}
