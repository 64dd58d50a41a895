import { Fragment } from 'react';
import type { AccessPath } from '#analysis/core/access-path.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { TermText } from '#views/parts/Term.tsx';
import {
  type CoreNumber,
  coreNumbers,
  numberRows,
  type RegisterPicture,
  type RegisterRow,
  registerPicture,
} from './core-numbers.ts';
import styles from './NumbersSection.module.css';
import { valueText } from './record-rows.ts';
import { SideHeading } from './StepSide.tsx';
import type { Compared } from './target-side.ts';

type NumbersSectionProps = {
  readonly types: TypeTable;
  readonly path: AccessPath;
  /** `enum bpf_core_relo_kind` of the record. */
  readonly kind: number;
  readonly endian: Endian;
  readonly compared: Compared | null;
};

/** Computed values, with the numbers put in: on the local types, and on the target's beside them. */
export function NumbersSection({ types, path, kind, endian, compared }: NumbersSectionProps) {
  const local = coreNumbers(types, path, kind, endian);
  if (local.length === 0) return null;
  const side = matchedSide(compared);
  const target = side === null ? [] : coreNumbers(side.types, side.path, kind, endian);
  const rows = numberRows(local, target, kind, answerOf(compared));
  const picture = registerPicture(types, path, endian);
  const theirs = side === null ? null : registerPicture(side.types, side.path, endian);
  return (
    <DetailSection
      title="Computed values"
      aside={compared === null ? 'on the types of this file' : undefined}
    >
      <table className={styles.table} data-sides={compared === null ? 1 : 2}>
        <thead className={compared === null ? 'visually-hidden' : undefined}>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">This file</th>
            {compared === null ? null : <th scope="col">Target</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, local: here, target: there, isAsked, differs }) => (
            <tr key={name} data-asked={isAsked}>
              <th scope="row">
                {isAsked ? name : <TermText text={name} />}
                {isAsked ? <span className="visually-hidden"> (asked for)</span> : null}
              </th>
              <NumberCell number={here} />
              {compared === null ? null : <NumberCell number={there} differs={differs} />}
            </tr>
          ))}
        </tbody>
      </table>
      {picture === null && theirs === null ? null : (
        <div className={styles.registers} data-sides={compared === null ? 1 : 2}>
          <Register picture={picture} title={compared === null ? null : 'This file'} />
          {compared === null ? null : <Register picture={theirs} title="Target" />}
        </div>
      )}
    </DetailSection>
  );
}

type NumberCellProps = {
  readonly number: CoreNumber | null;
  readonly differs?: boolean;
};

function NumberCell({ number, differs = false }: NumberCellProps) {
  if (number === null) {
    return (
      <td>
        <span className={styles.how}>none</span>
      </td>
    );
  }
  const { kind, value, how } = number;
  return (
    <td>
      <span className={styles.value} data-differs={differs}>
        {valueText(value)}
        {kind !== null && value > 9n ? <span className={styles.hex}> {hexText(value)}</span> : null}
        {differs ? <span className="visually-hidden"> (differs)</span> : null}
      </span>{' '}
      {how === '' ? null : <span className={styles.how}>{drawnName(how)}</span>}
    </td>
  );
}

/** The target's path where it is complete. */
function matchedSide(compared: Compared | null) {
  const side = compared?.side;
  if (side == null || side.miss !== null || side.path === null) return null;
  return { types: side.types, path: side.path };
}

/** What was decided for the number that is asked for; null where there is none to write. */
function answerOf(compared: Compared | null): bigint | null {
  const decision = compared?.result.decision ?? null;
  return decision === null || decision.poison ? null : decision.newVal;
}

type RegisterProps = {
  readonly picture: RegisterPicture | null;
  /** Whose it is, where there are two. */
  readonly title: string | null;
};

/** A bit-field as it is loaded and shifted in a 64-bit register, bit 63 at the left; null where it is none. */
function Register({ picture, title }: RegisterProps) {
  return (
    <div className={styles.side}>
      {title === null ? null : <SideHeading text={title} />}
      {picture === null ? (
        <p className="small muted">Not a bit-field: loaded as is.</p>
      ) : (
        <Rows picture={picture} />
      )}
    </div>
  );
}

function Rows({ picture }: { readonly picture: RegisterPicture }) {
  const { width, rows, isSigned } = picture;
  return (
    <figure className={styles.rows}>
      {rows.map((row, at) => (
        <Fragment key={row.words}>
          <span className="small mono soft">{row.words}</span>
          <div role="img" aria-label={placeOf(row, width)} className={styles.register}>
            <span className={styles.loaded} style={{ width: percent(row.loadedBits) }} />
            {isSigned && at === rows.length - 1 ? (
              <span className={styles.sign} style={{ width: percent(64 - width) }} />
            ) : null}
            <span
              className={styles.field}
              style={{ right: percent(row.lowBit), width: percent(width) }}
            />
          </div>
        </Fragment>
      ))}
      <figcaption className={styles.caption}>
        <span>bit 63</span>
        <span>
          {countOf(width, 'bit')} of the field{isSigned ? ', sign-extended' : ''}
        </span>
        <span>0</span>
      </figcaption>
    </figure>
  );
}

function placeOf({ lowBit }: RegisterRow, width: number): string {
  return `The bit-field is in bits ${lowBit + width - 1} to ${lowBit} of the register`;
}

function percent(bits: number): string {
  return `${(100 * bits) / 64}%`;
}
