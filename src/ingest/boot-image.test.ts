/** Tests boot images of all machines. Each contains a small packed kernel. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import type { ObjectModel } from '#model/object-model.ts';
import {
  bzImage,
  peFile,
  rawImage,
  s390Image,
  withSize,
  zboot,
  zImage,
} from '#testing/boot-images.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openObject } from '#testing/open-model.ts';
import { runs } from '#testing/runs.ts';

const BTF = btfBlob({ types: [int('int', 4), ptr(1), struct('task_struct', 4, [])] }).bytes;
const BIG_ENDIAN_BTF = btfBlob({ endian: 'big', types: [int('int', 4), ptr(1)] }).bytes;

const VMLINUX = elfObject({
  header: { machine: 62, type: 2 },
  sections: [
    { name: '.text', flags: 6, data: new Uint8Array(600).fill(0xe8) },
    { name: '.BTF', flags: 2, data: BTF },
  ],
}).bytes;

/** Returns VMLINUX in a compressed form. The README of testdata has the commands. */
function packed(extension: string): Uint8Array {
  const place = new URL(`../formats/containers/testdata/vmlinux.${extension}`, import.meta.url);
  return withSize(new Uint8Array(readFileSync(place)), VMLINUX.length);
}

const PACKED: readonly (readonly [kind: string, payload: Uint8Array])[] = [
  ['gzip', gzipSync(VMLINUX)],
  ['xz', packed('xz')],
  ['lzma', packed('lzma')],
  ['bzip2', packed('bz2')],
  ['zstd', packed('zst')],
  ['lz4', packed('lz4')],
];

/** Opens a file. Returns the model and the codes of the issues. */
async function open(bytes: Uint8Array) {
  const { model, source } = await openObject('vmlinuz', bytes);
  const codes = model.issues.map(({ code }) => code).filter((code) => !code.startsWith('elf.'));
  return { model, source, codes };
}

async function refusal(bytes: Uint8Array) {
  const error: unknown = await openObject('vmlinuz', bytes).catch((reason: unknown) => reason);
  if (!(error instanceof Malformed)) throw new Error(`not refused: ${String(error)}`);
  return error.issue;
}

function expectVmlinux(model: ObjectModel): void {
  expect(model).toMatchObject({ format: 'elf', size: VMLINUX.length });
  expect(model.types?.count).toBe(3);
}

describe('an x86 bzImage', () => {
  it.each(PACKED)('of a kernel packed by %s', async (kind, payload) => {
    const { model, source, codes } = await open(bzImage(payload));
    expectVmlinux(model);
    expect(model.containers).toEqual(['bzImage', kind]);
    expect(codes).toEqual([]);
    expect(Buffer.compare(await source.read(0, source.size), VMLINUX)).toBe(0);
  });

  it('has four setup sectors if the number is 0', async () => {
    expectVmlinux((await open(bzImage(gzipSync(VMLINUX), 0))).model);
  });

  it('of an old boot protocol is searched', async () => {
    const { model, codes } = await open(bzImage(gzipSync(VMLINUX), 2, 0x207));
    expectVmlinux(model);
    expect(model.containers).toEqual(['bzImage', 'gzip']);
    expect(codes).toEqual([]);
  });

  it('truncated inside the payload, shows the data before the end', async () => {
    const noise = Uint8Array.from({ length: 4000 }, (_, i) => (i * i * 31) >> 3);
    const image = bzImage(gzipSync(Buffer.concat([VMLINUX, noise]), { level: 1 }));
    const { model, codes } = await open(image.subarray(0, image.length - 600));
    expect(model.types?.count).toBe(3);
    expect(codes).toContain('container.truncated');
  });

  it('reports that its kernel has no BTF', async () => {
    const bare = elfObject({ sections: [{ name: '.text', data: new Uint8Array(16) }] }).bytes;
    const { model, codes } = await open(bzImage(gzipSync(bare)));
    expect(model.types).toBeNull();
    expect(codes).toEqual(['boot.no-btf']);
    const told = model.issues.find(({ code }) => code === 'boot.no-btf');
    expect(told).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('bzImage'),
    });
  });

  it('packed by lzop is refused with a message', async () => {
    const lzop = Uint8Array.of(0x89, 0x4c, 0x5a, 0x4f, 0, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3);
    expect(await refusal(bzImage(lzop))).toMatchObject({
      code: 'container.unsupported',
      message: expect.stringContaining('lzop'),
      advice: expect.stringContaining('extract-vmlinux'),
    });
  });

  it('without contents is refused with a message', async () => {
    expect(await refusal(bzImage(new Uint8Array(64)))).toMatchObject({
      code: 'boot.no-btf',
      message: expect.stringContaining('bzImage'),
    });
  });
});

