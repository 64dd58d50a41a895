// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as files from '#store/session/files.ts';
import { activeFile, session } from '#store/session/session.ts';
import { find, mount, observeNoSizes, press, typeInto, unmountAll } from '#testing/mount.tsx';
import { openInSession } from '#testing/session.ts';
import { smallModel } from '#testing/small-graph.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import type { Entry } from './HistoryView.tsx';
import { NamesPane } from './NamesPane.tsx';

/** Functions that send the worker's pending answers, by typed text. */
const pending = new Map<string, () => void>();
const client = {
  call: (_method: string, { text }: { readonly text: string }) =>
    new Promise((resolve) => {
      const names = [{ kind: 'struct', name: `${text || 'all'}_first`, kernels: 1, forms: 1 }];
      pending.set(text, () => resolve({ ok: true, value: { total: 1, names, damaged: [] } }));
    }),
};
const arrive = (text: string) => act(async () => pending.get(text)?.());

const opened: Entry[] = [];

beforeEach(() => {
  opened.length = 0;
  pending.clear();
  vi.spyOn(files, 'clientOf').mockReturnValue(
    client as unknown as ReturnType<typeof files.clientOf>,
  );
  observeNoSizes();
});
afterEach(unmountAll);

async function show(): Promise<HTMLInputElement> {
  openInSession(await smallModel(), 'history');
  const id = activeFile(session.getState())?.id ?? 0;
  const host = await mount(
    <UiProvider>
      <NamesPane
        fileId={id}
        kernelCount={1}
        entry={null}
        isListed
        onOpen={(entry) => opened.push(entry)}
      />
    </UiProvider>,
  );
  await arrive('');
  const box = find(host, 'input[type="search"]');
  if (!(box instanceof HTMLInputElement)) throw new Error('no search box');
  return box;
}

it('Enter waits for the answer of the text that was typed', async () => {
  const box = await show();
  await typeInto(box, 'sk_buff');
  await press(box, 'Enter');
  expect(opened).toEqual([]);
  await arrive('sk_buff');
  expect(opened).toEqual([{ kind: 'struct', name: 'sk_buff_first' }]);
});

it('Enter opens the first name at once if its answer has arrived', async () => {
  const box = await show();
  await typeInto(box, 'sk_buff');
  await arrive('sk_buff');
  await press(box, 'Enter');
  expect(opened).toEqual([{ kind: 'struct', name: 'sk_buff_first' }]);
});

it('typing on after Enter opens nothing', async () => {
  const box = await show();
  await typeInto(box, 'sk');
  await press(box, 'Enter');
  await typeInto(box, 'sk_buff');
  await arrive('sk_buff');
  expect(opened).toEqual([]);
});
