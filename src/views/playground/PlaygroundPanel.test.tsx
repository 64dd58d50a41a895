// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { useActive } from '#store/session/hooks.ts';
import { find, fire, mount, typeInto, unmountAll } from '#testing/mount.tsx';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { UiProvider } from '#ui/UiProvider.tsx';
import { PlaygroundPanel } from './PlaygroundPanel.tsx';

const TASK = typeId(22);
const CRED = typeId(31);

beforeEach(async () => {
  const name = 'exec_trace.bpf.o';
  openInSession(await openModel(name, sampleBytes(name)), 'core');
});
afterEach(unmountAll);

function Shown() {
  const active = useActive();
  return active === null ? null : <PlaygroundPanel active={active} />;
}

function show() {
  return mount(
    <UiProvider>
      <Shown />
    </UiProvider>,
  );
}

const input = (host: HTMLElement) => {
  const found = find(host, 'input[aria-label="Access string"]');
  if (!(found instanceof HTMLInputElement)) throw new Error('not an input');
  return found;
};

async function write(host: HTMLElement, text: string): Promise<void> {
  await typeInto(input(host), text);
}

const click = (element: Element) => fire(element, new MouseEvent('click', { bubbles: true }));

it('offers types to start with, and starts with a suggested one', async () => {
  const host = await show();
  expect(host.textContent).toContain('Select a type');
  await click(find(host, 'li button'));
  expect(selectionInSession()).toEqual(typeSelection(TASK));
  expect(input(host).value).toBe('0');
});

it('goes into the member that is clicked, and selects it', async () => {
  select(typeSelection(CRED));
  const host = await show();
  await click(find(host, '[aria-label="Next members"] [data-row="0"]'));
  expect(input(host).value).toBe('0:0');
  expect(selectionInSession()).toEqual(typeSelection(CRED, [0]));
  expect(host.textContent).toContain('bpf_core_field_exists(p->uid)');
});

it('goes back to a step', async () => {
  select(typeSelection(CRED, [0, 0]));
  const host = await show();
  expect(input(host).value).toBe('0:0:0');
  await click(find(host, 'button[title="Go back to this step"]'));
  expect(input(host).value).toBe('0');
});

it('shows a caret under the index that is wrong', async () => {
  select(typeSelection(CRED));
  const host = await show();
  await write(host, '0:99');
  expect(find(host, 'pre').textContent).toBe('0:99\n  ^^');
  expect(host.textContent).toContain('There is no member 99: struct cred has');
  expect(input(host).getAttribute('aria-invalid')).toBe('true');
});

it('takes names when they are done', async () => {
  select(typeSelection(CRED));
  const host = await show();
  await write(host, 'uid.va');
  expect(host.textContent).toContain('No member va here. Did you mean: val.');
  await write(host, 'uid.val');
  expect(host.textContent).toContain('Enter: 0:0:0');
  await fire(input(host), new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  expect(input(host).value).toBe('0:0:0');
  expect(selectionInSession()).toEqual(typeSelection(CRED, [0, 0]));
});
