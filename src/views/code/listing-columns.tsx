import type { CodeListing } from '#analysis/code/code-listing.ts';
import type { SourceLine } from '#analysis/code/source-lines.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import type { FunctionRange } from '#analysis/objects/functions.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { drawnName } from '#bytes/text.ts';
import type { CoreIndex, RelocIndex, SectionIndex } from '#model/ids.ts';
import { formatName, insnSlot, isBpf, type ObjectModel } from '#model/object-model.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import type { Pin } from '#store/pins.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { hexBytes, InsnBytes } from '#views/parts/InsnText.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { PinMark } from '#views/parts/PinMark.tsx';
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
  const index: TableColumn = {
    id: 'insn',
    header: 'Insn',
    width: listed.listing.insnCount > 99_999 ? 84 : 60,
    align: 'end',
    mono: true,
    cell: (row) => indexCell(listed, row),
  };
  const text: TableColumn = {
    id: 'text',
    header: 'Instruction',
    width: listed.isNarrow ? 280 : 320,
    grow: 1,
    mono: true,
    cell: (row) => pinnedCell(listed, row),
  };
  if (listed.isNarrow) return [index, text];
  const bytes: TableColumn = {
    id: 'bytes',
    header: 'Bytes',
    width: insnSlot(listed.model) === 4 ? 120 : listed.isWide ? 384 : 224,
    mono: true,
    cell: (row) => bytesCell(listed, row),
  };
  return [index, bytes, text];
}

function indexCell({ listing }: Listed, index: number) {
  const row = listing.rowAt(index);
  if (row?.kind !== 'insn' && row?.kind !== 'word') return null;
  const offset = row.kind === 'insn' ? row.insn.offset : row.insnOff;
  return (
    <span className="muted" title={`byte ${hexText(offset)} of the section`}>
      {row.insnIndex}
    </span>
  );
}

function bytesCell({ listing, model, bytes, isWide }: Listed, index: number) {
  const row = listing.rowAt(index);
  switch (row?.kind) {
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
      return <SourcePlace line={row.line} />;
    case 'relocation':
      return <span className={styles.elf}>{formatName(model)}</span>;
    case 'core':
      return <span className={styles.core}>CO-RE</span>;
    default:
      return null;
  }
}

function pinnedCell(listed: Listed, index: number) {
  const pins = rowPins(listed.listing.rowAt(index), listed.section, listed.pins);
  if (pins.length === 0) return textCell(listed, index);
  return (
    <span className="row gap-1 shrink">
      {pins.map((pin) => (
        <PinMark key={pin.number} {...pin} />
      ))}
      {textCell(listed, index)}
    </span>
  );
}

function textCell({ listing, model, section, bytes, isNarrow }: Listed, index: number) {
  const row = listing.rowAt(index);
  switch (row?.kind) {
    case 'function':
      return <FunctionCell model={model} func={row.func} />;
    case 'source':
      return <SourceCell line={row.line} hasPlace={isNarrow} />;
    case 'insn':
      return <InsnCell model={model} section={section} insn={row.insn} codeLength={bytes.length} />;
    case 'word':
      return (
        <WordCell model={model} section={section} insnOff={row.insnOff} word={row.word} isInRow />
      );
    case 'relocation':
      return <ElfCell model={model} reloc={row.reloc} hasWord={isNarrow} />;
    case 'core':
      return <CoreCell model={model} core={row.core} hasWord={isNarrow} />;
    default:
      return null;
  }
}

type FunctionCellProps = {
  readonly model: ObjectModel;
  readonly func: FunctionRange;
};

/** The heading of a function. */
function FunctionCell({ model, func }: FunctionCellProps) {
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
function SourcePlace({ line }: { readonly line: SourceLine }) {
  const file = drawnName(line.file);
  return (
    <span className="muted" title={`${file}:${line.line}`}>
      {file.slice(file.lastIndexOf('/') + 1)}:{line.line}
    </span>
  );
}

type SourceCellProps = {
  readonly line: SourceLine;
  readonly hasPlace: boolean;
};

/** A line of the source, as line_info holds it. */
function SourceCell({ line, hasPlace }: SourceCellProps) {
  return (
    <span className={styles.source}>
      {hasPlace ? <span className="muted">{line.line} </span> : null}
      {line.text === '' ? <span className="muted">(no text)</span> : drawnName(line.text.trim())}
    </span>
  );
}

type ElfCellProps = {
  readonly model: ObjectModel;
  readonly reloc: RelocIndex;
  readonly hasWord: boolean;
};

/** A relocation under its instruction: `R_BPF_64_32 lfunc`. */
function ElfCell({ model, reloc, hasWord }: ElfCellProps) {
  const meaning = relocationMeaning(model, reloc);
  return (
    <span className={styles.listingCellsElf}>
      {hasWord ? <span className={styles.elf}>{formatName(model)}</span> : null}
      {drawnName(relocationText(meaning))}
    </span>
  );
}

type CoreCellProps = {
  readonly model: ObjectModel;
  readonly core: CoreIndex;
  readonly hasWord: boolean;
};

/** A CO-RE record under its instruction, as llvm-objdump writes it. */
function CoreCell({ model, core, hasWord }: CoreCellProps) {
  return (
    <span className={styles.listingCellsCore}>
      {hasWord ? <span className={styles.core}>CO-RE</span> : null}
      {model.types === null
        ? null
        : drawnName(coreRelocationText(model.types, coreRecord(model, core)))}
    </span>
  );
}
