// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_SELECTION } from '#model/selection.ts';
import { activeFile, type OpenFile, session } from '#store/session/session.ts';
import { elfObject } from '#testing/elf-object.ts';
import { find, fire, focus, mount, press, unmountAll } from '#testing/mount.tsx';
import { openModel } from '#testing/open-model.ts';
import { FileMap } from './FileMap.tsx';

const object = elfObject({
  sections: [
    { name: 'xdp', flags: 6, data: new Uint8Array(512) },
    { name: '.data', flags: 3, data: new Uint8Array(64) },
  ],
});

async function opened(): Promise<OpenFile & { status: { step: 'ready' } }> {
  const model = await openModel('a.o', object.bytes);
  return {
    id: 1,
    name: 'a.o',
    size: model.size,
    sample: null,
    sha256: null,
    status: { step: 'ready', model },
    findings: null,
    view: 'overview',
    selection: NO_SELECTION,
  };
}

beforeEach(async () => {
  session.setState({
    files: [await opened()],
    panes: [{ fileId: 1, view: 'overview' }],
    currentPane: 0,
  });
});
afterEach(async () => {
  await unmountAll();
  session.setState({ files: [], panes: [] });
});

async function draw() {
  const file = await opened();
  const host = await mount(<FileMap model={file.status.model} selection={NO_SELECTION} />);
  return { host, strip: find(host, '[role=listbox]') };
}

it('names each part with what it is and how large', async () => {
  const { strip } = await draw();
  const names = [...strip.querySelectorAll('[role=option]')].map((part) =>
    part.getAttribute('aria-label'),
  );
  expect(names[0]).toBe('ELF header, Headers, 64 bytes');
  expect(names[1]).toBe('xdp, Code, 512 bytes');
});

it('describes the focused part until it loses the focus', async () => {
  const { host, strip } = await draw();
  await focus(strip);
  await press(strip, 'ArrowRight');
  const active = strip.getAttribute('aria-activedescendant');
  expect(document.getElementById(active ?? '')?.getAttribute('aria-label')).toMatch(/^xdp, /);
  expect(host.textContent).toContain('0x40–0x240');
  await act(async () => strip.blur());
  expect(strip.getAttribute('aria-activedescendant')).toBeNull();
});

it('shows the bytes of a part on Enter', async () => {
  const { strip } = await draw();
  await focus(strip);
  await press(strip, 'ArrowRight');
  await press(strip, 'Enter');
  expect(activeFile(session.getState())).toMatchObject({
    view: 'bytes',
    selection: { kind: 'section', section: object.sectionIndex('xdp') },
  });
});

it('shows the bytes of a part on a click; its range if it is not a section', async () => {
  const { strip } = await draw();
  await fire(find(strip, '[data-row="0"]'), new MouseEvent('click', { bubbles: true }));
  expect(activeFile(session.getState())).toMatchObject({
    view: 'bytes',
    selection: { kind: 'bytes', start: 0, end: 64 },
  });
});
