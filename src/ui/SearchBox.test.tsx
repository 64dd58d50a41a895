// @vitest-environment happy-dom
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { find, fire, mount, press, typeInto, unmountAll } from '#testing/mount.tsx';
import { FoundList } from './SearchBox.tsx';

afterEach(unmountAll);

type ExampleProps = { readonly onEnter?: (text: string, isShift: boolean) => void };

/** Draws a search box whose answer arrives when the button is clicked. */
function Example({ onEnter }: ExampleProps) {
  const [value, setValue] = useState('');
  const [answered, setAnswered] = useState('');
  return (
    <section>
      <FoundList
        label="Filter types"
        value={value}
        onChange={setValue}
        count={[3, 1000]}
        isWaiting={answered !== value}
        onEnter={({ isShift }) => onEnter?.(value, isShift)}
      />
      <button type="button" data-answer onClick={() => setAnswered(value)} />
      <div role="listbox" aria-label="Types" tabIndex={0} />
    </section>
  );
}

it('shows how many rows pass while it has text, and Escape empties it', async () => {
  const host = await mount(<Example />);
  const box = find(host, 'input');
  expect(host.textContent).toBe('');
  await typeInto(box, 'task');
  expect(host.textContent).toBe('3 of 1\u202f000');
  await press(box, 'Escape');
  expect(host.textContent).toBe('');
});

it('moves the focus to the list with the arrow down', async () => {
  const host = await mount(<Example />);
  await press(find(host, 'input'), 'ArrowDown');
  expect(document.activeElement).toBe(find(host, '[role=listbox]'));
});

it('runs Enter at once if the answer has arrived, else after it', async () => {
  const onEnter = vi.fn();
  const host = await mount(<Example onEnter={onEnter} />);
  const box = find(host, 'input');
  await press(box, 'Enter', { shiftKey: true });
  expect(onEnter.mock.calls).toEqual([['', true]]);
  await typeInto(box, 'task');
  await press(box, 'Enter');
  expect(onEnter).toHaveBeenCalledTimes(1);
  await fire(find(host, '[data-answer]'), new MouseEvent('click', { bubbles: true }));
  expect(onEnter.mock.lastCall).toEqual(['task', false]);
});

it('drops an Enter once the text changes', async () => {
  const onEnter = vi.fn();
  const host = await mount(<Example onEnter={onEnter} />);
  const box = find(host, 'input');
  await typeInto(box, 'task');
  await press(box, 'Enter');
  await typeInto(box, 'tasks');
  await fire(find(host, '[data-answer]'), new MouseEvent('click', { bubbles: true }));
  expect(onEnter).not.toHaveBeenCalled();
});
