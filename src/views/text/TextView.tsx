import { CaseSensitive, ChevronDown, ChevronUp, Download, FileText } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { usePaneFile } from '#store/session/panes.ts';
import { baseChoice, type FileId } from '#store/session/session.ts';
import type { TaskState } from '#store/session/tasks.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { useKeys } from '#ui/keys.tsx';
import { EmptyState, ViewToolbar } from '#ui/Panel.tsx';
import { FoundList } from '#ui/SearchBox.tsx';
import { saveFile } from '#views/parts/ExportMenu.tsx';
import { TEXT_KEYS } from './keys.ts';
import {
  hasOrders,
  TEXT_FORMATS,
  type TextChoice,
  type TextFormat,
  type TextOptions,
  TOOL_VERSIONS,
  type Tool,
  textOptions,
  textState,
  versionedTool,
} from './state.ts';
import { FORMATS, TextBody, textFileName, toolCommand } from './TextBody.tsx';
import styles from './TextView.module.css';
import { type Find, MAX_MATCHES, useFind } from './use-find.ts';
import {
  lineRange,
  makeText,
  stopText,
  useWholeText,
  type WholeText,
  wantText,
} from './whole-text.ts';

/** Shows all types of the file as one text, as bpftool and pahole print them. */
export function TextView() {
  const active = useActive();
  if (active === null) return null;
  const { types } = active.model;
  if (types === null || types.count === 0) {
    return (
      <EmptyState
        icon={<FileText size={28} aria-hidden />}
        title="No types"
        text={
          types === null
            ? 'bpftool and pahole print the types in .BTF. This file has no readable .BTF; Issues lists what is wrong with a damaged one.'
            : 'bpftool and pahole print the types in .BTF. The .BTF of this file has no types.'
        }
      />
    );
  }
  return <TextPanel key={active.id} active={active} types={types} />;
}

const OPTIONS: Readonly<Partial<Record<TextFormat, string>>> = Object.fromEntries(
  TEXT_FORMATS.map((format) => [format, FORMATS[format].title]),
);

const ORDERS = { sorted: 'Sorted', unsorted: 'Unsorted' } as const;

/** Shows the format, the search and the text of one file. */
function TextPanel({ active, types }: { readonly active: Active; readonly types: TypeTable }) {
  const { id, model } = active;
  const choice = textState.useOf(id);
  const { format } = choice;
  const options = useMemo(() => textOptions(choice), [choice]);
  const tool = versionedTool(format);
  const outcome = useWholeText(id, format, options);
  const text = outcome?.step === 'ready' ? outcome.value : null;
  const shown = text ?? (outcome?.step === 'running' ? (outcome.beginning ?? null) : null);
  const progress = (
    <TextProgress
      id={id}
      format={format}
      options={options}
      outcome={outcome}
      isFoot={shown !== null}
    />
  );
  const open = usePaneFile();
  const base = baseChoice(open).chosen?.name ?? null;
  const file = open?.name ?? model.name;
  const [typed, setTyped] = useState('');
  const [matchCase, setMatchCase] = useState(false);
  const topLine = useRef(0);

  const isMissing = outcome === null;
  useEffect(() => {
    if (isMissing) void wantText(id, format, options);
  }, [id, format, options, isMissing]);

  const onTopLine = useCallback((line: number) => {
    topLine.current = line;
  }, []);
  const from = useCallback(
    () => (text === null ? 0 : lineRange(text, topLine.current).start),
    [text],
  );
  const find = useFind(text, typed, matchCase, from);

  return (
    <div className="column shrink-y tall">
      <ViewToolbar
        label="Text"
        end={
          text === null ? null : (
            <TextActions bytes={text.bytes} fileName={textFileName(format, file)} />
          )
        }
      >
        <Segmented
          label="Format"
          options={OPTIONS}
          value={format}
          onChange={(next) => textState.set({ format: next })}
        />
        {tool !== null && <VersionSwitch choice={choice} tool={tool} />}
        {hasOrders(choice) && (
          <Segmented
            label="Order"
            options={ORDERS}
            value={choice.order}
            onChange={(order) => textState.set({ order })}
          />
        )}
        <FindBox
          find={find}
          typed={typed}
          onTyped={setTyped}
          matchCase={matchCase}
          onMatchCase={setMatchCase}
        />
      </ViewToolbar>
      <CommandBar
        command={toolCommand(
          format,
          { file, base },
          { unsorted: options.unsorted, isOfDwarf: shown?.isOfDwarf },
        )}
      />
      {shown === null ? (
        progress
      ) : (
        <TextBody
          key={[format, ...Object.values(options)].join()}
          text={shown}
          progress={text === null ? progress : null}
          format={format}
          versions={options}
          active={active}
          types={types}
          find={find}
          matchCase={matchCase}
          onTopLine={onTopLine}
        />
      )}
    </div>
  );
}

