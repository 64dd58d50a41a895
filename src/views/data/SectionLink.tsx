import { select } from '#store/navigation.ts';
import { Name } from '#views/parts/Name.tsx';
import { type DataGroup, selectionOfGroup } from './data-entries.ts';
import styles from './detail.module.css';

/** The name of a section; a click shows all that is in it. */
export function SectionLink(group: Pick<DataGroup, 'name' | 'section' | 'datasec'>) {
  const selection = selectionOfGroup(group);
  const name = <Name text={group.name} otherwise="(no name)" />;
  if (selection === null) return name;
  return (
    <button type="button" className={styles.link} onClick={() => select(selection)}>
      {name}
    </button>
  );
}
