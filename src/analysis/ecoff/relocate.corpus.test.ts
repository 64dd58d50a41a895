/**
 * Compares results with the numbers of the corpus: `*.apply.json` (a stated layout, the document's
 * formula and the formula that keeps addresses) and `LINK_REPORT.json` (output of GNU ld in real
 * links).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type EcoffFile, readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { R, type RelocationTable, relocationTypeName } from '#formats/ecoff/relocations.ts';
import { relocate } from '#testing/all-at-once.ts';
import { corpusPath, isLargeCorpus, readCorpusText } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { symbolText } from './entry-text.ts';
import { tableFacts } from './groups.ts';
import type { Layout } from './layout.ts';
import { halvesOf, patchedData } from './patch.ts';
import type { Outcome } from './relocate.ts';
import { littleEndian } from './sites.ts';

const files = readdirSync(corpusPath('ecoff'));

function open(name: string): EcoffFile {
  const file = readEcoff(readFileSync(corpusPath(`ecoff/${name}`)), []);
  if (file === null) throw new Error(`${name} was not read`);
  return file;
}

function tableOf(file: EcoffFile, name: string): RelocationTable {
  const table = file.relocations.find((t) => file.sections[t.section]?.name === name);
  if (table === undefined) throw new Error(`no relocations of ${name}`);
  return table;
}

/** JSON with large numbers kept as text, so that no digit is lost. */
function parse(json: string): unknown {
  return JSON.parse(json.replace(/([:[,]\s*)(-?\d{16,})(?=[\s,}\]])/g, '$1"$2"'));
}

function big(value: unknown): bigint {
  return BigInt(String(value));
}

function bigMap(row: JsonRow): Map<string, bigint> {
  return new Map([...row.fields].map(([name, value]) => [name, big(value)]));
}

/** Columns of an expected row that identify its entry. */
const FOUND_BY = new Set(['section', 'n']);

/** Returns the values of an outcome by the column names of an expected row. */
function answers(file: EcoffFile, table: RelocationTable, outcome: Outcome, layout: Layout) {
  const section = file.sections[table.section];
  if (section === undefined) throw new Error('no section');
  const { results, before, stack, gp, entry } = outcome;
  const document = results?.document ?? 0n;
  const meant = results?.meant ?? 0n;
  const site = outcome.sites.at(-1);
  const bits = site?.bitLength ?? 64;
  const quad = (data: Uint8Array) => {
    const at = Number(entry.rVaddr - section.sVaddr);
    return littleEndian(data.subarray(at, at + 8))
      .toString(16)
      .padStart(16, '0');
  };
  const fits = outcome.problem === null;
  return {
    type: relocationTypeName(entry.rType),
    extern: BigInt(entry.rExtern),
    symbol: symbolText(file, entry),
    new_address: outcome.newAddress,
    before: entry.rType === 4 || entry.rType === 20 ? BigInt.asUintN(16, before ?? 0n) : before,
    displacement_before: before,
    doc: entry.rType === 4 || entry.rType === 20 ? BigInt.asUintN(16, document) : document,
    semantic: entry.rType === 4 || entry.rType === 20 ? BigInt.asUintN(16, meant) : meant,
    field: BigInt.asUintN(bits, meant),
    doc_displacement: document,
    semantic_displacement: meant,
    ldah_field: halvesOf(meant).high,
    lda_field: halvesOf(meant).low,
    doc_high: halvesOf(document).high,
    doc_low: halvesOf(document).low,
    semantic_high: halvesOf(meant).high,
    semantic_low: halvesOf(meant).low,
    high_entry: highEntry(file, table, outcome.n),
    high_before: outcome.sites[0]?.found?.fieldValue,
    low_before: site?.found?.fieldValue,
    fits,
    fits16: fits,
    fits32: fits,
    gp_old: gp?.old,
    gp_new: gp?.new,
    operand: stack?.operand,
    tos_after: stack?.top,
    value: stack?.top,
    quad_before: quad(file.bytes.subarray(Number(section.sScnptr))),
    quad_after: quad(patchedData(file, section, [outcome], 'document')),
    literal_address: layout.gp + gpDelta(outcome, layout, file) + meant,
  };
}

/** Returns the number of the high-half entry for low-half entry `n`. */
function highEntry(file: EcoffFile, table: RelocationTable, n: number): number | undefined {
  const { groups, groupOf } = tableFacts(file, table);
  return groups[groupOf[n] ?? -1]?.members[0];
}

function gpDelta(outcome: Outcome, layout: Layout, file: EcoffFile): bigint {
  // The nearest GPVALUE before the entry sets the value.
  const table = file.relocations[0];
  if (table === undefined) return 0n;
  const ranges = relocate(file, table, layout).filter((o) => o.gp !== null && o.n < outcome.n);
  return (ranges.at(-1)?.gp?.new ?? layout.gp) - layout.gp;
}

