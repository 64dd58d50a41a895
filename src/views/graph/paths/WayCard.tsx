import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import type { TypePath } from '#analysis/paths/ask-paths.ts';
import { type DescribedPath, describePath } from '#analysis/paths/describe-path.ts';
import { containerText, pathInC } from '#analysis/paths/path-text.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Badge } from '#ui/Badge.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { pointersText } from './paths-words.ts';
import styles from './WayCard.module.css';
import { WayChain } from './WayChain.tsx';
import { WayTexts } from './WayTexts.tsx';

type WayCardProps = {
  readonly types: TypeTable;
  readonly way: TypePath;
  /** 1 = the best. */
  readonly rank: number;
  readonly isOpenAtFirst: boolean;
  readonly onHeadKey: (event: KeyboardEvent) => void;
};

/** One way: its chain, what it costs, and, opened, what to write for it. */
export function WayCard({ types, way, rank, isOpenAtFirst, onHeadKey }: WayCardProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const described = useMemo(() => describePath(types, way), [types, way]);
  const inC = pathInC(types, described);
  return (
    <li className={styles.card} data-open={isOpen}>
      <h3 className={styles.title}>
        <button
          type="button"
          className={styles.head}
          data-way-head
          aria-expanded={isOpen}
          aria-controls={`${id}body`}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={onHeadKey}
        >
          <ChevronRight size={14} aria-hidden className={styles.arrow} />
          <span className={styles.rank}>{rank}</span>
          <span className={styles.text}>
            {inC === null ? 'ends at a member without a name' : drawnName(inC)}
          </span>
          <Costs way={described} />
        </button>
      </h3>
      <div className={styles.chain}>
        <WayChain types={types} way={described} />
      </div>
      <div id={`${id}body`} hidden={!isOpen}>
        {isOpen ? <WayTexts types={types} way={described} /> : null}
      </div>
    </li>
  );
}

function Costs({ way }: { readonly way: DescribedPath }) {
  const { cost, through } = way;
  return (
    <span className="wrapping gap-1">
      <Badge text={pointersText(way)} tone={cost.pointers === 0 ? 'ok' : 'kind-ptr'} />
      <Badge text={countOf(cost.members, 'step')} />
      {through === null ? null : <Badge text={containerText(through)} tone="warning" />}
    </span>
  );
}
