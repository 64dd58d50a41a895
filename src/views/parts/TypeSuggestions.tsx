import { useDeferredValue, useId, useMemo } from 'react';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { ViewName } from '#store/session.ts';
import { KindBadge } from './KindBadge.tsx';
import { Name } from './Name.tsx';
import { countOf } from './number-text.ts';
import { suggestedTypes } from './suggested-types.ts';
import styles from './TypeSuggestions.module.css';

const MOST = 8;

/** A few types to begin with, as buttons that select them and show them in `view`. */
export function TypeSuggestions({
  model,
  view,
}: {
  readonly model: ObjectModel;
  readonly view: ViewName;
}) {
  const id = useId();
  // To look through a kernel for its largest takes a while: the view is drawn before that.
  const looked = useDeferredValue(model, null);
  const { why, types } = useMemo(() => suggestedTypes(looked, MOST), [looked]);
  if (looked === null || types.length === 0) return null;
  const title = why === 'core' ? 'CO-RE relocations are about' : 'The largest';
  return (
    <div className={styles.suggestions}>
      <p className={styles.title} id={id}>
        {title}
      </p>
      <ul className={styles.list} aria-labelledby={id}>
        {types.map((type) => (
          <li key={type}>
            <Suggestion types={looked.types} type={type} view={view} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Suggestion(props: {
  readonly types: TypeTable | null;
  readonly type: TypeId;
  readonly view: ViewName;
}) {
  const { types, type, view } = props;
  if (types === null) return null;
  return (
    <button
      type="button"
      className={styles.suggestion}
      onClick={() => select(typeSelection(type), view)}
    >
      <KindBadge kind={kindOf(types, type)} decorative />
      <span className={styles.name}>
        <Name text={nameOf(types, type)} />
      </span>
      <span className={styles.size}>{countOf(sizeOrTypeOf(types, type), 'byte')}</span>
    </button>
  );
}
