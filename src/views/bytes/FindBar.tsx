import { ChevronDown, ChevronUp, X } from 'lucide-react';
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { Span } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { readBytes } from '#store/session/bytes-cache.ts';
import { announceInView, type FileId } from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import styles from './FindBar.module.css';
import type { Step } from './use-places.ts';

const MODES = { hex: 'Hex', text: 'Text' } as const;

type FindBarProps = {
  readonly id: FileId;
  /** Range of file offsets in which bytes are searched. */
  readonly region: Span;
  /** Selected bytes, as file offsets. The next match is searched after the selected bytes. */
  readonly from: Span;
  /** Number to add to a file offset before it is displayed. */
  readonly shift: number;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onFound: (match: Span) => void;
  readonly onClose: () => void;
};

/** Shows a form that finds bytes or text. Enter: next match, Shift+Enter: previous match. */
export function FindBar(props: FindBarProps) {
  const { field, onClose } = props;
  const statusId = useId();
  const [mode, setMode] = useState<FindMode>('hex');
  const [text, setText] = useState('');
  const search = useByteSearch(props);
  const find = (step: Step) => void search.find(parseNeedle(text, mode), step);
  useEffect(() => field.current?.focus(), [field]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    find('next');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (search.isBusy) search.stop('Stopped');
      else onClose();
    } else if (event.key === 'Enter' && event.shiftKey) {
      event.preventDefault();
      find('previous');
    }
  };

  return (
    <search>
      <form className={styles.bar} onSubmit={submit}>
        <Segmented label="Find" options={MODES} value={mode} onChange={setMode} />
        <input
          ref={field}
          type="text"
          data-filter=""
          className={styles.input}
          aria-label={mode === 'hex' ? 'Bytes to find' : 'Text to find'}
          aria-invalid={search.isWrong}
          aria-describedby={statusId}
          placeholder={mode === 'hex' ? '18 01 ?? 00' : 'text'}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            // Stop a search for the previous text.
            search.stop('');
            setText(event.target.value);
          }}
        />
        <IconButton label="Previous match" icon={ChevronUp} onClick={() => find('previous')} />
        <IconButton label="Next match" icon={ChevronDown} onClick={() => find('next')} />
        {search.isBusy ? (
          <Button size="small" onClick={() => search.stop('Stopped')}>
            Stop
          </Button>
        ) : null}
        <span id={statusId} className={styles.status} data-wrong={search.isWrong ? '' : undefined}>
          {search.status}
        </span>
        <span className="at-end">
          <IconButton label="Close find" icon={X} onClick={onClose} />
        </span>
      </form>
    </search>
  );
}

/** Returns the state of the search. A new search stops a running one. */
function useByteSearch({ id, region, from, shift, onFound }: FindBarProps) {
  const [status, setStatus] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const stop = (status: string) => {
    running.current?.abort();
    running.current = null;
    setBusy(false);
    setWrong(false);
    setStatus(status);
  };
  const say = (text: string) => {
    setStatus(text);
    announceInView(text);
  };
  const find = async (parsed: ParsedNeedle, step: Step) => {
    stop(parsed.ok ? 'Searching…' : parsed.problem);
    setWrong(!parsed.ok);
    if (!parsed.ok) return;
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    const { signal } = controller;
    const read = (start: number, end: number) => readBytes(id, start, end);
    const at = await findBytes({
      needle: parsed.needle,
      region,
      from: step === 'next' ? from.start + 1 : from.start,
      step,
      read,
      signal,
    });
    if (signal.aborted) return;
    setBusy(false);
    if (at === null) {
      say('Not found');
      return;
    }
    const place = `Found at ${hexText(at + shift)}`;
    say(place);
    onFound({ start: at, end: at + parsed.needle.length });
    const count = await countMatches({ needle: parsed.needle, region, read, signal }, at);
    if (!signal.aborted) say(`${place}: ${countText(count)}`);
  };
  return { status, isWrong, isBusy, find, stop };
}

/** Bytes to find; null stands for any byte. */
export type Needle = readonly (number | null)[];

export type FindMode = 'hex' | 'text';

type ParsedNeedle =
  | { readonly ok: true; readonly needle: Needle }
  | { readonly ok: false; readonly problem: string };

