import { checkedType, type FileCheck } from '#analysis/check/file-check.ts';
import type { TypeTable } from '#model/type-table.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './CheckedTypeLink.module.css';

type CheckedTypeLinkProps = {
  readonly check: FileCheck;
  readonly types: TypeTable | null;
  /** As the check calls it. */
  readonly id: number;
};

/** The type that a log line names, by its id there, and a way to it where it could be read. */
export function CheckedTypeLink({ check, types, id }: CheckedTypeLinkProps) {
  const type = checkedType(check, types, id);
  return (
    <span className={styles.type}>
      <span className={styles.id}>type [{id}]</span>
      {types === null || type === null ? null : <TypeLink types={types} type={type} badge />}
    </span>
  );
}
