/** The editor of C declarations. Its columns and offsets count UTF-16 units. */
import { CircleAlert, Info } from 'lucide-react';
import { type KeyboardEvent, type Ref, useMemo } from 'react';
import { type CWordGroup, cWordGroup, type TextRange, tokensOf } from '#analysis/c/tokens.ts';
import type { Problem } from '#analysis/workbench/declared-places.ts';
import { type SourceFile, sourcePlace, sourceStarts } from '#analysis/workbench/sources.ts';
import { drawnName } from '#bytes/text.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './DeclarationEditor.module.css';

/** Height of a line in CSS pixels, as in the style sheet. */
const LINE_HEIGHT = 20;

/** Id of the problem list, which is the accessible description of the editor's field. */
export const PROBLEMS_ID = 'workbench-problems';

type DeclarationEditorProps = {
  readonly field: Ref<HTMLTextAreaElement>;
  readonly label: string;
  /** Id of the element that lists the problems; null if there are no problems. */
  readonly problemsId: string | null;
  readonly text: string;
  readonly problems: readonly Problem[];
  /** Range of the declaration of the selected type; null if the text has none. */
  readonly declared: TextRange | null;
  readonly onText: (text: string) => void;
  /** Called with the new offset when the caret moves. */
  readonly onCaret: (offset: number) => void;
};

/** Shows a text field above a coloured copy of its text. Tab leaves the field. */
export function DeclarationEditor(props: DeclarationEditorProps) {
  const { field, label, problemsId, text, problems, declared, onText, onCaret } = props;
  // The added space can carry the mark of a problem at the end of the text, such as a missing `;`.
  const pieces = useMemo(() => editorPieces(`${text} `, problems), [text, problems]);
  const lines = lineCount(text);
  const wrongLines = new Set(problems.map(({ start }) => placeOf(text, start).line));
  return (
    <div className={styles.frame}>
      <div className="tall surface scroll">
        <div className={styles.sheet}>
          <pre className={styles.numbers} aria-hidden="true">
            {Array.from({ length: lines }, (_, i) => i + 1).join('\n')}
            {[...wrongLines].map((line) => (
              <span key={line} className={styles.wrongLine} style={{ top: topOf(line) }} />
            ))}
          </pre>
          <div className={styles.text}>
            {declared === null ? null : <Band text={text} declared={declared} />}
            <pre className={styles.drawing} aria-hidden="true">
              {pieces.map((piece) => (
                <span
                  key={piece.start}
                  className={piece.isWrong ? styles.wrong : undefined}
                  data-role={piece.role}
                >
                  {piece.text}
                </span>
              ))}
            </pre>
            <textarea
              ref={field}
              className={styles.field}
              aria-label={label}
              aria-invalid={problems.length > 0}
              aria-describedby={problemsId ?? undefined}
              value={text}
              wrap="off"
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              autoCorrect="off"
              onKeyDown={indentNewLine}
              onChange={(event) => onText(event.target.value)}
              onSelect={(event) => onCaret(event.currentTarget.selectionStart)}
            />
          </div>
        </div>
      </div>
    </div>
  );
}

/** Indents a new line like the current one, and one step further after a brace. */
function indentNewLine(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.nativeEvent.isComposing) return;
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const indent = indentBehind(value, selectionStart);
  if (indent === '') return;
  event.preventDefault();
  // Insert the text as if typed, so that it can be undone. If that fails, replace the selection.
  const typed = `\n${indent}`;
  if (document.execCommand('insertText', false, typed)) return;
  event.currentTarget.setRangeText(typed, selectionStart, selectionEnd, 'end');
  event.currentTarget.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Shows a background behind the selected declaration. */
function Band({ text, declared }: { readonly text: string; readonly declared: TextRange }) {
  const first = placeOf(text, declared.start).line;
  const last = placeOf(text, declared.end).line;
  return (
    <span
      className={styles.band}
      style={{ top: topOf(first), height: (last - first + 1) * LINE_HEIGHT }}
    />
  );
}

function topOf(line: number): number {
  return (line - 1) * LINE_HEIGHT;
}

type ProblemListProps = {
  readonly text: string;
  /** Local headers. The places of problems count their characters after the program's. */
  readonly headers?: readonly SourceFile[];
  readonly problems: readonly Problem[];
  readonly notes: readonly Problem[];
  /** Moves the caret to the range of a problem. */
  readonly onGoTo: (start: number, end: number) => void;
};

const NO_HEADERS: readonly SourceFile[] = [];

