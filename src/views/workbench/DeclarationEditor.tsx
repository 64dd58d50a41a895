/** The editor of C declarations. Columns and offsets count UTF-16 units. */
import { CircleAlert, Info } from 'lucide-react';
import { type KeyboardEvent, type Ref, useMemo } from 'react';
import { type CWordGroup, cWordGroup, type TextRange, tokensOf } from '#analysis/c/tokens.ts';
import type { Problem } from '#analysis/workbench/declared-places.ts';
import { drawnName } from '#bytes/text.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './DeclarationEditor.module.css';

/** CSS pixels, as in the style sheet. */
const LINE_HEIGHT = 20;

/** Id of the problem list, which describes the workbench's field. */
export const PROBLEMS_ID = 'workbench-problems';

type DeclarationEditorProps = {
  readonly field: Ref<HTMLTextAreaElement>;
  readonly label: string;
  /** Id of the element that lists the problems; null: none. */
  readonly problemsId: string | null;
  readonly text: string;
  readonly problems: readonly Problem[];
  /** Declaration of the selected type; null: none. */
  readonly declared: TextRange | null;
  readonly onText: (text: string) => void;
  /** Called with the offset of the moved caret. */
  readonly onCaret: (offset: number) => void;
};

/** Draws a text field over a coloured drawing of its text, which has the same size. Tab leaves the field. */
export function DeclarationEditor(props: DeclarationEditorProps) {
  const { field, label, problemsId, text, problems, declared, onText, onCaret } = props;
  // The space at the end can have the mark of a missing token.
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

/** Indents a new line like the current one, one step further after a brace. */
function indentNewLine(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.nativeEvent.isComposing) return;
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const indent = indentBehind(value, selectionStart);
  if (indent === '') return;
  event.preventDefault();
  // Like typed text, so that it can be undone; else replaced at once.
  const typed = `\n${indent}`;
  if (document.execCommand('insertText', false, typed)) return;
  event.currentTarget.setRangeText(typed, selectionStart, selectionEnd, 'end');
  event.currentTarget.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Draws the background of the selected declaration. */
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
  readonly problems: readonly Problem[];
  readonly notes: readonly Problem[];
  /** Moves the caret to a range. */
  readonly onGoTo: (start: number, end: number) => void;
};

/** Draws the problems with their places, else the notes. */
export function ProblemList({ text, problems, notes, onGoTo }: ProblemListProps) {
  const isFine = problems.length === 0;
  if (isFine && notes.length === 0) {
    return (
      <p id={PROBLEMS_ID} className={styles.fine}>
        Compiled as clang does for BPF
        {text.includes('preserve_access_index') &&
          '. preserve_access_index does not change BTF: clang adds CO-RE relocations to the code that accesses the type'}
      </p>
    );
  }
  const Icon = isFine ? Info : CircleAlert;
  return (
    <div id={PROBLEMS_ID} className={styles.problems} data-fine={isFine || undefined}>
      <p className={styles.title}>
        <Icon size={14} aria-hidden />
        {isFine
          ? `Compiled as clang does for BPF, with ${countOf(notes.length, 'note')}`
          : countOf(problems.length, 'problem')}
      </p>
      <ul className={styles.list}>
        {(isFine ? notes : problems).map(({ message, start, end }) => {
          const { line, column } = placeOf(text, start);
          return (
            <li key={`${start} ${message}`}>
              <button type="button" className={styles.problem} onClick={() => onGoTo(start, end)}>
                <span className={styles.place}>
                  line {line}, column {column}
                </span>
                <span>{drawnName(message)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

type TextPlace = {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
};

/** Returns the line and column of an offset; past the end those of the end. */
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

/** Returns the indentation of a new line after `caret`: that of this line, and a tab after a brace. */
export function indentBehind(text: string, caret: number): string {
  const line = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret);
  const indent = /^[\t ]*/.exec(line)?.[0] ?? '';
  return /\{\s*$/.test(line) ? `${indent}\t` : indent;
}

type PieceRole = 'plain' | 'keyword' | 'number' | 'comment';

/** Part of the text with one look. */
type EditorPiece = {
  readonly start: number;
  readonly text: string;
  readonly role: PieceRole;
  readonly isWrong: boolean;
};

/** Groups of words without a colour: rare, or in function bodies, which are not compiled. */
const UNCOLOURED: ReadonlySet<CWordGroup | null> = new Set([null, 'specifier', 'code']);

/** Longer texts have one colour: an element per word would slow down typing. */
const MAX_COLOURED = 12_000;

/** Cuts the whole text into pieces. `wrong` are the places of problems. */
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
    // The text between two tokens is space or a comment.
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
