/**
 * Tests paths from a type to another type or field: search, keyboard, links to types, and the
 * address.
 */
import { expect, type Page } from '@playwright/test';
import { btfBlob } from '../src/testing/btf-blob.ts';
import { array, int, ptr, struct } from '../src/testing/btf-types.ts';
import { AppPage, type TestFile } from './app-page.ts';
import { expectAccessibleInEachLook } from './expect-accessible.ts';
import { test } from './test.ts';

/** A small kernel with structs that are named as in a real kernel. */
const KERNEL: TestFile = {
  name: 'small-kernel.btf',
  buffer: btfBlob({
    types: [
      /* 1 */ int('int', 4),
      /* 2 */ struct('task_struct', 48, [
        { name: 'pid', type: 1, bitOffset: 0 },
        { name: 'nsproxy', type: 3, bitOffset: 64 },
        { name: 'last_dev', type: 11, bitOffset: 128 },
        { name: 'parent', type: 14, bitOffset: 192 },
      ]),
      /* 3 */ ptr(4),
      /* 4 */ struct('nsproxy', 16, [{ name: 'net_ns', type: 5, bitOffset: 64 }]),
      /* 5 */ ptr(6),
      /* 6 */ struct('net', 64, [
        { name: 'loopback_dev', type: 11, bitOffset: 128 },
        { name: 'dev_base_head', type: 12, bitOffset: 256 },
      ]),
      /* 7 */ int('char', 1),
      /* 8 */ array(7, 1, 16),
      /* 9 */ struct('net_device', 64, [
        { name: 'dev_name', type: 8, bitOffset: 0 },
        { name: 'dev_list', type: 12, bitOffset: 256 },
      ]),
      /* 10 */ struct('pci_dev', 96, [
        { name: 'slot', type: 1, bitOffset: 0 },
        { name: 'netdev', type: 9, bitOffset: 64 },
      ]),
      /* 11 */ ptr(9),
      /* 12 */ struct('list_head', 16, [
        { name: 'next', type: 13, bitOffset: 0 },
        { name: 'prev', type: 13, bitOffset: 64 },
      ]),
      /* 13 */ ptr(12),
      /* 14 */ ptr(2),
    ],
  }).bytes,
};

async function openPaths(page: Page): Promise<AppPage> {
  const app = new AppPage(page);
  await app.open();
  await app.chooseFile(KERNEL);
  await app.opened();
  // Waits for `file=`, which completes the address.
  await expect(page).toHaveURL(/file=/);
  await app.show('Graph');
  const mode = page.getByRole('radiogroup', { name: 'Graph options', exact: true });
  await mode.getByText('Paths', { exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'From', exact: true })).toBeVisible();
  return app;
}

/** Fills in one end of the path and moves the focus, so that the suggestions close. */
async function fill(page: Page, end: 'From' | 'To', text: string): Promise<void> {
  const box = page.getByRole('combobox', { name: end, exact: true });
  await box.fill(text);
  await box.press('Tab');
}

const pathsOf = (page: Page) => page.getByRole('list', { name: 'Paths', exact: true });

test('a search is entered, its paths are walked by keyboard, followed, and restored', async ({
  page,
}) => {
  const app = await openPaths(page);
  await page.getByRole('combobox', { name: 'From', exact: true }).focus();
  await page.keyboard.type('task');
  await expect(page.getByRole('option')).toHaveText([/task_struct/]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'From', exact: true })).toHaveValue(
    'task_struct',
  );
  await page.getByRole('combobox', { name: 'To', exact: true }).focus();
  await page.keyboard.type('net_de');
  await expect(page.getByRole('option')).toHaveText([/net_device/]);
  await page.keyboard.press('Enter');

  const heads = pathsOf(page).getByRole('heading', { level: 3 }).getByRole('button');
  await expect(heads).toHaveText([/^1task->last_dev/, /^2task->nsproxy->net_ns->loopback_dev/]);
  await heads.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(heads.nth(1)).toBeFocused();
  await expect(heads.nth(1)).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Enter');
  await expect(pathsOf(page)).toContainText('BPF_CORE_READ(task, nsproxy, net_ns, loopback_dev);');
  await expect(page.getByRole('button', { name: 'Copy 0:0', exact: true }).last()).toBeVisible();

  await page.reload();
  await expect(heads).toHaveCount(2);
  await expect(page.getByRole('combobox', { name: 'To', exact: true })).toHaveValue('net_device');

  const steps = pathsOf(page).getByRole('list', { name: 'Accesses', exact: true }).nth(1);
  await steps.getByRole('button', { name: /net_ns/ }).focus();
  await page.keyboard.press('Enter');
  await expect(app.tab('Types')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/type=struct:nsproxy&member=net_ns/);
  await page.goBack();
  await expect(heads).toHaveCount(2);
  app.expectQuiet();
});

test('a field can be the end, container_of is optional, and a path opens in the playground', async ({
  page,
}) => {
  const app = await openPaths(page);
  await fill(page, 'From', 'net');
  await fill(page, 'To', 'pci_dev.slot');
  await expect(page.getByRole('tabpanel')).toContainText('No path through members and pointers.');
  await page.getByRole('checkbox', { name: /container_of/ }).check();
  await expect(pathsOf(page)).toContainText(
    'container_of(net->loopback_dev, struct pci_dev, netdev)->slot',
  );
  await expect(page).toHaveURL(
    /path=net%3Epci_dev\.slot%3Econtainer_of|path=net>pci_dev.slot>container_of/,
  );
  await expect(pathsOf(page)).toContainText('via list: container_of');

  await fill(page, 'To', 'nothing');
  await expect(page.getByRole('tabpanel')).toContainText(
    'No type and no member named nothing in this file.',
  );
  await fill(page, 'To', '*.dev_name');
  await expect(pathsOf(page)).toContainText(
    'BPF_CORE_READ_INTO(&value, net, loopback_dev, dev_name);',
  );
  await pathsOf(page)
    .getByRole('button', { name: 'Try struct net_device 0:0 in the playground', exact: true })
    .first()
    .click();
  await expect(app.tab('CO-RE')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', { name: 'Access string', exact: true })).toHaveValue(
    '0:0',
  );
  app.expectQuiet();
});

test('Enter right after typing takes the name, and the other end keeps what is typed', async ({
  page,
}) => {
  const app = await openPaths(page);
  const from = page.getByRole('combobox', { name: 'From', exact: true });
  const to = page.getByRole('combobox', { name: 'To', exact: true });
  await from.focus();
  await page.keyboard.type('task_s');
  await page.keyboard.press('Enter');
  await to.click();
  await page.keyboard.type('nsprox');
  await page.keyboard.press('Enter');
  await expect(from).toHaveValue('task_struct');
  await expect(to).toHaveValue('nsproxy');
  await expect(pathsOf(page)).toContainText('task->nsproxy');
  app.expectQuiet();
});

test('paths are accessible', { tag: '@long' }, async ({ page }) => {
  await openPaths(page);
  await fill(page, 'From', 'net');
  await fill(page, 'To', 'pci_dev.slot');
  await page.getByRole('checkbox', { name: /container_of/ }).check();
  await expect(pathsOf(page)).toContainText('via list');
  await expectAccessibleInEachLook(page, 'ways');
});