/** Shows the problems, then the notes, with their places. */
export function ProblemList(props: ProblemListProps) {
  const { text, headers = NO_HEADERS, problems, notes, onGoTo } = props;
  const isFine = problems.length === 0;
  const starts = useMemo(() => sourceStarts(text.length, headers), [text, headers]);
  if (isFine && notes.length === 0) {
    return (
      <p id={PROBLEMS_ID} className={styles.fine}>
        Compiled as clang does for BPF
        {text.includes('preserve_access_index') &&
          '. preserve_access_index does not change BTF: clang adds CO-RE relocations to the code that accesses the type'}
      </p>
    );
  }
  const listOf = (messages: readonly Problem[], isNote: boolean) => (
    <ul className={styles.list} data-note={isNote || undefined}>
      {messages.map(({ message, start, end }) => {
        const { file, offset } = sourcePlace(starts, start);
        const header = headers[file];
        const { line, column } = placeOf(header?.text ?? text, offset);
        return (
          <li key={`${start} ${message}`}>
            <button type="button" className={styles.problem} onClick={() => onGoTo(start, end)}>
              <span className={styles.place}>
                {header !== undefined && `${drawnName(header.name)}, `}line {line}, column {column}
              </span>
              <span>{drawnName(message)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
  return (
    <div id={PROBLEMS_ID} className={styles.problems} data-fine={isFine || undefined}>
      {!isFine && (
        <>
          <p className={styles.title}>
            <CircleAlert size={14} aria-hidden />
            {countOf(problems.length, 'problem')}
          </p>
          {listOf(problems, false)}
        </>
      )}
      {notes.length > 0 && (
        <>
          <p className={styles.title} data-note="">
            <Info size={14} aria-hidden />
            {isFine
              ? `Compiled as clang does for BPF, with ${countOf(notes.length, 'note')}`
              : countOf(notes.length, 'note')}
          </p>
          {listOf(notes, true)}
        </>
      )}
    </div>
  );
}

type TextPlace = {
  /** Line number, from 1. */
  readonly line: number;
  /** Column in the line, from 1. */
  readonly column: number;
};

/** Returns the line and column of an offset. An offset after the end means the end. */
export function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, Math.max(0, offset));
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line += 1;
  return { line, column: before.length - lineStart + 1 };
}

export function lineCount(text: string): number {
  return placeOf(text, text.length).line;
}

/** Returns the indentation of a new line at `caret`: this line's, plus a tab after a brace. */
export function indentBehind(text: string, caret: number): string {
  const line = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret);
  const indent = /^[\t ]*/.exec(line)?.[0] ?? '';
  return /\{\s*$/.test(line) ? `${indent}\t` : indent;
}

type PieceRole = 'plain' | 'keyword' | 'number' | 'comment';

/** A part of the text that has one colour and one mark. */
type EditorPiece = {
  readonly start: number;
  readonly text: string;
  readonly role: PieceRole;
  readonly isWrong: boolean;
};

/** Groups of words that get no colour: rare words, and words of function bodies. */
const UNCOLOURED: ReadonlySet<CWordGroup | null> = new Set([null, 'specifier', 'code']);

/** Maximum characters of a coloured text: an element per word would slow down typing. */
const MAX_COLOURED = 12_000;

/** Splits the whole text into pieces. `wrong` has the places of problems. */
export function editorPieces(text: string, wrong: readonly TextRange[]): EditorPiece[] {
  const coloured = text.length > MAX_COLOURED ? [] : colouredRanges(text);
  const edges = new Set([0]);
  const within = (offset: number) => Math.max(0, Math.min(text.length, offset));
  for (const { start, end } of [...coloured, ...wrong]) edges.add(within(start)).add(within(end));
  edges.delete(text.length);
  const starts = text === '' ? [] : [...edges].sort((a, b) => a - b);
  let next = 0;
  return starts.map((start, i) => {
    while ((coloured[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    const range = coloured[next];
    return {
      start,
      text: text.slice(start, starts[i + 1]),
      role: range !== undefined && range.start <= start ? range.role : 'plain',
      isWrong: wrong.some((fault) => fault.start <= start && start < fault.end),
    };
  });
}

type Coloured = TextRange & { readonly role: PieceRole };

function colouredRanges(text: string): Coloured[] {
  const ranges: Coloured[] = [];
  let behind = 0;
  for (const { kind, text: word, start, end } of tokensOf(text)) {
    // Only a space or a comment can be between two tokens.
    if (/\S/.test(text.slice(behind, start)))
      ranges.push({ start: behind, end: start, role: 'comment' });
    if (kind === 'number') ranges.push({ start, end, role: 'number' });
    else if (kind === 'word' && !UNCOLOURED.has(cWordGroup(word)))
      ranges.push({ start, end, role: 'keyword' });
    behind = end;
  }
  return ranges;
}

const WORD = /[A-Za-z_]\w*/y;

/** Returns the word at the caret; empty if there is none. */
export function wordAt(text: string, caret: number): string {
  let start = caret;
  while (start > 0 && /\w/.test(text[start - 1] ?? '')) start--;
  WORD.lastIndex = start;
  return WORD.exec(text)?.[0] ?? '';
}
