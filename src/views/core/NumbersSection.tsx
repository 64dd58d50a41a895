import { Fragment } from 'react';
import { CORE_KINDS, coreKind, TYPE_ID_LOCAL } from '#analysis/core/core-kinds.ts';
import type { AccessPath } from '#analysis/core/parse-spec.ts';
import { localValue } from '#analysis/core/patch-insn.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { Endian } from '#bytes/span.ts';
import { bitRange, drawnName, hexText } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { TermText } from '#views/parts/Term.tsx';
import styles from './NumbersSection.module.css';
import { valueText } from './record-rows.ts';
import { Side } from './StepSide.tsx';
import type { Compared, InspectedRecord } from './target-side.ts';

/** Shows the values computed from the local and the target types, and how they are computed. */
export function NumbersSection({ model, types, path, record, compared }: InspectedRecord) {
  const { kind } = record;
  const { endian } = model;
  const local = coreNumbers(types, path, kind, endian);
  if (local.length === 0) return null;
  const side = matchedSide(compared);
  const target = side === null ? [] : coreNumbers(side.types, side.path, kind, endian);
  const rows = numberRows(local, target, kind, answerOf(compared));
  const picture = registerPicture(types, path, endian);
  const theirs = side === null ? null : registerPicture(side.types, side.path, endian);
  const sides = compared === null ? 1 : 2;
  return (
    <DetailSection
      title="Computed values"
      aside={compared === null ? 'on the types of this file' : undefined}
    >
      <table className={styles.table} data-sides={sides}>
        <thead className={compared === null ? 'visually-hidden' : undefined}>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">This file</th>
            {compared === null ? null : <th scope="col">Target</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, local: here, target: there, isRequested, differs }) => (
            <tr key={name} data-asked={isRequested}>
              <th scope="row">
                {isRequested ? name : <TermText text={name} />}
                {isRequested ? <span className="visually-hidden"> (asked for)</span> : null}
              </th>
              <NumberCell number={here} />
              {compared === null ? null : <NumberCell number={there} differs={differs} />}
            </tr>
          ))}
        </tbody>
      </table>
      {picture === null && theirs === null ? null : (
        <div className={styles.registers} data-sides={sides}>
          <Register picture={picture} title={compared === null ? null : 'This file'} />
          {compared === null ? null : <Register picture={theirs} title="Target" />}
        </div>
      )}
    </DetailSection>
  );
}

type NumberCellProps = { readonly number: CoreNumber | null; readonly differs?: boolean };

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

/** Returns the types and path of a matching target; null if no target matches. */
function matchedSide(compared: Compared | null) {
  const side = compared?.side;
  if (side == null || side.miss !== null || side.path === null) return null;
  return { types: side.types, path: side.path };
}

/** Returns the value that libbpf writes into the instruction; null if libbpf writes no value. */
function answerOf(compared: Compared | null): bigint | null {
  const decision = compared?.result.decision ?? null;
  return decision === null || decision.poison ? null : decision.newVal;
}

type RegisterProps = {
  readonly picture: RegisterPicture | null;
  /** Name of the side, if local types and target both have a picture. */
  readonly title: string | null;
};

/** Shows how a bit-field is loaded into a 64-bit register and shifted. Bit 63 is at the left. */
function Register({ picture, title }: RegisterProps) {
  return (
    <Side heading={title}>
      {picture === null ? (
        <p className="small muted">Not a bit-field: loaded as is.</p>
      ) : (
        <RegisterRows picture={picture} />
      )}
    </Side>
  );
}

