import { useMemo, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { Name } from '#views/parts/Name.tsx';
import styles from './DeclarationMembers.module.css';
import { choosableMembers } from './declaration-members.ts';

/** More are not drawn: the filter leads to the others. */
const MOST_BOXES = 400;
/** From so many on it takes a filter to find one. */
const MANY = 16;

type DeclarationMembersProps = {
  readonly types: TypeTable;
  readonly composite: TypeId;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
};

/** A box to tick for each member. */
export function DeclarationMembers(props: DeclarationMembersProps) {
  const { types, composite, chosen, onChosen } = props;
  const [filter, setFilter] = useState('');
  const names = useMemo(() => choosableMembers(types, composite), [types, composite]);
  const ticked = useMemo(() => new Set(chosen), [chosen]);
  const wanted = filter.toLowerCase();
  const found = names.filter((name) => name.toLowerCase().includes(wanted));
  const drawn = found.slice(0, MOST_BOXES);

  // In the order of the struct, whatever the order of the clicks.
  const tick = (name: string, isOn: boolean) =>
    onChosen(names.filter((other) => (other === name ? isOn : ticked.has(other))));
  return (
    <div className={styles.members}>
      <div className={styles.head}>
        {names.length < MANY ? null : (
          <div className={styles.filter}>
            <SearchBox label="Filter members" value={filter} onChange={setFilter} />
          </div>
        )}
        <span className={styles.count}>
          {grouped(chosen.length)} of {grouped(names.length)} chosen
        </span>
        <Button
          variant="quiet"
          size="small"
          disabled={chosen.length === 0}
          onClick={() => onChosen([])}
        >
          Choose none
        </Button>
      </div>
      <fieldset className={styles.boxes} aria-label="Members of the header">
        {drawn.map((name) => (
          <label key={name} className={styles.label} title={drawnName(name)}>
            <input
              type="checkbox"
              className={styles.box}
              checked={ticked.has(name)}
              onChange={(event) => tick(name, event.target.checked)}
            />
            <Name text={name} />
          </label>
        ))}
        {drawn.length === 0 ? <p className={styles.none}>No member is called so</p> : null}
        {drawn.length < found.length ? (
          <p className={styles.none}>
            {grouped(found.length - drawn.length)} more: the filter leads to them
          </p>
        ) : null}
      </fieldset>
    </div>
  );
}
