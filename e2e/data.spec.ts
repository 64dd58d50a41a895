/** Tests the Data tab: variables, maps and externs shown by type, and the value decoder. */
import { expect, type Page } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessible, LOOKS } from './expect-accessible.ts';
import { openExample, test } from './one-page.ts';
import { test as anew } from './test.ts';

const openData = (page: Page, name: string) => openExample(page, name, 'data');

const entry = (page: Page, name: string) =>
  page
    .getByRole('listbox', { name: 'Data' })
    .getByRole('option')
    .filter({ has: page.getByText(name, { exact: true }) });

/** Returns the row whose name is `name`. */
const part = (page: Page, name: string) =>
  page
    .getByRole('grid', { name: 'Value' })
    .getByRole('row')
    // Also matches the row with the active cell, where the name is followed by a copy button.
    .filter({
      has: page.getByRole('gridcell', {
        name: new RegExp(`^${name.replace(/[[\]]/g, '\\$&')}( Copy .*)?$`),
      }),
    });

/** Returns the cell with a row's name. Tests click this cell, because the type is a link. */
const name = (page: Page, of: string) => part(page, of).getByRole('gridcell').first();

const title = (page: Page) =>
  page.getByRole('tabpanel').locator('article h2').filter({ visible: true });

test('a variable with bit-fields is read member by member', async ({ page }) => {
  const app = await openData(page, 'kinds.bpf.o');
  await entry(page, 'everything').click();
  await expect(page).toHaveURL(/#\/data\?.*type=var:everything$/);
  await expect(title(page)).toHaveText(/everything$/);
  await name(page, 'colour:3').click();
  const card = page.getByRole('region', { name: 'Selected part' });
  await expect(card).toContainText('bits.colour');
  await expect(card).toContainText('RED');
  await expect(page.getByRole('list', { name: /^Bits of its bytes/ })).toContainText('colour');
  await page.getByRole('radio', { name: 'JSON', exact: true }).check({ force: true });
  await expect(page.getByRole('group', { name: /^JSON text/ })).toContainText('"colour": "0x0"');
  app.expectQuiet();
});

test('a pointer links to its target and to its relocation', async ({ page }) => {
  const app = await openData(page, 'data_relocs.bpf.o');
  await entry(page, 'begin').click();
  await part(page, 'next').getByRole('button', { name: '&last' }).click();
  await expect(title(page)).toHaveText(/last$/);
  await part(page, 'next').getByRole('button', { name: '&begin' }).click();
  await expect(title(page)).toHaveText(/begin$/);
  await part(page, 'run').getByRole('button', { name: 'reloc' }).click();
  await expect(page).toHaveURL(/#\/relocations\?.*reloc=\.rel\.data\.steps@0x28$/);
  await expect(page.getByRole('article')).toContainText('R_BPF_64_ABS64');
  await app.show('Data');
  await expect(title(page)).toHaveText(/begin$/);
  await expect(part(page, 'run')).toHaveAttribute('aria-selected', 'true');
  await part(page, 'run').getByRole('button', { name: 'first' }).click();
  await expect(page).toHaveURL(/#\/code\?/);
  app.expectQuiet();
});

test('selecting a member highlights exactly its bytes, and the bytes the member', async ({
  page,
}) => {
  const app = await openData(page, 'data_relocs.bpf.o');
  await entry(page, 'begin').click();
  await name(page, 'weight').click();
  await expect(page).toHaveURL(/bytes=\.data\.steps@0x38-0x40$/);
  await page.getByRole('button', { name: 'Show these bytes' }).click();
  await expect(page).toHaveURL(/#\/bytes\?.*bytes=\.data\.steps@0x38-0x40$/);
  await app.show('Data');
  await expect(title(page)).toHaveText(/begin$/);
  await expect(part(page, 'weight')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('a variable selected in Types is selected in Data, and a link keeps it', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open('/types?file=sample:data_relocs.bpf.o&type=var:hidden_middle');
  await expect(page.getByRole('status')).toContainText('Opened');
  await app.show('Data');
  await expect(entry(page, 'hidden_middle')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: '(void *)&hidden + 8' }).first().click();
  await expect(title(page)).toHaveText(/hidden$/);
  await expect(part(page, '[2]')).toHaveAttribute('aria-selected', 'true');
  await page.reload();
  await expect(part(page, '[2]')).toHaveAttribute('aria-selected', 'true');
  await expect(entry(page, 'hidden')).toHaveAttribute('aria-selected', 'true');
  app.expectQuiet();
});

test('a map has its definition and the contents of its slots', async ({ page }) => {
  const app = await openData(page, 'xdp_counter.bpf.o');
  await page.getByRole('grid', { name: 'Maps' }).getByRole('gridcell', { name: 'next' }).click();
  await expect(title(page)).toHaveText(/next$/);
  await expect(page.getByRole('article')).toContainText('BPF_MAP_TYPE_PROG_ARRAY');
  const slots = page.getByRole('table', { name: 'Initial slots' });
  await expect(slots).toContainText('[0]');
  await slots.getByRole('button', { name: 'count_udp' }).click();
  await expect(page).toHaveURL(/#\/code\?.*insn=/);
  app.expectQuiet();
});

test('an extern has a description', { tag: '@long' }, async ({ page }) => {
  const app = await openData(page, 'externs.bpf.o');
  await entry(page, 'CONFIG_NETFILTER').click();
  await expect(page.getByRole('article')).toContainText('/proc/config.gz');
  await expect(page.getByRole('article')).toContainText('Weak: if it is missing');
  await entry(page, 'bpf_task_acquire').click();
  await expect(page.getByRole('article')).toContainText('kfunc');
  app.expectQuiet();
});

test('bytes are decoded by a type, and invalid input is marked', async ({ page }) => {
  const app = await openData(page, 'bitfields.bpf.o');
  await page.getByRole('radio', { name: 'Decode a value' }).check({ force: true });
  await expect(page).toHaveURL(/mode=decode/);
  const type = page.getByRole('combobox', { name: 'Type of the value' });
  await type.fill('socket_fl');
  await expect(page.getByRole('option', { name: /socket_flags/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(type).toHaveValue('struct socket_flags');
  await expect(type).toBeFocused();
  await expect(page).toHaveURL(/type=struct:socket_flags&mode=decode$/);
  const box = page.getByRole('textbox', { name: 'Hex bytes' });
  await box.fill('02 75 c6 xf');
  await expect(page.getByText('"xf" is not a run of hex bytes')).toBeVisible();
  await box.fill(`02 75 c6 f8 01000000 deadbeef ${'00'.repeat(20)}`);
  await expect(part(page, 'delta:20')).toContainText('-86562');
  const text = page.getByRole('group', { name: /^JSON text/ });
  await expect(text).toContainText('"delta": "0xeadde"');
  await page.getByRole('radio', { name: 'Big-endian' }).check({ force: true });
  await expect(part(page, 'mark')).toContainText('16777216');
  await box.fill('02');
  await expect(page.getByText(/has 32 bytes, 1 byte was given/)).toBeVisible();
  app.expectQuiet();
});

test('a dump of a map is decoded by the types of the map', async ({ page }) => {
  const app = await openData(page, 'xdp_counter.bpf.o');
  await entry(page, 'last_seen').click();
  await page.getByRole('button', { name: 'Decode a dump' }).click();
  await expect(page.getByRole('combobox', { name: 'Type of the value' })).toHaveValue('__u64');
  const key = Array.from({ length: 12 }, (_, i) => `"0x0${i.toString(16)}"`).join();
  const value = '"0x2a","0x00","0x00","0x00","0x00","0x00","0x00","0x00"';
  const box = page.getByRole('textbox', { name: 'Map dump' });
  await box.fill(`[{"key":[${key}],"value":[${value}]}]`);
  await expect(page.getByRole('combobox', { name: 'Type of the key' })).toHaveValue('struct flow');
  const entries = page.getByRole('grid', { name: 'Entries' });
  await expect(entries).toContainText('42');
  await expect(page.getByRole('group', { name: 'Decoded dump' })).toContainText('"value": 42');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: /^Example: a dump of/ }).click();
  await expect(entries.getByRole('row')).toHaveCount(5);
  await expect(page.getByRole('combobox', { name: 'Type of the value' })).toHaveValue(
    'struct counter',
  );
  app.expectQuiet();
});

test('the keyboard reaches a value and its bytes', { tag: '@long' }, async ({ page }) => {
  const app = await openData(page, 'data_relocs.bpf.o');
  await expect(entry(page, 'numbers')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('numbers');
  await expect(page.getByRole('searchbox', { name: 'Filter data' })).toHaveValue('numbers');
  await expect(page.getByRole('listbox', { name: 'Data' }).getByRole('option')).toHaveCount(3);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(title(page)).toHaveText(/numbers$/);
  await page.getByRole('grid', { name: 'Value' }).focus();
  await page.keyboard.press('End');
  await expect(part(page, '[7]')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/bytes\?.*bytes=\.data\.numbers@0x1c-0x20$/);
  app.expectQuiet();
});

test('a file without values has an empty state', async ({ page }) => {
  const app = await openData(page, 'kernel.btf');
  await expect(page.getByRole('tabpanel')).toContainText('Types only, no values');
  await page.getByRole('radio', { name: 'Decode a value' }).check({ force: true });
  await expect(page.getByRole('tabpanel')).toContainText('Choose the type of the value');
  app.expectQuiet();
});

for (const { name, ...look } of LOOKS) {
  anew.describe(name, () => {
    anew.use(look);

    anew('has no axe violation', { tag: '@long' }, async ({ page }) => {
      // Time for axe, which checks every element.
      anew.setTimeout(180_000);
      const app = new AppPage(page);
      for (const [address, text] of [
        ['xdp_counter.bpf.o', /udp_limit/],
        ['data_relocs.bpf.o&bytes=.data.steps@0x30-0x38', /R_BPF_64_ABS64/],
        ['xdp_counter.bpf.o&symbol=next', /count_udp/],
        ['bitfields.bpf.o&type=struct:socket_flags&mode=decode', /Give the bytes/],
      ] as const) {
        await app.open(`/data?file=sample:${address}`);
        await page.reload();
        await expect(page.getByRole('tabpanel')).toContainText(text);
        await expectAccessible(page, address);
      }
      await page.getByRole('textbox', { name: 'Hex bytes' }).fill('00'.repeat(32));
      await expect(part(page, 'delta:20')).toBeVisible();
      await expectAccessible(page, 'decoded');
      await page.getByRole('textbox', { name: 'Hex bytes' }).fill('zz');
      await expect(page.getByText('is not a run of hex bytes')).toBeVisible();
      await expectAccessible(page, 'fault');
      app.expectQuiet();
    });
  });
}
