import type { ReactNode } from 'react';
import { listed } from '#analysis/load/load-sentence.ts';
import { drawnName } from '#bytes/text.ts';
import { Name } from '#views/parts/Name.tsx';
import styles from './LoadDetail.module.css';

type DetailHeadProps = {
  readonly mark?: ReactNode;
  /** Name in the heading, not escaped. */
  readonly name: string;
  readonly otherwise?: string;
  readonly about?: string;
  /** Names of the kernels of the cell, not escaped; empty for all kernels. */
  readonly kernels: readonly string[];
  readonly children?: ReactNode;
};

/** Shows what the detail is about: the name of a line, and the kernels. */
export function DetailHead(props: DetailHeadProps) {
  const { mark, name, otherwise = '(anon)', about, kernels, children } = props;
  return (
    <p className={styles.what}>
      {mark}
      <span className="mono bold break">
        <Name text={name} otherwise={otherwise} />
      </span>
      {about === undefined ? null : <span className="muted">{about}</span>}
      {kernels.length === 0 ? null : (
        <span className="soft break">
          on <bdi>{listed(kernels.map(drawnName))}</bdi>
        </span>
      )}
      {children}
    </p>
  );
}
