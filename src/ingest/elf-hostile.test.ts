/** Tests that reading large, truncated and hostile files is fast and needs little memory. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { type ByteSource, bufferSource } from '#bytes/source.ts';
import { SHT } from '#formats/elf/constants.ts';
import { sectionIndex } from '#model/ids.ts';
import { zeros } from '#testing/assemble.ts';
import { type ElfClass, type ElfSpec, elfObject, rel } from '#testing/elf-object.ts';
import { runs } from '#testing/runs.ts';
import { type ElfParts, ingestElf, readSection } from './elf.ts';

const MEGABYTE = 1024 * 1024;

/** Returns a source of `bytes` with a gap of zeros at `at`. The gap takes no memory. */
function withGap(bytes: Uint8Array, at: number, gap: number) {
  const log = { largest: 0, total: 0 };
  const source: ByteSource = {
    name: 'vmlinux.debug',
    size: bytes.length + gap,
    read(start, end) {
      const out = new Uint8Array(Math.max(0, Math.min(end, bytes.length + gap) - start));
      for (let i = 0; i < out.length; i++) {
        const from = start + i;
        if (from < at) out[i] = bytes[from] ?? 0;
        else if (from >= at + gap) out[i] = bytes[from - gap] ?? 0;
      }
      log.largest = Math.max(log.largest, out.length);
      log.total += out.length;
      return Promise.resolve(out);
    },
  };
  return { source, log };
}

const code = { name: '.text', flags: 6, data: [zeros(64)] };
const relText = (count: number) => ({
  name: '.rel.text',
  type: SHT.rel,
  link: '.symtab',
  info: '.text',
  entsize: 16,
  data: relEntries(count),
});

/** Returns `count` REL entries of ELF64 with type 1 and symbol 1. */
function relEntries(count: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(count * 16));
  for (let i = 0; i < count; i++) {
    view.setBigUint64(i * 16, BigInt((i % 7) * 8), true);
    view.setBigUint64(i * 16 + 8, 0x100000001n, true);
  }
  return new Uint8Array(view.buffer);
}

const symbols = [{ name: 'map', shndx: '.text' }];

describe('large files', () => {
  it('of a gigabyte are read by ranges', async () => {
    const gap = 1024 * MEGABYTE;
    const spec = { sections: [{ name: '.debug', data: [zeros(8)] }], symbols: [{ name: 'map' }] };
    const object = elfObject(spec);
    const at = object.sectionOffset('.debug') + 8;
    const moved = elfObject({ ...spec, header: { shoff: object.shoff + gap } }).bytes;
    // Adds the size of the gap to the offset of every section after the gap.
    const view = new DataView(moved.buffer);
    for (let header = object.shoff; header < moved.length; header += 64) {
      const offset = view.getBigUint64(header + 24, true);
      if (offset >= BigInt(at)) view.setBigUint64(header + 24, offset + BigInt(gap), true);
    }
    const { source, log } = withGap(moved, at, gap);
    const issues: Issue[] = [];
    const parts = await ingestElf(source, issues);
    expect(issues).toEqual([]);
    expect(parts.symbols.count).toBe(2);
    expect(parts.sections.fileOffset[2]).toBeGreaterThan(gap);
    expect(log.total).toBeLessThan(4096);
  });

  it('with long tables are read in pieces, with progress', async () => {
    const count = 300_000;
    const object = elfObject({ sections: [code, relText(count)], symbols });
    const { source, log } = withGap(object.bytes, object.bytes.length, 0);
    const steps: string[] = [];
    const parts = await ingestElf(source, [], {
      onProgress: ({ step, done, total }) => steps.push(`${step} ${done}/${total}`),
    });
    expect(parts.relocations.count).toBe(count);
    expect(parts.relocations.indexInSection[count - 1]).toBe(count - 1);
    expect(parts.relocations.addendSource.every((source) => source === 1)).toBe(true);
    expect(log.largest).toBeLessThanOrEqual(4 * MEGABYTE);
    expect(steps.filter((step) => step.startsWith('reading relocations'))).toEqual([
      `reading relocations 0/${count}`,
      `reading relocations 262144/${count}`,
    ]);
  });

  it('can be aborted', async () => {
    const { bytes } = elfObject({ sections: [code], symbols });
    const signal = AbortSignal.abort();
    await expect(ingestElf(bufferSource('a.o', bytes), [], { signal })).rejects.toThrow(/abort/i);
  });
});

