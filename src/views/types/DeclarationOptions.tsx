import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { HeaderOptions } from '#print/c-dump/header.ts';
import { Segmented } from '#ui/Segmented.tsx';
import { DeclarationMembers } from './DeclarationMembers.tsx';
import styles from './DeclarationOptions.module.css';

const CHOICES = [
  { value: 'all', label: 'All members' },
  { value: 'chosen', label: 'Chosen members' },
] as const;

type DeclarationOptionsProps = {
  readonly types: TypeTable;
  /** The struct or union whose members can be chosen; null for other types. */
  readonly composite: TypeId | null;
  readonly options: HeaderOptions;
  readonly onOptions: (options: HeaderOptions) => void;
};

/** What is to be in a header that compiles alone. */
export function DeclarationOptions(props: DeclarationOptionsProps) {
  const { types, composite, options, onOptions } = props;
  const { members = null, preserveAccessIndex = false } = options;
  return (
    <div className={styles.options}>
      <div className={styles.line}>
        {composite === null ? null : (
          <Segmented
            label="Members"
            options={CHOICES}
            value={members === null ? 'all' : 'chosen'}
            onChange={(choice) => onOptions({ ...options, members: choice === 'all' ? null : [] })}
          />
        )}
        <label className={styles.label}>
          <input
            type="checkbox"
            className={styles.box}
            checked={preserveAccessIndex}
            onChange={(event) =>
              onOptions({ ...options, preserveAccessIndex: event.target.checked })
            }
          />
          For CO-RE: preserve_access_index
        </label>
      </div>
      {members === null || composite === null ? null : (
        <>
          <DeclarationMembers
            types={types}
            composite={composite}
            chosen={members}
            onChosen={(chosen) => onOptions({ ...options, members: chosen })}
          />
          <p className={styles.about}>
            {preserveAccessIndex
              ? 'Members that are not chosen are left out: CO-RE finds the offsets of the others.'
              : 'Padding stands for members that are not chosen, so that all offsets stay.'}
          </p>
        </>
      )}
    </div>
  );
}
