import { TABLES } from '#analysis/query/tables.ts';
import { Disclosure } from '#ui/Panel.tsx';
import styles from './QueryView.module.css';

type TableListProps = {
  /** Puts a name where the caret of the query is. */
  readonly onInsert: (name: string) => void;
};

/** The tables with their columns; a name goes into the query. */
export function TableList({ onInsert }: TableListProps) {
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
