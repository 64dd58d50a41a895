import type { ReactNode } from 'react';
import { typeText } from '#analysis/source/type-text.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { hasType, kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { usePaneHighlight } from '#store/session/highlight.ts';
import { useOfPaneFile } from '#store/session/panes.ts';
import { baseChoice } from '#store/session/session.ts';
import { Badge } from '#ui/Badge.tsx';
import { classNames } from '#ui/class-names.ts';
import { KindBadge } from './KindBadge.tsx';
import styles from './TypeLink.module.css';

type TypeLinkProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  readonly badge?: boolean;
};

/** Shows a type in C or the language of its unit as a link to the type in Types. `void` is plain text. */
export function TypeLink({ types, type, badge = false }: TypeLinkProps) {
  const text = drawnName(typeText(types, type));
  const isUse = usePaneHighlight()?.written.has(type) === true;
  if (type === 0) return <span className="mono ellipsis">{text}</span>;
  return (
    <CellLink title={`[${type}] ${text}`} onClick={() => select(typeSelection(type), 'types')}>
      {badge ? <KindBadge kind={kindOf(types, type)} decorative /> : null}
      <bdi className={classNames('mono ellipsis', isUse && 'in-use')}>{text}</bdi>
      <BaseMark types={types} type={type} />
    </CellLink>
  );
}

type CellLinkProps = {
  readonly title?: string;
  readonly className?: string | undefined;
  readonly onClick: () => void;
  readonly children: ReactNode;
};

/** Shows a link in a table cell. A click on the link does not select the row. */
export function CellLink({ title, className = styles.link, onClick, children }: CellLinkProps) {
  return (
    <button
      type="button"
      className={className}
      title={title}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {children}
    </button>
  );
}

/** Marks a type that belongs to the base of a split BTF. The tooltip names the base. */
function BaseMark({ types, type }: { readonly types: TypeTable; readonly type: TypeId }) {
  const name = useBaseName(types, type);
  return name === null ? null : <Badge text="base" tone="muted" label={`from ${name}`} />;
}

/** Returns the name of the base that contains `type`; null if no base contains it. */
export function useBaseName(types: TypeTable, type: TypeId): string | null {
  const chosen = useOfPaneFile((file) => baseChoice(file).chosen?.name ?? null);
  if (type >= types.firstId || !hasType(types, type)) return null;
  return drawnName(chosen ?? '.BTF.base');
}
