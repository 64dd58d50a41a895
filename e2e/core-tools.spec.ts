/**
 * Tests the tools of the CO-RE tab: an explained log, the playground, and the fields that an object
 * needs from a kernel. Uses kernels of the large corpus only if BTFSCOPE_CORPUS=large.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { btfBlob } from '../src/testing/btf-blob.ts';
import { int, ptr, struct } from '../src/testing/btf-types.ts';
import { corpusKernels, isLargeCorpus, readCorpusFile } from '../src/testing/corpus.ts';
import { AppPage, type TestFile } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { pasteInto } from './paste.ts';
import { test } from './test.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../public/samples/${name}`, import.meta.url));

const INODE = '[423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)';

/** Small versions of `struct inode`: of Linux 6.1 (OLD), and of Linux 6.11 and later. */
const OLD: TestFile = {
  name: 'old.btf',
  buffer: btfBlob({
    types: [
      int('long long int', 8, { encoding: 1 }),
      struct('timespec64', 16, [{ name: 'tv_sec', type: 1, bitOffset: 0 }]),
      struct('inode', 104, [{ name: 'i_atime', type: 2, bitOffset: 704 }]),
      ptr(3),
      struct('file', 16, [{ name: 'f_inode', type: 4, bitOffset: 64 }]),
    ],
  }).bytes,
};
const NEW: TestFile = {
  name: 'new.btf',
  buffer: btfBlob({
    types: [
      int('long long int', 8, { encoding: 1 }),
      struct('inode', 104, [
        { name: 'i_uid', type: 1, bitOffset: 0 },
        { name: 'i_atime_sec', type: 1, bitOffset: 704 },
      ]),
      ptr(2),
      struct('file', 24, [{ name: 'f_inode', type: 3, bitOffset: 128 }]),
    ],
  }).bytes,
};

async function open(page: Page, ...files: readonly TestFile[]): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  for (const file of files) {
    await app.chooseFile(file);
    await app.opened();
  }
  await app.show('CO-RE');
  return app;
}

const mode = (page: Page, name: string): Locator =>
  page.getByRole('radiogroup', { name: 'CO-RE', exact: true }).getByText(name, { exact: true });

const log = (page: Page): Locator => page.getByRole('textbox', { name: 'Log', exact: true });
/** Types a log into the box and opens it. */
async function openLog(page: Page, text: string): Promise<void> {
  await log(page).fill(text);
  await page.getByRole('button', { name: 'Explain log' }).click();
}

const lines = (page: Page): Locator => page.getByRole('grid', { name: 'Lines of the log' });
const inKernel = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: `In ${name}`, exact: true });
const accessString = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Access string', exact: true });

async function beginIn(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find a type' }).fill(name);
  await page
    .getByRole('listbox', { name: 'Root types' })
    .getByRole('option')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()
    .click();
}

