/** Tests the CSV of veristat as a table. */
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { expectAccessibleInEachLook } from './expect-accessible.ts';
import { test } from './test.ts';

const CSV = `file_name,prog_name,verdict,duration,total_insns,total_states,peak_states
a.bpf.o,count,success,182,64,5,5
a.bpf.o,drop,failure,77,1000001,16668,16668
b.bpf.o,pass,success,20,7,1,1
`;

test('a CSV of veristat opens as a table that can be sorted', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.fileInput.setInputFiles([
    { name: 'veristat.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) },
  ]);
  const rows = page.getByRole('grid', { name: 'Programs of veristat' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(
    page.getByText(/3 programs: 1 failure, 2 success\. In all: .*Instructions: 1.000.072/),
  ).toBeVisible();
  await expect(page.getByRole('radiogroup', { name: 'View' }).getByRole('radio')).toHaveCount(2);
  await page.getByRole('button', { name: /^Instructions/ }).click();
  await expect(rows.nth(1)).toContainText('pass');
  await page.getByRole('button', { name: /^Instructions/ }).click();
  await expect(rows.nth(1)).toContainText('drop');
  await rows.nth(1).click();
  await expect(page).toHaveURL(/#\/table\?file=bytes1:[\w-]+&.*line=3/);
  await expectAccessibleInEachLook(page, 'a table of veristat');
  app.expectQuiet();
});
