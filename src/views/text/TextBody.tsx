import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { selectionType } from '#analysis/selection/selection.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import type { Active } from '#store/session/hooks.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { definitionAt, linesOfDefinition, type TypeBlock } from './definition-lines.ts';
import type { TextFormat, TextOptions } from './state.ts';
import styles from './TextBody.module.css';
import { TextLines } from './TextLines.tsx';
import type { Find } from './use-find.ts';
import type { Block, WholeText } from './whole-text.ts';

type TextBodyProps = {
  readonly text: WholeText;
  /** Progress while `text` is incomplete and no type can be selected. Null once it is complete. */
  readonly progress: ReactNode;
  readonly format: TextFormat;
  readonly versions: TextOptions;
  readonly active: Active;
  readonly types: TypeTable;
  readonly find: Find;
  readonly matchCase: boolean;
  readonly onTopLine: (line: number) => void;
};

/** Shows a text with the lines of the selected type highlighted, and a footer. */
export function TextBody(props: TextBodyProps) {
  const { text, progress, format, versions, types, find, matchCase, onTopLine } = props;
  const { model, selection } = props.active;
  const type = progress === null ? selectionType(model, selection) : null;
  // Lines that were clicked here. They are visible, so do not scroll to them.
  const [clicked, setClicked] = useState<TypeBlock | null>(null);
  const [shownAgain, setShownAgain] = useState(0);
  const isClicked = clicked !== null && clicked.type === type;
  const selected = useMemo(() => {
    if (isClicked) return clicked.block;
    return type === null ? null : blockOfType(text, format, types, type, versions);
  }, [isClicked, clicked, text, format, versions, types, type]);
  const reveal = useMemo(
    () => (selected === null || (isClicked && shownAgain === 0) ? null : { line: selected.first }),
    [selected, isClicked, shownAgain],
  );

  const indentOf = useCallback(
    (line: number) => {
      if (format !== 'json' || line === 0) return 0;
      return idAt(text, 'json', line) === null ? 4 : 2;
    },
    [format, text],
  );

  const choose = (line: number) => {
    if (progress !== null) return;
    const clickedType = typeAtLine(text, format, types, line, versions);
    if (clickedType === null) return;
    setShownAgain(0);
    setClicked(clickedType);
    select(typeSelection(clickedType.type));
  };
  return (
    <div className={styles.body}>
      <div className="fill">
        <TextLines
          label={`The types as ${FORMATS[format].name}`}
          text={text}
          indentOf={indentOf}
          selected={selected}
          reveal={reveal}
          query={find.query}
          matchCase={matchCase}
          match={find.match}
          onChoose={choose}
          onTopLine={onTopLine}
        />
      </div>
      {progress ?? (
        <TextFoot
          text={text}
          format={format}
          types={types}
          type={type}
          selected={selected}
          onShow={() => setShownAgain((times) => times + 1)}
        />
      )}
    </div>
  );
}

type TextFootProps = {
  readonly text: WholeText;
  readonly format: TextFormat;
  readonly types: TypeTable;
  readonly type: TypeId | null;
  /** Lines of the selected type; null if no type is selected. */
  readonly selected: Block | null;
  /** Scrolls to the lines of the selected type. */
  readonly onShow: () => void;
};

/** Shows the size of the text, how it differs from the tool's output, and the selected type. */
function TextFoot({ text, format, types, type, selected, onShow }: TextFootProps) {
  const { bytes, lineStarts, isCut } = text;
  return (
    <footer className={styles.foot}>
      <p className="shrink">
        {countOf(lineStarts.length, 'line')}, {sizeText(bytes.length)}
        {isCut ? ' · cut at the text limit of the page' : ''}
        {format === 'json'
          ? ' · bpftool prints one line; shown here one type per line, copy and download are exact'
          : ''}
      </p>
      {type === null || type === 0 ? (
        <p className="row gap-2 shrink fit">Click a line to select its type</p>
      ) : (
        <div className="row gap-2 shrink fit">
          <TypeLink types={types} type={type} badge />
          {selected === null ? (
            <span>
              {format === 'raw' || format === 'json'
                ? 'is not in this text'
                : 'has no lines of its own'}
            </span>
          ) : (
            <Button variant="quiet" size="small" onClick={onShow}>
              {selected.end - selected.first === 1
                ? `Line ${grouped(selected.first + 1)}`
                : `Lines ${grouped(selected.first + 1)} to ${grouped(selected.end)}`}
            </Button>
          )}
        </div>
      )}
    </footer>
  );
}