test.describe('explain a log', () => {
  test('finds a renamed field with only two kernels open', { tag: '@long' }, async ({ page }) => {
    const app = await open(page, OLD, NEW);
    await mode(page, 'Explain a log').click();
    await openLog(page, `hello\n${INODE}`);
    await expect(lines(page)).toContainText('unknown');
    const old = inKernel(page, 'old.btf');
    await expect(old).toContainText('Found at byte 88.');
    const fresh = inKernel(page, 'new.btf');
    await expect(fresh).toContainText('struct inode has no member i_atime.');
    await expect(fresh.getByLabel('Not found:')).toBeVisible();
    await fresh.getByRole('button', { name: 'i_atime_sec' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('new.btf');
    const members = page.getByRole('grid', { name: 'Members' });
    await expect(members.locator('[aria-selected=true]')).toContainText('i_atime_sec');
    app.expectQuiet();
  });

  test('the same on Linux 6.1 and 6.18', { tag: '@long' }, async ({ page }) => {
    test.skip(!isLargeCorpus, 'only with BTFSCOPE_CORPUS=large');
    const kernel = (version: RegExp): TestFile => {
      const found = corpusKernels().find(({ id }) => version.test(id));
      if (found === undefined) throw new Error(`the corpus has no kernel ${version}`);
      return { name: `${found.id}.btf`, buffer: readCorpusFile(found) };
    };
    const [old, fresh] = [kernel(/^6\.1\.0-\d+-amd64$/), kernel(/^6\.18-amd64$/)];
    if (typeof old === 'string' || typeof fresh === 'string') throw new Error('never');
    const app = await open(page, old, fresh);
    await mode(page, 'Explain a log').click();
    await openLog(page, `libbpf: prog 'p': relo #4: <byte_off> ${INODE}`);
    await expect(inKernel(page, old.name)).toContainText('Found at byte 88.');
    await expect(inKernel(page, fresh.name)).toContainText('struct inode has no member i_atime.');
    await expect(inKernel(page, fresh.name)).toContainText('i_atime_sec');
    app.expectQuiet();
  });

  test('links a log of the object to its relocation, type and instruction', async ({ page }) => {
    const app = await open(page, sample('exec_trace.bpf.o'));
    await mode(page, 'Explain a log').click();
    await page.getByRole('button', { name: 'Try an example' }).click();
    await expect(lines(page)).toContainText("prog 'on_exec': relo #2");
    await lines(page).getByRole('button', { name: 'relo #2', exact: true }).first().click();
    await expect(page.getByRole('region', { name: 'relo #2' })).toContainText(
      'struct cred.uid.val',
    );
    await page.getByRole('button', { name: 'pasted log', exact: true }).click();
    await lines(page)
      .getByRole('button', { name: /^insn #/ })
      .first()
      .click();
    await expect(app.tab('Code')).toHaveAttribute('aria-selected', 'true');
    app.expectQuiet();
  });

  test('reads the simulated libbpf log', { tag: '@long' }, async ({ page }) => {
    const app = await open(page, sample('exec_trace.bpf.o'));
    await mode(page, 'Simulate libbpf log').click();
    await page.getByRole('button', { name: 'Use the object itself' }).click();
    await expect(page.getByRole('grid', { name: 'libbpf log' })).toContainText('relo #0');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const path = await (await download).path();
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^libbpf: CO-RE relocating \[22\] struct task_struct: /);
    await app.chooseFile({ name: 'libbpf.log', buffer: Buffer.from(text) });
    const count = text.split('\n').length - 1;
    await expect(page.getByText(`${count} lines · 0 failures · 0 unknown`)).toBeVisible();
    app.expectQuiet();
  });

  test('the page stays responsive while it reads ten megabytes', { tag: '@long' }, async ({
    page,
  }) => {
    const app = await open(page, sample('exec_trace.bpf.o'));
    await mode(page, 'Explain a log').click();
    await pasteInto(
      log(page),
      "libbpf: prog 'p': relo #4: no matching targets found\n".repeat(200_000),
    );
    await expect(page.getByText(/200\s000 lines · /)).toBeVisible();
    await lines(page).focus();
    await page.keyboard.press('End');
    await expect(page.getByRole('region', { name: /^Line 200\s000/ })).toBeVisible();
    app.expectQuiet();
  });
});

test.describe('playground', () => {
  test('1:2:0:5 shows its path and the index at which it is wrong', async ({ page }) => {
    const app = await open(page, sample('kinds.btf'));
    await beginIn(page, 'value');
    await accessString(page).fill('1:2:0:5');
    const place = page.getByRole('region', { name: /^Access string/ });
    await expect(place).toContainText('Index 5 does not apply: char is int');
    await expect(place.locator('pre')).toHaveText('1:2:0:5\n      ^');
    await expect(accessString(page)).toHaveAttribute('aria-invalid', 'true');
    await accessString(page).fill('1:2:0');
    await expect(place.getByRole('listitem')).toHaveText([/^1p\[1\]/, /^2\.text/, /^0\[0\]/]);
    await expect(page.getByRole('group', { name: 'C expression' })).toContainText('p[1].text[0];');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the access string' }).click();
    await expect(page.getByText('Copied', { exact: true }).first()).toBeAttached();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('1:2:0');
    app.expectQuiet();
  });

  test('the keyboard follows a pointer, and other kernels show their results', async ({ page }) => {
    const app = await open(page, OLD, NEW);
    await beginIn(page, 'file');
    await page.getByRole('grid', { name: 'Next members' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(accessString(page)).toHaveValue('0:0');
    const kernels = page.getByRole('region', { name: 'Results on open kernels' });
    await expect(kernels.getByRole('row', { name: /old\.btf/ })).toContainText('[5] 0:0');
    // The first column of each kernel is byte_off: f_inode is at 8 in old.btf, at 16 in new.btf.
    await expect(
      kernels
        .getByRole('row', { name: /old\.btf/ })
        .getByRole('cell')
        .nth(1),
    ).toHaveText('8');
    await page.getByRole('button', { name: 'Follow to struct inode' }).click();
    const second = page.getByRole('textbox', { name: 'Access string 2' });
    await second.fill('i_atime_sec');
    await second.press('Enter');
    await expect(second).toHaveValue('0:1');
    await expect(page.getByRole('group', { name: 'C expression' })).toContainText(
      'BPF_CORE_READ(p, f_inode, i_atime_sec);',
    );
    const asks = page.getByRole('region', { name: 'Relocations of the field' });
    await expect(asks).toContainText('bpf_core_field_offset(p->i_atime_sec)');
    await expect(asks).toContainText(
      '__builtin_preserve_field_info(p->i_atime_sec, BPF_FIELD_RSHIFT_U64)',
    );
    await expect(kernels.getByRole('row', { name: /old\.btf/ })).toContainText('absent');
    app.expectQuiet();
  });

  test('follows the selection, and sets it', { tag: '@long' }, async ({ page }) => {
    const app = await open(page, sample('exec_trace.bpf.o'));
    await mode(page, 'Playground').click();
    await beginIn(page, 'cred');
    await accessString(page).fill('uid');
    await accessString(page).press('Enter');
    await app.show('Types');
    const members = page.getByRole('grid', { name: 'Members' });
    await expect(members.locator('[aria-selected=true]')).toContainText('uid');
    await app.show('CO-RE');
    await expect(accessString(page)).toHaveValue('0:0');
    app.expectQuiet();
  });
});

const needsPart = (page: Page, name: string): Locator =>
  page.getByRole('radiogroup', { name: 'Needs', exact: true }).getByText(name, { exact: true });

test.describe('needs', () => {
  test('name the oldest Linux, what decides it and where, and kernels without it', async ({
    page,
  }) => {
    const app = await open(page, sample('kernel.btf'), sample('exec_trace.bpf.o'));
    await mode(page, 'Needs').click();
    await expect(
      page.getByText(/^Needs Linux \d+\.\d+ or later: /).filter({ visible: true }),
    ).toBeVisible();
    await expect(page.getByRole('region', { name: 'Open kernels' })).toContainText(
      /\d of 1 kernel (has|have) all it needs/,
    );
    const needs = page.getByRole('grid', { name: 'Needs of the object' });
    await expect(needs).toContainText('Decides the version');
    await needs.getByText('member task_struct.tgid', { exact: true }).click();
    await page
      .getByRole('button', { name: /^relo #/ })
      .first()
      .click();
    await expect(page.getByRole('region', { name: /^relo #/ })).toContainText('task_struct.tgid');
    await page.goBack();
    await needs
      .getByRole('button', { name: /^insn 4 of on_exec/ })
      .first()
      .click();
    await expect(page.getByRole('tab', { name: 'Code', exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    app.expectQuiet();
  });

  test('are listed, written as a header, and kept in a minimal BTF', async ({ page }) => {
    const app = await open(page, sample('kernel.btf'), sample('exec_trace.bpf.o'));
    await mode(page, 'Needs').click();
    await needsPart(page, 'CO-RE fields').click();
    const needs = page.getByRole('grid', { name: 'Required fields and types' });
    await expect(needs).toContainText('struct task_struct');
    await page.getByRole('searchbox', { name: 'Filter requirements' }).fill('uid');
    await expect(needs.getByRole('row')).toHaveCount(3);
    const header = page.getByRole('region', { name: 'C header of the CO-RE types' }).first();
    await expect(header).toContainText('struct task_struct___old {');
    await expect(header).toContainText('__attribute__((preserve_access_index))');

    await page.getByRole('button', { name: /^Target/ }).click();
    await page.getByRole('menuitem', { name: /^kernel\.btf/ }).click();
    const minimal = page.getByRole('region', { name: 'Minimal BTF for kernel.btf' });
    await expect(minimal).toContainText(/Covers\s*\d+ relocations/);
    const types = Number(/(\d+) types/.exec((await minimal.textContent()) ?? '')?.[1]);
    const download = page.waitForEvent('download');
    await minimal.getByRole('button', { name: 'Download BTF' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('kernel.min.btf');
    const buffer = readFileSync(await file.path());
    await app.chooseFile({ name: 'kernel.min.btf', buffer });
    expect(await app.opened()).toMatchObject({ types });
    app.expectQuiet();
  });

  test('link to the relocations that need them', async ({ page }) => {
    const app = await open(page, sample('exec_trace.bpf.o'));
    await mode(page, 'Needs').click();
    await needsPart(page, 'CO-RE fields').click();
    const needs = page.getByRole('grid', { name: 'Required fields and types' });
    await needs.getByRole('button', { name: 'uid.val' }).click();
    await expect(page.getByRole('region', { name: 'relo #2' })).toContainText(
      'struct cred.uid.val',
    );
    app.expectQuiet();
  });
});

for (const { name, ...look } of LOOKS) {
  test.describe(name, () => {
    test.use(look);

    test('has no axe violation', { tag: '@long' }, async ({ page }) => {
      test.setTimeout(180_000);
      const app = await open(page, OLD, sample('exec_trace.bpf.o'));
      await mode(page, 'Explain a log').click();
      await expectAccessible(page, 'an empty log');
      await openLog(page, `hello\nlibbpf: prog 'on_exec': relo #2: <byte_off> ${INODE}`);
      await expect(inKernel(page, 'old.btf')).toContainText('at byte 88');
      await expectAccessible(page, 'a log');
      await page.getByRole('button', { name: 'exec_trace.bpf.o', exact: true }).click();
      await mode(page, 'Simulate libbpf log').click();
      await expect(page.getByRole('grid', { name: 'libbpf log' })).toContainText('relo #0');
      await expectAccessible(page, 'libbpf log');
      await mode(page, 'Needs').click();
      await expect(page.getByRole('region', { name: 'Open kernels' })).toContainText('old.btf');
      await expectAccessible(page, 'needs of the kernel');
      await needsPart(page, 'CO-RE fields').click();
      await expect(page.getByRole('button', { name: 'Download BTF' })).toBeVisible();
      await expectAccessible(page, 'needs');
      await mode(page, 'Playground').click();
      await expectAccessible(page, 'a playground without a type');
      await beginIn(page, 'cred');
      await accessString(page).fill('0:0:7');
      await expect(page.getByRole('region', { name: 'Results on open kernels' })).toContainText(
        'no match',
      );
      await expectAccessible(page, 'a playground');
      app.expectQuiet();
    });
  });
}
