// @vitest-environment happy-dom
import { X } from 'lucide-react';
import { lazy, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { find, fire, mount, press, unmountAll, whenThere } from '#testing/mount.tsx';
import { IconButton } from './Button.tsx';
import { Histogram, ProgressBar } from './bars.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Dialog } from './Dialog.tsx';
import { Segmented } from './inputs.tsx';
import { LazyPart } from './LazyPart.tsx';
import { Menu } from './Menu.tsx';
import { SearchBox } from './SearchBox.tsx';
import { UiProvider } from './UiProvider.tsx';

afterEach(async () => {
  await unmountAll();
  vi.restoreAllMocks();
});

const click = () => new MouseEvent('click', { bubbles: true, cancelable: true });

describe('CopyButton', () => {
  it.each([
    ['Copied', () => Promise.resolve()],
    ['The browser blocked copying', () => Promise.reject(new Error('denied'))],
  ])('says "%s"', async (said, writeText) => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
    const host = await mount(<CopyButton text={() => 'struct foo'} label="Copy the declaration" />);
    expect(find(host, '[aria-live=polite]').textContent).toBe('');
    await fire(find(host, 'button'), click());
    expect(write).toHaveBeenCalledExactlyOnceWith('struct foo');
    expect(find(host, '[aria-live=polite]').textContent).toBe(said);
    expect(find(host, 'button').getAttribute('aria-label')).toBe('Copy the declaration');
  });
});

function SearchExample() {
  const [value, setValue] = useState('task');
  return <SearchBox label="Search types" value={value} onChange={setValue} hint="/" />;
}

describe('SearchBox', () => {
  it('is cleared by Escape, and passes a second Escape on', async () => {
    const input = find(await mount(<SearchExample />), 'input');
    expect((await press(input, 'Escape')).defaultPrevented).toBe(true);
    expect(input).toMatchObject({ value: '' });
    expect((await press(input, 'Escape')).defaultPrevented).toBe(false);
  });

  it('is cleared by its button, which focuses the field', async () => {
    const host = await mount(<SearchExample />);
    await fire(find(host, 'button'), click());
    expect(find(host, 'input')).toMatchObject({ value: '' });
    expect(document.activeElement).toBe(find(host, 'input'));
  });
});

it('Segmented is a radio group with a name', async () => {
  const onChange = vi.fn();
  const options = { c: 'C', raw: 'bpftool raw' } as const;
  const host = await mount(
    <Segmented label="Text" options={options} value="c" onChange={onChange} />,
  );
  expect(find(host, '[role=radiogroup]').getAttribute('aria-label')).toBe('Text');
  expect(find(host, 'input[value=c]')).toMatchObject({ checked: true });
  await fire(find(host, 'input[value=raw]'), click());
  expect(onChange).toHaveBeenCalledExactlyOnceWith('raw');
});

it.each([
  [0.424, '42'],
  [7, '100'],
  [null, null],
])('ProgressBar at %s is labelled %s', async (fraction, now) => {
  const onCancel = vi.fn();
  const host = await mount(<ProgressBar label="Reading" fraction={fraction} onCancel={onCancel} />);
  expect(find(host, '[role=progressbar]').getAttribute('aria-valuenow')).toBe(now);
  await fire(find(host, 'button'), click());
  expect(onCancel).toHaveBeenCalledOnce();
});

it('Histogram accepts values that are all 0', async () => {
  const host = await mount(
    <Histogram label="Kinds" items={[{ id: 'i', label: 'INT', value: 0 }]} />,
  );
  expect(find(host, '[data-tone]').style.width).toBe('0%');
  expect(host.textContent).toBe('INT0');
});

it('popups write no style element, which the page would refuse', async () => {
  await mount(
    <UiProvider>
      <Menu
        trigger={<button type="button">More</button>}
        groups={[[{ id: 'copy', label: 'Copy link', onSelect: () => undefined }]]}
      />
      <Dialog isOpen onClose={() => undefined} title="Keys">
        text
      </Dialog>
    </UiProvider>,
  );
  expect((await whenThere(document, '[role=dialog]')).textContent).toContain('Keys');
  expect(document.querySelectorAll('style')).toHaveLength(0);
});

it('Escape counts while a part is fetched', async () => {
  const Never = lazy(() => new Promise<never>(() => undefined));
  const onDismiss = vi.fn();
  const host = await mount(
    <LazyPart onError={() => undefined} onDismiss={onDismiss}>
      <Never />
    </LazyPart>,
  );
  await press(host, 'a');
  expect(onDismiss).not.toHaveBeenCalled();
  await press(host, 'Escape');
  expect(onDismiss).toHaveBeenCalledOnce();
});

it('a hint comes when the pointer rests on an element, and goes with a key', async () => {
  const host = await mount(
    <UiProvider>
      <IconButton label="Back" keys={['[']} icon={X} />
    </UiProvider>,
  );
  const button = find(host, 'button');
  await fire(button, new PointerEvent('pointerover', { bubbles: true, pointerType: 'touch' }));
  await fire(button, new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
  expect(document.querySelector('[data-side]')).toBeNull();
  expect((await whenThere(document, '[data-side]')).textContent).toBe('Back[');
  await press(button, 'Tab');
  await vi.waitFor(() => expect(document.querySelector('[data-open]')).toBeNull());
});
