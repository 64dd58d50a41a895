import type { ReactNode } from 'react';
import type {
  ListCells,
  ListColumn,
  RelocationLayout,
  RelocationMeaning,
} from '#analysis/objects/relocation-facts.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { listCells, listColumns } from '#analysis/relocations/list.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { signedHex } from '#bytes/signed-hex.ts';
import { drawnName } from '#bytes/text.ts';
import { type RelocIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Pin } from '#store/pins.ts';
import { grouped } from '#ui/grouped.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { Name } from '#views/parts/Name.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { PinMark } from '#views/parts/PinMark.tsx';
import { relocTone, symbolReading } from '#views/parts/relocation-look.ts';
import { Term } from '#views/parts/Term.tsx';
import styles from './relocation-columns.module.css';
import { relocationAtRow } from './relocation-groups.ts';

type Options = {
  /** Whether entries of several sections are listed. */
  readonly showSection: boolean;
  /** Only code and data are listed, whose types have short names. */
  readonly isLoaded: boolean;
  /** Only what there is room for; the rest is in the detail. */
  readonly isTight: boolean;
  /** null where layouts change nothing. */
  readonly layout: RelocationLayout | null;
};

/** What there is room for where there is little; of them those that the file's entries have. */
const TIGHT: readonly ListColumn[] = ['offset', 'address', 'type', 'symbol'];

/** The columns of the table of entries: those that its format lists. */
export function relocationColumns(
  model: ObjectModel,
  rows: Uint32Array,
  options: Options,
): TableColumn[] {
  const { showSection, isTight } = options;
  const made = columnMakers(model, rows, options);
  return listColumns(model)
    .filter((column) => (isTight ? TIGHT.includes(column) : column !== 'section' || showSection))
    .map((column) => made[column]);
}

function columnMakers(
  model: ObjectModel,
  rows: Uint32Array,
  { isLoaded, isTight, layout }: Options,
): Readonly<Record<ListColumn, TableColumn>> {
  const { targetSection } = model.relocations;
  const isShort = isBpf(model) && isLoaded;
  const cell = (draw: (meaning: RelocationMeaning, reloc: RelocIndex) => ReactNode) => {
    return (row: number) => {
      const reloc = relocationAtRow(rows, row);
      return reloc === null ? null : draw(relocationMeaning(model, reloc), reloc);
    };
  };
  const number = (id: string, header: string, width: number, draw: TableColumn['cell']) => ({
    id,
    header,
    width,
    align: 'end' as const,
    mono: true,
    cell: draw,
  });
  const listed = (pick: (cells: ListCells) => string) => (row: number) => {
    const reloc = relocationAtRow(rows, row);
    return reloc === null ? null : pick(listCells(model, reloc, layout));
  };
  return {
    offset: number(
      'offset',
      'Offset',
      88,
      cell((_, reloc) => signedHex(BigInt(relocationOffset(model, reloc)))),
    ),
    address: number(
      'address',
      'Address',
      isTight ? 88 : 108,
      cell((_, reloc) => hexText(model.relocations.offset[reloc] ?? 0n)),
    ),
    insn: number(
      'insn',
      'Insn',
      60,
      cell(({ belongsTo }, reloc) =>
        belongsTo === 'program' ? grouped(Math.floor(relocationOffset(model, reloc) / 8)) : null,
      ),
    ),
    section: {
      id: 'section',
      header: 'Section',
      width: layout === null ? 112 : 84,
      grow: 1,
      mono: true,
      cell: cell((_, reloc) => {
        const target = sectionIndex(Math.max(0, targetSection[reloc] ?? 0));
        const name = drawnName(sectionName(model.sections, target));
        return <span title={name}>{name}</span>;
      }),
    },
    type: {
      id: 'type',
      header: 'Type',
      width: isTight ? 138 : isShort ? 124 : layout === null ? 164 : 146,
      mono: true,
      cell: cell(({ typeName, belongsTo }) => (
        <span className={styles.type} data-tone={relocTone(belongsTo)}>
          {typeName}
        </span>
      )),
    },
    symbol: {
      id: 'symbol',
      header: layout === null ? 'Symbol' : 'Name',
      width: isTight ? 150 : layout === null ? 190 : 150,
      grow: 1,
      mono: true,
      cell: cell((meaning) => <SymbolText meaning={meaning} />),
    },
    s: {
      ...number(
        's',
        'S',
        68,
        cell(({ symbolValue }) => (symbolValue === null ? '' : signedHex(symbolValue))),
      ),
      heading: <Term id="st-value">S</Term>,
    },
    a: {
      ...number(
        'a',
        'A',
        68,
        cell(({ addend }) => (addend === null ? '?' : signedHex(addend))),
      ),
      heading: <Term id="addend">A</Term>,
    },
    symndx: {
      ...number(
        'symndx',
        'Symndx',
        82,
        listed(({ symndx }) => symndx),
      ),
      heading: <Term id="r-symndx">Symndx</Term>,
    },
    bits: number(
      'bits',
      'Off:Size',
      82,
      listed(({ bits }) => bits),
    ),
    extern: {
      id: 'extern',
      header: 'Extern',
      width: 86,
      cell: listed(({ extern }) => extern),
    },
    result:
      layout === null
        ? number('result', 'Result', 68, cell(resultText))
        : number(
            'result',
            'Result',
            112,
            listed(({ result }) => result),
          ),
  };
}

/** A distance is counted in instructions, so it is decimal; what is added up is an offset. */
function resultText({ result, formula }: RelocationMeaning): string {
  if (result === null) return '';
  return formula === 'S + A' ? signedHex(result) : `${result}`;
}

/** The symbol as the entry uses it: `g1`, or `sec + 0x8 → l1` for what a section symbol stands for. */
export function SymbolText({ meaning }: { readonly meaning: RelocationMeaning }) {
  const { symbol, plus, target } = symbolReading(meaning);
  return (
    <>
      <Name
        text={symbol}
        otherwise={meaning.known && meaning.addend !== null ? '(no symbol)' : ''}
      />
      {plus === '' ? null : <span className="soft"> {plus}</span>}
      {target === '' ? null : (
        <>
          <span className="muted"> → </span>
          <Name text={target} />
        </>
      )}
    </>
  );
}

/** The columns with the pins of a lesson in front of the type of the entry that they are pinned to. */
export function withPins(
  columns: readonly TableColumn[],
  pins: readonly Pin[],
  relocAt: (row: number) => RelocIndex | null,
): readonly TableColumn[] {
  const pinned = pins.filter(({ selection }) => selection.kind === 'relocation');
  if (pinned.length === 0) return columns;
  const cellOf = (column: TableColumn) => (row: number) => {
    const reloc = relocAt(row);
    const own = pinned.filter(
      ({ selection }) => selection.kind === 'relocation' && selection.reloc === reloc,
    );
    if (own.length === 0) return column.cell(row);
    return (
      <span className="row gap-1 shrink">
        {own.map((pin) => (
          <PinMark key={pin.number} {...pin} />
        ))}
        {column.cell(row)}
      </span>
    );
  };
  return columns.map((column) =>
    column.id === 'type' ? { ...column, cell: cellOf(column) } : column,
  );
}