describe('sections that claim the same bytes', () => {
  it('cost no more than the file size', async () => {
    const one = relText(2000);
    const object = elfObject({
      sections: [
        code,
        one,
        ...Array.from({ length: 400 }, (_, i) => ({ ...one, name: `.r${i}`, data: [] })),
      ],
      symbols,
    });
    const view = new DataView(object.bytes.buffer);
    for (let i = 3; i < 403; i++) {
      view.setBigUint64(
        object.shoff + i * 64 + 24,
        BigInt(object.sectionOffset('.rel.text')),
        true,
      );
      view.setBigUint64(object.shoff + i * 64 + 32, 32000n, true);
    }
    const issues: Issue[] = [];
    const parts = await ingestElf(bufferSource('a.o', object.bytes), issues);
    expect(parts.relocations.count * 16).toBeLessThanOrEqual(object.bytes.length);
    expect(parts.relocations.count).toBeGreaterThan(2000);
    const codes = issues.map((i) => i.code);
    expect(codes).toEqual(['elf.sections-overlap', 'elf.too-many-rows']);
    expect(issues[0]?.message).toContain('400, the first is');
  });
});

describe('damage', () => {
  const sound = (elfClass: ElfClass): ElfSpec => ({
    class: elfClass,
    sections: [
      code,
      {
        ...relText(0),
        entsize: elfClass / 4,
        data: [...rel(elfClass, 0, 1, 1), ...rel(elfClass, 8, 1, 10)],
      },
      { name: '.BTF', flags: 0x800, data: [zeros(30)] },
      { name: '.bss', type: SHT.nobits, size: 64 },
    ],
    symbols,
  });
  const variants = ([32, 64] as const).flatMap((elfClass) =>
    (['little', 'big'] as const).map((endian) => elfObject({ ...sound(elfClass), endian }).bytes),
  );

  it('is absent from the original objects', async () => {
    for (const bytes of variants) {
      const issues: Issue[] = [];
      const parts = await ingestElf(bufferSource('a.o', bytes), issues);
      expect(issues).toEqual([]);
      expect(parts.relocations.count).toBe(2);
    }
  });

  it.each(variants.map((bytes, i) => [i, bytes] as const))(
    'by cutting ends in a result or a refusal, variant %i',
    async (_i, bytes) => {
      for (let size = 0; size <= bytes.length; size++) await survives(bytes.slice(0, size));
    },
    30_000,
  );

  it('of one byte gives a result or a refusal', async () => {
    const flips = fc.record({
      bytes: fc.constantFrom(...variants),
      at: fc.nat(1 << 16),
      value: fc.integer({ min: 0, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(flips, async ({ bytes, at, value }) => {
        const damaged = bytes.slice();
        damaged[at % damaged.length] = value;
        await survives(damaged);
      }),
      { numRuns: runs(1500) },
    );
  }, 30_000);

  it('after a valid header gives a result or a refusal', async () => {
    const tail = fc.uint8Array({ minLength: 0, maxLength: 600 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...variants), tail, async (bytes, noise) => {
        const damaged = bytes.slice();
        damaged.set(
          noise.subarray(0, damaged.length - 64),
          damaged.length - Math.min(noise.length, damaged.length - 64),
        );
        await survives(damaged);
      }),
      { numRuns: runs(500) },
    );
  }, 30_000);
});

/** Reads a file completely. Every row of the model must refer to existing data. */
async function survives(bytes: Uint8Array): Promise<void> {
  const source = bufferSource('a.o', bytes);
  const issues: Issue[] = [];
  const parts = await ingestElf(source, issues).catch((error: unknown) => {
    if (error instanceof Malformed) return null;
    throw error;
  });
  if (parts === null) return;
  for (let i = 0; i < parts.sections.count; i++) {
    await readSection(source, parts, sectionIndex(i), issues);
  }
  expect(faultsOf(parts, bytes.length)).toEqual([]);
}

function faultsOf({ sections, symbols, relocations }: ElfParts, size: number): string[] {
  const faults: string[] = [];
  const inside = (what: string, start: number, length: number) => {
    if (!(start >= 0 && length >= 0 && start + length <= size))
      faults.push(`${what}: ${start}+${length}`);
  };
  for (let i = 0; i < sections.count; i++) {
    inside(`section ${i}`, sections.fileOffset[i] ?? -1, sections.byteLength[i] ?? -1);
    inside(`header ${i}`, sections.headerOffset[i] ?? -1, sections.headerSize);
  }
  for (let i = 0; i < symbols.count; i++) {
    inside(`symbol ${i}`, symbols.entryOffset[i] ?? -1, symbols.entrySize);
    if ((symbols.section[i] ?? 0) >= sections.count) faults.push(`section of symbol ${i}`);
  }
  for (let i = 0; i < relocations.count; i++) {
    inside(`entry ${i}`, relocations.entryOffset[i] ?? -1, relocations.entrySize[i] ?? -1);
    if ((relocations.symbol[i] ?? 0) >= symbols.count) faults.push(`symbol of entry ${i}`);
    if ((relocations.targetSection[i] ?? 0) >= sections.count) faults.push(`target of entry ${i}`);
  }
  return faults;
}
