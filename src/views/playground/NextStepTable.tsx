import { useMemo, useState } from 'react';
import type { AccessPath } from '#analysis/core/parse-spec.ts';
import { type Access, accessPathOf, isEnumRoot, onward } from '#analysis/core/playground.ts';
import { boundedSize } from '#analysis/core/spec-value.ts';
import { memberBits } from '#analysis/types/member-bits.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { bitPlace, drawnName, hexText } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorAt, memberAt } from '#model/type-items.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { column, NUMBER, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, shortSize } from '#views/parts/number-text.ts';
import { Offset } from '#views/parts/Offset.tsx';
import styles from './NextStepTable.module.css';

const ROW_HEIGHT = 26;
const HEADER_HEIGHT = 28;
const MAX_ROWS = 9;

const NOUNS = { members: 'member', elements: 'element', enumerators: 'enumerator' } as const;

type NextStepTableProps = {
  readonly types: TypeTable;
  readonly place: NextSteps;
  readonly onTake: (index: number) => void;
};

/** Shows the steps by which the access can continue. A click or Enter adds a step. */
export function NextStepTable({ types, place, onTake }: NextStepTableProps) {
  const [row, setRow] = useRowChoice(place);
  const columns = useMemo(
    () => rowColumns((index) => place.row(index), placeColumns(types, place)),
    [types, place],
  );
  const title = place.taken === null ? `Next ${NOUNS[place.what]}` : `Other ${place.what}`;
  const height = HEADER_HEIGHT + Math.min(place.count, MAX_ROWS) * ROW_HEIGHT + 2;
  return (
    <DetailSection title={title} aside={countOf(place.count, NOUNS[place.what])}>
      <div className="box no-overflow" style={{ height }}>
        <LinkTable
          label={`Next ${place.what}`}
          columns={columns}
          count={place.count}
          rowHeight={ROW_HEIGHT}
          selectedIndex={row}
          scrollToIndex={place.taken}
          onSelect={setRow}
          onActivate={onTake}
        />
      </div>
    </DetailSection>
  );
}

function placeColumns(types: TypeTable, place: NextSteps): RowColumn<NextStepRow>[] {
  const isEnum = place.what === 'enumerators';
  const index = (_: NextStepRow, row: number) => <span className="bold accent">{row}</span>;
  const name = ({ name: text }: NextStepRow) => <Name text={text} />;
  const shared = [
    column('index', 'Index', 64, index, NUMBER),
    column('name', isEnum ? 'Enumerator' : 'Name', 140, name, { grow: 2 }),
  ];
  if (isEnum) return [...shared, column('value', 'Value', 120, ({ size }) => size, NUMBER)];
  const type = ({ type: id }: NextStepRow) =>
    id === null ? null : (
      <span className={styles.type}>
        <KindBadge kind={kindOf(types, id)} decorative />
        <bdi>{drawnName(typeExpression(types, id))}</bdi>
      </span>
    );
  return [
    ...shared,
    column('type', 'Type', 140, type, { grow: 2 }),
    column(
      'offset',
      'Offset',
      84,
      (row) => (
        <span title={row.place}>
          <Offset text={row.offset} />
        </span>
      ),
      NUMBER,
    ),
    column('size', 'Size', 80, ({ size }) => size, NUMBER),
  ];
}

/** Returns the focused row and its setter. A new table focuses the row of the access. */
function useRowChoice(place: NextSteps): readonly [number | null, (row: number) => void] {
  const at = `${place.what} ${place.prefix} ${place.taken}`;
  const [choice, setChoice] = useState<{ readonly at: string; readonly row: number } | null>(null);
  const row = choice !== null && choice.at === at ? choice.row : place.taken;
  return [row, (next) => setChoice({ at, row: next })];
}

/** Steps by which an access can continue. If it cannot continue, the choices at its last step. */
type NextSteps = {
  readonly what: 'members' | 'elements' | 'enumerators';
  /** Access string without its last index, which a row adds; empty for an enum. */
  readonly prefix: string;
  readonly count: number;
  /** Row that the access already contains; null if the access ends before this table. */
  readonly taken: number | null;
  readonly row: (index: number) => NextStepRow | null;
};

type NextStepRow = {
  /** Name of the member or enumerator, not escaped; empty for an anonymous member. */
  readonly name: string;
  /** Type of the member; null for an enumerator. */
  readonly type: TypeId | null;
  /** Offset of the member in bytes from the start of the element, in hex: `0x58`. */
  readonly offset: string;
  readonly place: string;
  /** Size in bytes, bits of a bit-field, or value of an enumerator. */
  readonly size: string;
};

/** Number of rows for a flexible array, which has no element count. */
const OF_FLEXIBLE = 64;

/** Returns the steps by which `access` can continue; null if there are none. */
export function nextStepsOf(t: TypeTable, access: Access): NextSteps | null {
  const walked = accessPathOf(t, access);
  if (isEnumRoot(t, access.root)) {
    const taken = walked.error === null ? (walked.steps[0]?.index ?? null) : null;
    return rowsAt(t, '', walked, taken);
  }
  const here = walked.error === null ? rowsAt(t, access.accessStr, walked, null) : null;
  if (here !== null) return here;
  // If the access ends at a number, a pointer or a fault, use the last step with a choice.
  const indices = walked.steps.map((step) => step.index);
  for (let end = indices.length - (walked.error === null ? 1 : 0); end > 0; end--) {
    const prefix = indices.slice(0, end).join(':');
    const around = rowsAt(
      t,
      prefix,
      accessPathOf(t, { ...access, accessStr: prefix }),
      indices[end] ?? null,
    );
    if (around !== null) return around;
  }
  return null;
}

function rowsAt(
  t: TypeTable,
  prefix: string,
  walked: AccessPath,
  taken: number | null,
): NextSteps | null {
  const next = onward(t, walked);
  switch (next?.kind) {
    case 'members': {
      const row = (index: number) => memberRow(t, next.container, walked.bitOffset, index);
      return { what: 'members', prefix, count: next.count, taken, row };
    }
    case 'elements': {
      const bits = BigInt(Math.max(0, boundedSize(t, next.elemType))) * 8n;
      const count = next.count ?? Math.max(OF_FLEXIBLE, (taken ?? 0) + 1);
      const row = (index: number): NextStepRow => ({
        name: `[${index}]`,
        type: next.elemType,
        ...offsetOf(walked.bitOffset + BigInt(index) * bits),
        size: shortSize(sizeOf(t, next.elemType)),
      });
      return { what: 'elements', prefix, count, taken, row };
    }
    case 'enumerators': {
      const row = (index: number): NextStepRow | null => {
        const item = enumeratorAt(t, next.container, index);
        return (
          item && { name: item.name, type: null, offset: '', place: '', size: `${item.value}` }
        );
      };
      return { what: 'enumerators', prefix, count: next.count, taken, row };
    }
    default:
      return null;
  }
}

function memberRow(
  t: TypeTable,
  container: TypeId,
  startBits: bigint,
  index: number,
): NextStepRow | null {
  const member = memberAt(t, container, index);
  if (member === null) return null;
  const { name, type } = member;
  const { bitOffset, bitSize, isBitfield } = memberBits(t, container, member);
  const size = isBitfield ? countOf(bitSize, 'bit') : shortSize(sizeOf(t, type));
  return { name, type, ...offsetOf(startBits + BigInt(bitOffset)), size };
}

function offsetOf(bits: bigint): { readonly offset: string; readonly place: string } {
  return { offset: hexText(bits / 8n), place: bitPlace(bits) };
}
