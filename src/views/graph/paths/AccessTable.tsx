import type { DescribedPath, PathStep } from '#analysis/paths/describe-path.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { setCoreMode } from '#store/core-view.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './AccessTable.module.css';
import { hopNotes, placeText } from './paths-text.ts';

/** The accesses of a path as records of CO-RE would have them. */
export function AccessTable({
  types,
  path,
}: {
  readonly types: TypeTable;
  readonly path: DescribedPath;
}) {
  return (
    <div className={styles.scroller} {...scrollRegion('Access strings')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Begins in</th>
            <th scope="col">Access string</th>
            <th scope="col">Member</th>
            <th scope="col">Offset</th>
            <th scope="col">Try it</th>
          </tr>
        </thead>
        <tbody>
          {path.steps.map((hop) => (
            <AccessRow
              key={`${hop.root}:${hop.accessStr}:${hop.to}`}
              types={types}
              hop={hop}
              through={path.through}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AccessRow({
  types,
  hop,
  through,
}: {
  readonly types: TypeTable;
  readonly hop: PathStep;
  readonly through: DescribedPath['through'];
}) {
  const notes = hopNotes(hop, through);
  const isContainer = hop.kind === 'container';
  return (
    <tr>
      <td>
        <TypeLink types={types} type={hop.root} badge />
      </td>
      <td className="mono-code">
        <span className="inline-row gap-hair">
          {hop.accessStr}
          <CopyButton text={hop.accessStr} label={`Copy ${hop.accessStr}`} isIconOnly />
        </span>
      </td>
      <td className="mono-code">
        {isContainer ? 'back from ' : ''}
        {hop.field === '' ? '(anonymous)' : drawnName(hop.field)}
        {notes.map((note) => (
          <p key={note} className={styles.note}>
            {drawnName(note)}
          </p>
        ))}
      </td>
      <td className="mono-code">{placeText(hop)}</td>
      <td>
        <Button
          size="small"
          variant="quiet"
          aria-label={`Try ${drawnName(typeExpression(types, hop.root))} ${hop.accessStr} in the playground`}
          onClick={() => {
            setCoreMode('playground');
            select(typeSelection(hop.root, hop.memberPath), 'core');
          }}
        >
          Playground
        </Button>
      </td>
    </tr>
  );
}
