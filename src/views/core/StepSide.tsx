import type { ReactNode } from 'react';
import type { AccessPath } from '#analysis/core/access-path.ts';
import { accessExpression } from '#analysis/core/access-text.ts';
import { bitPlace } from '#analysis/core/access-words.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { StepPicture } from './StepPicture.tsx';
import styles from './StepSide.module.css';

/** One side's step of an access: what the index means there, where it comes to, and the picture. */
export function StepSide({
  heading,
  types,
  path,
  at,
  link,
  note,
}: {
  /** Whose side it is; null where there is only one. */
  readonly heading: ReactNode;
  readonly types: TypeTable;
  readonly path: AccessPath;
  /** Number of the step in `path`. */
  readonly at: number;
  readonly link: (type: TypeId) => ReactNode;
  readonly note?: ReactNode;
}) {
  const step = path.steps[at];
  if (step === undefined) return null;
  const isField = step.means !== 'enumerator' && step.means !== 'type';
  return (
    <div className={styles.side}>
      {heading}
      <p className={styles.words}>{drawnName(step.words)}</p>
      <dl className={styles.facts}>
        <Fact term="Type">{link(step.type)}</Fact>
        {isField ? (
          <Fact term="Offset so far">
            <span className={styles.number}>
              {bitPlace(step.bitOffset)}
              <span className={styles.quiet}> · bit {grouped(step.bitOffset)}</span>
            </span>
          </Fact>
        ) : null}
        {step.enumValue === null ? null : (
          <Fact term="Value">
            <span className={styles.number}>{`${step.enumValue}`}</span>
          </Fact>
        )}
        <Fact term="In C so far">
          <code>{drawnName(accessExpression(types, path.root, path.steps.slice(0, at + 1)))}</code>
        </Fact>
      </dl>
      {note}
      <StepPicture types={types} path={path} at={at} />
    </div>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
