/**
 * Does 23 common tasks, each from an open file, in at most four actions: clicks, keys or typed
 * texts. Prints the number of actions.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { decompress } from 'fzstd';
import { arFile, tarFile } from '../../src/testing/archives.ts';
import { atlasBytes } from '../../src/testing/small-atlas.ts';
import { AppPage, longUnless, type TestFile } from '../app-page.ts';
import { openExample, test as reading } from '../one-page.ts';
import { test } from '../test.ts';

const MOST = 4;

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const sample = (name: string) => path(`public/samples/${name}`);

/** Returns a kernel of the test data, unpacked, with its name. */
function kernel(name: string): Exclude<TestFile, string> {
  const packed = readFileSync(path(`testdata/kernels/vmlinux-${name}.btf.zst`));
  return { name: `vmlinux-${name}.btf`, buffer: decompress(packed) };
}

/** A user whose actions are counted. */
class Person {
  readonly page: Page;
  readonly #actions: string[] = [];

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: string, on: Locator, options: { readonly button?: 'right' } = {}) {
    this.#actions.push(what);
    await on.click(options);
  }

  async press(key: string) {
    this.#actions.push(key);
    await this.page.keyboard.press(key);
  }

  async type(text: string) {
    this.#actions.push(`“${text.length > 30 ? `${text.slice(0, 29)}…` : text}”`);
    await this.page.keyboard.insertText(text);
  }

  /** Opens the palette, types the query and presses Enter, or Alt+Enter for the graph. */
  async ask(question: string, end = 'Enter') {
    await this.press('Control+k');
    await expect(this.page.getByRole('combobox', { name: /Find/ })).toBeFocused();
    await this.type(question);
    await expect(this.page.getByRole('dialog').getByRole('option').first()).toBeVisible();
    await this.press(end);
  }

  /** Prints the actions of the task, and fails if there are too many. */
  done(task: string) {
    console.log(`${task}: ${this.#actions.length} (${this.#actions.join(', ') || 'nothing'})`);
    expect(this.#actions.length, task).toBeLessThanOrEqual(MOST);
  }
}

async function open(page: Page, ...files: readonly TestFile[]): Promise<Person> {
  const app = new AppPage(page);
  await app.open();
  for (const file of files) {
    await app.chooseFile(file);
    await app.opened();
  }
  return new Person(page);
}

/** Opens an example in the page that these tests share. */
async function openRead(page: Page, example: string): Promise<Person> {
  await openExample(page, example);
  return new Person(page);
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const article = (page: Page) => page.getByRole('article').first();

reading('1 which programs and maps are in it', async ({ page }) => {
  const person = await openRead(page, 'exec_trace.bpf.o');
  await expect(page.getByRole('grid', { name: 'Programs' })).toContainText('on_exec');
  await expect(page.getByRole('grid', { name: 'Maps' })).toContainText('events');
  person.done('programs and maps');
});

test('2 and 3 which relocations fail on three kernels, why, and is it fatal', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const person = new Person(page);
  await page.getByLabel('Choose an object and kernels').setInputFiles(
    [
      { name: 'exec_trace.bpf.o', buffer: readFileSync(sample('exec_trace.bpf.o')) },
      ...['small-1-amd64', 'small-2-amd64', 'small-3-amd64'].map(kernel),
    ].map(({ name, buffer }) => ({
      name,
      buffer: Buffer.from(buffer),
      mimeType: 'application/octet-stream',
    })),
  );
  const table = page.getByRole('grid', { name: /on kernels$/ });
  // Kernels with equal answers share a column.
  await expect(table.getByRole('columnheader')).toHaveCount(2);
  await expect(table.getByRole('columnheader').last()).toContainText('3');
  // The row of each program shows the verdict: whether a failing relocation is fatal.
  await expect(table).toContainText(/of 3 load/);
  await person.click('View', page.getByRole('button', { name: 'View' }));
  await person.click('Externs and CO-RE records', page.getByText('Externs and CO-RE records'));
  await person.click('Not same', page.getByText('Not same', { exact: true }));
  // A click outside of the menu closes the menu, too.
  await person.click(
    'a cell',
    table
      .getByRole('gridcell')
      .filter({ hasText: /absent|poisoned/ })
      .first(),
  );
  await expect(
    page.getByRole('region', { name: /relo|Program|on vmlinux/i }).first(),
  ).toBeVisible();
  person.done('relocations that fail on three kernels');
});

