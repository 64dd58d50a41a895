// @vitest-environment happy-dom

import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_SELECTION } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { session } from '#store/session/session.ts';
import { find, fire, mount, press, typeInto, unmountAll } from '#testing/mount.tsx';
import { variableCalled } from '#testing/sample-data.ts';
import { sampleModel } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { DataTab } from './DataTab.tsx';
import { dataGroups } from './data-entries.ts';
import { dataState } from './state.ts';

async function openSample(name: string) {
  const model = await sampleModel(name);
  openInSession(model, 'data');
  return model;
}

beforeEach(() => openSample('kinds.bpf.o'));
afterEach(unmountAll);

const show = () =>
  mount(
    <UiProvider>
      <DataTab />
    </UiProvider>,
  );

async function click(element: HTMLElement): Promise<void> {
  for (const type of ['mousedown', 'mouseup', 'click']) {
    await fire(element, new MouseEvent(type, { bubbles: true, cancelable: true }));
  }
}

const list = (host: HTMLElement) => find(host, '[role=listbox]');
const optionTexts = (host: HTMLElement) =>
  [...host.querySelectorAll('[role=option]')].map((option) => option.textContent);
const optionOf = (host: HTMLElement, name: string) => {
  const found = [...host.querySelectorAll('[role=option]')].find((option) =>
    [...option.querySelectorAll('bdi')].some(({ textContent }) => textContent === name),
  );
  if (!(found instanceof HTMLElement)) throw new Error(`no row ${name}`);
  return found;
};
/** Returns the rows of the value as text. Cells are separated by a bar. */
const valueRows = (host: HTMLElement) =>
  [...find(host, '[role=grid][aria-label=Value]').querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent).join('|'),
  );

it('lists sections with their variables, and begins with all', async () => {
  const host = await show();
  expect(optionTexts(host).slice(0, 3)).toEqual([
    'All data',
    '.rodata1',
    'Ilimitvolatile const int4',
  ]);
  expect(find(host, '[aria-selected=true]').textContent).toBe('All data');
  expect(find(host, 'article h2').textContent).toBe('Data of kinds.bpf.o');
});

it('selects the VAR of a row and reads its value, which needs no bytes in .bss', async () => {
  const host = await show();
  await click(optionOf(host, 'everything'));
  expect(selectionInSession()).toMatchObject({ kind: 'type' });
  expect(find(host, 'article h2 bdi').textContent).toBe('everything');
  expect(valueRows(host)).toContain('colour|RED0|enum colour|0x50|00 00 00 00');
  expect(valueRows(host)).toContain('below_zero:12|0|int|0x79|00 00bits 0-11');
});

it('opens and closes a part, by its button and by Enter', async () => {
  const host = await show();
  await click(optionOf(host, 'everything'));
  const before = valueRows(host).length;
  const grid = find(host, '[role=grid][aria-label=Value]');
  await click(find(host, 'button[aria-label="Parts of integers"]'));
  const closed = valueRows(host);
  expect(closed[1]).toMatch(/^floats/);
  await press(grid, 'Home');
  await press(grid, 'Enter');
  expect(valueRows(host)).toHaveLength(before);
  expect(find(host, '[aria-label="Selected part"] h4').textContent).toBe('integers');
});

it('waits on Enter for the rows of the last letter', async () => {
  const host = await show();
  const box = find(host, 'input[type=search]');
  await act(async () => {
    void typeInto(box, 'everything');
    void press(box, 'Enter');
  });
  expect(find(host, 'article h2 bdi').textContent).toBe('everything');
});

it('shows a bit-field bit by bit', async () => {
  const host = await show();
  await click(optionOf(host, 'everything'));
  await act(async () => undefined);
  const row = [...host.querySelectorAll('tr[data-row]')].find((each) =>
    each.textContent?.startsWith('second:4'),
  );
  if (!(row instanceof HTMLElement)) throw new Error('no row');
  await click(row);
  const ruler = find(host, '[aria-label="Bits of its bytes"]');
  expect([...ruler.children].map(({ textContent }) => textContent)).toEqual([
    'bits 4-70000second',
    'bits 0-30000unused',
  ]);
});

it('moves by key from section to variable', async () => {
  const host = await show();
  await press(list(host), 'ArrowDown');
  expect(selectionInSession()).toMatchObject({ kind: 'section' });
  await press(list(host), 'ArrowDown');
  expect(find(host, 'article h2 bdi').textContent).toBe('limit');
});

it('follows the selection of other views', async () => {
  const model = await openSample('data_relocs.bpf.o');
  const host = await show();
  const groups = dataGroups(model, () => null);
  const { symbol } = variableCalled(groups, 'cursor');
  await act(async () => select(symbol === null ? NO_SELECTION : { kind: 'symbol', symbol }));
  expect(find(host, '[role=option][aria-selected=true]').textContent).toContain('cursor');
  expect(find(host, 'article h2 bdi').textContent).toBe('cursor');
  expect(host.textContent).toContain('Loading');
});

describe('maps and externs', () => {
  it('show their definition, and link to the relocation of a slot', async () => {
    await openSample('xdp_counter.bpf.o');
    const host = await show();
    await click(optionOf(host, 'next'));
    expect(find(host, 'article').textContent).toContain('__array(values, int (void *));');
    const slot = [...host.querySelectorAll('table button')].find(
      ({ textContent }) => textContent === 'count_udp',
    );
    if (!(slot instanceof HTMLElement)) throw new Error('no slot');
    await click(slot);
    expect(session.getState().files[0]).toMatchObject({
      view: 'code',
      selection: { kind: 'insn' },
    });
  });

  it('show the source of a value', async () => {
    await openSample('externs.bpf.o');
    const host = await show();
    await click(optionOf(host, 'CONFIG_HZ'));
    expect(find(host, 'article').textContent).toContain('/proc/config.gz');
    expect(find(host, 'article code').textContent).toBe(
      'extern unsigned long CONFIG_HZ __kconfig;',
    );
  });
});

describe('the decoder', () => {
  it('is a part of the tab that the address keeps', async () => {
    const host = await show();
    await act(async () => dataState.set({ mode: 'decode' }));
    expect(find(host, 'h2').textContent).toBe('Decode a value');
    expect(host.textContent).toContain('Choose the type of the value');
  });

  it('takes the type that is selected', async () => {
    const model = await openSample('xdp_counter.bpf.o');
    const host = await show();
    const groups = dataGroups(model, () => null);
    const { varId } = variableCalled(groups, 'udp_limit');
    if (varId === null) throw new Error('no VAR');
    await act(async () => {
      select({ kind: 'type', type: varId, memberPath: [] });
      dataState.set({ mode: 'decode' });
    });
    const input = find(host, '[role=combobox]');
    expect(input instanceof HTMLInputElement && input.value).toBe('__u64');
    expect(host.textContent).toContain('Give the bytes');
  });
});

it('gives the reason if a file has no data', async () => {
  await openSample('kernel.btf');
  const host = await show();
  expect(host.textContent).toContain('Types only, no values');
});
