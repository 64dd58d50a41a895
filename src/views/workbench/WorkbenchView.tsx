import { Download } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { TextRange } from '#analysis/c/tokens.ts';
import { findTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import type { DeclaredPlace, Problem } from '#analysis/workbench/declared-places.ts';
import { EXAMPLES } from '#analysis/workbench/examples.ts';
import { sourcePlace, sourceStarts } from '#analysis/workbench/sources.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { membersOf } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { NARROW, useNarrow } from '#ui/element-size.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { Menu } from '#ui/Menu.tsx';
import { Toolbar } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { saveFile } from '#views/parts/ExportMenu.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useFileDrop } from '#views/parts/use-file-drop.ts';
import { DeclarationEditor, PROBLEMS_ID, ProblemList, wordAt } from './DeclarationEditor.tsx';
import { editWorkbench, showSource, startOver, typeText } from './edit-workbench.ts';
import { ResultPanes } from './ResultPanes.tsx';
import { SourceMenu, SourceTabs } from './SourceFiles.tsx';
import { droppedSources, isSource, takeSources } from './source-files.ts';
import { litBySelection } from './subject.ts';
import styles from './WorkbenchView.module.css';
import { useWorkbench, type Workbench } from './workbench-state.ts';

/** Shows C declarations beside the BTF to which they compile. */
export function WorkbenchView() {
  const active = useActive();
  const workbench = useWorkbench(active?.id ?? -1);
  if (active === null || workbench === null) return null;
  return <WorkbenchPanes active={active} workbench={workbench} />;
}

type WorkbenchPanesProps = { readonly active: Active; readonly workbench: Workbench };

/** Shows the editor, the problems of its text, and the results. */
function WorkbenchPanes({ active, workbench }: WorkbenchPanesProps) {
  const { id, model, selection } = active;
  const { text: program, headers, shown, places } = workbench;
  const problems = useSettled(workbench.problems);
  const { types } = model;
  const editor = useRef<HTMLTextAreaElement>(null);
  const isNarrow = useNarrow(NARROW);
  const lit = litBySelection(model, selection);
  const litType = lit?.type ?? null;
  const text = headers[shown]?.text ?? program;
  const starts = useMemo(() => sourceStarts(program.length, headers), [program, headers]);
  const shownStart = starts[shown] ?? 0;
  const declared = useMemo(
    () => (types && places && litType !== null ? placeOfType(types, places, litType) : null),
    [types, places, litType],
  );
  /** Returns a range as offsets in the text of the editor; null for a range of another file. */
  const inEditor = <Range extends TextRange>(range: Range | null): Range | null =>
    range !== null && sourcePlace(starts, range.start).file === shown
      ? { ...range, start: range.start - shownStart, end: range.end - shownStart }
      : null;

  const follow = (caret: number) => {
    if (types === null || places === null) return;
    const local = places.map(inEditor).filter((place) => place !== null);
    const there = selectionAtCaret(types, local, text, caret);
    if (there !== null) select(there);
  };
  const followLatest = useRef(follow);
  followLatest.current = follow;
  // While the user types, select the type at the caret once it is compiled.
  useEffect(() => {
    const field = editor.current;
    if (places === null || field === null || document.activeElement !== field) return;
    followLatest.current(field.selectionStart);
  }, [places]);

  const goTo = (start: number, end: number) => {
    const { file, offset } = sourcePlace(starts, start);
    // The editor must have the text of the file before the range is selected.
    flushSync(() => showSource(id, file));
    editor.current?.focus();
    editor.current?.setSelectionRange(offset, offset + end - start);
  };
  const [isOver, setOver] = useState(false);
  const drop = useFileDrop(
    (files, entries) => void droppedSources(files, entries).then((all) => takeSources(id, all)),
    setOver,
    isSource,
  );

  const writing = (
    <Landmark className="column shrink-y tall surface" aria-label="Declarations" {...drop}>
      {isOver && <p className={styles.over}>Drop C files or a folder of them to add them here</p>}
      <h2 className="visually-hidden">Declarations</h2>
      {headers.length > 0 && <SourceTabs id={id} headers={headers} shown={shown} />}
      <DeclarationEditor
        field={editor}
        label={
          shown < 0
            ? 'C declarations'
            : `C declarations of ${drawnName(headers[shown]?.name ?? '')}`
        }
        problemsId={PROBLEMS_ID}
        text={text}
        problems={problems.map(inEditor).filter((problem) => problem !== null)}
        declared={inEditor(declared)}
        onText={(typed) => void typeText(id, typed)}
        onCaret={follow}
      />
      <ProblemList
        text={program}
        headers={headers}
        problems={problems}
        notes={workbench.notes}
        onGoTo={goTo}
      />
    </Landmark>
  );
  const results = (
    <ResultPanes active={active} workbench={workbench} isStale={problems.length > 0} lit={lit} />
  );
  return (
    <div className="column shrink-y tall">
      <WorkbenchToolbar id={id} model={model} workbench={workbench} />
      <div className="fill">
        {isNarrow ? (
          <div className={styles.stack}>
            {writing}
            {results}
          </div>
        ) : (
          <Split
            label="Resize the editor"
            first={writing}
            second={results}
            firstSize={30}
            minFirst={260}
            minSecond={360}
          />
        )}
      </div>
    </div>
  );
}

/** Milliseconds without typing until a new problem is shown. */
const PAUSE_MS = 350;

/** Returns the problems to show. New ones appear after a pause, fixed ones disappear at once. */
function useSettled(problems: readonly Problem[]): readonly Problem[] {
  const [settled, setSettled] = useState(problems);
  const isHeldBack = settled.length === 0 && problems.length > 0;
  useEffect(() => {
    const timer = setTimeout(() => setSettled(problems), isHeldBack ? PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [problems, isHeldBack]);
  return isHeldBack ? settled : problems;
}

/** Returns the type declared at `caret` and the member there; null outside of declarations. */
export function selectionAtCaret(
  types: TypeTable,
  places: readonly DeclaredPlace[],
  text: string,
  caret: number,
): Selection | null {
  const place = places.find(({ start, end }) => start <= caret && caret <= end);
  if (place === undefined) return null;
  const type = findTypeKey(types, { kind: place.kind, name: place.name, ordinal: 0 });
  if (type === null) return null;
  const word = wordAt(text, caret);
  const member = membersOf(types, type).find(({ name }) => name !== '' && name === word);
  return typeSelection(type, member === undefined ? [] : [member.index]);
}

/** Returns the longest of a type's declarations, since that one has the members. */
export function placeOfType(
  types: TypeTable,
  places: readonly DeclaredPlace[],
  type: TypeId,
): TextRange | null {
  const key = typeKeyOf(types, type);
  if (key.name === '' || key.ordinal > 0) return null;
  return places
    .filter(({ kind, name }) => kind === key.kind && name === key.name)
    .reduce<TextRange | null>(
      (best, place) =>
        best === null || place.end - place.start > best.end - best.start ? place : best,
      null,
    );
}

const ENDIANS = { little: 'Little-endian', big: 'Big-endian' } as const;

type WorkbenchToolbarProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly workbench: Workbench;
};

/** Shows the examples, the byte order, the size and the export. */
function WorkbenchToolbar({ id, model, workbench }: WorkbenchToolbarProps) {
  const { types } = model;
  const [isHelpOpen, setHelpOpen] = useState(false);
  return (
    <Toolbar
      label="Workbench"
      end={
        <>
          <span className="small soft nowrap">
            {countOf(types?.count ?? 0, 'type')} · {countOf(model.size, 'byte')}
          </span>
          <Button
            size="small"
            disabled={types === null}
            onClick={() => types !== null && saveFile('workbench.btf', types.blob)}
            icon={Download}
          >
            Export .btf
          </Button>
        </>
      }
    >
      <Menu
        trigger={
          <Button size="small" isMenu>
            Examples
          </Button>
        }
        groups={[
          EXAMPLES.map((example) => ({
            id: example.id,
            label: example.title,
            onSelect: () => void startOver(id, example.text),
          })),
        ]}
      />
      <SourceMenu id={id} workbench={workbench} />
      <Segmented
        label="Byte order"
        options={ENDIANS}
        value={workbench.endian}
        onChange={(endian) => void editWorkbench(id, { endian })}
      />
      <Button size="small" variant="quiet" onClick={() => setHelpOpen(true)}>
        Supported C
      </Button>
      <Dialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} title="Supported C">
        <ul className={styles.help}>
          {SUPPORTED_C.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Dialog>
    </Toolbar>
  );
}

/** The C that the workbench compiles. Keep this list the same as in docs/workbench.md. */
const SUPPORTED_C = [
  'Types: struct, union, enum, bit-fields, arrays, pointers, function types, typedef, typeof, _Atomic, _Alignas, __int128, long double; names such as __u32, u64, size_t, uint32_t and pid_t are known.',
  'Variables with initializers, maps with __uint, __type and __array, externs, functions. A function body is not compiled: what it mentions counts as used, and it adds no CO-RE record.',
  'Attributes: packed, aligned, section, used, weak, btf_decl_tag, btf_type_tag, preserve_access_index, mode; others that do not change BTF are accepted.',
  'Constants with sizeof, offsetof, _Alignof, characters, casts and all operators; _Static_assert is checked.',
  'Preprocessor: #define, #undef, conditions, #pragma pack, #error; headers of libbpf 1.8, of Linux and of the C library are known; vmlinux.h has the types of the newest open kernel. Local headers are files beside the program: drop them on the editor, or use Files. Other headers are left out, with a note.',
  'Types that nothing uses are written to the BTF, too; clang leaves them out. Types of local headers are written if they are used. A note names each static variable and function about which its optimizer decides.',
  'Not supported: C++, vector_size, address_space, alias, asm, _Complex, _Generic, typeof_unqual, arrays of _Atomic, old-style definitions.',
];