function VersionSwitch({ choice, tool }: { readonly choice: TextChoice; readonly tool: Tool }) {
  const [newest, ...older]: readonly string[] = TOOL_VERSIONS[tool];
  const titles = [[newest, `${tool} ${newest}`], ...older.map((each) => [each, each])];
  return (
    <Segmented<string>
      label={`Version of ${tool}`}
      options={Object.fromEntries(titles)}
      value={choice[tool]}
      onChange={(next) => textState.set({ [tool]: next } as Partial<TextChoice>)}
    />
  );
}

function CommandBar({ command }: { readonly command: string }) {
  return (
    <div className={styles.bar}>
      <code className={styles.command} {...scrollRegion('Equivalent command')}>
        <span aria-hidden className={styles.prompt}>
          $
        </span>
        {visible(command)}
      </code>
      <CopyButton text={command} label="Copy command" isIconOnly />
    </div>
  );
}

/** Shows buttons that copy and save the text; hidden until the text is complete. */
function TextActions({
  bytes,
  fileName,
}: {
  readonly bytes: Uint8Array;
  readonly fileName: string;
}) {
  return (
    <>
      <CopyButton text={() => new TextDecoder().decode(bytes)} label="Copy" />
      <Button
        variant="quiet"
        size="small"
        title={`Save as ${visible(fileName)}`}
        onClick={() => saveFile(fileName, bytes)}
        icon={Download}
      >
        Download
      </Button>
    </>
  );
}

type TextProgressProps = {
  readonly id: FileId;
  readonly format: TextFormat;
  readonly options: TextOptions;
  readonly outcome: TaskState<WholeText> | null;
  /** True if the progress is shown below the first lines of the text. */
  readonly isFoot: boolean;
};

function TextProgress({ id, format, options, outcome, isFoot }: TextProgressProps) {
  const again = () => void makeText(id, format, options);
  if (outcome?.step === 'stopped') {
    return (
      <EmptyState
        title="Cancelled"
        text={`Writing the types as ${FORMATS[format].name} was cancelled.`}
        actions={<Button onClick={again}>Write text</Button>}
      />
    );
  }
  if (outcome?.step === 'failed') {
    const { message, advice } = outcome.issue;
    return (
      <div className={styles.failed}>
        <Callout
          severity="error"
          title={visible(message)}
          actions={<Button onClick={again}>Try again</Button>}
        >
          {advice}
        </Callout>
      </div>
    );
  }
  const { done, total } = outcome?.step === 'running' ? outcome : { done: 0, total: 0 };
  return (
    <div className={styles.progress} data-foot={isFoot}>
      <ProgressBar
        label={`Writing the types as ${FORMATS[format].name}`}
        fraction={total === 0 ? null : done / total}
        detail={total === 0 ? '' : `${grouped(done)} of ${grouped(total)}`}
        onCancel={() => stopText(id, format, options)}
      />
    </div>
  );
}

type FindBoxProps = {
  readonly find: Find;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
  readonly matchCase: boolean;
  readonly onMatchCase: (matchCase: boolean) => void;
};

/** Shows a search in the whole text. The browser's search (Ctrl+F again) finds only drawn lines. */
function FindBox({ find, typed, onTyped, matchCase, onMatchCase }: FindBoxProps) {
  const input = useRef<HTMLInputElement>(null);

  useKeys(TEXT_KEYS, (action, event) => {
    if (action === 'step') {
      if (find.count > 0) (event.shiftKey ? find.previous : find.next)();
      return find.count > 0;
    }
    if (document.activeElement === input.current) return false;
    input.current?.focus();
    input.current?.select();
    return true;
  });

  const hasNone = find.count === 0;
  return (
    <div className={styles.find}>
      <div className={styles.box}>
        <FoundList
          label="Find in text"
          hint="/"
          value={typed}
          onChange={onTyped}
          onEnter={({ isShift }) => {
            // Do nothing for a new query: its first match is shown without Enter.
            if (typed === find.query) (isShift ? find.previous : find.next)();
          }}
          inputRef={input}
          found={foundText(find)}
        />
      </div>
      <IconButton
        label="Match case"
        icon={CaseSensitive}
        aria-pressed={matchCase}
        className={styles.toggle}
        onClick={() => onMatchCase(!matchCase)}
      />
      <IconButton
        label="Previous match"
        keys={['Shift', 'Enter']}
        icon={ChevronUp}
        disabled={hasNone}
        onClick={find.previous}
      />
      <IconButton
        label="Next match"
        keys={['Enter']}
        icon={ChevronDown}
        disabled={hasNone}
        onClick={find.next}
      />
    </div>
  );
}

function foundText({ query, count, isSearching, match }: Find): string {
  if (query === '') return '';
  const more = isSearching ? '…' : count >= MAX_MATCHES ? '+' : '';
  if (count === 0) return isSearching ? '…' : 'None';
  const all = `${grouped(count)}${more}`;
  return match === null ? all : `${grouped(match.index + 1)} of ${all}`;
}
