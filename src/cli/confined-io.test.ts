import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Folders } from './confined-io.ts';
import { nodeIo } from './node-io.ts';

const places: string[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const place of places.splice(0)) rmSync(place, { recursive: true });
});

function folderWith(name: string, text: string) {
  const place = mkdtempSync(join(tmpdir(), 'btfscope-folders-'));
  places.push(place);
  mkdirSync(dirname(join(place, name)), { recursive: true });
  writeFileSync(join(place, name), text);
  return { folders: new Folders(nodeIo, [place]), path: join(place, name) };
}

async function hashIn(folders: Folders, name: string) {
  const request = folders.request(new Map());
  await request.io.open(name);
  const [file] = await request.files();
  return file?.sha256;
}

describe('the folders of a server', () => {
  it('hash a file again after a change that keeps its size and time', async () => {
    const { folders, path } = folderWith('a', 'one');
    const before = await hashIn(folders, 'a');
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'two');
    utimesSync(path, atime, mtime);
    expect(await hashIn(folders, 'a')).not.toBe(before);
  });

  it.each(['the file', 'a folder'])(
    'read no file outside if %s becomes a link after the path was checked',
    async (what) => {
      const { folders, path } = folderWith('inside/a', 'one');
      const outside = folderWith('a', 'secret').path;
      const moved = what === 'the file' ? path : dirname(path);
      const target = what === 'the file' ? outside : dirname(outside);
      // The check of the path is the last step before the file is opened.
      const open = vi.spyOn(nodeIo, 'open');
      open.mockImplementation((real, check) => {
        open.mockRestore();
        rmSync(moved, { recursive: true });
        symlinkSync(target, moved);
        return nodeIo.open(real, check);
      });
      const { io, files } = folders.request(new Map());
      await expect(io.open('inside/a')).rejects.toThrow(/cannot read .*inside\/a/);
      expect(await files()).toEqual([]);
    },
  );

  it('do not wait for the writer of a pipe', async () => {
    const { folders, path } = folderWith('a', '');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    const { io } = folders.request(new Map());
    await expect(io.open('a')).rejects.toThrow('a is not a file');
  });

  it('end a request that takes too long at its next file, row or step', async () => {
    const { folders } = folderWith('a', 'one');
    const { io } = folders.request(new Map());
    const later = performance.now() + 31_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    const message = 'the answer takes more than 30 s: ask about fewer files';
    await expect(io.open('a')).rejects.toThrow(message);
    expect(() => io.out(new Uint8Array(1))).toThrow(message);
    expect(() => io.progress('step')).toThrow(message);
  });
});
