import { ArrowDownNarrowWide, ArrowDownWideNarrow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TypeOrder, TypeQuery } from '#analysis/find/type-search.ts';
import { IconButton } from '#ui/Button.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import styles from './OrderControls.module.css';
import { orderedBy } from './query.ts';

const ORDERS: readonly { readonly value: TypeOrder; readonly label: string }[] = [
  { value: 'id', label: 'Id' },
  { value: 'name', label: 'Name' },
  { value: 'size', label: 'Size' },
  { value: 'holes', label: 'Holes' },
];

type OrderControlsProps = {
  readonly query: TypeQuery;
  readonly onChange: (query: TypeQuery) => void;
  /** At the end of the line. */
  readonly children: ReactNode;
};

/** By what the list is ordered, and which way. */
export function OrderControls({ query, onChange, children }: OrderControlsProps) {
  const Icon = query.descending ? ArrowDownWideNarrow : ArrowDownNarrowWide;
  return (
    <div className={styles.line}>
      <Segmented
        label="Order"
        options={ORDERS}
        value={query.order}
        onChange={(order) => onChange(orderedBy(query, order))}
      />
      <IconButton
        label={query.descending ? 'Descending: turn the order' : 'Ascending: turn the order'}
        icon={<Icon size={15} aria-hidden />}
        onClick={() => onChange({ ...query, descending: !query.descending })}
      />
      {children}
    </div>
  );
}
