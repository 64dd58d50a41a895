import { useEffect, useEffectEvent, useRef } from 'react';
import { VirtualTable, type VirtualTableProps } from '#ui/VirtualTable.tsx';
import styles from './LinkTable.module.css';

/**
 * A table whose rows lead somewhere: a click follows at once, arrow keys only
 * move over the rows and Enter follows. `onSelect` and `onActivate` may come
 * for the same click, in any order.
 */
export function LinkTable(
  props: VirtualTableProps & { readonly onActivate: (index: number) => void },
) {
  const frame = useRef<HTMLDivElement>(null);
  const follow = useEffectEvent(props.onActivate);

  // Not a handler on the element: for assistive technology the grid is the widget, and it has its keys.
  useEffect(() => {
    const element = frame.current;
    const onClick = ({ target }: MouseEvent) => {
      const row = target instanceof Element ? target.closest('[data-row]') : null;
      if (row !== null) follow(Number(row.getAttribute('data-row')));
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, []);

  return (
    <div ref={frame} className={styles.frame}>
      <VirtualTable {...props} />
    </div>
  );
}
