import { type ReactNode, useMemo } from 'react';
import { drawnName } from '#bytes/text.ts';
import type { DistilledMatch } from '#model/split-base.ts';
import { kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import type { BaseFile } from '#store/session.ts';
import { Badge } from '#ui/Badge.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { grouped } from '#ui/grouped.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import styles from './BaseMatches.module.css';

/** CSS pixels; the header is as high as a row. */
const ROW_HEIGHT = 28;

type BaseMatchesProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly distilled: TypeTable;
  readonly base: BaseFile;
  readonly matches: readonly DistilledMatch[];
  readonly isInUse: boolean;
};

/** Type by type: what of a distilled base was found in the real one, by libbpf's rules, and why not. */
export function BaseMatches(props: BaseMatchesProps) {
  const { isOpen, onClose, distilled, base, matches, isInUse } = props;
  const ordered = useMemo(() => faultsFirst(matches), [matches]);
  const columns = useMemo(() => columnsOf(ordered, distilled), [ordered, distilled]);
  const found = matches.filter(({ outcome }) => outcome === 'mapped').length;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="wide"
      title="Types of .BTF.base"
      description={`${grouped(found)} of ${grouped(matches.length)} are in ${drawnName(base.name)}${isInUse ? '.' : ', which is therefore not in use.'} They are looked up as libbpf does: by name and kind, and by size where the name alone will not do.`}
    >
      <div className={styles.table} style={{ height: ROW_HEIGHT * (ordered.length + 1) + 2 }}>
        <VirtualTable
          label="Types of .BTF.base"
          columns={columns}
          count={ordered.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={null}
          onSelect={() => undefined}
        />
      </div>
    </Dialog>
  );
}

function faultsFirst(matches: readonly DistilledMatch[]): readonly DistilledMatch[] {
  return [
    ...matches.filter(({ outcome }) => outcome !== 'mapped'),
    ...matches.filter(({ outcome }) => outcome === 'mapped'),
  ];
}

const TONES = { mapped: 'ok', ambiguous: 'warning', missing: 'danger', invalid: 'danger' } as const;
const WORDS = {
  mapped: 'found',
  ambiguous: 'ambiguous',
  missing: 'not found',
  invalid: 'invalid',
} as const;

function columnsOf(
  matches: readonly DistilledMatch[],
  distilled: TypeTable,
): readonly TableColumn[] {
  const cell = (draw: (match: DistilledMatch) => ReactNode) => (row: number) => {
    const match = matches[row];
    return match === undefined ? null : draw(match);
  };
  return [
    {
      id: 'type',
      header: '.BTF.base',
      width: 180,
      grow: 2,
      cell: cell(({ id }) => (
        <span className="row gap-1 shrink">
          <KindBadge kind={kindOf(distilled, id)} />
          <bdi className="mono ellipsis">{drawnName(nameOf(distilled, id)) || '(anonymous)'}</bdi>
        </span>
      )),
    },
    {
      id: 'outcome',
      header: 'Outcome',
      width: 92,
      cell: cell(({ outcome }) => <Badge text={WORDS[outcome]} tone={TONES[outcome]} />),
    },
    {
      id: 'size',
      header: 'Size',
      width: 64,
      align: 'end',
      cell: cell(({ id }) => grouped(sizeOrTypeOf(distilled, id))),
    },
    {
      id: 'held',
      header: 'Held',
      width: 84,
      cell: cell(({ isEmbedded }) => (isEmbedded ? 'by value' : '')),
    },
    {
      id: 'base',
      header: 'In the base',
      width: 200,
      grow: 3,
      cell: cell(({ baseIds, reason }) => (
        <span className="mono ellipsis" title={drawnName(reason)}>
          {reason === '' ? baseIds.map((id) => `[${id}]`).join(', ') : drawnName(reason)}
        </span>
      )),
    },
  ];
}
