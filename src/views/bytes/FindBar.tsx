import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Span } from '#bytes/span.ts';
import { bytesOf } from '#store/bytes-cache.ts';
import { announce, type FileId } from '#store/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { hexText } from '#views/parts/number-text.ts';
import styles from './FindBar.module.css';
import { type FindMode, findBytes, parseNeedle } from './find-bytes.ts';
import type { Step } from './use-places.ts';

const MODES = [
  { value: 'hex', label: 'Hex' },
  { value: 'text', label: 'Text' },
] as const;

type FindBarProps = {
  readonly id: FileId;
  /** File bytes that are searched. */
  readonly region: Span;
  /** What is selected, which the next match lies behind; file offsets. */
  readonly from: Span;
  /** Added to a file offset to write it. */
  readonly shift: number;
  readonly onFound: (match: Span) => void;
  readonly onClose: () => void;
};

/** Looks for bytes or a text in the region, by pieces; Enter goes to the next, Shift and Enter to the one before. */
export function FindBar({ id, region, from, shift, onFound, onClose }: FindBarProps) {
  const statusId = useId();
  const [mode, setMode] = useState<FindMode>('hex');
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const [isWrong, setWrong] = useState(false);
  const running = useRef<AbortController | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  const stop = () => {
    running.current?.abort();
    running.current = null;
    setBusy(false);
  };

  const find = async (step: Step) => {
    stop();
    const parsed = parseNeedle(text, mode);
    setWrong(!parsed.ok);
    if (!parsed.ok) {
      setStatus(parsed.problem);
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setStatus('Searching…');
    const at = await findBytes({
      needle: parsed.needle,
      region,
      from: step === 'next' ? from.start + 1 : from.start,
      step,
      read: (start, end) => bytesOf(id, start, end),
      signal: controller.signal,
    });
    if (controller.signal.aborted) return;
    stop();
    const said = at === null ? 'Not found' : `Found at ${hexText(at + shift)}`;
    setStatus(said);
    announce(said);
    if (at !== null) onFound({ start: at, end: at + parsed.needle.length });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void find('next');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (isBusy) {
        stop();
        setStatus('Stopped');
      } else onClose();
    } else if (event.key === 'Enter' && event.shiftKey) {
      event.preventDefault();
      void find('previous');
    }
  };

  return (
    <search>
      <form className={styles.bar} onSubmit={submit}>
        <Segmented label="Find" options={MODES} value={mode} onChange={setMode} />
        <input
          // The bar is opened to be written into.
          ref={focusOnce}
          type="text"
          className={styles.input}
          aria-label={mode === 'hex' ? 'Bytes to find' : 'Text to find'}
          aria-invalid={isWrong}
          aria-describedby={statusId}
          placeholder={mode === 'hex' ? '18 01 ?? 00' : 'text'}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value);
            setWrong(false);
            setStatus('');
          }}
        />
        <IconButton
          label="Previous match"
          icon={<ChevronUp size={16} aria-hidden />}
          onClick={() => void find('previous')}
        />
        <IconButton
          label="Next match"
          icon={<ChevronDown size={16} aria-hidden />}
          onClick={() => void find('next')}
        />
        {isBusy ? (
          <Button
            size="small"
            onClick={() => {
              stop();
              setStatus('Stopped');
            }}
          >
            Stop
          </Button>
        ) : null}
        <span id={statusId} className={styles.status} data-wrong={isWrong ? '' : undefined}>
          {status}
        </span>
        <span className="at-end">
          <IconButton label="Close find" icon={<X size={16} aria-hidden />} onClick={onClose} />
        </span>
      </form>
    </search>
  );
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