reading('4 the offset of two members, copied as C', async ({ page }) => {
  const person = await openRead(page, 'kernel.btf');
  await person.ask('task_struct.pid');
  await expect(article(page)).toContainText('task_struct');
  const members = page.getByRole('grid', { name: 'Members' });
  const row = (name: string) => members.getByRole('row', { name: new RegExp(`^${name} `) });
  const pid = row('pid');
  await expect(pid).toContainText('0x');
  await expect(page.getByRole('dialog')).toBeHidden();
  await person.press('Shift+C');
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: /Copied|blocked/ })
      .first(),
  ).toBeAttached();
  await expect(row('tgid')).toContainText('0x');
  person.done('offsets of two members');
});

test('5 what changed in a struct between two kernels, with its holes', async ({ page }) => {
  const person = await open(page, kernel('small-1-amd64'), kernel('small-3-amd64'));
  await person.click('Compare', tab(page, 'Compare'));
  const list = page.getByRole('grid', { name: 'Types that differ' });
  await expect(list.getByRole('row').nth(1)).toBeVisible();
  await person.click('the filter', page.getByRole('searchbox', { name: 'Filter differences' }));
  await person.type('task_struct');
  await person.click(
    'task_struct',
    list.getByRole('row').filter({ hasText: 'task_struct' }).first(),
  );
  const lines = page.getByRole('grid', { name: 'Lines of both types' });
  await expect(lines).toContainText('__state');
  await expect(page.getByRole('tabpanel')).toContainText(/holes/);
  person.done('what changed in a struct');
});

reading('6 what is this byte, and back', async ({ page }) => {
  const person = await openRead(page, 'exec_trace.bpf.o');
  await person.ask('0x48');
  await page.getByRole('grid', { name: 'Bytes' }).waitFor();
  await expect(page.getByRole('tabpanel')).toContainText(/Byte 0x48/);
  await person.press('[');
  await expect(page).toHaveURL(/#\/(overview|bytes)/);
  person.done('a byte, and back');
});

reading('7 everything about one instruction', async ({ page }) => {
  const person = await openRead(page, 'exec_trace.bpf.o');
  await person.press('6');
  const code = page.getByRole('grid', { name: /Instructions|Code|Listing/i }).first();
  await code.waitFor();
  await person.click(
    'an instruction with a record',
    code.getByRole('row').filter({ hasText: /CO-RE/ }).first(),
  );
  await expect(page.getByRole('tabpanel')).toContainText(/0x|insn/);
  person.done('one instruction');
});

test('8 a path from task_struct to net_device', async ({ page }) => {
  const person = await open(page, kernel('small-3-amd64'));
  await person.ask('paths between');
  const example = page.getByRole('button', { name: /task_struct.*net_device/ });
  await person.click('the example', example.first());
  await expect(page.getByRole('list', { name: 'Paths', exact: true })).toContainText('net_device');
  person.done('a path between types');
});

test('9 what a pasted log means', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const person = new Person(page);
  await person.click('the box', page.getByRole('textbox', { name: 'Log' }));
  await person.type(
    "libbpf: prog 'on_exec': relo #3: substituting insn #12 w/ invalid insn\nlibbpf: failed to load object 'exec_trace.bpf.o'\n",
  );
  await person.click('Explain log', page.getByRole('button', { name: 'Explain log' }));
  await expect(page.getByRole('region', { name: 'Line 1' })).toContainText('Instruction 12');
  person.done('a log');
});

test('10 a type in a link, without the file', { tag: '@long' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const person = await open(page, sample('exec_trace.bpf.o'));
  await person.ask('struct cred');
  await expect(article(page)).toContainText('cred');
  await person.click('Copy link', page.getByRole('button', { name: 'Copy link' }));
  const dialog = page.getByRole('dialog', { name: 'Copy link' });
  await expect(dialog.getByRole('radio', { name: /^Self-contained/ })).toBeChecked();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole('article').first()).toContainText('cred');
  person.done('a type in a link');
});

