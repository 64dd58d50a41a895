import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as files from '#store/session/files.ts';
import { patchFile } from '#store/session/session.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { openInSession } from '#testing/session.ts';
import { FileClient, type Port } from '#worker/client.ts';
import type { ToWorker } from '#worker/protocol.ts';
import type { TextFormat } from './state.ts';
import {
  lineOfOffset,
  lineRange,
  lineText,
  makeText,
  SHOWN_BYTES,
  shownLine,
  stopText,
  textKey,
  type WholeText,
  wantText,
  wholeTexts,
  widestLine,
} from './whole-text.ts';

/** Messages that the page has sent to the worker. */
const asked: ToWorker[] = [];
let port: Port;

beforeEach(async () => {
  asked.length = 0;
  port = {
    postMessage: (message: ToWorker) => {
      if (message.method !== 'hold') asked.push(message);
    },
    terminate: () => undefined,
    onmessage: null,
    onerror: null,
    onmessageerror: null,
  };
  vi.spyOn(files, 'clientOf').mockReturnValue(new FileClient(port));
  openInSession(await openModel('a.btf', btfBlob({ types: [int('int', 4)] }).bytes), 'text');
});

afterEach(() => {
  files.closeFile(1);
});

const outcome = (format: TextFormat) => wholeTexts.get(textKey(1, format));

const text = { bytes: new Uint8Array(1), lineStarts: Uint32Array.of(0), isCut: false };

/** Answers the last request for a text, as the worker would. */
function answer(
  message: { kind: 'ok'; value: unknown } | { kind: 'progress'; done: number },
): void {
  const last = asked.at(-1);
  const id = last !== undefined && 'id' in last ? last.id : 0;
  const data =
    message.kind === 'ok'
      ? { id, ...message }
      : { id, kind: message.kind, progress: { step: 'writing', done: message.done, total: 9 } };
  port.onmessage?.(new MessageEvent('message', { data }));
}

it('requests once, reports progress, and keeps the text', async () => {
  const first = wantText(1, 'raw');
  await wantText(1, 'raw');
  expect(asked).toMatchObject([{ method: 'text', params: { format: 'raw' } }]);
  expect(outcome('raw')).toEqual({ step: 'running', done: 0, total: 0 });
  answer({ kind: 'progress', done: 4 });
  expect(outcome('raw')).toEqual({ step: 'running', done: 4, total: 9 });
  answer({ kind: 'ok', value: text });
  await first;
  expect(outcome('raw')).toEqual({ step: 'ready', value: text });
  await wantText(1, 'raw');
  expect(asked).toHaveLength(1);
});

it('stops, stays stopped until it is asked for again, and takes no late answer', async () => {
  const first = makeText(1, 'c');
  stopText(1, 'c');
  expect(asked.at(-1)).toMatchObject({ method: 'cancel' });
  answer({ kind: 'ok', value: text });
  await first;
  await wantText(1, 'c');
  expect(outcome('c')).toEqual({ step: 'stopped' });
  const again = makeText(1, 'c');
  answer({ kind: 'ok', value: text });
  await again;
  expect(outcome('c')).toEqual({ step: 'ready', value: text });
});

it('drops the texts of another base when it makes one, and all when the file is closed', async () => {
  const first = makeText(1, 'c');
  answer({ kind: 'ok', value: text });
  await first;
  patchFile(1, { base: { chosen: null, refused: null, reading: 1 } });
  const second = wantText(1, 'json');
  expect([...wholeTexts.use.getState().values()].map(({ key }) => key)).toEqual([
    { files: [{ id: 1, reading: 1 }], format: 'json', options: {} },
  ]);
  files.closeFile(1);
  expect(wholeTexts.use.getState().size).toBe(0);
  answer({ kind: 'ok', value: text });
  await second;
  expect(wholeTexts.use.getState().size).toBe(0);
});

function textOf(...lines: readonly (string | Uint8Array)[]): WholeText {
  const parts = lines.map((line) =>
    typeof line === 'string' ? new TextEncoder().encode(line) : line,
  );
  const lineStarts: number[] = [];
  const bytes: number[] = [];
  for (const part of parts) {
    lineStarts.push(bytes.length);
    bytes.push(...part);
  }
  return { bytes: Uint8Array.from(bytes), lineStarts: Uint32Array.from(lineStarts), isCut: false };
}

it('leaves out line ends, and keeps lines that have none', () => {
  const text = textOf('a\n', '\n', 'bc', 'd');
  expect([0, 1, 2, 3, 4].map((line) => lineText(text, line))).toEqual(['a', '', 'bc', 'd', '']);
  expect(lineRange(text, 2)).toEqual({ start: 3, end: 5 });
});

it('finds the line of an offset', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3, unit: 'grapheme-ascii' })), (parts) => {
      const text = textOf(...parts.map((part) => `${part.replaceAll('\n', '')}\n`));
      for (let offset = 0; offset < text.bytes.length; offset++) {
        const line = lineOfOffset(text, offset);
        expect(text.lineStarts[line]).toBeLessThanOrEqual(offset);
        expect(text.lineStarts[line + 1] ?? text.bytes.length).toBeGreaterThan(offset);
      }
    }),
  );
});

it('cuts a long line, never within a character, and counts the rest', () => {
  const long = textOf(`${'é'.repeat(SHOWN_BYTES)}\n`);
  const odd = textOf(`x${'é'.repeat(SHOWN_BYTES)}\n`);
  expect(shownLine(long, 0)).toEqual({
    text: 'é'.repeat(SHOWN_BYTES / 2),
    bytesLeftOut: SHOWN_BYTES,
  });
  expect(shownLine(odd, 0).text).toBe(`x${'é'.repeat(SHOWN_BYTES / 2 - 1)}`);
  const noText = textOf(new Uint8Array(2 * SHOWN_BYTES).fill(0x80));
  expect(shownLine(noText, 0).bytesLeftOut).toBe(SHOWN_BYTES);
  expect(shownLine(noText, 0).text.startsWith('\\x80\\x80')).toBe(true);
});

it('measures the widest line as it is shown', () => {
  expect(widestLine(textOf('abc\n', '\t\tx\n'))).toBe(17);
  expect(widestLine(textOf(`${'a'.repeat(5 * SHOWN_BYTES)}\n`))).toBe(SHOWN_BYTES);
});
