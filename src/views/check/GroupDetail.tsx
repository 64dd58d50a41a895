import type { FileCheck } from '#analysis/check/file-check.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { countOf } from '#views/parts/number-text.ts';
import { CheckedTypeLink } from './CheckedTypeLink.tsx';
import { Detail } from './Detail.tsx';
import type { GroupRow } from './problem-rows.ts';

type GroupDetailProps = {
  readonly row: GroupRow;
  readonly check: FileCheck;
  readonly types: TypeTable | null;
};

/** What the problems of a group have in common. */
export function GroupDetail({ row, check, types }: GroupDetailProps) {
  const { grouping, first, count, where } = row;
  const mark = countOf(count, 'problem');
  if (grouping === 'rule') {
    return (
      <Detail
        mark={`${mark} with one rule`}
        title={drawnName(first.rule)}
        facts={[
          { term: 'In the log', value: drawnName(first.word) || 'nothing', isMono: true },
          { term: 'Written in', value: drawnName(where.join(', ')), isMono: true },
        ]}
      />
    );
  }
  const { typeId } = first;
  return (
    <Detail
      mark={`${mark} ${typeId === null ? 'with the blob' : 'with one type'}`}
      title={
        typeId === null ? (
          'The blob as a whole: its header and its sections'
        ) : (
          <CheckedTypeLink check={check} types={types} id={typeId} />
        )
      }
      facts={[]}
    />
  );
}
