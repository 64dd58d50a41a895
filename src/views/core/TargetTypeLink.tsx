import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { activate, select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import styles from './TargetTypeLink.module.css';

/** A type of another open file as C spells it; a click goes to that file and shows it there. */
export function TargetTypeLink({
  file,
  types,
  type,
}: {
  readonly file: FileId;
  readonly types: TypeTable;
  readonly type: TypeId;
}) {
  const text = drawnName(typeExpression(types, type));
  if (type === 0) return <span>{text}</span>;
  return (
    <button
      type="button"
      className={styles.link}
      title={`[${type}] ${text}, in the target`}
      onClick={() => {
        activate(file);
        select(typeSelection(type), 'types');
      }}
    >
      <KindBadge kind={kindOf(types, type)} decorative />
      <bdi>{text}</bdi>
    </button>
  );
}