describe('the version of a kernel', () => {
  const VERSION = '6.12.43+deb13-amd64 (debian-kernel@lists.debian.org) #1 SMP 2025-08-30';
  const banner = characters(`\n%s version %s\0Linux version \0Linux version ${VERSION}\n\0`);
  const withBanner = elfObject({
    header: { machine: 62, type: 2 },
    sections: [
      { name: '.rodata', flags: 2, data: banner },
      { name: '.BTF', flags: 2, data: BTF },
    ],
  }).bytes;

  it('is in the header of a bzImage', async () => {
    const { model } = await open(bzImage(gzipSync(VMLINUX), 2, 0x20f, VERSION));
    expect(model.kernelVersion).toEqual({ release: '6.12.43+deb13-amd64', from: 'boot header' });
    expect((await open(bzImage(gzipSync(VMLINUX)))).model.kernelVersion).toBeNull();
    const odd = await open(bzImage(gzipSync(VMLINUX), 2, 0x20f, 'my kernel'));
    expect(odd.model.kernelVersion).toBeNull();
  });

  it('is also in .rodata of a vmlinux', async () => {
    const wanted = { release: '6.12.43+deb13-amd64', from: 'linux_banner' };
    expect((await open(withBanner)).model.kernelVersion).toEqual(wanted);
    expect((await open(bzImage(gzipSync(withBanner)))).model.kernelVersion).toEqual(wanted);
    expect((await open(VMLINUX)).model.kernelVersion).toBeNull();
  });

  it('is unknown for a raw BTF blob', async () => {
    expect((await open(BTF)).model.kernelVersion).toBeNull();
  });
});

