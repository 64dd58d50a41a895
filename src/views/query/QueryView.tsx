import { BookOpen, Play, Square } from 'lucide-react';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
} from 'react';
import { EXAMPLES } from '#analysis/query/examples.ts';
import { placeIn } from '#analysis/query/query-place.ts';
import { TABLES } from '#analysis/query/tables.ts';
import { drawnName } from '#bytes/text.ts';
import { usePaneFile } from '#store/session/panes.ts';
import { atlasOf, type FileId, modelOf } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { NARROW, useNarrow } from '#ui/element-size.tsx';
import { COMMAND_KEY, Kbd } from '#ui/keys.tsx';
import { Menu } from '#ui/Menu.tsx';
import { Disclosure, ViewToolbar } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { QueryResults } from './QueryResults.tsx';
import styles from './QueryView.module.css';
import { runQuery, stopQuery, useQuery } from './run-query.ts';
import { queryState } from './state.ts';

/** Shows SQL over all open files: the query, its result, and the tables. */
export function QueryView() {
  const file = usePaneFile();
  const isAsked = modelOf(file) !== null || atlasOf(file) !== null;
  return file === null || !isAsked ? null : <QueryPanel key={file.id} id={file.id} />;
}

function QueryPanel({ id }: { readonly id: FileId }) {
  const { sql, draft } = queryState.useOf(id);
  const isNarrow = useNarrow(NARROW);
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft.of === sql && draft.text !== '' ? draft.text : (sql ?? EXAMPLES[0]?.sql ?? '');
  const write = (next: string) => queryState.set({ draft: { of: sql, text: next } }, id);
  const run = (next: string) => {
    queryState.set({ sql: next, draft: { of: next, text: next } }, id);
    void runQuery(next);
  };
  useQueryOfLink(sql);

  const insert = (name: string) => {
    const { selectionStart: start = text.length, selectionEnd: end = text.length } =
      field.current ?? {};
    write(`${text.slice(0, start)}${name}${text.slice(end)}`);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(start + name.length, start + name.length);
    });
  };
  const tables = <TableList onInsert={insert} />;
  const work = (
    <div className="stack tall surface head-and-body">
      <div>
        <QueryToolbar text={text} onRun={run} />
        <QueryEditor field={field} text={text} onText={write} onRun={() => run(text)} />
        {isNarrow ? (
          <div className={styles.narrowTables}>
            <Disclosure title="Tables">{tables}</Disclosure>
          </div>
        ) : null}
      </div>
      <QueryResults onRun={() => run(text)} />
    </div>
  );
  return (
    <Split
      label="Resize the list of tables"
      firstSize={74}
      minFirst={360}
      minSecond={220}
      first={work}
      second={
        isNarrow ? null : (
          <Landmark className="tall scroll-y surface" aria-label="Tables">
            {tables}
          </Landmark>
        )
      }
    />
  );
}

function useQueryOfLink(sql: string | null): void {
  const begin = useEffectEvent((asked: string) => {
    const state = useQuery.getState();
    if (state.step === 'none' || state.sql !== asked) void runQuery(asked);
  });
  useEffect(() => {
    if (sql !== null) begin(sql);
  }, [sql]);
}

type QueryToolbarProps = { readonly text: string; readonly onRun: (sql: string) => void };

function QueryToolbar({ text, onRun }: QueryToolbarProps) {
  const isRunning = useQuery(({ step }) => step === 'running');
  const examples = EXAMPLES.map(({ title, sql }) => ({
    id: title,
    label: title,
    onSelect: () => onRun(sql),
  }));
  return (
    <ViewToolbar label="Query">
      {isRunning ? (
        <Button icon={Square} onClick={() => stopQuery()}>
          Stop
        </Button>
      ) : (
        <Button variant="primary" icon={Play} onClick={() => onRun(text)}>
          Run
        </Button>
      )}
      <Menu
        trigger={
          <Button icon={BookOpen} isMenu>
            Examples
          </Button>
        }
        groups={[examples]}
      />
      <span className={styles.keys}>
        <Kbd>{COMMAND_KEY}</Kbd> <Kbd>Enter</Kbd> runs it
      </span>
    </ViewToolbar>
  );
}

type TableListProps = {
  /** Inserts a name into the query at the caret. */
  readonly onInsert: (name: string) => void;
};

/** Shows the tables with their columns. A click inserts the name of a column into the query. */
function TableList({ onInsert }: TableListProps) {
  return (
    <div className="grid gap-2 pad-3">
      <p className="small soft pretty">
        Each row is of one open file: <code>file</code> has its name. Click a column to insert it at
        the caret.
      </p>
      {TABLES.map(({ name, doc, columns }) => (
        <Disclosure
          key={name}
          title={<code className="mono">{name}</code>}
          isOpenAtFirst={name === 'types'}
        >
          <p className="small soft pretty">{doc}.</p>
          <ul className={styles.columns} aria-label={`Columns of ${name}`}>
            {columns.map((column) => (
              <li key={column.name} className={styles.column}>
                <button
                  type="button"
                  className={styles.name}
                  title={`Insert ${column.name}`}
                  onClick={() => onInsert(column.name)}
                >
                  {column.name}
                </button>
                <span className="tiny muted">{column.type}</span>
                <span className={styles.doc}>{column.doc}</span>
              </li>
            ))}
          </ul>
        </Disclosure>
      ))}
    </div>
  );
}

type QueryEditorProps = {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
};

const LINES = { least: 5, most: 14 };

/** Shows the text box of the query. An error is marked at its place. */
function QueryEditor({ field, text, onText, onRun }: QueryEditorProps) {
  const errorId = useId();
  const error = useQueryError(text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onRun();
  };
  const lines = Math.max(LINES.least, Math.min(LINES.most, text.split('\n').length));
  return (
    <div className="grid gap-2 line-below pad-3">
      <textarea
        ref={field}
        className={styles.field}
        aria-label="SQL"
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : errorId}
        value={text}
        rows={lines}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={({ target }) => onText(target.value)}
        onKeyDown={onKeyDown}
      />
      {error === null ? null : (
        <div id={errorId}>
          <QueryErrorNote
            {...error}
            text={text}
            onShow={(start, end) => {
              field.current?.focus();
              field.current?.setSelectionRange(start, end);
            }}
          />
        </div>
      )}
    </div>
  );
}

type QueryError = {
  readonly message: string;
  readonly start: number | null;
  readonly end: number | null;
};

/** Returns the error of the query; null once the query is edited. */
function useQueryError(text: string): QueryError | null {
  return useQuery((state) =>
    state.step === 'ready' && state.result.kind === 'error' && state.sql === text
      ? state.result
      : null,
  );
}

type QueryErrorNoteProps = QueryError & {
  readonly text: string;
  readonly onShow: (start: number, end: number) => void;
};

function QueryErrorNote({ message, start, end, text, onShow }: QueryErrorNoteProps) {
  const place = start === null ? null : placeIn(text, start, end ?? start);
  if (place === null || start === null) {
    return <Callout severity="error" title={drawnName(message)} isAlert />;
  }
  return (
    <Callout
      severity="error"
      title={drawnName(message)}
      isAlert
      actions={
        <Button size="small" onClick={() => onShow(start, end ?? start)}>
          Select it
        </Button>
      }
    >
      <p>
        Line {place.line}, column {place.column}
      </p>
      <pre className={styles.place}>
        {place.before}
        <mark className={styles.wrong}>{place.wrong === '' ? ' ' : place.wrong}</mark>
        {place.after}
      </pre>
    </Callout>
  );
}
