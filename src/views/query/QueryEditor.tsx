import { type KeyboardEvent, type Ref, useId, useRef } from 'react';
import { placeIn } from '#analysis/query/query-place.ts';
import { drawnName } from '#bytes/text.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import styles from './QueryView.module.css';
import { useQuery } from './run-query.ts';

type QueryEditorProps = {
  readonly ref: Ref<HTMLTextAreaElement>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
};

/** Lines that the field has at least and at most; with more it scrolls. */
const LINES = { least: 5, most: 14 };

/** The text box of the query, with its error and the place of the error below. */
export function QueryEditor({ ref, text, onText, onRun }: QueryEditorProps) {
  const errorId = useId();
  const own = useRef<HTMLTextAreaElement | null>(null);
  const error = useQueryError(text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onRun();
  };
  const lines = Math.max(LINES.least, Math.min(LINES.most, text.split('\n').length));
  const keep = (field: HTMLTextAreaElement | null) => {
    own.current = field;
    if (typeof ref === 'function') ref(field);
    else if (ref !== null && ref !== undefined) ref.current = field;
  };
  return (
    <div className="grid gap-2 line-below pad-3">
      <textarea
        ref={keep}
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
              own.current?.focus();
              own.current?.setSelectionRange(start, end);
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

/** Error of the query; null after an edit. */
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
