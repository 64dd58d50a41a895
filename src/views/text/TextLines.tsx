import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { visible } from '#bytes/text.ts';
import type { WholeText } from '#store/session/texts.ts';
import { grouped } from '#ui/grouped.ts';
import { rowAfterKey, rowOfEvent } from '#ui/list-keys.ts';
import { RowScroller } from '#ui/RowScroller.tsx';
import { useRowWindow } from '#ui/use-row-window.ts';
import styles from './TextLines.module.css';
import { type Block, shownLine, widestLine } from './text-lines.ts';
import type { Match } from './use-find.ts';

const LINE_HEIGHT = 20;

type TextLinesProps = {
  /** Accessible name. */
  readonly label: string;
  readonly text: WholeText;
  /** Columns that a line is shown further in than it is written. */
  readonly indentOf: (line: number) => number;
  /** Lines about the selected type. */
  readonly selected: Block | null;
  /** A line to bring into sight; each new object does it again. */
  readonly reveal: { readonly line: number } | null;
  readonly query: string;
  readonly matchCase: boolean;
  readonly match: Match | null;
  /** A click on a line, or Enter. */
  readonly onChoose: (line: number) => void;
  /** The first line in sight, when it changes. */
  readonly onTopLine: (line: number) => void;
};

/** The lines of a text of any size, of which only those in sight are in the page. */
export function TextLines(props: TextLinesProps) {
  const { label, text, selected, reveal, query, matchCase, match, onChoose, onTopLine } = props;
  const id = useId();
  const count = text.lineStarts.length;
  const rows = useRowWindow<HTMLDivElement>({ count, rowHeight: LINE_HEIGHT });
  const { showRow, scrollerRef } = rows;
  const [cursor, setCursor] = useState<number | null>(null);
  const active = cursor ?? selected?.first ?? null;

  const first = useRef(0);
  useEffect(() => {
    first.current = rows.first;
    onTopLine(rows.first);
  }, [rows.first, onTopLine]);

  useEffect(() => {
    if (reveal === null) return;
    setCursor(null);
    showRow(reveal.line, 'center');
  }, [reveal, showRow]);

  useEffect(() => {
    if (match === null) return;
    setCursor(match.line);
    showRow(match.line, 'center');
    // Once its line is drawn: it may be far to the right.
    const frame = requestAnimationFrame(() => {
      scrollerRef.current
        ?.querySelector('mark[data-shown]')
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [match, showRow, scrollerRef]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== null) {
      event.preventDefault();
      onChoose(active);
      return;
    }
    const next = rowAfterKey(event.key, active ?? first.current, count, rows.pageRows);
    if (next === null) return;
    event.preventDefault();
    setCursor(next);
    showRow(next, 'nearest');
  };

  const onClick = (event: MouseEvent) => {
    // Whoever marks text with the pointer wants to copy it.
    if (window.getSelection()?.isCollapsed === false) return;
    const line = rowOfEvent(event);
    if (line === null) return;
    setCursor(line);
    onChoose(line);
  };

  const digits = `${count}`.length;
  return (
    <RowScroller
      role="listbox"
      label={label}
      className={styles.lines}
      aria-multiselectable
      rows={rows}
      rowsStyle={{ width: `calc(${widestLine(text) + digits}ch + 80px)` }}
      active={active}
      activeId={`${id}${active}`}
      onKeyDown={onKeyDown}
      onClick={onClick}
      renderRow={(line) => (
        <TextLine
          key={line}
          id={`${id}${line}`}
          text={text}
          line={line}
          top={line * LINE_HEIGHT + rows.shift}
          digits={digits}
          indent={props.indentOf(line)}
          isSelected={selected !== null && line >= selected.first && line < selected.end}
          isCursor={line === active}
          query={query}
          matchCase={matchCase}
          match={match?.line === line ? match.inLine : null}
        />
      )}
    />
  );
}

type TextLineProps = {
  readonly id: string;
  readonly text: WholeText;
  readonly line: number;
  readonly top: number;
  /** Room for the number. */
  readonly digits: number;
  /** Columns that it is shown further in than it is written. */
  readonly indent: number;
  /** Is it about the selected type? */
  readonly isSelected: boolean;
  /** Is it where the keys move from? */
  readonly isCursor: boolean;
  readonly query: string;
  readonly matchCase: boolean;
  /** Number in the line of the match that is shown, from 0; null = none. */
  readonly match: number | null;
};

/** One line with its number. */
const TextLine = memo(function TextLine(props: TextLineProps) {
  const { text, line, query, matchCase, match, isCursor } = props;
  const shown = shownLine(text, line);
  return (
    <div
      id={props.id}
      data-row={line}
      role="option"
      tabIndex={-1}
      className={styles.line}
      style={{ top: props.top, height: LINE_HEIGHT }}
      aria-selected={props.isSelected}
      aria-setsize={text.lineStarts.length}
      aria-posinset={line + 1}
      aria-label={shown.text.trim() === '' ? 'Empty line' : undefined}
      data-cursor={isCursor ? '' : undefined}
    >
      <span aria-hidden className={styles.gutter} style={{ width: `${props.digits}ch` }}>
        {line + 1}
      </span>
      <span className={styles.text} style={{ marginInlineStart: `${props.indent}ch` }}>
        {linePieces(shown.text, query, matchCase).map((piece) => (
          <Piece key={piece.at} piece={piece} isShown={match !== null && piece.match === match} />
        ))}
        {shown.bytesLeftOut === 0 ? null : (
          <span className={styles.cut}> … {grouped(shown.bytesLeftOut)} more bytes</span>
        )}
      </span>
    </div>
  );
});

function Piece({ piece, isShown }: { readonly piece: LinePiece; readonly isShown: boolean }) {
  const drawn = piece.text
    .split('\t')
    .map((part) => visible(part))
    .join('\t');
  if (piece.match !== null) {
    return (
      <mark className={styles.match} data-shown={isShown ? '' : undefined}>
        {drawn}
      </mark>
    );
  }
  return piece.role === 'plain' ? drawn : <span className={styles[piece.role]}>{drawn}</span>;
}

type PieceRole = 'plain' | 'keyword' | 'key' | 'string' | 'number' | 'comment' | 'directive';

type LinePiece = {
  /** Column of its first character: the key of the piece in its line. */
  readonly at: number;
  readonly text: string;
  readonly role: PieceRole;
  /** Number of the match that it is part of, from 0 in the line; null = none. */
  readonly match: number | null;
};

type Token = { readonly start: number; readonly end: number; readonly role: PieceRole };

const TOKEN =
  /(?<comment>\/\*.*?(?:\*\/|$))|(?<directive>^#\w+)|(?<key>"[^"\\]*"(?=:)|\b[a-z_]+(?==)|^\[\d+\])|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<keyword>\b(?:struct|union|enum|typedef|const|volatile|restrict|extern|static|__attribute__)\b|(?<=^\[\d+\] )[A-Z_\d]+)|(?<number>(?<![\w.])-?(?:0x[\da-f]+|\d+)\b)/g;

const ROLES = ['comment', 'directive', 'key', 'string', 'keyword', 'number'] as const;

/** The tokens of a line of C, pahole, bpftool's raw text or JSON that are not plain. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const { index, groups } = match;
    const role = ROLES.find((name) => groups?.[name] !== undefined);
    if (role !== undefined) tokens.push({ start: index, end: index + match[0].length, role });
  }
  return tokens;
}

/** Where `query` is in `text`; without `matchCase` only the letters A to Z are taken as a to z, as in a search of bytes. */
function matchesIn(text: string, query: string, matchCase: boolean): number[] {
  if (query === '') return [];
  const fold = (raw: string) =>
    matchCase ? raw : raw.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const folded = fold(text);
  const wanted = fold(query);
  const found: number[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    found.push(at);
  }
  return found;
}

/** The pieces of a line, which together give it again. */
export function linePieces(text: string, query: string, matchCase: boolean): LinePiece[] {
  const tokens = tokensOf(text);
  const matches = matchesIn(text, query, matchCase);
  const edges = new Set([0]);
  for (const { start, end } of tokens) edges.add(start).add(end);
  for (const start of matches) edges.add(start).add(start + query.length);
  edges.delete(text.length);
  const starts = text === '' ? [] : [...edges].sort((a, b) => a - b);
  let token = 0;
  let match = 0;
  return starts.map((at, i) => {
    while ((tokens[token]?.end ?? Number.POSITIVE_INFINITY) <= at) token++;
    while ((matches[match] ?? Number.POSITIVE_INFINITY) + query.length <= at) match++;
    const inside = tokens[token];
    return {
      at,
      text: text.slice(at, starts[i + 1]),
      role: inside !== undefined && inside.start <= at ? inside.role : 'plain',
      match: (matches[match] ?? Number.POSITIVE_INFINITY) <= at ? match : null,
    };
  });
}