/** Returns the type of a line and the lines of this type; null for a line between types. */
export function typeAtLine(
  text: WholeText,
  format: TextFormat,
  types: TypeTable,
  line: number,
  versions: TextOptions = {},
): TypeBlock | null {
  return format === 'c' || format === 'pahole'
    ? definitionAt(text, { format, ...versions }, types, line)
    : recordAt(text, format, line);
}

/** Returns the lines about `type`; null if the text has none, as C has none for a pointer. */
export function blockOfType(
  text: WholeText,
  format: TextFormat,
  types: TypeTable,
  type: TypeId,
  versions: TextOptions = {},
): Block | null {
  return format === 'c' || format === 'pahole'
    ? linesOfDefinition(text, { format, ...versions }, types, type)
    : linesOfRecord(text, format, type);
}

const ZERO = 0x30;
const MAX_DIGITS = 10;

const encoder = new TextEncoder();

/** Bytes before and after the id of a type, at the start of the type's line. */
const FRAMES = {
  raw: { before: encoder.encode('['), after: encoder.encode('] ') },
  json: { before: encoder.encode('{"id":'), after: encoder.encode(',') },
} as const;

type RecordFormat = keyof typeof FRAMES;

/** Returns the type id at the start of a line; null if the line belongs to an item. */
function idAt({ bytes, lineStarts }: WholeText, format: RecordFormat, line: number): number | null {
  const { before, after } = FRAMES[format];
  const start = lineStarts[line];
  if (start === undefined || !holds(bytes, start, before)) return null;
  let at = start + before.length;
  let id = 0;
  for (let digits = 0; digits < MAX_DIGITS; digits++, at++) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    id = 10 * id + digit;
  }
  return id > 0 && holds(bytes, at, after) ? id : null;
}

function holds(bytes: Uint8Array, at: number, part: Uint8Array): boolean {
  for (let i = 0; i < part.length; i++) if (bytes[at + i] !== part[i]) return false;
  return true;
}

/** Returns the type whose record contains the line, and its lines; null before the first record. */
function recordAt(text: WholeText, format: RecordFormat, line: number): TypeBlock | null {
  for (let first = line; first >= 0; first--) {
    const id = idAt(text, format, first);
    if (id !== null) return { type: typeId(id), block: blockFrom(text, format, first) };
  }
  return null;
}

/** Returns the lines of the record of `id`; null if the text has no such record. */
function linesOfRecord(text: WholeText, format: RecordFormat, id: TypeId): Block | null {
  for (let line = 0; line < text.lineStarts.length; line++) {
    if (idAt(text, format, line) === id) return blockFrom(text, format, line);
  }
  return null;
}

function blockFrom(text: WholeText, format: RecordFormat, first: number): Block {
  let end = first + 1;
  while (end < text.lineStarts.length && idAt(text, format, end) === null) end++;
  return { first, end };
}

/** Returns a word for a shell command: quoted if needed, a leading dash as `./-`. */
function shellWord(name: string): string {
  const path = name.startsWith('-') ? `./${name}` : name;
  return /^[\w./:@%+,=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Returns the command that prints the text. It has the file name, since browsers give no path. */
export function toolCommand(
  format: TextFormat,
  { file, base }: { readonly file: string; readonly base: string | null },
  { unsorted = false, isOfDwarf = false } = {},
): string {
  const path = shellWord(file);
  if (format === 'pahole' && isOfDwarf) return `pahole -F dwarf ${path}`;
  if (format === 'pahole') {
    return `pahole -F btf ${base === null ? '' : `--btf_base ${shellWord(base)} `}${path}`;
  }
  const options = [
    ...(format === 'json' ? ['-j'] : []),
    ...(base === null ? [] : ['-B', shellWord(base)]),
  ];
  const dump = ['bpftool', ...options, 'btf', 'dump', 'file', path].join(' ');
  return format === 'json' ? dump : `${dump} format ${format}${unsorted ? ' unsorted' : ''}`;
}

/** Returns the name of a file for the text: `vmlinux.h`, `prog.bpf.btf.json`. */
export function textFileName(format: TextFormat, file: string): string {
  return `${file.replace(/\.(?:o|ko|btf|elf|debug)$/i, '') || 'types'}${FORMATS[format].ending}`;
}

type FormatText = {
  /** Label of the format in the switch. */
  readonly title: string;
  /** Name of the format in the sentence "The types as …". */
  readonly name: string;
  readonly ending: string;
};

export const FORMATS: Readonly<Record<TextFormat, FormatText>> = {
  c: { title: 'C', name: 'a C header', ending: '.h' },
  raw: { title: 'Raw', name: 'raw records', ending: '.btf.txt' },
  json: { title: 'JSON', name: 'JSON', ending: '.btf.json' },
  pahole: { title: 'pahole', name: 'pahole’s layouts', ending: '.pahole.txt' },
};
