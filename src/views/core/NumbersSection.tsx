import type { AccessPath } from '#analysis/core/access-path.ts';
import type { Endian } from '#bytes/span.ts';
import type { TypeTable } from '#model/type-table.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { coreNumbers, registerPicture } from './core-numbers.ts';
import { valueText } from './core-rows.ts';
import styles from './NumbersSection.module.css';
import { Register } from './Register.tsx';

/** What libbpf works out on the local types, with the numbers put in. */
export function NumbersSection({
  types,
  path,
  kind,
  endian,
}: {
  readonly types: TypeTable;
  readonly path: AccessPath;
  /** `enum bpf_core_relo_kind` of the record. */
  readonly kind: number;
  readonly endian: Endian;
}) {
  const numbers = coreNumbers(types, path, kind, endian);
  if (numbers.length === 0) return null;
  const picture = registerPicture(types, path, endian);
  return (
    <DetailSection title="What libbpf works out here" aside="on the types of this file">
      <table className={styles.table}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Value</th>
            <th scope="col">How</th>
          </tr>
        </thead>
        <tbody>
          {numbers.map(({ kind: number, name, value, how, isAsked }) => (
            <tr key={number} data-asked={isAsked}>
              <th scope="row">
                {name}
                {isAsked ? <span className="visually-hidden"> (asked for)</span> : null}
              </th>
              <td className={styles.value} title={hexText(value)}>
                {valueText(value)}
              </td>
              <td className={styles.how}>{how}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {picture === null ? null : <Register picture={picture} />}
    </DetailSection>
  );
}
