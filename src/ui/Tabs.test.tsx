// @vitest-environment happy-dom
import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { find, fire, focus, mount, press, unmountAll } from '#testing/mount.tsx';
import { Tabs } from './Tabs.tsx';

beforeEach(() => {
  // happy-dom has no layout and cannot scroll.
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(unmountAll);

const tabs = [
  { id: 'types', label: 'Types', count: 130_000 },
  { id: 'hex', label: 'Hex' },
  { id: 'graph', label: 'Graph', isDisabled: true },
  { id: 'core', label: 'CO-RE', count: 12 },
] as const;

function Example() {
  const [open, setOpen] = useState<(typeof tabs)[number]['id']>('types');
  return (
    <Tabs
      label="Views"
      tabs={tabs}
      value={open}
      onChange={setOpen}
      renderPanel={(id) => `panel ${id}`}
    />
  );
}

function tabNamed(host: HTMLElement, label: string): HTMLElement {
  const tab = [...host.querySelectorAll<HTMLElement>('[role=tab]')].find(
    (t) => nameOf(t) === label,
  );
  if (tab === undefined) throw new Error(`no tab is named ${label}`);
  return tab;
}

/** Returns the text of an element without the parts hidden from screen readers. */
function nameOf(element: HTMLElement): string {
  const copy = element.cloneNode(true);
  if (!(copy instanceof HTMLElement)) return '';
  for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove();
  return copy.textContent;
}

it('names each tab by its label alone, though counts are shown', async () => {
  const host = await mount(<Example />);
  const all = [...host.querySelectorAll<HTMLElement>('[role=tab]')];
  expect(all.map(nameOf)).toEqual(['Types', 'Hex', 'Graph', 'CO-RE']);
  expect(all[0]?.textContent).toBe('Types130\u202f000');
  expect(find(host, '[role=tablist]').getAttribute('aria-label')).toBe('Views');
});

it('shows the panel of the open tab, named by it', async () => {
  const host = await mount(<Example />);
  await fire(tabNamed(host, 'Hex'), new MouseEvent('click', { bubbles: true }));
  const panel = find(host, '[role=tabpanel]');
  expect(panel.textContent).toBe('panel hex');
  expect(panel.getAttribute('aria-labelledby')).toBe(tabNamed(host, 'Hex').id);
  expect(tabNamed(host, 'Hex').getAttribute('aria-selected')).toBe('true');
  expect(host.querySelectorAll('[role=tabpanel]')).toHaveLength(1);
});

it('moves with the arrow keys', async () => {
  const host = await mount(<Example />);
  await focus(tabNamed(host, 'Types'));
  await press(tabNamed(host, 'Types'), 'ArrowRight');
  expect(find(host, '[role=tabpanel]').textContent).toBe('panel hex');
  await press(tabNamed(host, 'Hex'), 'End');
  expect(find(host, '[role=tabpanel]').textContent).toBe('panel core');
});
