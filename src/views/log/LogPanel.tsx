import { ScrollText } from 'lucide-react';
import {
  type ClipboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { logLinker } from '#analysis/log/link-log.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { countLines, logLines } from '#analysis/log/parse-log.ts';
import { drawnName } from '#bytes/text.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { resolveCore, useCoreOutcome, useCoreTarget } from '#store/kernels/core-results.ts';
import { useCoreTargetId } from '#store/kernels/core-view.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark, scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { FileInput, Segmented } from '#ui/inputs.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { TargetFrame } from '#views/parts/core/TargetFrame.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { useFileDrop } from '#views/parts/use-file-drop.ts';
import { LineDetail } from './LineDetail.tsx';
import type { TargetTypes } from './LineText.tsx';
import { LogLines, rootCause, tellingLine } from './LogLines.tsx';
import styles from './LogPanel.module.css';
import { INODE_LOG, LogWriter, logOfResults } from './LogWriter.tsx';
import { PredictedNote } from './PredictedNote.tsx';
import { type LogViewState, logPartState, logState } from './state.ts';

const PARTS = { read: 'Read a log', write: 'Simulate libbpf log' } as const;

/** Explains a pasted log, and shows the log that libbpf would write for this object. */
export function LogView() {
  const active = useActive();
  return active === null ? null : (
    <TargetFrame key={active.id} active={active}>
      <LogPanel active={active} />
    </TargetFrame>
  );
}

export function LogPanel({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const { part } = logPartState.useOf(id);
  // An object without CO-RE records has no log to simulate.
  if (model.ext.core.count === 0) return <LogReader id={id} model={model} />;
  return (
    <div className="stack tall head-and-body">
      <div className={styles.bar}>
        <Segmented
          label="Log mode"
          options={PARTS}
          value={part}
          onChange={(next) => logPartState.set({ part: next }, id)}
        />
      </div>
      <div className="shrink-y">
        {part === 'read' ? (
          <LogReader id={id} model={model} />
        ) : (
          <LogWriter id={id} model={model} />
        )}
      </div>
    </div>
  );
}

function LogReader({ id, model }: { readonly id: FileId; readonly model: ObjectModel }) {
  const log = logState.useOf(id);
  const change = (next: Partial<LogViewState>) => logState.set(next, id);
  const read = useReadLog(log.text);
  const link = useMemo(() => logLinker(model, []), [model]);
  const target = useTargetTypes(id, model);
  const telling = useMemo(() => tellingLine(read.lines), [read]);
  const cause = useMemo(() => rootCause(read.lines), [read]);
  const chosen = log.chosen ?? telling;
  const line = chosen === null ? undefined : read.lines[chosen];
  return (
    <Split
      label="Resize the log"
      firstSize={58}
      minFirst={260}
      minSecond={220}
      first={
        <div className="stack tall surface head-and-body">
          <div>
            <LogInput
              id={id}
              model={model}
              text={log.text}
              lineCount={read.lineCount}
              onText={(text) => change({ text, chosen: null })}
            />
            {cause === null ? null : (
              <Callout severity="error" title={`Root cause: ${drawnName(cause.sentence)}`}>
                <Button size="small" onClick={() => change({ chosen: cause.lineNumber })}>
                  Show line {grouped(cause.lineNumber + 1)}
                </Button>
              </Callout>
            )}
            {isBpf(model) ? (
              <PredictedNote
                object={id}
                model={model}
                lines={read.lines}
                onChoose={(lineNumber) => change({ chosen: lineNumber })}
              />
            ) : null}
          </div>
          <div className="shrink-y">
            {log.text === '' ? null : (
              <LogLines
                model={model}
                read={read}
                link={link}
                target={target}
                filter={log.filter}
                onFilter={(filter) => change({ filter })}
                chosen={chosen}
                onChoose={(lineNumber) => change({ chosen: lineNumber })}
              />
            )}
          </div>
        </div>
      }
      second={
        line === undefined ? (
          <div className="tall scroll-y" {...scrollRegion('About logs')}>
            <EmptyState
              icon={<ScrollText size={28} aria-hidden />}
              title="Explain a loader log"
              text="Paste the output of libbpf, cilium/ebpf, aya or the verifier. Relocations, types, members and instructions become links, and the failing step of an access is marked. Names are looked up in every open kernel."
            />
          </div>
        ) : (
          <LineDetail id={id} model={model} line={line} link={link(line)} target={target} />
        )
      }
    />
  );
}

/** Returns the kernel whose types the log names: the target, or the file if it is a kernel. */
function useTargetTypes(id: FileId, model: ObjectModel): TargetTypes | null {
  const chosen = useCoreTarget(id);
  const isKernel = model.ext.core.count === 0;
  const file = chosen?.id ?? (isKernel ? id : null);
  const types = chosen?.types ?? (isKernel ? model.types : null);
  return useMemo(() => (file === null || types === null ? null : { file, types }), [file, types]);
}

/** Maximum characters in the text box, since a larger text makes the browser slow. */
const MAX_BOX_TEXT = 100_000;
/** Maximum bytes read of a log file. They contain more lines than the view keeps. */
const MAX_FILE_BYTES = 1 << 27;

type LogInputProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly text: string;
  readonly lineCount: number;
  readonly onText: (text: string) => void;
};

/** Shows a box for a log that is pasted, typed, dropped or chosen as a file. */
function LogInput({ id, model, text, lineCount, onText }: LogInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const readFile = async (file: File) => onText(await file.slice(0, MAX_FILE_BYTES).text());

  // A large pasted text is not put into the box, because its layout would take seconds.
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (pasted.length + text.length <= MAX_BOX_TEXT) return;
    event.preventDefault();
    onText(text + pasted);
  };
  const drop = useFileDrop(([file]) => file && void readFile(file), setOver, isLog);
  return (
    <Landmark className={styles.input} data-over={isOver} aria-label="Log" {...drop}>
      {text.length > MAX_BOX_TEXT ? (
        <p className={styles.large}>
          {sizeText(text.length)} of text in {countOf(lineCount, 'line')}
        </p>
      ) : (
        <textarea
          className={styles.box}
          aria-label="Log"
          placeholder="Paste one or more log lines, or drop a .txt or .log file."
          value={text}
          rows={text === '' ? 5 : 3}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          onChange={(event) => onText(event.target.value)}
          onPaste={onPaste}
        />
      )}
      <div className="wrapping gap-2">
        <ExampleButton id={id} model={model} onText={onText} />
        <Button size="small" onClick={() => input.current?.click()}>
          Open log…
        </Button>
        {text === '' ? null : (
          <Button size="small" variant="quiet" onClick={() => onText('')}>
            Clear
          </Button>
        )}
        <FileInput
          ref={input}
          label="Log file"
          accept=".txt,.log,text/plain"
          onFiles={([file]) => {
            if (file !== undefined) void readFile(file);
          }}
        />
      </div>
    </Landmark>
  );
}

