import { ArrowLeft, Binary, Workflow } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { hasType, kindOf, recordSpan, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { Pin } from '#store/pins.ts';
import { Button } from '#ui/Button.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { kindStyle } from '#views/parts/kind-style.ts';
import { Name } from '#views/parts/Name.tsx';
import { PinMark } from '#views/parts/PinMark.tsx';
import { longSize } from '#views/parts/type-size-text.ts';
import { useBaseName } from '#views/parts/use-base-name.ts';
import styles from './TypeHeading.module.css';

type TypeHeadingProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  /** The member that is selected in it; its bytes are what “Show bytes” shows. */
  readonly memberPath: readonly number[];
  readonly isFocused: boolean;
  readonly onBack: () => void;
  /** What a lesson has pinned to the type as a whole. */
  readonly pins: readonly Pin[];
};

/** Name, kind, size, alignment and id of a type, and the ways to other views of it. */
export function TypeHeading(props: TypeHeadingProps) {
  const { types, type, memberPath, isFocused, onBack, pins } = props;
  const back = useRef<HTMLButtonElement>(null);
  // The button is drawn on narrow screens only; elsewhere it takes no focus.
  useEffect(() => {
    if (isFocused) back.current?.focus();
  }, [isFocused]);
  const kind = kindOf(types, type);
  const baseName = useBaseName(types, type);
  return (
    <header className={styles.heading}>
      <Button ref={back} variant="quiet" className={styles.back} onClick={onBack}>
        <ArrowLeft size={15} aria-hidden />
        Back to types
      </Button>
      <h2 className={styles.title}>
        <KindBadge kind={kind} decorative />
        <Name text={typeTitle(types, type)} />
      </h2>
      <dl className={styles.facts}>
        {factsOf(types, type, baseName).map(([term, value]) => (
          <div key={term} className={styles.fact}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        {pins.map((pin) => (
          <PinMark key={pin.number} {...pin} />
        ))}
        {recordSpan(types, type) === null ? null : (
          <Button size="small" onClick={() => select(typeSelection(type, memberPath), 'bytes')}>
            <Binary size={14} aria-hidden />
            Show bytes
          </Button>
        )}
        {hasType(types, type) ? (
          <Button size="small" onClick={() => select(typeSelection(type), 'graph')}>
            <Workflow size={14} aria-hidden />
            Show graph
          </Button>
        ) : null}
      </div>
    </header>
  );
}

function factsOf(
  types: TypeTable,
  type: TypeId,
  baseName: string | null,
): (readonly [term: string, value: string])[] {
  const facts: (readonly [string, string])[] = [
    ['Kind', kindStyle(kindOf(types, type)).name],
    ['Id', `[${type}]`],
  ];
  const size = longSize(sizeOf(types, type));
  if (size !== null) facts.push(['Size', size]);
  const alignment = alignOf(types, type);
  if (alignment > 0) facts.push(['Alignment', `${alignment}`]);
  if (baseName !== null) facts.push(['From', baseName]);
  return facts;
}
