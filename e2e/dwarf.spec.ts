/** Types of a program that has DWARF and no BTF: in Overview, Types, Data and Problems. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const FILE = fileURLToPath(new URL('../testdata/edge/native_armv7.o', import.meta.url));

/** Views that were shown before stay in the page, out of sight. */
const seen = (found: Locator) => found.filter({ visible: true });

/** Shows a variable of the sections in Data. */
async function showVariable(app: AppPage, page: Page, name: string): Promise<void> {
  await app.show('Data');
  const variables = page.getByRole('listbox', { name: 'Data' }).getByRole('option');
  await variables.filter({ hasText: name }).click();
}

test('a program in C without BTF shows the types and variables of its DWARF', async ({ page }) => {
  await page.goto('/');
  await page.locator('input[type=file]').first().setInputFiles(FILE);
  await expect(page.getByText(/^from DWARF 5 of C, Debian clang version 19/)).toBeVisible();

  await page.getByRole('tab', { name: /^Types/ }).click();
  await page.getByRole('option', { name: /^STRUCT list/ }).click();
  const declaration = page.getByRole('tabpanel').or(page.locator('main')).first();
  await expect(declaration.getByText('struct list').first()).toBeVisible();

  await page.getByRole('tab', { name: 'Data' }).click();
  await seen(page.getByText('first', { exact: true }))
    .first()
    .click();
  await expect(seen(page.getByText('far_away')).first()).toBeVisible();

  await page.getByRole('tab', { name: /^Problems/ }).click();
  await expect(page.getByText('This file has no BTF to check')).toBeVisible();
});

test('types of C++ are declared as C++ does', async ({ page }) => {
  const app = new AppPage(page);
  await page.goto('/');
  const folder = fileURLToPath(new URL('../testdata/dwarf/', import.meta.url));
  const input = page.locator('input[type=file]').first();
  await input.setInputFiles(join(folder, 'languages.clang.o'));
  await app.show('Types');
  await seen(page.getByRole('option', { name: /^STRUCT ns::derived/ })).click();
  const source = seen(page.getByRole('group', { name: 'Declaration as Source' }));
  await expect(source).toContainText('class ns::derived : public base, protected other {');
  await expect(source).toContainText('int &r;');
  const members = seen(page.getByRole('grid', { name: 'Members' }));
  await expect(members.getByText('base class')).toHaveCount(2);
  await expect(members.getByText('int &', { exact: true })).toBeVisible();
  await source.getByRole('button', { name: 'other' }).click();
  await expect(source).toContainText('struct other {');

  // C stays beside it, in the address too.
  await seen(page.getByRole('radiogroup', { name: 'Form' }))
    .getByText('C', { exact: true })
    .click();
  await expect(seen(page.getByRole('group', { name: 'C declaration' }))).toContainText('long y;');
  await expect(page).toHaveURL(/form=c\b/);
});

const PROGRAM = `
  enum color { RED, GREEN = 5 };
  struct point { int x; short y; unsigned flag : 3; unsigned mode : 5; };
  struct list { struct list *next; struct point at; enum color color; char name[8]; };
  struct list head = { 0, { 7, -2, 5, 9 }, GREEN, "first" };
  int add(const struct point *p, int n) { return p->x + n; }
  int main(int argc, char **argv) { return add(&head.at, argc); }
`;

/** Makes files in the folder of the test by commands, which name them. Returns their paths. */
function make(files: readonly string[], commands: readonly string[]): readonly string[] {
  const folder = test.info().outputPath();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'prog.c'), PROGRAM);
  for (const command of commands) {
    const [tool = '', ...words] = command.split(' ');
    execFileSync(tool, words, { cwd: folder });
  }
  return files.map((file) => join(folder, file));
}

