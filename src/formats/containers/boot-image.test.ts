import { describe, expect, it } from 'vitest';
import { bzImage, peFile, rawImage, s390Image, zboot, zImage } from '#testing/boot-images.ts';
import { BOOT_IMAGE_HEAD, bootImageKind, packedKernel } from './boot-image.ts';

const PAYLOAD = Uint8Array.from({ length: 100 }, (_, i) => i + 1);

const IMAGES: readonly (readonly [string, Uint8Array])[] = [
  ['bzImage', bzImage(PAYLOAD)],
  ['EFI zboot', zboot(PAYLOAD, 'gzip')],
  ['arm64 Image', rawImage('ARM\x64', PAYLOAD)],
  ['RISC-V Image', rawImage('RSC\x05', PAYLOAD)],
  ['ARM zImage', zImage(PAYLOAD)],
  ['s390 image', s390Image(PAYLOAD)],
  ['unified kernel image', peFile('.linux', PAYLOAD)],
];

describe('bootImageKind', () => {
  it.each(IMAGES)('%s', (kind, image) => {
    expect(bootImageKind(image.subarray(0, BOOT_IMAGE_HEAD))).toBe(kind);
  });

  it('recognises the Image that EFI boots, and an ARM zImage of the other byte order', () => {
    const efi = new Uint8Array(0x40);
    efi.set([0xcd, 0x23, 0x82, 0x81], 0x38);
    expect(bootImageKind(efi)).toBe('EFI kernel');
    const arm = new Uint8Array(0x40);
    arm.set([0x01, 0x6f, 0x28, 0x18], 0x24);
    expect(bootImageKind(arm)).toBe('ARM zImage');
  });

  it.each([
    ['a PE file with other sections', peFile('.linuxes', PAYLOAD)],
    ['a PE file that is cut', peFile('.linux', PAYLOAD).subarray(0, 0xa0)],
    ['text with the mark of zboot', new TextEncoder().encode('say zimg, and say it again')],
    ['nothing', new Uint8Array(0)],
  ])('is null for %s', (_what, head) => {
    expect(bootImageKind(head)).toBeNull();
  });
});

describe('packedKernel', () => {
  it.each([
    ['bzImage', bzImage(PAYLOAD)],
    ['EFI zboot', zboot(PAYLOAD, 'gzip')],
    ['unified kernel image', peFile('.linux', PAYLOAD)],
  ] as const)('%s: gives the payload to the byte', (kind, image) => {
    const span = packedKernel(kind, image, image.length);
    expect(image.subarray(span?.start, span?.end)).toEqual(PAYLOAD);
  });

  it('clips a span that runs past the end, and is null for a span after it', () => {
    const image = zboot(PAYLOAD, 'gzip');
    expect(packedKernel('EFI zboot', image, 0x210)).toEqual({ start: 0x200, end: 0x210 });
    expect(packedKernel('EFI zboot', image, 0x200)).toBeNull();
  });

  it.each([
    ['ARM zImage', zImage(PAYLOAD)],
    ['arm64 Image', rawImage('ARM\x64', PAYLOAD)],
    ['bzImage', bzImage(PAYLOAD, 2, 0x207)],
    ['bzImage', bzImage(PAYLOAD).subarray(0, 0x24f)],
    ['bzImage', bzImage(new Uint8Array(0))],
  ] as const)('is null where the header of an %s does not say', (kind, image) => {
    expect(packedKernel(kind, image, image.length)).toBeNull();
  });
});
