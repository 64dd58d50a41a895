import type { MemberPage } from '#analysis/layout/member-rows.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import styles from './MemberPager.module.css';

type MemberPagerProps = { readonly page: MemberPage; readonly onPage: (number: number) => void };

/** Says which members of a very wide struct are shown, and leads to the others; nothing where all are. */
export function MemberPager({ page, onPage }: MemberPagerProps) {
  const { first, end, number, pages, total } = page;
  if (pages === 1) return null;
  return (
    <p className={styles.pager}>
      Members {grouped(first)} to {grouped(end - 1)} of {grouped(total)} are shown.
      <Button size="small" disabled={number === 0} onClick={() => onPage(number - 1)}>
        Earlier members
      </Button>
      <Button size="small" disabled={number === pages - 1} onClick={() => onPage(number + 1)}>
        Later members
      </Button>
    </p>
  );
}