/** Parses `18 01 ??` or `0x1801` as bytes, or encodes a text as UTF-8. */
export function parseNeedle(text: string, mode: FindMode): ParsedNeedle {
  if (mode === 'text') {
    return text === ''
      ? { ok: false, problem: 'Enter the text to find' }
      : { ok: true, needle: [...new TextEncoder().encode(text)] };
  }
  const digits = text.replace(/0x/gi, '').replace(/[\s,]/g, '');
  if (digits === '' || digits.length % 2 !== 0 || !/^([\da-f]{2}|\?\?)+$/i.test(digits)) {
    return { ok: false, problem: 'Enter whole bytes in hex such as 18 01 ?? 00; ?? is any byte' };
  }
  const pairs = digits.match(/../g) ?? [];
  return {
    ok: true,
    needle: pairs.map((pair) => (pair === '??' ? null : Number.parseInt(pair, 16))),
  };
}

type FindRequest = {
  readonly needle: Needle;
  /** Range of file offsets in which bytes are searched. */
  readonly region: Span;
  /** File offset where the search begins. `next` also finds a match at the offset itself. */
  readonly from: number;
  readonly step: 'next' | 'previous';
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
};

const PIECE = 256 * 1024;

/** Returns the nearest match. The search wraps at both ends. Null if none, or if stopped. */
export async function findBytes(request: FindRequest): Promise<number | null> {
  const { region, step } = request;
  const from = Math.max(region.start, Math.min(request.from, region.end));
  const behind = { start: from, end: region.end };
  const before = { start: region.start, end: from };
  for (const starts of step === 'next' ? [behind, before] : [before, behind]) {
    const match = await findIn(request, starts);
    if (match !== null || request.signal.aborted) return request.signal.aborted ? null : match;
  }
  return null;
}

/** Number of matches, and which of the matches is selected. */
export type MatchCount = {
  readonly total: number;
  /** Number of the selected match, from 1. */
  readonly number: number;
  /** Whether counting stopped at `MAX_COUNTED`, so that the total is unknown. */
  readonly isCut: boolean;
};

const MAX_COUNTED = 100_000;

/** Returns the number of matches in a region. Matches may overlap. */
export async function countMatches(
  request: Pick<FindRequest, 'needle' | 'region' | 'read' | 'signal'>,
  at: number,
): Promise<MatchCount> {
  const { needle, region, read, signal } = request;
  let total = 0;
  let number = 0;
  for (let start = region.start; start < region.end && !signal.aborted; start += PIECE) {
    const end = Math.min(region.end, start + PIECE);
    const bytes = await read(start, Math.min(region.end, end + needle.length - 1));
    for (let next = 0; next < end - start; next++) {
      const step = firstMatch(bytes.subarray(next), needle, end - start - next);
      if (step === null) break;
      next += step;
      if (start + next <= at) number++;
      if (total === MAX_COUNTED) return { total, number, isCut: true };
      total++;
    }
  }
  return { total, number, isCut: false };
}

/** Returns the count as `3 of 12` or `one of more than 100 000`. */
export function countText({ total, number, isCut }: MatchCount): string {
  if (isCut) return `one of more than ${grouped(total)}`;
  return `${grouped(number)} of ${grouped(total)}`;
}

/** Returns the first (or last) match that begins in `starts`. The match may end after `starts`. */
async function findIn(request: FindRequest, starts: Span): Promise<number | null> {
  const { needle, region, step, read, signal } = request;
  const pieces = Math.ceil((starts.end - starts.start) / PIECE);
  for (let i = 0; i < pieces && !signal.aborted; i++) {
    const piece = step === 'next' ? i : pieces - 1 - i;
    const start = starts.start + piece * PIECE;
    const end = Math.min(starts.end, start + PIECE);
    const bytes = await read(start, Math.min(region.end, end + needle.length - 1));
    const at =
      step === 'next'
        ? firstMatch(bytes, needle, end - start)
        : lastMatch(bytes, needle, end - start);
    if (at !== null) return start + at;
  }
  return null;
}

/** Returns the first match that begins before `limit`. */
function firstMatch(bytes: Uint8Array, needle: Needle, limit: number): number | null {
  const [head] = needle;
  for (let at = 0; at < limit; at++) {
    if (typeof head === 'number') at = bytes.indexOf(head, at);
    if (at < 0 || at >= limit) return null;
    if (matches(bytes, needle, at)) return at;
  }
  return null;
}

function lastMatch(bytes: Uint8Array, needle: Needle, limit: number): number | null {
  for (let at = limit - 1; at >= 0; at--) if (matches(bytes, needle, at)) return at;
  return null;
}

function matches(bytes: Uint8Array, needle: Needle, at: number): boolean {
  if (at + needle.length > bytes.length) return false;
  for (const [i, byte] of needle.entries()) {
    if (byte !== null && bytes[at + i] !== byte) return false;
  }
  return true;
}
