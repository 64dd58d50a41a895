import { BookOpen, Play, Square } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { EXAMPLES } from '#analysis/query/examples.ts';
import { usePaneFile } from '#store/session/panes.ts';
import { atlasOf, type FileId, modelOf } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { NARROW, useNarrow } from '#ui/element-size.tsx';
import { COMMAND_KEY, Kbd } from '#ui/keys.tsx';
import { Menu } from '#ui/Menu.tsx';
import { Disclosure, Toolbar } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { QueryEditor } from './QueryEditor.tsx';
import { QueryResults } from './QueryResults.tsx';
import styles from './QueryView.module.css';
import { runQuery, stopQuery, useQuery } from './run-query.ts';
import { queryState } from './state.ts';
import { TableList } from './TableList.tsx';

/** SQL over all open files: a query, its result, and the tables. */
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
        <QueryEditor ref={field} text={text} onText={write} onRun={() => run(text)} />
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

/** Runs the query that the address has, once for each. */
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
    <Toolbar label="Query">
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
    </Toolbar>
  );
}