test('11 what is wrong with a damaged file', async ({ page }) => {
  const whole = readFileSync(sample('exec_trace.bpf.o'));
  const person = await open(page, { name: 'cut.bpf.o', buffer: whole.subarray(0, 9000) });
  await person.click('Show issues', page.getByRole('button', { name: 'Show issues' }));
  await expect(
    page.getByRole('listbox', { name: 'Issues' }).getByRole('option').first(),
  ).toBeVisible();
  await expect(article(page)).toContainText(/expected|found|past/i);
  person.done('a damaged file');
});

test('12 a module on its base', async ({ page }) => {
  const person = await open(page, sample('kernel.btf'), sample('module.btf'));
  await person.click('Use kernel.btf', page.getByRole('button', { name: 'Use kernel.btf' }));
  await expect(page.getByRole('region', { name: 'Base of the split BTF' })).toContainText(
    'kernel.btf',
  );
  await expect(page.getByRole('button', { name: 'Remove base' })).toBeVisible();
  person.done('a module on its base');
});

reading('13 a GPDISP and its pair', async ({ page }) => {
  const person = await openRead(page, 'alpha_gpdisp.ecoff');
  await person.click('Relocations', tab(page, 'Relocations'));
  const rows = page.getByRole('grid', { name: 'Relocations' }).getByRole('row');
  await person.click('a GPDISP', rows.filter({ hasText: 'GPDISP' }).first());
  await expect(article(page)).toContainText(/ldah/);
  await expect(article(page)).toContainText(/lda\b/);
  person.done('a GPDISP pair');
});

