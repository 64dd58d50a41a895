import type { CodeListing, ListingRow } from '#analysis/code/code-listing.ts';
import type { SourceLine } from '#analysis/code/source-lines.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import type { FunctionRange } from '#analysis/objects/functions.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex, RelocIndex, SectionIndex } from '#model/ids.ts';
import { formatName, insnSlot, isBpf, type ObjectModel } from '#model/object-model.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import type { Pin } from '#store/pins.ts';
import { hexBytes } from '#ui/hex-marks.ts';
import { column, NUMBER, type RowColumn, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { InsnBytes } from '#views/parts/InsnText.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { Pinned } from '#views/parts/PinMark.tsx';
import { InsnCell, WordCell } from './InsnCell.tsx';
import styles from './listing-columns.module.css';
import { relocationText, rowPins } from './listing-rows.ts';

export type Listed = {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly bytes: Uint8Array;
  readonly listing: CodeListing;
  /** Without the bytes, where there is no room for them. */
  readonly isNarrow: boolean;
  /** Is there room for the 16 bytes of a ld_imm64? */
  readonly isWide: boolean;
  /** What a lesson has pinned to the file. */
  readonly pins: readonly Pin[];
};

/** The columns of the listing: number, bytes, text. What the bytes column tells of other rows stands in the text where it is left out. */
export function listingColumns(listed: Listed): TableColumn[] {
  const { listing, model, isNarrow, isWide } = listed;
  const bytesWidth = isWide ? 384 : 224;
  return rowColumns<ListingRow>(
    (index) => listing.rowAt(index),
    [
      column('insn', 'Insn', listing.insnCount > 99_999 ? 84 : 60, indexCell, NUMBER),
      ...(isNarrow ? [] : [bytesColumn(insnSlot(model) === 4 ? 120 : bytesWidth)]),
      column('text', 'Instruction', isNarrow ? 280 : 320, (row) => pinnedCell(listed, row), {
        grow: 1,
        mono: true,
      }),
    ],
  );

  function bytesColumn(width: number): RowColumn<ListingRow> {
    return column('bytes', 'Bytes', width, (row) => bytesCell(listed, row), { mono: true });
  }
}

function indexCell(row: ListingRow) {
  if (row.kind !== 'insn' && row.kind !== 'word') return null;
  const offset = row.kind === 'insn' ? row.insn.offset : row.insnOff;
  return (
    <span className="muted" title={`byte ${hexText(offset)} of the section`}>
      {row.insnIndex}
    </span>
  );
}

function bytesCell({ model, bytes, isWide }: Listed, row: ListingRow) {
  switch (row.kind) {
    case 'insn': {
      const { offset, length } = row.insn;
      const isCut = length === 16 && !isWide;
      const all = bytes.subarray(offset, offset + length);
      return (
        <span title={isCut ? hexBytes(all) : undefined}>
          <InsnBytes bytes={isCut ? all.subarray(0, 8) : all} />
          {isCut ? <span className="muted">+8</span> : null}
        </span>
      );
    }
    case 'word':
      return (
        <code className="muted">{hexBytes(bytes.subarray(row.insnOff, row.insnOff + 4))}</code>
      );
    case 'source':
      return sourcePlace(row.line);
    case 'relocation':
      return <span className={styles.elf}>{formatName(model)}</span>;
    case 'core':
      return <span className={styles.core}>CO-RE</span>;
    default:
      return null;
  }
}

function pinnedCell(listed: Listed, row: ListingRow) {
  return <Pinned pins={rowPins(row, listed.section, listed.pins)}>{textCell(listed, row)}</Pinned>;
}

function textCell({ model, section, bytes, isNarrow }: Listed, row: ListingRow) {
  switch (row.kind) {
    case 'function':
      return functionCell(model, row.func);
    case 'source':
      return sourceCell(row.line, isNarrow);
    case 'insn':
      return <InsnCell model={model} section={section} insn={row.insn} codeLength={bytes.length} />;
    case 'word':
      return (
        <WordCell model={model} section={section} insnOff={row.insnOff} word={row.word} isInRow />
      );
    case 'relocation':
      return elfCell(model, row.reloc, isNarrow);
    case 'core':
      return coreCell(model, row.core, isNarrow);
    default:
      return null;
  }
}

/** The heading of a function. */
function functionCell(model: ObjectModel, func: FunctionRange) {
  const slots = Math.floor((func.end - func.start) / insnSlot(model));
  return (
    <span className={styles.function}>
      <span className={styles.functionName}>
        <Name text={func.name} otherwise="(no name)" />
      </span>
      <span className="muted">
        {isBpf(model)
          ? `${func.isProgram ? 'program' : 'subprogram'}, ${countOf(slots, 'slot')}`
          : countOf(slots, 'instruction')}
      </span>
    </span>
  );
}

/** `prog.bpf.c:42`. */
function sourcePlace(line: SourceLine) {
  const file = drawnName(line.file);
  return (
    <span className="muted" title={`${file}:${line.line}`}>
      {file.slice(file.lastIndexOf('/') + 1)}:{line.line}
    </span>
  );
}

/** A line of the source, as line_info holds it. */
function sourceCell(line: SourceLine, hasPlace: boolean) {
  return (
    <span className={styles.source}>
      {hasPlace ? <span className="muted">{line.line} </span> : null}
      {line.text === '' ? <span className="muted">(no text)</span> : drawnName(line.text.trim())}
    </span>
  );
}

/** A relocation under its instruction: `R_BPF_64_32 lfunc`. */
function elfCell(model: ObjectModel, reloc: RelocIndex, hasWord: boolean) {
  return (
    <span className={styles.listingCellsElf}>
      {hasWord ? <span className={styles.elf}>{formatName(model)}</span> : null}
      {drawnName(relocationText(relocationMeaning(model, reloc)))}
    </span>
  );
}

/** A CO-RE record under its instruction, as llvm-objdump writes it. */
function coreCell(model: ObjectModel, core: CoreIndex, hasWord: boolean) {
  const { types } = model;
  return (
    <span className={styles.listingCellsCore}>
      {hasWord ? <span className={styles.core}>CO-RE</span> : null}
      {types === null ? null : drawnName(coreRelocationText(types, coreRecord(model, core)))}
    </span>
  );
}
