import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { type CodeListing, codeListing, type ListingRow } from '#analysis/code/code-listing.ts';
import { type JumpLanes, jumpLanes } from '#analysis/code/jump-lanes.ts';
import { sourceExpression } from '#analysis/code/source-expression.ts';
import type { SourceLine } from '#analysis/code/source-lines.ts';
import { coreRecord, coreRecordsAt } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { type FunctionRange, functionAt } from '#analysis/objects/functions.ts';
import { relocationAtInsn } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { type InsnPlace, sectionSpan } from '#analysis/selection/selection.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import { jumpTarget } from '#formats/bpf/insn.ts';
import type { CoreIndex, RelocIndex, SectionIndex } from '#model/ids.ts';
import { formatName, hasBpfCode, insnSlot, isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { coreRelocationText } from '#print/core-relocation.ts';
import { select } from '#store/address/navigation.ts';
import { readBytes } from '#store/session/bytes-cache.ts';
import { usePaneHighlight } from '#store/session/highlight.ts';
import type { Active } from '#store/session/hooks.ts';
import { type Pin, usePins } from '#store/session/pins.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { NARROW, useNarrow } from '#ui/element-size.tsx';
import { hexBytes } from '#ui/hex-marks.ts';
import { useKeys } from '#ui/keys.tsx';
import { column, NUMBER, type RowColumn, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { GoToBox, type Place } from '#views/parts/GoToBox.tsx';
import { InsnBytes } from '#views/parts/InsnText.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { Pinned } from '#views/parts/PinMark.tsx';
import { BesideButton } from '#views/parts/SelectButton.tsx';
import { InsnCell, JumpCell, lanesWidth, WordCell, wordTarget } from './InsnCell.tsx';
import { CODE_KEYS } from './keys.ts';
import styles from './Listing.module.css';
import { litRow, relocationText, rowPins, selectionOfRow } from './listing-rows.ts';

type ListingProps = Active & {
  readonly section: SectionIndex;
  /** Selected instruction; null if none is selected. */
  readonly place: InsnPlace | null;
};

/** Shows the disassembly of one section. */
export function Listing(props: ListingProps) {
  const { id, model, section, place } = props;
  const titleId = useId();
  const code = useListing(id, model, section);
  return (
    <Landmark className={styles.listing} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          <Name text={sectionName(model.sections, section)} otherwise="(no name)" />
        </h2>
        <span className="rigid small muted">
          {code === null ? '' : insnsText(model, section, code.listing.insnCount)}
        </span>
        <span className="rigid small muted">{odd(model, section)}</span>
        <span className="row gap-2 at-end">
          {model.ext.core.count > 0 ? <BesideButton view="core" /> : null}
          <InsnBox model={model} section={section} place={place} />
        </span>
      </header>
      <div className="shrink-y">
        {code === null ? (
          <p className={styles.waiting}>Reading the code…</p>
        ) : (
          <ListingTable {...props} {...code} />
        )}
      </div>
    </Landmark>
  );
}

/** Returns the number of instructions, and of slots where it differs: ld_imm64 takes two slots. */
function insnsText(model: ObjectModel, section: SectionIndex, insns: number): string {
  const span = sectionSpan(model, section);
  const slots = span === null ? insns : Math.floor((span.end - span.start) / insnSlot(model));
  const text = countOf(insns, 'instruction');
  return slots === insns ? text : `${text} in ${countOf(slots, 'slot')}`;
}

type InsnBoxProps = Pick<ListingProps, 'model' | 'section' | 'place'>;

/** Shows a box that goes to an instruction by its number in the section or function. */
function InsnBox({ model, section, place }: InsnBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useKeys(CODE_KEYS, () => {
    input.current?.focus();
    input.current?.select();
    return true;
  });
  const slot = insnSlot(model);
  const span = sectionSpan(model, section);
  const count = span === null ? 0 : Math.floor((span.end - span.start) / slot);
  const func = functionAt(model, section, place?.insnOff ?? 0);
  const range = {
    count,
    functionStart: func === null ? 0 : func.start / slot,
    functionEnd: func === null ? count : func.end / slot,
  };
  return (
    <GoToBox
      label="Go to instruction"
      placeholder="48, +12"
      title="Go to instruction (g): its number as listed; with + from the start of the function, as the verifier counts"
      parse={(text) => parseInsn(text, range)}
      onGo={(at) => select({ kind: 'insn', section, insnOff: at * slot })}
      inputRef={input}
    />
  );
}

/** Range of instruction slots, counted from the start of the section; the end is exclusive. */
type InsnRange = {
  readonly count: number;
  readonly functionStart: number;
  readonly functionEnd: number;
};

/** Parses `48` as the number of an instruction in the section, `+12` as one in the function. */
export function parseInsn(text: string, range: InsnRange): Place {
  const { count, functionStart, functionEnd } = range;
  const [, plus, digits] = /^(\+?)\s*(\d{1,9})$/.exec(text.trim()) ?? [];
  if (digits === undefined) {
    return {
      ok: false,
      problem: 'Enter a number such as 48, or +12 from the start of the function',
    };
  }
  const at = Number(digits) + (plus === '+' ? functionStart : 0);
  const end = plus === '+' ? functionEnd : count;
  if (at < end) return { ok: true, at };
  const what = plus === '+' ? 'The function' : 'The section';
  const from = plus === '+' ? functionStart : 0;
  return { ok: false, problem: `${what} has ${countOf(end - from, 'instruction slot')}` };
}

/** Height of a line in CSS pixels. */
const LINE_HEIGHT = 22;

type ListingTableProps = ListingProps & {
  readonly bytes: Uint8Array;
  readonly listing: CodeListing;
};

function ListingTable(props: ListingTableProps) {
  const { id, model, section, selection, place, bytes, listing } = props;
  const pins = usePins(id);
  const uses = usePaneHighlight()?.cores ?? null;
  const isNarrow = useNarrow(NARROW);
  const isWide = !useNarrow(1679);
  const jumps = useMemo(() => jumpLanes(model, bytes, listing), [model, bytes, listing]);
  const litInsn = place === null ? null : listing.rowOfInsn(place.insnOff);
  const columns = useMemo(
    () =>
      listingColumns({
        model,
        section,
        bytes,
        listing,
        jumps,
        litInsn,
        isNarrow,
        isWide,
        pins,
        uses,
      }),
    [model, section, bytes, listing, jumps, litInsn, isNarrow, isWide, pins, uses],
  );
  const lit = place === null ? null : litRow(listing, place, selection);
  return (
    <VirtualTable
      label="Instructions"
      isInOrder
      columns={columns}
      count={listing.count}
      rowHeight={LINE_HEIGHT}
      selectedIndex={lit}
      scrollToIndex={lit}
      onSelect={(index) => {
        const next = selectionOfRow(listing, section, index, lit);
        if (next !== null) select(next);
      }}
      onActivate={(index) => followRow(model, section, listing.rowAt(index))}
      emptyText="The section is too short for one instruction."
    />
  );
}

/** Returns a note on bytes after the last whole instruction; empty if there are no such bytes. */
function odd(model: ObjectModel, section: SectionIndex): string {
  const span = sectionSpan(model, section);
  const rest = span === null ? 0 : (span.end - span.start) % insnSlot(model);
  return rest === 0 ? '' : `${countOf(rest, 'byte')} left over`;
}

type Code = { readonly of: string; readonly bytes: Uint8Array };

/** Returns the bytes of a code section and its listing; null until they are loaded. */
function useListing(
  id: FileId,
  model: ObjectModel,
  section: SectionIndex,
): { readonly bytes: Uint8Array; readonly listing: CodeListing } | null {
  const [code, setCode] = useState<Code | null>(null);
  const wanted = `${id}:${section}`;
  const span = sectionSpan(model, section);
  const start = span?.start ?? 0;
  const end = span?.end ?? 0;
  useEffect(() => {
    let isWanted = true;
    void readBytes(id, start, end).then((bytes) => {
      if (isWanted) setCode({ of: wanted, bytes });
    });
    return () => {
      isWanted = false;
    };
  }, [id, start, end, wanted]);
  const bytes = code?.of === wanted ? code.bytes : null;
  return useMemo(
    () => (bytes === null ? null : { bytes, listing: codeListing(model, section, bytes) }),
    [model, section, bytes],
  );
}

/** Follows a row: selects the target of a jump, or shows a relocation in its own view. */
function followRow(model: ObjectModel, section: SectionIndex, row: ListingRow | null): void {
  switch (row?.kind) {
    case 'insn': {
      const target = jumpTarget(row.insn);
      // A relocation replaces the imm of a call, so a relocated call has no target yet.
      if (target === null || relocationAtInsn(model, section, row.insn.offset) !== null) return;
      select({ kind: 'insn', section, insnOff: target });
      return;
    }
    case 'word': {
      const target = wordTarget(model, section, row.insnOff, row.word);
      if (target === null) return;
      select({ kind: 'insn', section: target.section, insnOff: target.insnOff });
      return;
    }
    case 'relocation':
      select({ kind: 'relocation', reloc: row.reloc }, 'relocations');
      return;
    case 'core':
      select({ kind: 'core', core: row.core, step: null }, 'core');
  }
}

type Listed = Pick<ListingTableProps, 'model' | 'section' | 'bytes' | 'listing'> & {
  readonly jumps: JumpLanes;
  /** Row of the selected instruction; null if none is selected. */
  readonly litInsn: number | null;
  /** Whether the column of bytes is hidden. */
  readonly isNarrow: boolean;
  /** Whether the column of bytes is wide enough for 16 bytes, an ld_imm64. */
  readonly isWide: boolean;
  readonly pins: readonly Pin[];
  /** CO-RE records that use the highlighted type; null if no type is highlighted. */
  readonly uses: ReadonlySet<number> | null;
};

/** Returns the columns. Without the bytes column, the text column shows the labels of rows. */
function listingColumns(listed: Listed): TableColumn[] {
  const { listing, model, jumps, isNarrow, isWide } = listed;
  const bytesWidth = isWide ? 384 : 224;
  return rowColumns<ListingRow>(
    (index) => listing.rowAt(index),
    [
      column('insn', 'Insn', listing.insnCount > 99_999 ? 84 : 60, indexCell, NUMBER),
      ...(jumps.count === 0 || isNarrow ? [] : [jumpColumn(listed)]),
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

/** Returns the column of jump arrows, as wide as the arrows need. */
function jumpColumn({ jumps, litInsn }: Listed): RowColumn<ListingRow> {
  const cell = (_: ListingRow, row: number) => (
    <JumpCell
      row={row}
      height={LINE_HEIGHT}
      count={jumps.count}
      parts={jumps.partsAt(row)}
      lit={litInsn}
    />
  );
  return column('jumps', 'Jumps', Math.max(48, lanesWidth(jumps.count)), cell, {
    heading: <span className="visually-hidden">Jumps</span>,
  });
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
  const text = textCell(listed, row);
  return (
    <Pinned pins={rowPins(row, listed.section, listed.pins)}>
      {isUse(listed, row) ? <span className="in-use">{text}</span> : text}
    </Pinned>
  );
}

/** Returns true for a CO-RE record of the highlighted type, and for an instruction with one. */
function isUse({ model, section, uses }: Listed, row: ListingRow): boolean {
  if (uses === null) return false;
  if (row.kind === 'core') return uses.has(row.core);
  return (
    row.kind === 'insn' &&
    coreRecordsAt(model, section, row.insn.offset).some((core) => uses.has(core))
  );
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

function functionCell(model: ObjectModel, func: FunctionRange) {
  const slots = Math.floor((func.end - func.start) / insnSlot(model));
  return (
    <span className={styles.function}>
      <span className={styles.functionName}>
        <Name text={func.name} otherwise="(no name)" />
      </span>
      <span className="muted">
        {isBpf(model) && (func.isProgram ? 'program, ' : 'subprogram, ')}
        {countOf(slots, hasBpfCode(model) ? 'slot' : 'instruction')}
      </span>
    </span>
  );
}

/** Returns file and line of a source line, as `prog.bpf.c:42`. */
function sourcePlace(line: SourceLine) {
  const file = drawnName(line.file);
  return (
    <span className="muted" title={`${file}:${line.line}`}>
      {file.slice(file.lastIndexOf('/') + 1)}:{line.line}
    </span>
  );
}

/** Shows a source line from line_info. */
function sourceCell(line: SourceLine, hasPlace: boolean) {
  return (
    <span className={styles.source} title={drawnName(line.text.trim())}>
      {hasPlace ? <span className="muted">{line.line} </span> : null}
      {line.text === '' ? <span className="muted">(no text)</span> : drawnName(line.text.trim())}
    </span>
  );
}

/** Shows a relocation under its instruction, as `R_BPF_64_32 lfunc`. */
function elfCell(model: ObjectModel, reloc: RelocIndex, hasWord: boolean) {
  return (
    <span className={styles.listingCellsElf}>
      {hasWord ? <span className={styles.elf}>{formatName(model)}</span> : null}
      {drawnName(relocationText(relocationMeaning(model, reloc)))}
    </span>
  );
}

/** Shows a CO-RE record as llvm-objdump prints it; with anonymous types, also as a C expression. */
function coreCell(model: ObjectModel, core: CoreIndex, hasWord: boolean) {
  const { types } = model;
  if (types === null) return null;
  const record = coreRecord(model, core);
  const text = coreRelocationText(types, record);
  const inC = text.includes('<anon ')
    ? sourceExpression(
        model,
        record,
        walkAccess(types, record.root, record.accessStr, record.kind).expression,
      )
    : '';
  return (
    <span className={styles.listingCellsCore}>
      {hasWord ? <span className={styles.core}>CO-RE</span> : null}
      {drawnName(text)}
      {inC === '' ? null : <span className="soft">{drawnName(inC)}</span>}
    </span>
  );
}
