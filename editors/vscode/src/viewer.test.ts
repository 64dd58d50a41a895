/** Tests the extension with a fake VS Code API; e2e/vscode.spec.ts also tests its page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fakeEditor } from './fake-api.ts';

const bytes = new Uint8Array([1, 2, 3]);
const files = new Map([
  ['/extension/dist/btfscope.html', new TextEncoder().encode('<!doctype html><title>page</title>')],
  ...['a.o', 'b.o', 'src/bpf/prog.bpf.c', 'src/other/prog.bpf.c', 'src/x[1].c', 'src/x1.c'].map(
    (name) => [`/work/${name}`, bytes] as const,
  ),
  ['/elsewhere/prog.o', bytes],
  ['/elsewhere/prog.bpf.c', bytes],
  ['/etc/passwd', bytes],
]);
const READY = { type: 'btfscope:ready', version: 1 };
const source = (file: unknown, line: unknown = 7, column: unknown = 3) => ({
  type: 'btfscope:source',
  file,
  line,
  column,
});

describe('a file in the editor', () => {
  it('is shown by the extension’s page, which cannot load anything', async () => {
    const panel = await fakeEditor(files).open('/work/a.o');
    expect(panel.html()).toBe('<!doctype html><title>page</title>');
    expect(panel.options()).toEqual({ enableScripts: true, localResourceRoots: [] });
    expect(panel.sent).toEqual([]);
  });

  it('is sent when the page is ready, after the theme', async () => {
    const editor = fakeEditor(files);
    const panel = await editor.open('/work/a.o');
    await panel.say(READY);
    expect(panel.sent).toEqual([
      { type: 'btfscope:theme', theme: 'dark' },
      { type: 'btfscope:open', name: 'a.o', bytes, compare: false },
    ]);
    editor.setTheme(editor.api.ColorThemeKind.HighContrastLight);
    expect(panel.sent.at(-1)).toEqual({ type: 'btfscope:theme', theme: 'light' });
    panel.dispose();
    editor.setTheme(editor.api.ColorThemeKind.Dark);
    expect(panel.sent).toHaveLength(3);
  });

  it('that cannot be read, or is too large, is an error', async () => {
    const length = 512 * 1024 * 1024 + 1;
    const large = { length } as Uint8Array;
    const editor = fakeEditor(new Map([...files, ['/work/large.o', large]]));
    for (const path of ['/work/none.o', '/work/large.o'])
      await (await editor.open(path)).say(READY);
    expect(editor.errors).toEqual([
      'btfscope cannot open none.o: no file /work/none.o.',
      `btfscope cannot open large.o: the file has ${length} bytes, more than 536870912.`,
    ]);
  });
});

describe('a first file that the page refuses', () => {
  const reason = 'the file is larger than 536870912 bytes';

  it('is reported by the editor if the page shows nothing', async () => {
    const editor = fakeEditor(files);
    const panel = await editor.open('/work/a.o');
    await panel.say(READY);
    await panel.say({ type: 'btfscope:refused', reason, isShown: false });
    expect(editor.errors).toEqual([`btfscope cannot open a.o: ${reason}.`]);
  });

  it('is shown once', async () => {
    const editor = fakeEditor(files);
    const panel = await editor.open('/work/a.o');
    await panel.say(READY);
    await panel.say({ type: 'btfscope:refused', reason, isShown: true });
    expect(editor.errors).toEqual([]);
  });
});

describe('Compare with…', () => {
  it('sends the other file once the first is open', async () => {
    const editor = fakeEditor(files);
    editor.chosen = '/work/b.o';
    const running = editor.run('btfscope.compareWith', '/work/a.o');
    await expect.poll(() => editor.panels.length).toBe(1);
    const [panel] = editor.panels;
    await panel?.say(READY);
    expect(panel?.sent).toHaveLength(2);
    await panel?.say({ type: 'btfscope:opened', name: 'a.o' });
    await running;
    await expect
      .poll(() => panel?.sent.at(-1))
      .toEqual({ type: 'btfscope:open', name: 'b.o', bytes, compare: true });
    await panel?.say({ type: 'btfscope:refused', reason: 'it has no types' });
    expect(editor.errors).toEqual(['btfscope cannot compare: it has no types.']);
  });

  it('uses the active editor, and does nothing without a choice or an editor', async () => {
    const editor = fakeEditor(files);
    await editor.run('btfscope.compareWith');
    const panel = await editor.open('/work/a.o');
    await panel.say(READY);
    await panel.say({ type: 'btfscope:opened', name: 'a.o' });
    await editor.run('btfscope.compareWith');
    expect(panel.sent).toHaveLength(2);
    editor.chosen = '/work/b.o';
    await editor.run('btfscope.compareWith');
    expect(panel.sent.at(-1)).toMatchObject({ name: 'b.o', compare: true });
  });

  it('sends nothing if the first file cannot be opened', async () => {
    const editor = fakeEditor(files);
    const panel = await editor.open('/work/a.o');
    await panel.say(READY);
    await panel.say({ type: 'btfscope:refused', reason: 'broken', isShown: true });
    editor.chosen = '/work/b.o';
    await editor.run('btfscope.compareWith', '/work/a.o');
    expect(panel.sent).toHaveLength(2);
    expect(editor.errors).toEqual([]);
  });
});

describe('Open source', () => {
  it.each([
    ['/build/src/bpf/prog.bpf.c', '/work/src/bpf/prog.bpf.c:7:3'],
    ['../src/other/prog.bpf.c', '/work/src/other/prog.bpf.c:7:3'],
    ['C:\\build\\other\\prog.bpf.c', '/work/src/other/prog.bpf.c:7:3'],
    ['x[1].c', '/work/src/x[1].c:7:3'],
  ])('finds %s by the end of its path', async (file, found) => {
    const editor = fakeEditor(files);
    const panel = await editor.open('/work/a.o');
    await panel.say(source(file));
    expect(editor.shown).toEqual([found]);
  });

  it('finds a file beside an object outside of the workspace', async () => {
    const editor = fakeEditor(files);
    await (await editor.open('/elsewhere/prog.o')).say(source('prog.bpf.c', 1, 0));
    expect(editor.shown).toEqual(['/elsewhere/prog.bpf.c:1:1']);
  });

  it('opens no file outside the workspace: a hostile object may name any path', async () => {
    const editor = fakeEditor(files);
    const panel = await editor.open('/work/a.o');
    const paths = ['/etc/passwd', '../../etc/passwd', '\\\\server\\share\\x.c', '**', '..', '/'];
    for (const path of paths) await panel.say(source(path));
    expect(editor.shown).toEqual([]);
    expect(editor.errors[0]).toBe(
      'No file of this workspace ends in /etc/passwd. Open the folder that has the sources.',
    );
    expect(editor.errors).toHaveLength(paths.length);
  });

  it('ignores messages that the page does not write', async () => {
    const editor = fakeEditor(files);
    const panel = await editor.open('/work/a.o');
    const wrong = [source(''), source(7), source('a.c', '7'), source('a.c', 1.5), null, 'x', 7, {}];
    for (const message of wrong) await panel.say(message);
    expect([...editor.shown, ...editor.errors, ...panel.sent]).toEqual([]);
  });
});

it('has the licence of the project', () => {
  const read = (path: string) =>
    readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
  expect(read('../LICENSE')).toBe(read('../../../LICENSE'));
});
