/** Tests the archives and compressed files of the corpus. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import {
  corpusEdges,
  corpusModules,
  corpusObjects,
  corpusPath,
  type EdgeRow,
  readCorpusFile,
} from '#testing/corpus.ts';
import { readArMembers } from './ar.ts';
import { type CompressedKind, decompress } from './decompress.ts';
import { describeUnknown, sniff } from './sniff.ts';

const LIMIT = 64 << 20;

function edges(kind: EdgeRow['kind']): readonly EdgeRow[] {
  return corpusEdges().filter((row) => row.kind === kind);
}

function compressedKind(bytes: Uint8Array): CompressedKind {
  const kind = sniff(bytes.subarray(0, 512));
  if (kind === 'gzip' || kind === 'xz' || kind === 'zstd' || kind === 'lzma' || kind === 'bzip2') {
    return kind;
  }
  throw new Error(`sniffed ${kind}`);
}

async function unpack(bytes: Uint8Array) {
  return decompress(compressedKind(bytes), bytes, { region: 'file', limit: LIMIT });
}

describe('the corpus', () => {
  it.each(edges('compressed').map((row) => [row.id, row] as const))('%s', async (_id, row) => {
    const packed = readCorpusFile(row);
    if (row.accept === 'refuse') {
      await expect(unpack(packed)).rejects.toMatchObject({
        issue: { code: 'container.too-large' },
      });
      return;
    }
    const { bytes, issues } = await unpack(packed);
    expect(sniff(bytes)).toBe('elf');
    const codes = issues.map(({ severity, code }) => `${severity} ${code}`);
    if (row.accept === 'ok') expect(codes).toEqual([]);
    else if (/truncated/.test(row.report.join()))
      expect(codes).toEqual(['error container.truncated']);
    else expect(codes).toEqual(['error container.checksum']);
  });

  it('unpacks the same object from each format', async () => {
    const whole = edges('compressed').filter(({ accept }) => accept === 'ok');
    const unpacked = await Promise.all(whole.map((row) => unpack(readCorpusFile(row))));
    const hashes = unpacked.map(({ bytes }) => sha256(bytes));
    expect(hashes.length).toBeGreaterThan(5);
    expect(new Set(hashes).size).toBe(1);
  });

  it.each(edges('archive').map((row) => [row.id, row] as const))('%s', async (_id, row) => {
    const bytes = readCorpusFile(row);
    const reading = readArMembers(bufferSource(row.name, bytes));
    if (row.accept === 'refuse') {
      expect(sniff(bytes)).toBe('thin-ar');
      await expect(reading).rejects.toMatchObject({ issue: { code: 'ar.thin' } });
      return;
    }
    expect(sniff(bytes)).toBe('ar');
    const { members, issues } = await reading;
    if (row.row.has('members')) {
      expect(members.map(({ name }) => name)).toEqual(row.row.texts('members'));
    }
    for (const { fileOffset } of members) expect(sniff(bytes.subarray(fileOffset))).toBe('elf');
    expect(issues.length > 0).toBe(row.accept === 'warn');
  });

  it.each(edges('other').map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const head = readCorpusFile(row).subarray(0, 512);
    expect(sniff(head)).toBe('unknown');
    expect(describeUnknown(head)).not.toContain('unknown kind');
  });

  it.each(
    edges('elf')
      .concat(edges('btf'))
      .map((row) => [row.id, row] as const),
  )('%s is sniffed as what it is, or refused', (_id, row) => {
    const kind = sniff(readCorpusFile(row).subarray(0, 512));
    if (kind !== row.kind) expect([kind, row.accept]).toEqual(['unknown', 'refuse']);
  });

  it('unpacks modules as shipped', async () => {
    const modules = corpusModules().filter(({ name }) => name.endsWith('.ko.xz'));
    for (const module of modules) {
      const { bytes, issues } = await unpack(readCorpusFile(module));
      expect(issues, module.name).toEqual([]);
      expect(sniff(bytes), module.name).toBe('elf');
    }
  });

  it('unpacks every object that the corpus has in zstd to its known hash', async () => {
    const objects = corpusObjects().filter(({ file }) => file.endsWith('.zst'));
    for (const { id, file, sha256: expected } of objects) {
      const { bytes, issues } = await unpack(new Uint8Array(readFileSync(corpusPath(file))));
      expect(issues, id).toEqual([]);
      expect(sha256(bytes), id).toBe(expected);
    }
  });
});

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
