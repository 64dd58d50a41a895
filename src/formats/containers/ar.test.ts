import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { readArMembers } from './ar.ts';

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`./testdata/${name}`, import.meta.url)));
}

const ascii = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const read = (bytes: Uint8Array) => readArMembers(bufferSource('lib.a', bytes));

/** Returns a member of an ar archive: header, content, and a newline if the length is odd. */
function member(name: string, content: string, size = `${content.length}`): string {
  const fields = [name.padEnd(16), '0'.padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '644'.padEnd(8)];
  return `${fields.join('')}${size.padEnd(10)}\`\n${content}${content.length & 1 ? '\n' : ''}`;
}

async function contents(bytes: Uint8Array): Promise<Record<string, string>> {
  const { members } = await read(bytes);
  return Object.fromEntries(
    members.map(({ name, fileOffset, size }) => [
      name,
      new TextDecoder('latin1').decode(bytes.subarray(fileOffset, fileOffset + size)),
    ]),
  );
}

describe('readArMembers', () => {
  it.each(['gnu.a', 'bsd.a'])('reads %s', async (name) => {
    expect(await contents(fixture(name))).toEqual({
      'a.o': 'odd.\n',
      'b_with_a_very_long_member_name.o': 'even.\n',
    });
    expect((await read(fixture(name))).issues).toEqual([]);
  });

  it.each(['gnu-index.a', 'darwin-index.a'])('leaves the symbol index of %s out', async (name) => {
    const found = await contents(fixture(name));
    expect(Object.keys(found)).toEqual(['c.o', 'a.o']);
    expect(found['c.o']).toMatch(/^\x7fELF/);
    // Archives of Darwin pad a member with newlines, which count as content.
    expect(found['a.o']?.trimEnd()).toBe('odd.');
  });

  it('returns kind, offset and size of the content', async () => {
    expect(
      (await read(ascii(`!<arch>\n${member('x/', 'abc')}${member('y', 'de')}`))).members,
    ).toEqual([
      { name: 'x', kind: 'other', fileOffset: 68, size: 3, packing: null },
      { name: 'y', kind: 'other', fileOffset: 132, size: 2, packing: null },
    ]);
  });

  it.each(['/', '/SYM64/', '__.SYMDEF', '__.SYMDEF SORTED', '__.SYMDEF_64'])(
    'does not take %j for a member',
    async (name) => {
      const archive = ascii(`!<arch>\n${member(name, 'index')}${member('x/', 'abc')}`);
      expect(await contents(archive)).toEqual({ x: 'abc' });
    },
  );

  it('returns members of equal names, and names outside the table', async () => {
    const archive = ascii(`!<arch>\n${member('x/', '1')}${member('x/', '2')}${member('/99', '3')}`);
    expect((await read(archive)).members.map(({ name }) => name)).toEqual(['x', 'x', '/99']);
  });

  it('clips a member that runs past the end', async () => {
    const archive = ascii(`!<arch>\n${member('x/', 'abc', '9999999999')}`);
    const { members, issues } = await read(archive);
    expect(members).toMatchObject([{ name: 'x', fileOffset: 68, size: 4 }]);
    expect(issues).toMatchObject([
      { severity: 'error', code: 'ar.member-past-end', span: { start: 56, end: 66 } },
    ]);
  });

  it.each([
    ['a size that is no number', member('y/', 'abc', 'many'), 'ar.bad-header'],
    ['a negative size', member('y/', 'abc', '-60'), 'ar.bad-header'],
    ['a header without its end', member('y/', 'abc').replace('`', '?'), 'ar.bad-header'],
    ['a cut header', member('y/', 'abc').slice(0, 30), 'ar.truncated'],
  ])('keeps what stands before %s', async (_what, second, code) => {
    const { members, issues } = await read(ascii(`!<arch>\n${member('x/', 'abcd')}${second}`));
    expect(members.map(({ name }) => name)).toEqual(['x']);
    expect(issues).toMatchObject([{ code, span: { start: 72, end: 132 } }]);
  });

  it('warns about an archive without members', async () => {
    expect(await read(ascii('!<arch>\n'))).toMatchObject({
      members: [],
      issues: [{ severity: 'warning', code: 'ar.empty' }],
    });
  });

  it.each([
    ['a thin archive', fixture('thin.a'), 'ar.thin'],
    ['another file', ascii('!<arch> '), 'ar.bad-magic'],
    ['an empty file', ascii(''), 'ar.bad-magic'],
  ])('refuses %s', async (_what, bytes, code) => {
    await expect(read(bytes)).rejects.toMatchObject({ issue: { code } });
  });

  it('reads headers only, and neighbours in one read', async () => {
    const small = Array.from({ length: 50 }, (_, i) => member(`s${i}/`, 'abcd')).join('');
    const archive = ascii(`!<arch>\n${small}${member('big/', 'x'.repeat(1 << 20))}${small}`);
    let fetched = 0;
    const { members } = await readArMembers({
      name: 'lib.a',
      size: archive.length,
      read: (start, end) => {
        fetched += end - start;
        return Promise.resolve(archive.subarray(start, end));
      },
    });
    expect(members).toHaveLength(101);
    expect(fetched).toBeLessThan(50_000);
  });

  it('terminates on any bytes, with members inside the file', async () => {
    const pieces = fc.oneof(
      fc
        .constantFrom('a/', '//', '/0', '#1/4', '#1/999', '/')
        .map((name) => member(name, 'names.o/\n')),
      fc.string({ maxLength: 70 }),
      fc.nat().map((size) => member('m/', 'x', `${size}`)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 8 }), fc.nat(600), async (parts, cut) => {
        const bytes = ascii(`!<arch>\n${parts.join('')}`).subarray(0, 8 + cut);
        const { members } = await read(bytes);
        for (const { fileOffset, size } of members) {
          expect(fileOffset).toBeGreaterThanOrEqual(68);
          expect(size).toBeGreaterThanOrEqual(0);
          expect(fileOffset + size).toBeLessThanOrEqual(bytes.length);
        }
      }),
    );
  });

  it('throws only Malformed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await expect(read(bytes)).rejects.toBeInstanceOf(Malformed);
      }),
    );
  });
});
