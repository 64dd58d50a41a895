import type {
  ListColumn,
  RelocationLayout,
  RelocationMeaning,
} from '#analysis/objects/relocation-facts.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { listCells, listColumns } from '#analysis/relocations/list.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { drawnName, hexText, signedHex } from '#bytes/text.ts';
import { type RelocIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Pin } from '#store/session/pins.ts';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { CutName, Name } from '#views/parts/Name.tsx';
import { Offset, offsetCell } from '#views/parts/Offset.tsx';
import { Pinned } from '#views/parts/PinMark.tsx';
import { relocTone, symbolReading } from '#views/parts/relocation-look.ts';
import { Term } from '#views/parts/Term.tsx';
import styles from './relocation-columns.module.css';
import { relocationAtRow } from './relocation-groups.ts';

type Options = {
  /** True if the table lists entries of several sections. */
  readonly showSection: boolean;
  /** True if all listed entries patch code or data, whose relocation types have short names. */
  readonly isLoaded: boolean;
  /** True to show only the most important columns. */
  readonly isTight: boolean;
  /** True to show r_info as a number. Other columns always show its type and symbol. */
  readonly hasInfo: boolean;
  /** Addresses for the computed values; null if addresses do not affect this file. */
  readonly layout: RelocationLayout | null;
};

/** Ids of the columns in a narrow table. */
const TIGHT: readonly ListColumn[] = ['offset', 'address', 'type', 'symbol'];

/** Returns the columns of the table for the format of the file. */
export function relocationColumns(
  model: ObjectModel,
  rows: Uint32Array,
  options: Options,
): TableColumn[] {
  const { showSection, isTight, hasInfo } = options;
  const made = columnMakers(model, options);
  const columns = listColumns(model)
    .filter((id) =>
      isTight
        ? TIGHT.includes(id)
        : (id !== 'section' || showSection) && (id !== 'info' || hasInfo),
    )
    .map((id) => made[id]);
  return rowColumns((row) => {
    const reloc = relocationAtRow(rows, row);
    return reloc === null ? null : { reloc, meaning: relocationMeaning(model, reloc) };
  }, columns);
}

type Row = { readonly reloc: RelocIndex; readonly meaning: RelocationMeaning };

function columnMakers(
  model: ObjectModel,
  { isLoaded, isTight, layout }: Options,
): Readonly<Record<ListColumn, RowColumn<Row>>> {
  const { offset, info, targetSection } = model.relocations;
  const isElf = layout === null;
  const listed = (
    id: 'symndx' | 'bits' | 'extern' | 'result',
    header: string,
    width: number,
    options = {},
  ) => column(id, header, width, ({ reloc }: Row) => listCells(model, reloc, layout)[id], options);
  const section = ({ reloc }: Row) => {
    const target = sectionIndex(Math.max(0, targetSection[reloc] ?? 0));
    const name = drawnName(sectionName(model.sections, target));
    return <span title={name}>{name}</span>;
  };
  const insn = ({ reloc, meaning }: Row) =>
    meaning.belongsTo === 'program'
      ? grouped(Math.floor(relocationOffset(model, reloc) / 8))
      : null;
  const place = ({ reloc }: Row) => (
    <Offset text={signedHex(BigInt(relocationOffset(model, reloc)))} />
  );
  const infoText = ({ reloc }: Row) => hexText(info[reloc] ?? 0n);
  const address = ({ reloc }: Row) => offsetCell(offset[reloc] ?? 0n);
  const symbol = ({ meaning }: Row) => <SymbolText meaning={meaning} />;
  const names = { grow: 1, mono: true };
  const symbols = { grow: 2, mono: true };
  return {
    offset: column('offset', 'Offset', 80, place, NUMBER),
    info: column('info', 'Info', 108, infoText, NUMBER),
    address: column('address', 'Address', isTight ? 88 : 108, address, NUMBER),
    insn: column('insn', 'Insn', 68, insn, NUMBER),
    section: column('section', 'Section', isElf ? 96 : 84, section, names),
    type: column('type', 'Type', typeWidth(), typeCell, { mono: true }),
    symbol: isElf
      ? column('symbol', 'Symbol', isTight ? 150 : 156, symbol, symbols)
      : column('symbol', 'Name', 150, symbol, symbols),
    s: column('s', 'S', 84, ({ meaning: { symbolValue: s } }) => (s === null ? '' : signedHex(s)), {
      ...NUMBER,
      heading: <Term id="st-value">S</Term>,
    }),
    a: column('a', 'A', 84, ({ meaning: { addend: a } }) => (a === null ? '?' : signedHex(a)), {
      ...NUMBER,
      heading: <Term id="addend">A</Term>,
    }),
    symndx: listed('symndx', 'Symndx', 100, {
      ...NUMBER,
      heading: <Term id="r-symndx">Symndx</Term>,
    }),
    bits: listed('bits', 'Off:Size', 96, NUMBER),
    extern: listed('extern', 'Extern', 86),
    result: isElf
      ? column('result', 'Result', 80, resultText, NUMBER)
      : listed('result', 'Result', 112, NUMBER),
  };

  function typeWidth(): number {
    if (isTight) return 138;
    if (isBpf(model) && isLoaded) return 124;
    return isElf ? 156 : 146;
  }
}

function typeCell({ meaning: { typeName, belongsTo } }: Row) {
  return (
    <span className={styles.type} data-tone={relocTone(belongsTo)}>
      {typeName}
    </span>
  );
}

/** A distance counts instructions, so it is decimal. A sum is an offset, so it is hex. */
function resultText({ meaning: { result, formula } }: Row): string {
  if (result === null) return '';
  return formula === 'S + A' ? signedHex(result) : `${result}`;
}

/** Shows the symbol of an entry: `g1`. For a section symbol also its target: `sec + 0x8 → l1`. */
export function SymbolText({ meaning }: { readonly meaning: RelocationMeaning }) {
  const { symbol, plus, target } = symbolReading(meaning);
  return (
    <>
      <Name
        text={symbol}
        otherwise={meaning.known && meaning.addend !== null ? '(no symbol)' : ''}
      />
      {plus === '' ? null : (
        <span className="soft">
          {' '}
          <Offset text={plus} />
        </span>
      )}
      {target === '' ? null : (
        <>
          <span className="muted"> → </span>
          <CutName text={target} />
        </>
      )}
    </>
  );
}

/** Returns the columns with the pins of a lesson in the type column. */
export function withPins(
  columns: readonly TableColumn[],
  pins: readonly Pin[],
  relocAt: (row: number) => RelocIndex | null,
): readonly TableColumn[] {
  const pinned = pins.filter(({ selection }) => selection.kind === 'relocation');
  if (pinned.length === 0) return columns;
  const cellOf = (plain: TableColumn) => (row: number) => {
    const reloc = relocAt(row);
    const here = pinned.filter(
      ({ selection }) => selection.kind === 'relocation' && selection.reloc === reloc,
    );
    return <Pinned pins={here}>{plain.cell(row)}</Pinned>;
  };
  return columns.map((each) => (each.id === 'type' ? { ...each, cell: cellOf(each) } : each));
}
