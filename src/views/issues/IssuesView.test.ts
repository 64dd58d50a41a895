import { expect, it } from 'vitest';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { checksOf } from './IssuesView.tsx';

it('names only what the file has', async () => {
  const bare = await openModel('a.o', elfObject().bytes);
  expect(checksOf(bare).map(({ subject }) => subject)).toEqual(['1 header', '2 sections']);
});

it('counts code only where it is BPF', async () => {
  const sections = [{ name: '.text', flags: 6, data: new Uint8Array(8) }];
  const subjects = async (machine: number) =>
    checksOf(await openModel('a.o', elfObject({ sections, header: { machine } }).bytes)).map(
      (check) => check.subject,
    );
  expect(await subjects(247)).toContain('BPF code');
  expect(await subjects(0)).toContain('BPF code');
  expect(await subjects(62)).not.toContain('BPF code');
});
