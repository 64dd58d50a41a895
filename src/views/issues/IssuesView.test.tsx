// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import type { Issue, Severity } from '#bytes/issue.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { activeFile, session } from '#store/session/session.ts';
import { elfObject } from '#testing/elf-object.ts';
import { find, fire, mount, press, unmountAll } from '#testing/mount.tsx';
import { openModel } from '#testing/open-model.ts';
import { IssuesView } from './IssuesView.tsx';

afterEach(async () => {
  await unmountAll();
  session.setState({ files: [], panes: [] });
});

function issue(severity: Severity, message: string, start: number | null): Issue {
  const span = start === null ? null : { start, end: start + 4 };
  return { severity, code: 'a.b', message, span, region: '.BTF', advice: `about ${message}` };
}

async function draw(issues: readonly Issue[], findings: readonly Issue[] | null) {
  const model = await openModel('a.o', elfObject().bytes);
  session.setState({
    panes: [{ fileId: 1, view: 'issues' }],
    currentPane: 0,
    files: [
      {
        id: 1,
        name: 'a.o',
        size: model.size,
        sample: null,
        sha256: null,
        status: { step: 'ready', model: { ...model, issues } },
        findings,
        view: 'issues',
        selection: NO_SELECTION,
      },
    ],
  });
  return mount(<IssuesView />);
}

const click = (element: Element) => fire(element, new MouseEvent('click', { bubbles: true }));
const options = (host: Element) => [...host.querySelectorAll('[role=option]')];
const button = (host: Element, text: string) =>
  [...host.querySelectorAll('button')].find((each) => each.textContent === text);

describe('with issues', () => {
  const issues = [issue('note', 'small', 8), issue('error', 'large', 16)];
  const findings = [issue('warning', 'odd', null)];

  it('lists the worst first and opens it', async () => {
    const host = await draw(issues, findings);
    expect(options(host).map((option) => option.textContent)).toEqual([
      'largeError.BTF0x10',
      'oddWarning.BTF',
      'smallNote.BTF0x8',
    ]);
    expect(find(host, 'h2').textContent).toBe('large');
    expect(host.textContent).toContain('about large');
  });

  it('follows the keyboard down the list', async () => {
    const host = await draw(issues, findings);
    await press(find(host, '[role=listbox]'), 'End');
    expect(find(host, 'h2').textContent).toBe('small');
  });

  it('shows the bytes of an issue, and offers none where there are none', async () => {
    const host = await draw(issues, findings);
    const show = button(host, 'Show bytes');
    if (show === undefined) throw new Error('no button');
    await press(find(host, '[role=listbox]'), 'ArrowDown');
    expect(button(host, 'Show bytes')).toBeUndefined();
    await press(find(host, '[role=listbox]'), 'Home');
    const again = button(host, 'Show bytes');
    if (again === undefined) throw new Error('no button');
    await click(again);
    expect(activeFile(session.getState())).toMatchObject({
      view: 'bytes',
      selection: { kind: 'bytes', start: 16, end: 20 },
    });
  });

  it('filters by severity, with the numbers on the switch', async () => {
    const host = await draw(issues, findings);
    const labels = [...host.querySelectorAll('label')].map((label) => label.textContent);
    expect(labels).toEqual(['All 3', 'Errors 1', 'Warnings 1', 'Notes 1']);
    await click(find(host, 'input[value=warning]'));
    expect(options(host)).toHaveLength(1);
    expect(find(host, 'h2').textContent).toBe('odd');
  });

  it('shows that the records are being checked', async () => {
    const host = await draw(issues, null);
    expect(find(host, '[aria-live=polite]').textContent).toBe('Checking records…');
    expect(options(host)).toHaveLength(2);
  });

  it('escapes what would mislead', async () => {
    const host = await draw([issue('error', 'a\u202eb<img>', 0)], []);
    expect(find(host, 'h2').textContent).toBe('a\\u{202e}b<img>');
    expect(host.querySelector('img')).toBeNull();
  });
});

describe('without issues', () => {
  it('reports no issues, and names what was checked', async () => {
    const host = await draw([], []);
    expect(find(host, 'h2').textContent).toBe('No issues');
    expect(find(host, 'ul').textContent).toContain('1 header');
  });

  it('makes no claim before the check is done', async () => {
    const host = await draw([], null);
    expect(find(host, 'h2').textContent).toBe('No issues so far');
  });
});
