// @vitest-environment happy-dom
import { useEffect, useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { find, fire, mount, unmountAll } from '#testing/mount.tsx';
import { KeptViews } from './KeptViews.tsx';

const VIEWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] as const;
type View = (typeof VIEWS)[number];

/** Views with effects, in the order in which they began; views that are hidden have none. */
let working: View[] = [];

beforeEach(() => {
  working = [];
});
afterEach(unmountAll);

function Counter({ view }: { readonly view: View }) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    working.push(view);
    return () => {
      working = working.filter((other) => other !== view);
    };
  }, [view]);
  return (
    <button type="button" data-view={view} onClick={() => setCount(count + 1)}>
      {count}
    </button>
  );
}

function Example() {
  const [shown, setShown] = useState<View>('a');
  return (
    <>
      <select value={shown} onChange={({ target }) => setShown(target.value as View)}>
        {VIEWS.map((view) => (
          <option key={view}>{view}</option>
        ))}
      </select>
      <KeptViews shown={shown} renderView={(view) => <Counter view={view} />} />
    </>
  );
}

async function show(host: HTMLElement, view: View): Promise<void> {
  const select = find(host, 'select');
  if (select instanceof HTMLSelectElement) select.value = view;
  await fire(select, new Event('change', { bubbles: true }));
}

const drawn = (host: HTMLElement) =>
  [...host.querySelectorAll('[data-view]')].map((view) => view.getAttribute('data-view'));

it('keeps the state of hidden views, and stops their effects', async () => {
  const host = await mount(<Example />);
  await fire(find(host, '[data-view=a]'), new MouseEvent('click', { bubbles: true }));
  await show(host, 'b');
  expect(working).toEqual(['b']);
  expect(find(host, '[data-hidden=true] [data-view]').textContent).toBe('1');
  expect(find(host, '[data-hidden=false] [data-view]').textContent).toBe('0');
  await show(host, 'a');
  expect(working).toEqual(['a']);
  expect(find(host, '[data-hidden=false] [data-view]').textContent).toBe('1');
});

it('keeps the eight views shown last, in an order that never moves an element', async () => {
  const host = await mount(<Example />);
  for (const view of VIEWS.toReversed()) await show(host, view);
  expect(drawn(host)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
});