function RegisterRows({ picture }: { readonly picture: RegisterPicture }) {
  const { width, rows, isSigned } = picture;
  return (
    <figure className={styles.rows}>
      {rows.map((row, at) => (
        <Fragment key={row.words}>
          <span className="small mono soft">{row.words}</span>
          <div
            role="img"
            aria-label={`The bit-field is in ${bitRange(row.lowBit, width)} of the register`}
            className={styles.register}
          >
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

function percent(bits: number): string {
  return `${(100 * bits) / 64}%`;
}

/** Value of a record, and how it is computed (libbpf, `bpf_core_calc_field_relo`). */
export type CoreNumber = {
  /** `enum bpf_core_relo_kind` of the value; null if no kind requests it. */
  readonly kind: number | null;
  /** Name that libbpf has for the kind, such as `byte_off`. */
  readonly name: string;
  readonly value: bigint;
  /** How the value is computed, such as `bit 128 / 8`; may be empty. */
  readonly how: string;
};

const TARGET_TYPE_ID = 7;

/** Kinds of values to show for each group of records. */
const GROUP_KINDS = { field: [0, 1, 3, 4, 5], type: [9], enum: [11] } as const;

/** Returns the values that can be computed from `path`. `t` has the types of the path. */
export function coreNumbers(
  t: TypeTable,
  path: AccessPath,
  kind: number,
  endian: Endian,
): CoreNumber[] {
  const group = coreKind(kind)?.group;
  if (group === undefined || path.error !== null) return [];
  const groupKinds: readonly number[] = GROUP_KINDS[group];
  const isId = kind === TYPE_ID_LOCAL || kind === TARGET_TYPE_ID;
  const numbers: CoreNumber[] = [];
  for (const shown of groupKinds.includes(kind) || isId ? groupKinds : [kind, ...groupKinds]) {
    const { value } = localValue(t, path, shown, endian);
    if (value === null) continue;
    const name = CORE_KINDS[shown]?.name ?? '';
    numbers.push({ kind: shown, name, value, how: howOf(t, path, shown, endian) });
  }
  if (group === 'field') {
    numbers.unshift({ kind: null, name: 'bit offset', value: path.bitOffset, how: '' });
  } else {
    numbers.push({
      kind: isId ? kind : null,
      name: 'type id',
      value: BigInt(path.root),
      how: typeExpression(t, path.root),
    });
  }
  return numbers;
}

/** A computed value, local and in the target. A side without the value is null. */
type NumberRow = {
  readonly name: string;
  readonly local: CoreNumber | null;
  readonly target: CoreNumber | null;
  /** Whether the record requests this value. */
  readonly isRequested: boolean;
  readonly differs: boolean;
};

/** Returns a row for each value. `answer` is what libbpf writes for `kind`, or null. */
export function numberRows(
  local: readonly CoreNumber[],
  target: readonly CoreNumber[],
  kind: number,
  answer: bigint | null,
): NumberRow[] {
  const names = new Set([...local, ...target].map(({ name }) => name));
  return Array.from(names, (name) => {
    const here = local.find((number) => number.name === name) ?? null;
    const there = target.find((number) => number.name === name) ?? null;
    const isRequested = (here?.kind ?? null) === kind;
    const theirs =
      isRequested && here !== null && answer !== null
        ? { ...here, value: answer, how: there?.how ?? unaskedText(kind) }
        : there;
    const differs = here !== null && theirs !== null && here.value !== theirs.value;
    return { name, local: here, target: theirs, isRequested, differs };
  });
}

function unaskedText(kind: number): string {
  return kind === TYPE_ID_LOCAL ? 'target not consulted' : 'no match: default value';
}

function howOf(t: TypeTable, path: AccessPath, kind: number, endian: Endian): string {
  const load = loadOf(t, path, endian);
  const bit = path.bitOffset;
  switch (kind) {
    case 0:
      return load === null
        ? `bit ${bit} / 8`
        : `the aligned load that holds ${bitRange(bit, path.bitfieldSize)}`;
    case 1:
      return load === null ? `sizeof(${typeExpression(t, path.leaf)})` : 'the bytes of that load';
    case 2:
    case 8:
    case 10:
    case 12:
      return 'found in the local types';
    case 4:
      if (load === null) return plainShift(t, path, endian);
      return endian === 'little'
        ? `64 - (${bit} + ${path.bitfieldSize} - ${load.byteOffset} × 8)`
        : `(8 - ${load.byteSize}) × 8 + (${bit} - ${load.byteOffset} × 8)`;
    case 5:
      return load === null ? plainShift(t, path, endian) : `64 - ${path.bitfieldSize}`;
    default:
      return '';
  }
}

/** Returns how the shifts of a field that is no bit-field are computed. */
function plainShift(t: TypeTable, path: AccessPath, endian: Endian): string {
  const size = localValue(t, path, 1, endian).value;
  return size === null ? '' : `64 - ${size} × 8`;
}

type Load = { readonly byteOffset: bigint; readonly byteSize: bigint };

/** Returns the load that contains a bit-field; null if the field is no bit-field. */
function loadOf(t: TypeTable, path: AccessPath, endian: Endian): Load | null {
  if (path.bitfieldSize === 0) return null;
  const byteOffset = localValue(t, path, 0, endian).value;
  const byteSize = localValue(t, path, 1, endian).value;
  return byteOffset === null || byteSize === null ? null : { byteOffset, byteSize };
}

type RegisterPicture = {
  readonly width: number;
  /** Whether the shift to the right is arithmetic, which copies the sign into the upper bits. */
  readonly isSigned: boolean;
  readonly rows: readonly {
    /** Step of the computation: `off 2, sz 2`, `<< 48` or `>> 53`. */
    readonly words: string;
    /** Number of low bits that the load sets; 64 after a shift. */
    readonly loadedBits: number;
    readonly lowBit: number;
  }[];
};

/** Returns the register after each step ("BPF LLVM Relocations"); null without a bit-field. */
export function registerPicture(
  t: TypeTable,
  path: AccessPath,
  endian: Endian,
): RegisterPicture | null {
  const load = loadOf(t, path, endian);
  const lshift = localValue(t, path, 4, endian).value;
  const rshift = localValue(t, path, 5, endian).value;
  if (load === null || lshift === null || rshift === null) return null;
  const width = path.bitfieldSize;
  const inLoad = Number(path.bitOffset - load.byteOffset * 8n);
  const bits = Number(load.byteSize) * 8;
  // In big-endian memory, bit 0 of a struct is the highest bit of the first byte.
  const lowBit = endian === 'little' ? inLoad : bits - inLoad - width;
  const up = lowBit + Number(lshift);
  return {
    width,
    isSigned: localValue(t, path, 3, endian).value === 1n,
    rows: [
      { words: `off ${load.byteOffset}, sz ${load.byteSize}`, loadedBits: bits, lowBit },
      { words: `<< ${lshift}`, loadedBits: 64, lowBit: up },
      { words: `>> ${rshift}`, loadedBits: 64, lowBit: up - Number(rshift) },
    ],
  };
}
