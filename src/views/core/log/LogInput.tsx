import { type ClipboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import { resolveCore, useCoreOutcome } from '#store/core-results.ts';
import { useCoreTargetId } from '#store/core-view.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { useFileDrop } from '#views/parts/use-file-drop.ts';
import styles from './LogInput.module.css';
import { INODE_LOG, logOfResults } from './simulated-log.ts';

/** Characters; a browser's text box is slow with more, and nobody edits it by hand. */
const MOST_IN_BOX = 100_000;
/** Bytes of a file that are read: far more lines than are kept. */
const MOST_OF_FILE = 1 << 27;

type LogInputProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly text: string;
  readonly lineCount: number;
  readonly onText: (text: string) => void;
};

/** Where a log comes in: pasted, typed, dropped, or chosen. */
export function LogInput({ id, model, text, lineCount, onText }: LogInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const readFile = async (file: File) => onText(await file.slice(0, MOST_OF_FILE).text());

  // The box must not see a large text at all: laying it out takes seconds.
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (pasted.length + text.length <= MOST_IN_BOX) return;
    event.preventDefault();
    onText(text + pasted);
  };
  const drop = useFileDrop((file) => void readFile(file), setOver, isLog);
  return (
    <section className={styles.input} data-over={isOver} aria-label="Log" {...drop}>
      {text.length > MOST_IN_BOX ? (
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
        <input
          ref={input}
          type="file"
          tabIndex={-1}
          className="visually-hidden"
          aria-label="Log file"
          accept=".txt,.log,text/plain"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) void readFile(file);
            // The same file may be chosen again.
            event.target.value = '';
          }}
        />
      </div>
    </section>
  );
}

function isLog({ name, type }: File): boolean {
  return type === 'text/plain' || /\.(txt|log)$/i.test(name);
}

type ExampleProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly onText: (text: string) => void;
};

/** Fills in a log to try the reader with: of this object, or for a kernel of a field that it may not have. */
function ExampleButton({ id, model, onText }: ExampleProps) {
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
    if (model.ext.core.count === 0) {
      onText(INODE_LOG);
      return;
    }
    setWanted(true);
    void resolveCore(pair);
  };
  return (
    <Button size="small" disabled={isWanted && outcome?.step === 'running'} onClick={ask}>
      Try an example
    </Button>
  );
}
