import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatAddress } from '#store/address/address.ts';
import * as followLink from '#store/address/follow-link.ts';
import { useConsent } from '#store/address/source-link.ts';
import * as files from '#store/session/files.ts';
import { session } from '#store/session/session.ts';
import { readHandOver, startHandOver } from './hand-over.ts';

const opened: { names: string[]; places: string[] } = { names: [], places: [] };

type Told = { readonly data: unknown; readonly to: unknown };

/** Returns a window that a page of `origin` opened. `send` sends a message from that page. */
function pageOpenedBy(origin: string) {
  const told: Told[] = [];
  const listeners: ((event: unknown) => void)[] = [];
  const opener = {
    postMessage: (data: unknown, to: unknown) =>
      told.push({
        data,
        to: typeof to === 'string' ? to : (to as { targetOrigin: string }).targetOrigin,
      }),
  };
  const page = {
    opener,
    addEventListener: (_type: string, listener: (event: unknown) => void) =>
      listeners.push(listener),
    removeEventListener: () => listeners.splice(0),
  };
  const window = Object.assign(page, { parent: page }) as unknown as Window;
  const send = (data: unknown, source: unknown = opener) => {
    for (const listener of listeners) listener({ data, origin, source });
  };
  return { window, told, send };
}

const bytes = new Uint8Array([1, 2, 3]).buffer;
const message = { type: 'btfscope:open', name: 'prog.o', bytes, at: '#/types?type=struct:s' };
const request = () => useConsent.getState().request;
const types = (told: readonly Told[]) => told.map(({ data }) => (data as { type: string }).type);

let stop: () => void = () => undefined;

beforeEach(() => {
  opened.names.length = 0;
  opened.places.length = 0;
  vi.spyOn(files, 'openFile').mockImplementation(async ({ name }) => {
    opened.names.push(name);
    return 7;
  });
  vi.spyOn(followLink, 'followIn').mockImplementation(async (_, at) => {
    opened.places.push(formatAddress(at));
  });
  session.setState({ files: [], panes: [] });
});
afterEach(() => {
  useConsent.getState().answer(false);
  stop();
});

describe('a page that opened this one', () => {
  it('receives a ready message, and can ping', () => {
    const { window, told, send } = pageOpenedBy('https://ci.example');
    stop = startHandOver(window);
    send({ type: 'btfscope:ping' });
    expect(told).toEqual([
      { data: { type: 'btfscope:ready', version: 1 }, to: '*' },
      { data: { type: 'btfscope:ready', version: 1 }, to: 'https://ci.example' },
    ]);
  });

  it('hands a file over once the person has agreed', async () => {
    const { window, told, send } = pageOpenedBy('https://ci.example');
    stop = startHandOver(window);
    send(message);
    expect(request()).toEqual({
      kind: 'handOver',
      origin: 'https://ci.example',
      name: 'prog.o',
      size: 3,
    });
    expect(opened.names).toEqual([]);
    useConsent.getState().answer(true);
    await vi.waitFor(() => expect(told).toHaveLength(2));
    expect(opened.names).toEqual(['prog.o']);
  });

  it('passes no file when the user declines', async () => {
    const { window, told, send } = pageOpenedBy('https://ci.example');
    stop = startHandOver(window);
    send(message);
    useConsent.getState().answer(false);
    await vi.waitFor(() => expect(types(told)).toEqual(['btfscope:ready', 'btfscope:refused']));
    expect(opened.names).toEqual([]);
  });

  it('is refused a second question while the first is open', async () => {
    const { window, told, send } = pageOpenedBy('https://ci.example');
    stop = startHandOver(window);
    send(message);
    send({ ...message, name: 'second.o' });
    await vi.waitFor(() => expect(types(told)).toContain('btfscope:refused'));
    expect(request()).toMatchObject({ name: 'prog.o' });
  });

  it('without an origin is named so', () => {
    const { window, send } = pageOpenedBy('null');
    stop = startHandOver(window);
    send(message);
    expect(request()).toMatchObject({ origin: '' });
  });
});

it('any other page is not listened to', () => {
  const { window, told, send } = pageOpenedBy('https://ci.example');
  stop = startHandOver(window);
  send(message, { postMessage: () => undefined });
  send(message, null);
  expect(request()).toBeNull();
  expect(told).toHaveLength(1);
});

describe('an editor around the page', () => {
  const origin = 'vscode-webview://1';
  function pageInEditor() {
    const told: unknown[] = [];
    const listeners: ((event: unknown) => void)[] = [];
    const window = {
      acquireVsCodeApi: () => ({ postMessage: (data: unknown) => told.push(data) }),
      origin,
      addEventListener: (_type: string, listener: (event: unknown) => void) =>
        listeners.push(listener),
      removeEventListener: () => listeners.splice(0),
    } as unknown as Window;
    const send = (data: unknown) => {
      for (const listener of listeners) listener({ data, origin, source: null });
    };
    return { window, told, send };
  }

  it('receives the reason of a message that the page cannot read, which the page does not show', async () => {
    const { window, told, send } = pageInEditor();
    stop = startHandOver(window);
    send({ ...message, bytes: { type: 'Buffer', data: [1, 2, 3] } });
    await vi.waitFor(() => expect(told).toHaveLength(2));
    const reason = 'bytes must be an ArrayBuffer, a typed array or a Blob';
    expect(told[1]).toEqual({ type: 'btfscope:refused', reason, isShown: false });
    expect(opened.names).toEqual([]);
  });

  it('receives a refusal of a file that the page shows as failed', async () => {
    const { window, told, send } = pageInEditor();
    stop = startHandOver(window);
    session.setState({ files: [{ id: 7, status: { step: 'failed' } } as never] });
    send(message);
    await vi.waitFor(() => expect(told).toHaveLength(2));
    expect(told[1]).toMatchObject({ type: 'btfscope:refused', isShown: true });
  });
});

describe('a message', () => {
  it.each([[null], ['text'], [42], [{}], [{ type: 'btfscope:other', bytes }], [['btfscope:open']]])(
    'a message of another kind is ignored: %o',
    (data) => {
      expect(readHandOver(data)).toBeNull();
    },
  );

  it.each([
    [{ type: 'btfscope:open' }],
    [{ type: 'btfscope:open', bytes: 'text' }],
    [{ type: 'btfscope:open', bytes: { byteLength: 3 } }],
    [{ type: 'btfscope:open', bytes: [1, 2, 3] }],
  ])('without bytes is refused with a reason: %o', (data) => {
    expect(readHandOver(data)).toMatch(/^bytes must be/);
  });

  it('may bring a buffer, a part of one, or a Blob', async () => {
    const part = new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4);
    for (const given of [bytes, part, new Blob([bytes])]) {
      const read = readHandOver({ type: 'btfscope:open', bytes: given });
      if (read === null || typeof read === 'string') throw new Error('refused');
      expect([...new Uint8Array(await read.bytes.arrayBuffer())]).toEqual([1, 2, 3]);
      expect(read).toMatchObject({ name: 'handed over', at: '' });
    }
  });

  it('has a name of a length that a person can read', () => {
    const read = readHandOver({ ...message, name: 'x'.repeat(100_000) });
    expect(typeof read === 'object' && read?.name.length).toBe(255);
  });
});
