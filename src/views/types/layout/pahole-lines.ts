/** Reads pahole's text of a type and finds the member of each line. */
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
  /** Text of the line, not escaped. */
  readonly text: string;
  /** Path of the member that the line declares, opens or closes; null for other lines. */
  readonly path: readonly number[] | null;
};

export type PaholeLines = {
  readonly lines: readonly PaholeLine[];
  /** The line that declares each member, by `pathKey` of the member. */
  readonly lineOfPath: ReadonlyMap<string, number>;
  /** Length of the longest line in characters. A tab counts as eight. */
  readonly columns: number;
};

/** A nesting level of braces. `members` is empty for enums and function arguments. */
type Level = {
  readonly path: readonly number[] | null;
  readonly members: readonly LayoutRow[];
  next: number;
};

/** Splits `text` into lines. pahole printed it for the struct or union `composite`. */
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

/** Returns a member's line. If pahole prints none, returns the line of the member around it. */
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

/** Follows the braces of the text to find the member of each line. */
class LineReader {
  readonly #types: TypeTable;
  readonly #composite: TypeId;
  readonly #levels: Level[] = [];
  /** Cache of members by type, since one type can be printed in place a thousand times. */
  readonly #members = new Map<TypeId, readonly LayoutRow[]>();

  constructor(types: TypeTable, composite: TypeId) {
    this.#types = types;
    this.#composite = composite;
  }

  /** Returns the path of the member on the next line; null if the line has none. */
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

  /** Returns the level of the next member with an anonymous type, whose members are in braces. */
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

/** Returns null for the outermost level, which is the type itself and not a member. */
function pathOrNull(level: Level | undefined): readonly number[] | null {
  return level === undefined || level.path === null || level.path.length === 0 ? null : level.path;
}

/** Returns the anonymous type printed in place. `isHeld` is false for an array, pointer or enum. */
function writtenInPlace(types: TypeTable, type: TypeId) {
  let at = type;
  let isHeld = true;
  // Follow at most 16 qualifiers, arrays and pointers: a hostile file can have a cycle.
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

/** Maximum number of members skipped to find the member of a line. Some members have no line. */
const LOOK_AHEAD = 8;

/** Returns the next member whose name is in the line. */
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

/** A piece of a line that has one style. */
type PaholePiece = {
  /** Offset of the piece in the line. */
  readonly at: number;
  /** Text of the piece, not escaped and without tabs. */
  readonly text: string;
  readonly role: 'code' | 'comment' | 'hole' | 'cacheline';
};

/** Splits a line into pieces. Tabs become spaces. */
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

/** One number of pahole's summary, with pahole's name for it. */
export type LayoutFact = { readonly term: string; readonly value: string };

/**
 * Returns the summary at the end of pahole's text: `size`, `cachelines`, `members`, and if there
 * are any `holes`, `sum holes`, `padding` and so on. Returns nothing for unions, which pahole does
 * not summarise.
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

/** Returns a summary of a union, in the terms that pahole uses for structs. */
export function unionFacts(sizeBytes: number, members: number): LayoutFact[] {
  return [
    { term: 'size', value: `${sizeBytes}` },
    { term: 'cachelines', value: `${Math.ceil(sizeBytes / 64)}` },
    { term: 'members', value: `${members}` },
  ];
}
