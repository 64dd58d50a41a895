import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import {
  commentsIn,
  cWordGroup,
  type TextRange,
  type Token,
  tokensOf,
} from '#analysis/c/tokens.ts';
import { visible } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';
import { rowAfterKey, rowOfEvent } from '#ui/list-keys.ts';
import { useRowWindow } from '#ui/use-row-window.ts';
import { RowScroller } from '#ui/VirtualList.tsx';
import styles from './TextLines.module.css';
import type { Match } from './use-find.ts';
import { type Block, shownLine, type WholeText, widestLine } from './whole-text.ts';

const LINE_HEIGHT = 20;

type TextLinesProps = {
  readonly label: string;
  readonly text: WholeText;
  /** Returns the indentation of a line, in columns. */
  readonly indentOf: (line: number) => number;
  /** Lines about the selected type; null if no type is selected. */
  readonly selected: Block | null;
  /** Line to scroll to. A new object with the same line scrolls again. */
  readonly reveal: { readonly line: number } | null;
  readonly query: string;
  readonly matchCase: boolean;
  readonly match: Match | null;
  /** Called with the number of a line on a click or Enter. */
  readonly onChoose: (line: number) => void;
  /** Called with the number of the first visible line when it changes. */
  readonly onTopLine: (line: number) => void;
};

/** Shows the lines of a text of any size. Only visible lines are drawn. */
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
    // Once the line is drawn, scroll right to the match.
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
    // Ignore the click if text was selected with the pointer, as for copying.
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
  /** Number of digits in the line numbers. */
  readonly digits: number;
  /** Indentation of the line, in columns. */
  readonly indent: number;
  readonly isSelected: boolean;
  /** True if arrow keys move from this line. */
  readonly isCursor: boolean;
  readonly query: string;
  readonly matchCase: boolean;
  /** Index of the current match in the line; null if the current match is in another line. */
  readonly match: number | null;
};

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
  /** Column of the first character. It is also the key of the piece. */
  readonly at: number;
  readonly text: string;
  readonly role: PieceRole;
  /** Index of the match in the line; null for a piece that is not in a match. */
  readonly match: number | null;
};

type Coloured = TextRange & { readonly role: PieceRole };

/** Matches the type id at the start of a record in bpftool's raw text. */
const RECORD_ID = /^\[\d+\](?= |$)/;
const DIRECTIVE = /^#\w+/;

/** Returns the coloured parts of a line of C, pahole's text, bpftool's raw text or JSON. */
function colouredIn(text: string): Coloured[] {
  const coloured: Coloured[] = [];
  const head = RECORD_ID.exec(text) ?? DIRECTIVE.exec(text);
  const headEnd = head?.[0].length ?? 0;
  if (headEnd > 0)
    coloured.push({ start: 0, end: headEnd, role: text[0] === '#' ? 'directive' : 'key' });
  let scanned = 0;
  for (const token of tokensOf(text)) {
    const { start, end } = token;
    for (const comment of commentsIn(text, scanned, start))
      coloured.push({ ...comment, role: 'comment' });
    // The comment ends in a later line: colour the rest of this line.
    if (text.startsWith('/*', start))
      return [...coloured, { start, end: text.length, role: 'comment' }];
    scanned = end;
    if (start < headEnd) continue;
    const isKind = text[0] === '[' && headEnd > 0 && start === headEnd + 1;
    const role = isKind && /^[A-Z_\d]+$/.test(token.text) ? 'keyword' : roleOf(token, text);
    const isNegative = role === 'number' && /(?<![\w.])-$/.test(text.slice(0, start));
    if (role !== 'plain') coloured.push({ start: isNegative ? start - 1 : start, end, role });
  }
  return coloured;
}

function roleOf({ kind, text: token, end }: Token, line: string): PieceRole {
  const after = line[end] ?? '';
  switch (kind) {
    case 'string':
      return after === ':' && !token.includes('\\') ? 'key' : 'string';
    case 'char':
      return 'string';
    case 'number':
      return /^(?:0x[\da-f]+|\d+)$/.test(token) && !/\w/.test(after) ? 'number' : 'plain';
    case 'word': {
      if (after === '=' && /^[a-z_]+$/.test(token)) return 'key';
      const group = cWordGroup(token);
      return group === 'declaration' || group === 'attribute' ? 'keyword' : 'plain';
    }
    default:
      return 'plain';
  }
}

/** Returns the indexes of `query` in `text`. Without `matchCase` the case of A to Z is ignored. */
function matchesIn(text: string, query: string, matchCase: boolean): number[] {
  if (query === '') return [];
  const fold = (raw: string) =>
    matchCase ? raw : raw.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const folded = fold(text);
  const wanted = fold(query);
  const starts: number[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    starts.push(at);
  }
  return starts;
}

/** Splits a line into pieces, each of one colour and inside or outside of a match. */
export function linePieces(text: string, query: string, matchCase: boolean): LinePiece[] {
  const tokens = colouredIn(text);
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