function isLog({ name, type }: File): boolean {
  return type === 'text/plain' || /\.(txt|log)$/i.test(name);
}

/** Inserts an example log: of this object if it has records, else of a field that moved. */
function ExampleButton({ id, model, onText }: Pick<LogInputProps, 'id' | 'model' | 'onText'>) {
  const target = useCoreTargetId(id) ?? id;
  const pair = { object: id, target, fresh: false };
  const outcome = useCoreOutcome(pair);
  const [isWanted, setWanted] = useState(false);
  const results = outcome?.step === 'ready' ? outcome.value : null;
  const fill = useEffectEvent(onText);

  useEffect(() => {
    if (!isWanted || results === null) return;
    setWanted(false);
    fill(logOfResults(results));
  }, [isWanted, results]);

  const ask = () => {
    if (model.ext.core.count === 0) return onText(INODE_LOG);
    setWanted(true);
    void resolveCore(pair);
  };
  return (
    <Button size="small" disabled={isWanted && outcome?.step === 'running'} onClick={ask}>
      Try an example
    </Button>
  );
}

export type ReadLog = {
  readonly lines: readonly LogLine[];
  readonly isDone: boolean;
  /** Number of lines in the text, including those not read yet. */
  readonly lineCount: number;
};

/** Milliseconds of reading between two frames. */
const SLICE_MS = 8;
/** Lines read between two checks of the time. */
const BATCH = 64;

const EMPTY_LOG: ReadLog = { lines: [], isDone: true, lineCount: 0 };

/** Reads a log in slices between frames, and returns the lines read so far. */
function useReadLog(text: string): ReadLog {
  const [read, setRead] = useState({ of: '', log: EMPTY_LOG });

  // Read the first slice before the first paint: a short log appears at once.
  useLayoutEffect(() => {
    const lines: LogLine[] = [];
    const source = logLines(text);
    const lineCount = countLines(text);
    let shown = 0;
    let timer = 0;
    const slice = () => {
      const isDone = takeLines(source, lines);
      // Update only when the number of lines has doubled, so that there are few redraws.
      if (isDone || lines.length >= 2 * shown) {
        shown = lines.length;
        setRead({ of: text, log: { lines: [...lines], isDone, lineCount } });
      }
      if (!isDone) timer = window.setTimeout(slice, 0);
    };
    slice();
    return () => window.clearTimeout(timer);
  }, [text]);

  return read.of === text ? read.log : EMPTY_LOG;
}

/** Reads lines for one slice of time. Returns true if the log has been read to its end. */
function takeLines(source: Iterator<LogLine, void>, lines: LogLine[]): boolean {
  const end = performance.now() + SLICE_MS;
  for (;;) {
    for (let i = 0; i < BATCH; i++) {
      const next = source.next();
      if (next.done === true) return true;
      lines.push(next.value);
    }
    if (performance.now() > end) return false;
  }
}