test('a struct of a program leads to its entry, and a variable to its bytes', async ({ page }) => {
  const [program = ''] = make(['prog'], ['clang-19 -g -O1 prog.c -o prog']);
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(program);
  await app.opened();
  await app.show('Types');
  await page.getByRole('option', { name: /^STRUCT list/ }).click();
  await expect(seen(page.getByText('prog.c:4', { exact: true }))).toBeVisible();
  await seen(page.getByRole('button', { name: 'Show bytes' })).click();
  const trail = seen(page.getByRole('navigation', { name: 'Structure of the byte' }));
  await expect(trail).toContainText('.debug_info');
  await expect(trail).toContainText(/DW_TAG_structure_type list$/);
  await seen(page.getByRole('button', { name: 'Go to type' })).click();
  await expect(page).toHaveURL(/#\/types\?.*type=struct:list$/);

  await showVariable(app, page, 'head');
  const value = seen(page.getByRole('grid', { name: 'Value' }));
  await expect(value).toContainText('GREEN');
  await expect(value).toContainText('"first"');
  await seen(page.getByRole('button', { name: 'Show bytes' })).click();
  await expect(trail).toContainText('.data');
  await expect(trail).toContainText('head');
  app.expectQuiet();
});

test('a stripped program names its debug file, and takes its types', async ({ page }) => {
  const [stripped = '', debug = '', other = ''] = make(
    ['stripped', 'prog.debug', 'other.debug'],
    [
      'clang-19 -g -O1 -Wl,--build-id prog.c -o prog',
      'clang-19 -g -O0 -Wl,--build-id prog.c -o other.debug',
      'llvm-objcopy-19 --only-keep-debug prog prog.debug',
      'llvm-objcopy-19 --strip-all --add-gnu-debuglink=prog.debug prog stripped',
    ],
  );
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(stripped);
  await app.opened();
  await app.show('Types');
  await expect(
    seen(page.getByText(/open prog\.debug or \/usr\/lib\/debug\/\.build-id\//)),
  ).toBeVisible();
  const input = page.getByLabel('Open debug file');
  await input.setInputFiles(other);
  await expect(
    seen(page.getByText(/is not the debug file of this file: expected the build id/)),
  ).toBeVisible();
  await input.setInputFiles(debug);
  await page.getByRole('option', { name: /^STRUCT list/ }).click();
  await expect(seen(page.getByText('prog.c:4', { exact: true }))).toBeVisible();
  await showVariable(app, page, 'head');
  await expect(seen(page.getByRole('grid', { name: 'Value' }))).toContainText('GREEN');
  app.expectQuiet();
});

test('a library that dwz changed takes its second file', async ({ page }) => {
  const folder = fileURLToPath(new URL('../testdata/dwarf/', import.meta.url));
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(join(folder, 'supplement.so'));
  await app.opened();
  await app.show('Types');
  const bar = seen(
    page.getByText(/Types that several files share are in another file, supplement/),
  );
  await expect(bar).toBeVisible();
  const input = page.getByLabel('Open second file');
  await input.setInputFiles(join(folder, 'shared.o'));
  await expect(seen(page.getByText(/^shared\.o is not the debug file of this file/))).toBeVisible();
  await input.setInputFiles(join(folder, 'supplement.dwz'));
  await expect(bar).toBeHidden();
  await expect(seen(page.getByRole('option', { name: /^STRUCT shared/ }))).toBeVisible();
  app.expectQuiet();
});

test('a file with skeleton units takes its split files', async ({ page }) => {
  const dwarf = fileURLToPath(new URL('../testdata/dwarf/', import.meta.url));
  const units = ['first', 'second'];
  const [both = '', ...split] = make(
    ['both.o', ...units.map((unit) => `${unit}.dwo`)],
    [
      ...units.map((unit) => `clang-19 -g -gsplit-dwarf -w -c ${dwarf}${unit}.c -o ${unit}.o`),
      'ld -r first.o second.o -o both.o',
    ],
  );
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(both);
  await app.opened();
  await app.show('Types');
  const lacking = (count: string) =>
    seen(page.getByText(`The types of ${count} are in other files, as first.dwo`));
  await expect(lacking('2 units')).toBeVisible();
  const input = page.getByLabel('Open split files');
  await input.setInputFiles(join(dwarf, 'split.4.dwo'));
  await expect(
    seen(page.getByText(/^split\.4\.dwo is not a split file of this file: expected a unit/)),
  ).toBeVisible();
  await input.setInputFiles(split.slice(1));
  await expect(lacking('1 unit')).toBeVisible();
  await expect(seen(page.getByRole('option', { name: /^STRUCT tagged/ }))).toBeVisible();
  await input.setInputFiles(split);
  await expect(lacking('1 unit')).toBeHidden();
  await page.getByRole('option', { name: /^STRUCT packed_by_value/ }).click();
  await expect(seen(page.getByText(/first\.c:6$/))).toBeVisible();
  await showVariable(app, page, 'counter');
  await expect(seen(page.getByRole('grid', { name: 'Value' }))).toContainText('1');
  app.expectQuiet();
});

test('a file with BTF and DWARF tells what pahole left out', async ({ page }) => {
  const dwarf = fileURLToPath(new URL('../testdata/dwarf/', import.meta.url));
  const [both = ''] = make(
    ['both.o'],
    [`llvm-objcopy-19 --add-section .BTF=${dwarf}gcc.default.btf ${dwarf}gcc.o both.o`],
  );
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(both);
  await app.opened();
  await expect(seen(page.getByText(/^from BTF; DWARF 5 of C/))).toBeVisible();
  await app.show('Problems');
  await page.getByRole('radio', { name: 'BTF from DWARF' }).check({ force: true });
  const list = seen(page.getByRole('grid', { name: 'Decisions' }));
  await expect(list).toContainText('left out: a packed struct is passed on the stack');
  await seen(page.getByRole('searchbox', { name: 'Filter by name' })).fill('first');
  await expect(
    seen(page.getByText(/^In the BTF of pahole, first is FUNC \[\d+\]\.$/)),
  ).toBeVisible();
  await seen(page.getByRole('searchbox', { name: 'Filter by name' })).fill('drops');
  await list.getByText('drops', { exact: true }).first().click();
  await seen(page.getByRole('button', { name: 'Show bytes' })).click();
  await expect(seen(page.getByRole('navigation', { name: 'Structure of the byte' }))).toContainText(
    /DW_TAG_subprogram/,
  );
  app.expectQuiet();
});

test('a module with split BTF and DWARF is shown on its base', async ({ page }) => {
  const testdata = fileURLToPath(new URL('../testdata/', import.meta.url));
  const app = new AppPage(page);
  await app.open();
  await app.dropFile(join(testdata, 'dwarf/module.ko'));
  await app.opened();
  await expect(seen(page.getByText(/^from BTF; DWARF 5 of C/))).toBeVisible();
  const bar = page.getByRole('region', { name: 'Base of the split BTF' });
  await expect(bar).toContainText('It needs 682 base types');
  const base = join(testdata, 'kernels/vmlinux-small-1-amd64.btf.zst');
  await bar.getByLabel('Open a base').setInputFiles(base);
  await expect(bar).toContainText('on the base vmlinux-small-1-amd64.btf');
  await app.show('Types');
  await seen(page.getByRole('option', { name: /^STRUCT thing/ })).click();
  await expect(seen(page.getByRole('article'))).toContainText('list_head');
  await app.show('Problems');
  await page.getByRole('radio', { name: 'BTF from DWARF' }).check({ force: true });
  const list = seen(page.getByRole('grid', { name: 'Decisions' }));
  await expect(list).toContainText('left out: a packed struct is passed on the stack');
  await expect(list).toContainText('left out: the compiler reordered the parameters');
  await page.getByRole('radio', { name: 'Types 8' }).check({ force: true });
  await expect(list).toContainText(/list_head.*merged with STRUCT \[443\], of the base/);
  app.expectQuiet();
});

const LIBC = '/lib/x86_64-linux-gnu/libc.so.6';

/** Returns the path of libc's debug file; null if it is not installed. */
function libcDebugFile(): string | null {
  try {
    const notes = execFileSync('llvm-readelf-19', ['-n', LIBC]).toString();
    const id = /Build ID: ([\da-f]+)/.exec(notes)?.[1] ?? '';
    const path = `/usr/lib/debug/.build-id/${id.slice(0, 2)}/${id.slice(2)}.debug`;
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

test('the debug file of libc shows the types of libc', async ({ page }) => {
  const debug = libcDebugFile();
  test.skip(debug === null, 'Debian’s libc6-dbg is not installed');
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(debug ?? '');
  expect((await app.opened()).types).toBeGreaterThan(5000);
  await app.show('Types');
  await seen(page.getByRole('searchbox').first()).fill('_IO_FILE');
  await page
    .getByRole('option', { name: /^STRUCT _IO_FILE \d/ })
    .first()
    .click();
  await expect(seen(page.getByText(/struct_FILE\.h:\d+$/))).toBeVisible();
  app.expectQuiet();
});