function characters(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

describe('the kernels of other machines', () => {
  const image = rawImage('ARM\x64', BTF);

  it.each([
    ['arm64 Image', 'ARM\x64'],
    ['RISC-V Image', 'RSC\x05'],
  ])('%s: its BTF is found without sections', async (kind, mark) => {
    const { model, source, codes } = await open(rawImage(mark, BTF));
    expect(model).toMatchObject({ format: 'btf', endian: 'little', size: BTF.length });
    expect(model.types?.count).toBe(3);
    expect(model.containers).toEqual([kind]);
    expect(codes).toEqual(['boot.btf-found']);
    expect(Buffer.compare(await source.read(0, source.size), BTF)).toBe(0);
  });

  it('Image.gz', async () => {
    const { model } = await open(gzipSync(image));
    expect(model.containers).toEqual(['gzip', 'arm64 Image']);
    expect(model.types?.count).toBe(3);
  });

  it('EFI zboot', async () => {
    const { model, codes } = await open(zboot(gzipSync(image), 'gzip'));
    expect(model.containers).toEqual(['EFI zboot', 'gzip', 'arm64 Image']);
    expect(codes).toEqual(['boot.btf-found']);
  });

  it.each(PACKED)('ARM zImage of a vmlinux packed by %s', async (kind, payload) => {
    const { model, codes } = await open(zImage(payload));
    expectVmlinux(model);
    expect(model.containers).toEqual(['ARM zImage', kind]);
    expect(codes).toEqual([]);
  });

  it('s390 image of a kernel without any header, big-endian', async () => {
    const kernel = Buffer.concat([new Uint8Array(999), BIG_ENDIAN_BTF, new Uint8Array(50)]);
    const { model } = await open(s390Image(gzipSync(kernel)));
    expect(model).toMatchObject({ format: 'btf', endian: 'big' });
    expect(model.types?.count).toBe(2);
    expect(model.containers).toEqual(['s390 image', 'gzip', 'bare kernel']);
  });

  it('names the image without BTF', async () => {
    const kernel = new Uint8Array(1 << 20).fill(7);
    expect(await refusal(zImage(gzipSync(kernel)))).toMatchObject({
      code: 'boot.no-btf',
      message: expect.stringContaining('ARM zImage'),
    });
    expect(await refusal(rawImage('ARM\x64', new Uint8Array(9)))).toMatchObject({
      code: 'boot.no-btf',
      message: expect.stringContaining('arm64 Image'),
    });
  });

  it('opens the kernel and no other packed data', async () => {
    const initramfs = gzipSync(Buffer.from(`070701${'0'.repeat(3000)}`));
    const { model } = await open(zImage(Buffer.concat([initramfs, gzipSync(VMLINUX)])));
    // gzip reads both parts as members of one file. The ELF file after the cpio archive is ignored.
    expect(model.types?.count).toBe(3);
    const apart = Buffer.concat([initramfs, new Uint8Array(20).fill(0x90), gzipSync(VMLINUX)]);
    expectVmlinux((await open(zImage(apart))).model);
  });
});

describe('a unified kernel image', () => {
  it('holds a boot image in .linux', async () => {
    const { model } = await open(peFile('.linux', bzImage(packed('zst'))));
    expectVmlinux(model);
    expect(model.containers).toEqual(['unified kernel image', 'bzImage', 'zstd']);
  });

  it('excludes other PE files', async () => {
    expect(await refusal(peFile('.data', bzImage(packed('zst'))))).toMatchObject({
      code: 'file.unknown',
      message: expect.stringContaining('PE file'),
    });
  });
});

describe('a large file of no known kind', () => {
  const kernel = new Uint8Array(1 << 20).fill(0x91);

  it('is searched for a kernel', async () => {
    const { model } = await open(Buffer.concat([kernel, gzipSync(VMLINUX), kernel]));
    expectVmlinux(model);
    expect(model.containers).toEqual(['bare kernel', 'gzip']);
  });

  it('is refused if it has none', async () => {
    expect(await refusal(kernel)).toMatchObject({ code: 'file.unknown' });
    expect(await refusal(Buffer.concat([kernel, gzipSync('a text')]))).toMatchObject({
      code: 'file.unknown',
    });
  });

  it('is not searched if it is small', async () => {
    expect(await refusal(Buffer.concat([Uint8Array.of(1, 2, 3), BTF]))).toMatchObject({
      code: 'file.unknown',
    });
  });
});

describe('hostile images', () => {
  it('give a model or Malformed, with any damage', async () => {
    const images = [
      bzImage(packed('xz')),
      zboot(gzipSync(VMLINUX), 'gzip'),
      peFile('.linux', bzImage(packed('lz4'))),
      zImage(packed('zst')),
      rawImage('ARM\x64', BTF),
    ];
    const changes = fc.array(fc.tuple(fc.nat(0x700), fc.nat(255)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...images),
        changes,
        fc.nat(3000),
        async (image, places, cut) => {
          const bytes = image.slice(0, Math.max(64, image.length - cut));
          for (const [at, byte] of places) if (at < bytes.length) bytes[at] = byte;
          try {
            await openObject('vmlinuz', bytes);
          } catch (error) {
            if (!(error instanceof Malformed)) throw error;
          }
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it('are opened to a limited depth', async () => {
    let bytes: Uint8Array = VMLINUX;
    for (let depth = 0; depth < 4; depth++) bytes = bzImage(gzipSync(bytes));
    expect(await refusal(bytes)).toMatchObject({ code: 'container.too-deep' });
  });
});