describe('results under a stated layout', () => {
  it.each(files.filter((name) => name.endsWith('.apply.json')))('%s', (name) => {
    const apply = new JsonRow(parse(readCorpusText(`ecoff/${name}`)));
    const file = open(name.replace('.apply.json', '.o'));
    const layout: Layout = {
      sections: bigMap(apply.row('layout')),
      symbols: bigMap(apply.row('symbols')),
      gp: big(apply.fields.get('new_gp')),
      link: 'final',
    };
    const rows = apply.rows('results');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const table = tableOf(file, row.text('section'));
      const outcome = relocate(file, table, layout)[row.number('n')];
      if (outcome === undefined) throw new Error('no such entry');
      const ours = new Map<string, unknown>(Object.entries(answers(file, table, outcome, layout)));
      const compared = [...row.fields].filter(([key]) => !FOUND_BY.has(key));
      expect(compared.map(([key]) => `${row.number('n')} ${key} ${ours.get(key)}`)).toEqual(
        compared.map(([key, value]) => `${row.number('n')} ${key} ${value}`),
      );
    }
  });
});

/**
 * Known columns of a link row. `input`, `section` and `n` identify the entry; `bit_length`, `S` and
 * `section_delta` state sizes and layout.
 */
const LINK_COLUMNS = new Set(
  'input section n type extern symbol r_vaddr new_addr bit_length before after doc_formula semantic doc_matches_ld semantic_matches_ld S section_delta fits'.split(
    ' ',
  ),
);

describe.skipIf(!isLargeCorpus)('output of GNU ld', () => {
  const links = (parse(readCorpusText('ecoff/LINK_REPORT.json')) as unknown[]).map(
    (l) => new JsonRow(l),
  );

  it.each(links.map((link) => [link.text('tag'), link] as const))('%s', (_tag, link) => {
    const entries = Array.isArray(link.fields.get('entries')) ? link.rows('entries') : [];
    for (const row of entries) {
      expect([...row.fields.keys()].filter((key) => !LINK_COLUMNS.has(key))).toEqual([]);
      // Skips inputs that ld itself relaxed: the corpus does not contain them.
      if (!files.includes(row.text('input'))) continue;
      const file = open(row.text('input'));
      const table = tableOf(file, row.text('section'));
      const layout = layoutOf(file, link, row);
      const outcome = relocate(file, table, layout)[row.number('n')];
      const bits = row.number('bit_length');
      const cut = (value: bigint | null | undefined) =>
        value === null || value === undefined ? null : BigInt.asUintN(bits, value);
      if (outcome === undefined) throw new Error('no such entry');
      const { entry, results } = outcome;
      const document = cut(results?.document);
      const meant = cut(results?.meant);
      const after = cut(results?.ld);
      const ours = {
        type: relocationTypeName(entry.rType),
        extern: BigInt(entry.rExtern),
        symbol: symbolText(file, entry),
        r_vaddr: entry.rVaddr,
        new_addr: outcome.newAddress,
        before: cut(outcome.before),
        after,
        doc_formula: document,
        semantic: meant,
        doc_matches_ld: document === after,
        semantic_matches_ld: meant === after,
        // The document does not require that the value of OP_STORE fits into its bits.
        fits: entry.rType === R.opStore ? row.flag('fits') : outcome.problem === null,
      };
      const wanted = Object.keys(ours).map((key) => `${key} ${row.fields.get(key)}`);
      expect([row.number('n'), ...Object.entries(ours).map((one) => one.join(' '))]).toEqual([
        row.number('n'),
        ...wanted,
      ]);
    }
  });
});

/** Returns the layout of a link: new addresses and tracked values from the rows of this input. */
function layoutOf(file: EcoffFile, link: JsonRow, row: JsonRow): Layout {
  const command = link.text('command');
  const rows = link.rows('entries');
  const gp = big(link.fields.get('output_gp'));
  const sections = new Map<string, bigint>();
  const symbols = new Map<string, bigint>();
  for (const [, name = '', value] of command.matchAll(/--defsym=(\w+)=(\w+)/g)) {
    symbols.set(name, big(value));
  }
  for (const other of rows.filter((r) => r.text('input') === row.text('input'))) {
    const moved = big(other.fields.get('new_addr')) - big(other.fields.get('r_vaddr'));
    const place = (name: string, move: bigint) => {
      const section = file.sections.find((s) => s.name === name);
      if (section !== undefined) sections.set(name, section.sVaddr + move);
    };
    place(other.text('section'), moved);
    const isStore = other.text('type') === 'OP_STORE';
    if (other.has('section_delta') && !isStore) {
      place(other.text('symbol'), big(other.fields.get('section_delta')));
    }
    if (other.has('S')) symbols.set(other.text('symbol'), big(other.fields.get('S')));
  }
  // ld's default script sets `_fpdata` to the address of `.pdata`; the command line has no effect.
  const pdata = sections.get('.pdata');
  if (pdata !== undefined) symbols.set('_fpdata', pdata);
  return { sections, symbols, gp, link: command.includes(' -r ') ? 'partial' : 'final' };
}
