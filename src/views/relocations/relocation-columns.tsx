import type { ReactNode } from 'react';
import { relocationOffset } from '#analysis/relocation-index.ts';
import { type RelocationMeaning, relocationMeaning } from '#analysis/relocation-meaning.ts';
import { visible } from '#bytes/text.ts';
import { type RelocIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { grouped } from '#ui/grouped.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { relocTone, signedHex } from '#views/parts/relocation-look.ts';
import styles from './relocation-columns.module.css';
import { relocationAtRow } from './relocation-groups.ts';
import { SymbolReading } from './SymbolReading.tsx';

type Options = {
  /** Whether entries of several sections are listed. */
  readonly showSection: boolean;
  /** Only code and data are listed, whose types have short names. */
  readonly isLoaded: boolean;
  /** Only what there is room for; the rest is in the detail. */
  readonly isTight: boolean;
};

/** The columns of the table of entries. */
export function relocationColumns(
  model: ObjectModel,
  rows: Uint32Array,
  { showSection, isLoaded, isTight }: Options,
): TableColumn[] {
  const { targetSection } = model.relocations;
  const bpf = isBpf(model);
  const cell = (draw: (meaning: RelocationMeaning, reloc: RelocIndex) => ReactNode) => {
    return (row: number) => {
      const reloc = relocationAtRow(rows, row);
      return reloc === null ? null : draw(relocationMeaning(model, reloc), reloc);
    };
  };
  const offset: TableColumn = {
    id: 'offset',
    header: 'Offset',
    width: 88,
    align: 'end',
    mono: true,
    cell: cell((_, reloc) => signedHex(BigInt(relocationOffset(model, reloc)))),
  };
  const insn: TableColumn = {
    id: 'insn',
    header: 'Insn',
    width: 60,
    align: 'end',
    mono: true,
    cell: cell(({ belongsTo }, reloc) =>
      belongsTo === 'program' ? grouped(Math.floor(relocationOffset(model, reloc) / 8)) : null,
    ),
  };
  const section: TableColumn = {
    id: 'section',
    header: 'Section',
    width: 112,
    grow: 1,
    mono: true,
    cell: cell((_, reloc) => {
      const target = sectionIndex(Math.max(0, targetSection[reloc] ?? 0));
      const name = visible(sectionName(model.sections, target));
      return <span title={name}>{name}</span>;
    }),
  };
  const type: TableColumn = {
    id: 'type',
    header: 'Type',
    width: isTight ? 138 : bpf && isLoaded ? 124 : 164,
    mono: true,
    cell: cell(({ typeName, belongsTo }) => (
      <span className={styles.type} data-tone={relocTone(belongsTo)}>
        {typeName}
      </span>
    )),
  };
  const symbol: TableColumn = {
    id: 'symbol',
    header: 'Symbol',
    width: isTight ? 150 : 190,
    grow: 1,
    mono: true,
    cell: cell((meaning) => <SymbolReading meaning={meaning} />),
  };
  const number = (id: string, header: string, value: (meaning: RelocationMeaning) => string) => ({
    id,
    header,
    width: 68,
    align: 'end' as const,
    mono: true,
    cell: cell((meaning) => value(meaning)),
  });
  if (isTight) return [offset, type, symbol];
  return [
    offset,
    ...(bpf ? [insn] : []),
    ...(showSection ? [section] : []),
    type,
    symbol,
    number('s', 'S', ({ symbolValue }) => (symbolValue === null ? '' : signedHex(symbolValue))),
    number('a', 'A', ({ addend }) => (addend === null ? '?' : signedHex(addend))),
    ...(bpf ? [number('result', 'Result', resultText)] : []),
  ];
}

/** A distance is counted in instructions, so it is decimal; what is added up is an offset. */
function resultText({ result, formula }: RelocationMeaning): string {
  if (result === null) return '';
  return formula === 'S + A' ? signedHex(result) : `${result}`;
}
