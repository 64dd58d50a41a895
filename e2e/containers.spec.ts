/** Checks that the page recognizes archives, compressed files and kernel images by content. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const sample = (name: string) => readFileSync(here(`../public/samples/${name}`));
const fixture = (name: string) => readFileSync(here(`./fixtures/${name}`));

const archive = (name: string) => readFileSync(here(`../testdata/archives/${name}`));

const TYPES = 95;

test('compressed BTF opens under any name', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  for (const packing of ['gz', 'zst', 'xz', 'lzma', 'bz2', 'lz4']) {
    await app.dropFile({ name: `file-${packing}`, buffer: fixture(`kinds.btf.${packing}`) });
    expect(await app.opened(), packing).toMatchObject({ types: TYPES });
  }
  await app.dropFile({ name: 'twice', buffer: gzipSync(fixture('kinds.btf.xz')) });
  expect(await app.opened()).toMatchObject({ types: TYPES });
  app.expectQuiet();
});

test('compressed sections are read', { tag: '@long' }, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  for (const packing of ['zlib', 'zstd']) {
    await app.dropFile({ name: packing, buffer: fixture(`kinds-${packing}.bpf.o`) });
    expect(await app.opened(), packing).toMatchObject({ types: TYPES, relocations: 35 });
  }
  app.expectQuiet();
});

test('an archive lists its members to choose from', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile({ name: 'library', buffer: fixture('kinds.a') });
  expect(await app.status()).toMatchObject({ outcome: 'archive', members: 2 });
  await page.getByRole('row').filter({ hasText: 'kinds.bpf.o' }).dblclick();
  await expect(page.getByRole('status')).toContainText(
    `Opened library(kinds.bpf.o): ${TYPES} types`,
  );
  app.expectQuiet();
});

test('an archive in a package, a skeleton and a program lead to the objects in them', {
  tag: '@long',
}, async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const openMember = (name: string) =>
    page.getByRole('row').filter({ hasText: name }).first().click();

  await app.dropFile({ name: 'package', buffer: archive('package.deb') });
  // The files of a Debian package are listed at once.
  await expect(page.getByRole('status')).toContainText('package(data.tar.xz): 1 member');
  await openMember('./lib/doc_call.bpf.o');
  await expect(page.getByRole('status')).toContainText(
    'Opened package(data.tar.xz)(./lib/doc_call.bpf.o)',
  );

  await app.dropFile({ name: 'archive', buffer: archive('deflated.zip') });
  expect(await app.status()).toMatchObject({ outcome: 'archive', members: 3 });
  await openMember('lib/doc_call.bpf.o');
  await expect(page.getByRole('status')).toContainText('Opened archive(lib/doc_call.bpf.o)');

  await app.dropFile({ name: 'text', buffer: archive('externs.skel.h') });
  expect(await app.status()).toMatchObject({ outcome: 'archive', members: 1 });
  await openMember('externs');
  await expect(page.getByRole('status')).toContainText('Opened text(externs)');

  await app.dropFile({ name: 'program', buffer: archive('symbols.o') });
  expect(await app.opened()).toMatchObject({ types: 0 });
  await openMember('_binary_doc_call_bpf_o_start');
  await expect(page.getByRole('status')).toContainText(
    'Opened program(_binary_doc_call_bpf_o_start)',
  );
  app.expectQuiet();
});

test('a member that cannot be unpacked is refused with the reason', { tag: '@long' }, async ({
  page,
}) => {
  const app = new AppPage(page);
  await app.open();
  const zip = Buffer.from(archive('stored.zip'));
  // Changes a byte in the first member's content, which begins before offset 200.
  zip[200] = (zip[200] ?? 0) ^ 0xff;
  await app.dropFile({ name: 'damaged', buffer: zip });
  expect(await app.status()).toMatchObject({ outcome: 'archive' });
  await page.getByRole('row').filter({ hasText: 'doc_call' }).click();
  await expect(page.getByRole('main')).toContainText('its CRC-32 is wrong');
  app.expectQuiet();
});

test('a kernel image opens with the types of the kernel in it', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  await app.dropFile({ name: 'image', buffer: bzImage(gzipSync(kernelElf())) });
  expect(await app.opened()).toMatchObject({ types: TYPES });
  app.expectQuiet();
});

test('a damaged compressed file is refused with the reason', async ({ page }) => {
  const app = new AppPage(page);
  await app.open();
  const cut = fixture('kinds.btf.gz').subarray(0, 900);
  expect(() => gunzipSync(cut)).toThrow();
  await app.dropFile({ name: 'cut', buffer: cut });
  expect(await app.status()).toMatchObject({ outcome: 'refused' });
  app.expectQuiet();
});

/** Returns an ELF file that is as large as a kernel: an example with 2 MiB of filler. */
function kernelElf(): Buffer {
  return Buffer.concat([sample('kinds.bpf.o'), Buffer.alloc(2 << 20, 0x5a)]);
}

/**
 * Returns an x86 boot image that contains a compressed kernel and then its size. The setup header
 * is of boot protocol 2.15, with one sector of code. Source: the kernel's
 * Documentation/arch/x86/boot.rst.
 */
function bzImage(payload: Buffer): Buffer {
  const SECTOR = 512;
  const setup = Buffer.alloc(2 * SECTOR);
  setup.writeUInt8(1, 0x1f1);
  setup.writeUInt16LE(0xaa55, 0x1fe);
  setup.write('HdrS', 0x202, 'latin1');
  setup.writeUInt16LE(0x020f, 0x206);
  setup.writeUInt32LE(0, 0x248);
  setup.writeUInt32LE(payload.length + 4, 0x24c);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(kernelElf().length);
  return Buffer.concat([setup, payload, size]);
}