const QUESTIONS: readonly (readonly [question: string, answer: RegExp])[] = [
  ['task_struct', /struct:task_struct/],
  ['task_struct.pid', /member=pid/],
  ['#1', /#\/types\?/],
  ['size>100', /#\/types\?/],
  ['0x8 in task_struct', /struct:task_struct/],
];
for (const [question, answer] of QUESTIONS) {
  reading(
    `14 the palette: ${question}`,
    longUnless('task_struct.pid', question),
    async ({ page }) => {
      const person = await openRead(page, 'kernel.btf');
      await person.ask(question);
      await expect(page).toHaveURL(answer);
      person.done(`the palette: ${question}`);
    },
  );
}

test.describe('15 by keyboard alone', () => {
  test('the members of a type', async ({ page }) => {
    const person = await open(page, sample('kernel.btf'));
    await person.press('2');
    await page.getByRole('searchbox', { name: 'Filter types' }).waitFor();
    await person.press('/');
    await person.type('struct mm_struct');
    await person.press('Enter');
    await expect(article(page)).toContainText('mm_struct');
    person.done('by keyboard: a type');
  });

  test('the second pane', { tag: '@long' }, async ({ page }) => {
    const person = await open(page, sample('exec_trace.bpf.o'));
    await person.press('3');
    await person.press('Shift+Digit5');
    await expect(page.getByRole('region', { name: /^Second pane: Bytes/ })).toBeVisible();
    await person.press('F6');
    person.done('by keyboard: two panes');
  });

  test('a log', async ({ page }) => {
    const person = await open(page, sample('exec_trace.bpf.o'));
    await person.ask('explain a log');
    await expect(page.getByRole('textbox', { name: 'Log' })).toBeVisible();
    person.done('by keyboard: a log');
  });
});

test.describe('15 on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the members of a type', async ({ page }) => {
    const person = await open(page, sample('kernel.btf'));
    await person.click('Find', page.getByRole('button', { name: 'Find anything' }));
    await expect(page.getByRole('combobox', { name: /Find/ })).toBeFocused();
    await person.type('task_struct');
    const first = page.getByRole('dialog').getByRole('option').first();
    await expect(first).toContainText(/task_struct.*bytes/);
    await person.click('the first', first);
    await expect(article(page)).toContainText('task_struct');
    person.done('on a phone: a type');
  });

  test('whether the programs load', async ({ page }) => {
    const app = new AppPage(page);
    await app.open();
    const person = new Person(page);
    await person.click('Show an example', page.getByRole('button', { name: 'Show an example' }));
    const verdict = page.getByText('Loads on 3 of 6 kernels; refused on 5.10, 5.15 and 6.1.');
    await expect(verdict.filter({ visible: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Active cell' })).toContainText('count_switch');
    person.done('on a phone: Load');
  });

  test('the issues of a file', { tag: '@long' }, async ({ page }) => {
    const whole = readFileSync(sample('exec_trace.bpf.o'));
    const person = await open(page, { name: 'cut.bpf.o', buffer: whole.subarray(0, 9000) });
    await person.click('Show issues', page.getByRole('button', { name: 'Show issues' }));
    await expect(page.getByRole('listbox', { name: 'Issues' })).toBeVisible();
    person.done('on a phone: issues');
  });
});

/** Exports: a description, the actions up to the export button, and the name of the saved file. */
const EXPORTS: readonly (readonly [
  what: string,
  steps: (person: Person) => Promise<Locator>,
  name: RegExp,
])[] = [
  [
    'all types as C',
    async (person) => {
      await person.click('Types', tab(person.page, 'Types'));
      await person.click('Text', person.page.getByText('Text', { exact: true }).first());
      return person.page.getByRole('button', { name: 'Download' });
    },
    /\.h$/,
  ],
  [
    'one type as C',
    async (person) => {
      await person.ask('struct cred');
      return person.page.getByRole('button', { name: /^Download .*\.h$/ });
    },
    /\.h$/,
  ],
  [
    'the graph as SVG',
    async (person) => {
      await person.ask('struct cred', 'Alt+Enter');
      return person.page.getByRole('button', { name: 'Download SVG' });
    },
    /\.svg$/,
  ],
  [
    'all types as JSON',
    async (person) => {
      await person.click('Types', tab(person.page, 'Types'));
      await person.click('Text', person.page.getByText('Text', { exact: true }).first());
      await person.click('JSON', person.page.getByText('JSON', { exact: true }));
      await expect(person.page.getByRole('tabpanel')).toContainText('"types"');
      return person.page.getByRole('button', { name: 'Download' });
    },
    /\.json$/,
  ],
];
for (const [what, steps, name] of EXPORTS) {
  reading(`16 export: ${what}`, longUnless('one type as C', what), async ({ page }) => {
    const person = await openRead(page, 'exec_trace.bpf.o');
    const last = await steps(person);
    const download = page.waitForEvent('download');
    await person.click('Export', last);
    expect((await download).suggestedFilename()).toMatch(name);
    person.done(`export: ${what}`);
  });
}

test('16 export: the verdicts', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const person = new Person(page);
  await person.click('Show an example', page.getByRole('button', { name: 'Show an example' }));
  await expect(page.getByRole('grid', { name: /on kernels$/ })).toContainText('2 of 2 load');
  await person.click('Export', page.getByRole('button', { name: 'Export' }).first());
  const download = page.waitForEvent('download');
  await person.click('CSV', page.getByRole('menuitem', { name: /CSV/ }).first());
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  person.done('export: the verdicts');
});

test('17 the offset of a member in three kernels', async ({ page }) => {
  const person = await open(
    page,
    ...['small-1-amd64', 'small-2-amd64', 'small-3-amd64'].map(kernel),
  );
  await person.press('Control+k');
  await expect(page.getByRole('combobox', { name: /Find/ })).toBeFocused();
  await person.type('all: task_struct.pid');
  const offsets = page.getByRole('dialog').getByRole('option', { name: /^task_struct\.pid pid_t/ });
  await expect(offsets).toHaveCount(3);
  // pahole prints 228 for the first kernel, 244 for the others.
  await expect(offsets.nth(0)).toContainText('0xe4');
  await expect(offsets.nth(1)).toContainText('0xf4');
  await expect(offsets.nth(2)).toContainText('0xf4');
  person.done('the offset of a member in three kernels');
});

reading('18 the byte at an offset, from the palette', async ({ page }) => {
  const person = await openRead(page, 'exec_trace.bpf.o');
  await person.ask('0x48');
  await expect(page).toHaveURL(/#\/bytes\?/);
  // Slot 1 of .text: llvm-objdump -d prints `7b 1a f8 ff …` there.
  await expect(page.getByRole('tabpanel')).toContainText(/Byte 0x48/);
  person.done('a byte at an offset');
});

reading('19 functions by parameter', async ({ page }) => {
  const person = await openRead(page, 'kernel.btf');
  await person.press('Control+k');
  await expect(page.getByRole('combobox', { name: /Find/ })).toBeFocused();
  await person.type('takes:task_struct');
  const options = page.getByRole('dialog').getByRole('option');
  await expect(options.first()).toContainText(/func/);
  await expect(page.getByRole('dialog')).toContainText(/\d+ found/);
  await person.press('Enter');
  await expect(article(page)).toContainText('struct task_struct *');
  person.done('functions by parameter');
});

test('20 SQL for padding over an atlas', async ({ page }) => {
  const names = ['small-1-amd64', 'small-3-amd64'];
  const buffer = await atlasBytes(
    Object.fromEntries(names.map((name) => [name, kernel(name).buffer])),
  );
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile({ name: 'two.btfatlas', buffer });
  const views = page.getByRole('radiogroup', { name: 'View' });
  await expect(views).toBeVisible();
  const person = new Person(page);
  await person.click('Query', views.getByText('Query', { exact: true }));
  await person.click('Examples', page.getByRole('button', { name: 'Examples' }));
  await person.click(
    'an example',
    page.getByRole('menuitem', { name: /lose most bytes to holes/ }),
  );
  const rows = page.getByRole('region', { name: 'Result' }).getByRole('grid').getByRole('row');
  // pahole: mm_struct of these kernels has 76 bytes of holes and padding.
  const lost = rows.filter({ hasText: 'mm_struct' }).first().getByRole('gridcell').last();
  await expect(lost).toHaveText('76');
  person.done('SQL for padding over an atlas');
});

test('21 a kernel out of a .deb', async ({ page }) => {
  const { buffer } = kernel('small-3-amd64');
  const files = tarFile({
    './usr/share/doc/copyright': new TextEncoder().encode('text'),
    './usr/lib/debug/boot/vmlinux-6.12.43+deb12-amd64': buffer,
    './usr/lib/modules/6.12.43+deb12-amd64/modules.order': new TextEncoder().encode('none'),
  });
  const deb = arFile({
    'debian-binary': new TextEncoder().encode('2.0\n'),
    'control.tar': tarFile({ './control': new TextEncoder().encode('Package: x\n') }),
    'data.tar': files,
  });
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile({ name: 'linux-image.deb', buffer: deb });
  const rows = page.getByRole('grid', { name: 'Archive members' }).getByRole('row');
  const first = rows.nth(1);
  await expect(first).toContainText('vmlinux-6.12.43+deb12-amd64');
  const person = new Person(page);
  await person.click('the kernel', first);
  await person.ask('task_struct.pid');
  await expect(page.getByRole('grid', { name: 'Members' })).toContainText('0xf4');
  person.done('a kernel out of a .deb');
});

reading('22 the plain dump of bpftool', async ({ page }) => {
  const person = await openRead(page, 'xdp_counter.bpf.o');
  await person.click('Data', tab(page, 'Data'));
  await person.click('Decode a value', page.getByText('Decode a value', { exact: true }));
  await person.click('the box', page.getByRole('textbox', { name: 'Hex bytes' }));
  await person.type('key: 00 00 00 00  value: 02 00 00 00\nFound 1 element\n');
  await expect(page.getByRole('grid', { name: 'Entries' })).toContainText('XDP_PASS');
  await expect(page.getByRole('button', { name: 'Map verdict' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  person.done('the plain dump of bpftool');
});

reading('23 a module without its base', async ({ page }) => {
  const person = await openRead(page, 'module.btf');
  await person.ask('struct watch_rule');
  await expect(article(page)).toContainText('watch_rule');
  const members = page.getByRole('grid', { name: 'Members' });
  await expect(members.getByRole('row').filter({ hasText: 'list' }).first()).toContainText(
    /base|\?/i,
  );
  await expect(members).not.toContainText(/hole|padding/);
  person.done('a module without its base');
});
