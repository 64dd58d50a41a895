/** Tests `relocs --linked` on what GNU ld and lld made of objects for 21 machines. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { corpusPath, isLargeCorpus } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

const isThere = isLargeCorpus && existsSync(corpusPath('relocs/files.tar.zst'));
const folder = mkdtempSync(join(tmpdir(), 'relocs-corpus-'));
afterAll(() => rmSync(folder, { recursive: true }));
if (isThere) {
  for (const name of ['files', 'rows']) {
    execFileSync('tar', ['--zstd', '-xf', corpusPath(`relocs/${name}.tar.zst`), '-C', folder]);
  }
}
const machines = isThere ? readdirSync(join(folder, 'rows')) : [];

/**
 * Types whose rows name a GOT entry of another kind, where the upper half of the value does not tell
 * the entries of one symbol apart.
 */
const OTHER_ENTRY = /_(?:HI|HA|HI20|OFF_G1)$/;
const TLS = /TLS|TPREL/;

/** LoongArch's six bits: the rows have the whole byte. */
const SIX_BITS = /^R_LARCH_(?:ADD|SUB)6$/;

function read(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(folder, 'files', name)));
}

/** Runs the command on an object and its linked file. Returns the rows by section and index. */
async function rowsOf(object: string, linked: string): Promise<ReadonlyMap<string, JsonRow>> {
  const map = linked.replace(/out$/, 'map');
  const files = new Map([object, linked, map].map((name) => [name, read(name)] as const));
  const { out } = await runCommand(['relocs', object, '--linked', linked, '--json'], files);
  const rows = JsonRow.parse(`{"rows":${out}}`).rows('rows');
  return new Map(rows.map((row) => [`${row.number('section_index')} ${row.number('index')}`, row]));
}

describe.skipIf(!isThere)('rows that the formula proves', () => {
  it.each(machines)(
    '%s: addend, addresses, value and bytes are the linker’s',
    { timeout: 600_000 },
    async (file) => {
      const bits = /^(?:i386|arm|thumb|mips|ppc\.|m68k|sh4)/.test(file) ? 32 : 64;
      const cut = (value: unknown) =>
        value === null || value === undefined ? null : BigInt.asUintN(bits, BigInt(`${value}`));
      const wrong: string[] = [];
      let known = { key: '', rows: new Map<string, JsonRow>() as ReadonlyMap<string, JsonRow> };
      let count = 0;
      for (const line of readFileSync(join(folder, 'rows', file), 'utf8')
        .trimEnd()
        .split('\n')) {
        const row = JsonRow.parse(line.replace(/("(?:A|S|P|value)":)(-?\d+)/g, '$1"$2"'));
        if (row.text('status') !== 'confirmed') continue;
        const key = `${row.text('object')} ${row.text('linked')}`;
        if (known.key !== key) {
          known = { key, rows: await rowsOf(row.text('object'), row.text('linked')) };
        }
        const ours = known.rows.get(`${row.number('section_index')} ${row.number('index')}`);
        const type = row.text('type_name');
        const isOther = (OTHER_ENTRY.test(type) && TLS.test(type)) || SIX_BITS.test(type);
        const pairs = [
          ['type_name', type, ours?.fields.get('type_name')],
          ['bytes', row.text('bytes_after'), ours?.fields.get('bytes_after')],
          ['A', cut(row.fields.get('A')), cut(ours?.fields.get('a'))],
          ['S', cut(row.fields.get('S')), cut(ours?.fields.get('s'))],
          ['P', cut(row.fields.get('P')), cut(ours?.fields.get('p'))],
          ['value', cut(row.fields.get('value')), cut(ours?.fields.get('value'))],
        ] as const;
        for (const [what, wanted, found] of pairs) {
          if (wanted === found || (what === 'value' && isOther)) continue;
          wrong.push(`${key} ${row.number('index')} ${type} ${what}: ${found}, not ${wanted}`);
        }
        count++;
      }
      expect(wrong).toEqual([]);
      expect(count).toBeGreaterThan(100);
    },
  );
});
