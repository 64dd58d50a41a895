import { VirtualTable, type VirtualTableProps } from '#ui/VirtualTable.tsx';
import styles from './LinkTable.module.css';

type LinkTableProps = VirtualTableProps & { readonly onActivate: (index: number) => void };

/**
 * A table whose rows lead somewhere: a click follows at once, arrow keys only
 * move over the rows and Enter follows.
 */
export function LinkTable(props: LinkTableProps) {
  return (
    <div className={styles.frame}>
      <VirtualTable {...props} onRowClick={props.onActivate} />
    </div>
  );
}
