import { grouped } from '#ui/grouped.ts';
import styles from './LinkChoice.module.css';
import type { LinkOffer, LinkSort } from './link-offers.ts';

type LinkChoiceProps = {
  readonly offer: LinkOffer;
  readonly isChosen: boolean;
  readonly onChoose: (sort: LinkSort) => void;
};

/** One sort of link: what it carries, how long it is. */
export function LinkChoice({ offer, isChosen, onChoose }: LinkChoiceProps) {
  const { sort, title, says, addresses, isWaiting } = offer;
  return (
    <label className={styles.choice} data-chosen={isChosen} data-off={addresses === null}>
      <input
        type="radio"
        name="link-sort"
        className={styles.radio}
        value={sort}
        checked={isChosen}
        disabled={addresses === null}
        onChange={() => onChoose(sort)}
      />
      <span className="bold">{title}</span>
      <span className={styles.length}>{lengthText(addresses?.page ?? null, isWaiting)}</span>
      <span className={styles.says}>{says}</span>
    </label>
  );
}

function lengthText(address: string | null, isWaiting: boolean): string {
  if (address !== null) return `${grouped(address.length)} characters`;
  return isWaiting ? 'working…' : '';
}
