/** Compares the BTF of objects, kernels and edge cases with bpftool, libbpf and the corpus. */
import { describe, expect, it } from 'vitest';
import { attempt, type Issue } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { typeId } from '#model/ids.ts';
import { membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import {
  corpusEdges,
  corpusKernels,
  corpusObjects,
  corpusTargets,
  type EdgeRow,
  isLargeCorpus,
  readCorpusFile,
  readCorpusText,
} from '#testing/corpus.ts';
import { coreCountOf, goldenOf, typeCountOf } from '#testing/goldens.ts';
import { JsonRow } from '#testing/json-row.ts';
import { type BtfRegion, ingestBtf } from './btf.ts';
import { ingestElf, readSection, sectionsNamed } from './elf.ts';
import { ingestExt } from './ext.ts';

const objects = corpusObjects();
const targets = corpusTargets();
const kernels = corpusKernels();
const edges = new Map(corpusEdges().map((row) => [row.name, row]));

const blob = (bytes: Uint8Array): BtfRegion => ({ bytes, fileOffset: 0, region: '.BTF' });

async function openElf(name: string, bytes: Uint8Array) {
  const source = bufferSource(name, bytes);
  const issues: Issue[] = [];
  const parts = await ingestElf(source, []);
  const regionOf = async (section: string): Promise<BtfRegion | null> => {
    const [index] = sectionsNamed(parts.sections, section);
    const read = index === undefined ? null : await readSection(source, parts, index, []);
    return read && { ...read, region: section };
  };
  const btf = await regionOf('.BTF');
  const types = btf && attempt(issues, () => ingestBtf(btf, null, issues));
  const ext = await regionOf('.BTF.ext');
  const tables = types && ext && ingestExt(ext, types.types, parts.sections, issues);
  return { types: types?.types ?? null, ext: tables?.ext ?? null, header: tables?.header, issues };
}

/**
 * Returns the number of types of the same object built as little-endian: bpftool 7.1 refuses
 * big-endian BTF with a header of 32 bytes.
 */
function countOfTwin(id: string): number | null {
  return goldenOf(id, 'btf.raw.txt')?.stderr.includes('unsupported header length 32')
    ? typeCountOf(id.replace('be-', ''))
    : null;
}

const spoken = (issues: readonly Issue[]) => issues.filter((i) => i.severity !== 'note');

describe('objects of the corpus', () => {
  it('is there', () => {
    expect(objects.length).toBeGreaterThan(100);
  });

  it.each(
    // Debian's bpftool cannot open big-endian BTF of GCC.
    objects.filter(({ id }) => !id.startsWith('gcc-be__')).map((o) => [o.id, o] as const),
  )('%s', async (id, object) => {
    const { types, ext, issues } = await openElf(object.name, readCorpusFile(object));
    expect(types?.count ?? null).toBe(typeCountOf(id) ?? countOfTwin(id));
    expect(ext?.core.count ?? 0).toBe(coreCountOf(id));
    expect(spoken(issues)).toEqual([]);
  });
});

describe('both builds of one source', () => {
  const byId = new Map(objects.map((o) => [o.id, o]));
  const twins = objects.flatMap((big) => {
    const little = byId.get(big.id.replace('-be__', '__'));
    return little === undefined || little === big || big.id.startsWith('gcc')
      ? []
      : [[big.id, big, little] as const];
  });

  it('are there', () => {
    expect(twins.length).toBeGreaterThan(10);
  });

  it.each(twins)('%s', async (_id, big, little) => {
    const [b, l] = [
      await openElf(big.name, readCorpusFile(big)),
      await openElf(little.name, readCorpusFile(little)),
    ];
    expect([b.types?.endian, l.types?.endian]).toEqual(['big', 'little']);
    expect(linesOf(b.types)).toEqual(linesOf(l.types));
    expect(b.ext?.func.typeId).toEqual(l.ext?.func.typeId);
  });

  /** Returns the members sorted by name: the order of bit-fields depends on the byte order. */
  function linesOf(t: TypeTable | null): string[] {
    if (t === null) return [];
    return Array.from({ length: t.count }, (_, i) => {
      const id = typeId(i + 1);
      const members = membersOf(t, id).map((m) => `${m.name}:${m.type}`);
      return [kindOf(t, id), nameOf(t, id), sizeOrTypeOf(t, id), ...members.sort()].join(' ');
    });
  }
});

describe('raw BTF of the corpus', () => {
  it.each(targets.map((t) => [t.id, t] as const))('%s', (id, target) => {
    const issues: Issue[] = [];
    const { types } = ingestBtf(blob(readCorpusFile(target)), null, issues);
    expect(types.count).toBe(typeCountOf(id));
    expect(issues).toEqual([]);
  });

  it.each(kernels.map((k) => [k.id, k] as const))('%s', (_id, kernel) => {
    const issues: Issue[] = [];
    const { types } = ingestBtf(blob(readCorpusFile(kernel)), null, issues);
    expect(issues).toEqual([]);
    expect(types.recordOff[types.count]).toBe(types.strStart);
  });
});

/** Opens an edge case. If `withBase`, opens it on its base if the corpus has the base. */
function openEdge(row: EdgeRow, withBase: boolean): { types: TypeTable | null; issues: Issue[] } {
  const issues: Issue[] = [];
  const baseRow = withBase && row.base !== null ? edges.get(row.base) : undefined;
  const base = baseRow === undefined ? null : openEdge(baseRow, true).types;
  const read = attempt(issues, () => ingestBtf(blob(readCorpusFile(row)), base, issues));
  return { types: read?.types ?? null, issues };
}

/** Code of the issue that each refused or anomalous edge case must have. */
const TOLD: Readonly<Record<string, string>> = {
  'btf_layout_future_le.btf': 'btf.unknown-kinds',
  'btf_layout_future_be.btf': 'btf.unknown-kinds',
  'btf_future_nolayout_le.btf': 'btf.walk-no-layout',
  'btf_future_nolayout_be.btf': 'btf.walk-no-layout',
  'btf_layout_short_le.btf': 'btf.walk-outside-layout',
  'btf_layout_short_be.btf': 'btf.walk-outside-layout',
  'btf_layout_flags.btf': 'btf.layout-flags',
  'btf_layout_len_odd.btf': 'btf.layout-length',
  'btf_layout_overlaps_types.btf': 'btf.sections-overlap',
  'btf_layout_past_strings.btf': 'btf.sections-overlap',
  'btf_layout_elem_odd.btf': 'btf.walk-odd-layout',
  'btf_hdr40_nonzero.btf': 'btf.header-unknown-data',
  'btf_hdrlen_0.btf': 'btf.header-too-short',
  'btf_hdrlen_4.btf': 'btf.header-too-short',
  'btf_hdrlen_23.btf': 'btf.header-too-short',
  'btf_magic_9feb.btf': 'btf.header-past-end',
  'btf_magic_eb9e.btf': 'btf.bad-magic',
  'btf_magic_0000.btf': 'btf.bad-magic',
  'btf_flags1.btf': 'btf.flags',
  'btf_vlen_reserved_bits.btf': 'btf.walk-past-end',
  'btf_header_only.btf': 'btf.strings-empty',
  'btf_empty.btf': 'btf.empty',
  'btf_strings_first_not_nul.btf': 'btf.strings-start',
  'btf_trailing.btf': 'btf.trailing',
  'btf_sections_overlap.btf': 'btf.sections-overlap',
  'btf_type_len_cut.btf': 'btf.walk-past-end',
  'btf_str_len_past.btf': 'btf.section-past-end',
  'btf_offsets_wrap.btf': 'btf.section-past-end',
  'btf_cut_0001.btf': 'btf.header-truncated',
  'btf_cut_0004.btf': 'btf.header-truncated',
  'btf_cut_0012.btf': 'btf.header-truncated',
  'btf_cut_0020.btf': 'btf.header-truncated',
  'btf_cut_0023.btf': 'btf.header-truncated',
  'btf_cut_0024.btf': 'btf.section-past-end',
  'btf_cut_0030.btf': 'btf.section-past-end',
  'btf_cut_0036.btf': 'btf.section-past-end',
  'btf_cut_0696.btf': 'btf.section-past-end',
  'btf_kind0.btf': 'btf.kind-zero',
};

describe('edge cases of BTF', () => {
  const rows = [...edges.values()].filter((row) => row.kind === 'btf');

  it.each(rows.map((row) => [row.name, row] as const))('%s', (name, row) => {
    const { types, issues } = openEdge(row, true);
    if (row.accept === 'refuse') {
      expect(types).toBeNull();
      expect(issues).toMatchObject([{ severity: 'error', code: TOLD[name] }]);
      return;
    }
    expect(types).not.toBeNull();
    if (row.types !== null) expect(types?.count).toBe(row.types);
    if (row.row.has('first_id')) expect(types?.firstId).toBe(row.row.number('first_id'));
    const stop = issues.find((i) => i.code.startsWith('btf.walk-'));
    expect(stop !== undefined).toBe(row.row.has('stop_at'));
    if (stop !== undefined) expect(stop.message).toContain(`[${row.row.number('stop_at')}]`);
    const told = TOLD[name];
    if (told !== undefined) expect(issues.map((i) => i.code)).toContain(told);
    if (row.accept === 'ok') expect(spoken(issues)).toEqual([]);
  });

  const split = rows.filter((row) => row.base !== null);
  it.each(split.map((row) => [row.name, row] as const))('%s without its base', (_name, row) => {
    const { types, issues } = openEdge(row, false);
    expect(types?.split).toBe(true);
    expect(issues.map((i) => i.code)).toContain('btf.base-missing');
  });

  it.skipIf(!isLargeCorpus)('doubts a wrong base', () => {
    const [row, other] = [edges.get('split_wrong_base.btf'), edges.get('btf_hdr36_zero.btf')];
    if (row === undefined || other === undefined) throw new Error('the rows are gone');
    const base = openEdge(other, false).types;
    const issues: Issue[] = [];
    ingestBtf(blob(readCorpusFile(row)), base, issues);
    const doubt = issues.find((i) => i.code === 'btf.base-does-not-fit');
    expect(doubt).toMatchObject({
      severity: 'warning',
      found: '27 types and 117 bytes of strings',
    });
  });
});

describe('blobs with a result of libbpf', () => {
  const file = (path: string) => ({ id: path, name: 'blobs.pack', file: path });

  it.skipIf(!isLargeCorpus)(
    'are refused, cut short or accepted as libbpf does before it looks into types',
    () => {
      const list: unknown = JSON.parse(readCorpusText('validity/validity.json.zst'));
      if (!Array.isArray(list)) throw new Error('a list of rows was expected');
      const pack = readCorpusFile(file('validity/blobs.pack.zst'));
      const wrong: string[] = [];
      for (const row of list.map((r) => new JsonRow(r))) {
        // libbpf 1.8 does not know kinds 20 to 22, so its result is not compared.
        if (row.has('libbpf_msg') && /BTF_KIND: ?2[0-2]$/.test(row.text('libbpf_msg'))) continue;
        const start = row.number('pack_off');
        const issues: Issue[] = [];
        const bytes = pack.subarray(start, start + row.number('size'));
        const read = attempt(issues, () => ingestBtf(blob(bytes), null, issues));
        const libbpf = row.text('libbpf') === 'ok' ? 'ok' : libbpfStage(row);
        const ours = read === null ? 'header' : worst(issues);
        if (libbpf !== ours) wrong.push(`${row.text('name')}: libbpf ${libbpf}, here ${ours}`);
      }
      expect(wrong).toEqual([]);
      expect(list.length).toBeGreaterThan(1000);
    },
  );

  /** Returns the stage at which libbpf fails, without its checks of names and references. */
  function libbpfStage(row: JsonRow): 'header' | 'types' | 'ok' {
    const message = row.has('libbpf_msg') ? row.text('libbpf_msg') : '';
    if (/btf: type \[\d+\]/.test(message)) return 'ok';
    return /BTF type|BTF types data|BTF_KIND/.test(message) ? 'types' : 'header';
  }

  function worst(issues: readonly Issue[]): 'types' | 'ok' {
    const codes = issues.map((i) => i.code);
    return codes.some((c) => c.startsWith('btf.walk-') || c === 'btf.kind-zero') ? 'types' : 'ok';
  }
});
