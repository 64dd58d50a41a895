/** Fuzz steps for the types in a file. */
import { compareTables } from '#analysis/compare/compare-tables.ts';
import { compareTypes, pairGraphOf } from '#analysis/compare/compare-types.ts';
import { duplicateTypes } from '#analysis/compare/duplicates.ts';
import { find } from '#analysis/find/find.ts';
import { buildFinder } from '#analysis/find/finder.ts';
import { searchTypes } from '#analysis/find/type-search.ts';
import { groupedReferrers } from '#analysis/graph/referrers.ts';
import { layoutGraph, sceneOf } from '#analysis/graph/scene.ts';
import { shownAlignBits } from '#analysis/layout/inferred-layout.ts';
import { keysToUnfold, memberRows } from '#analysis/layout/member-rows.ts';
import { drawToScale, lanesOf } from '#analysis/layout/scale.ts';
import { reorderedStruct, whatIf } from '#analysis/layout/what-if.ts';
import { openCarried, typesLink } from '#analysis/links/carried-link.ts';
import { askPaths } from '#analysis/paths/ask-paths.ts';
import { buildFieldNames, suggestFields } from '#analysis/paths/field-names.ts';
import { buildPathIndex } from '#analysis/paths/path-index.ts';
import { exampleQuestions } from '#analysis/paths/place-text.ts';
import { referencesOf, referrersOf } from '#analysis/types/references.ts';
import { alignOf, approximateSizes, sizeOf } from '#analysis/types/sizes.ts';
import { paddingBytesOf, structLayout } from '#analysis/types/struct-layout.ts';
import { kindHistogram } from '#analysis/types/type-census.ts';
import { findTypeKey, formatTypeKey, parseTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import { typeExpression, typeTitle } from '#analysis/types/type-name.ts';
import { decodeValue, type Value } from '#analysis/values/decode.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { hasType, nameOf, type TypeTable } from '#model/type-table.ts';
import { rawRecord } from '#print/btf-dump.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { selfContainedHeader } from '#print/c-dump/header.ts';
import {
  comparisonJson,
  comparisonMarkdown,
  comparisonText,
  type NamedComparison,
  typeComparisonData,
  typeComparisonText,
} from '#print/comparison.ts';
import { goDeclaration, rustDeclaration, zigDeclaration } from '#print/declarations/languages.ts';
import { graphDot, graphMermaid } from '#print/graph-dot.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import { valueJson } from '#print/value-json.ts';
import { declarationText, valueLines } from '#print/value-text.ts';
import { namesOf } from '#testing/type-table.ts';
import { type TextFormat, wholeText } from '#worker/text-answers.ts';
import { choose, NEVER, noPauses, type ReportStep, readParts, sampledTypes } from './opened.ts';

/** Limits in characters for texts; most are short, because endless texts take longest. */
const TEXT_LENGTHS = [1 << 21, ...Array.from({ length: 31 }, () => 1 << 13)];
/** Limits for the number of parts of a value that are written. */
const PART_COUNTS = [5_000, ...Array.from({ length: 31 }, () => 200)];
const ZEROS = Uint8Array.from({ length: 256 }, (_, i) => i);

/** Returns a step that writes the whole file in one format of bpftool or pahole. */
export function writeWholeText(format: TextFormat) {
  return async (t: TypeTable, reportStep: ReportStep): Promise<void> => {
    reportStep(`text ${format}`);
    const limits = { bytes: choose(t, TEXT_LENGTHS), lines: 1 << 18, sliceMs: Infinity };
    const { bytes, lineStarts } = await wholeText(t, format, NEVER, () => undefined, limits);
    if ((lineStarts.at(-1) ?? 0) > bytes.length) throw new Error('a line begins behind the text');
  };
}

/** Calls the functions behind the list of types and its panels. */
export async function testTypes(t: TypeTable, reportStep: ReportStep): Promise<void> {
  reportStep('tables');
  const names = () => namesOf(t);
  for (const order of ['id', 'name', 'size'] as const) {
    const query = { text: '', kinds: 0, order, descending: true };
    const found = await searchTypes(t, query, names);
    if (found.length !== t.count) throw new Error('a list without some of the types');
  }
  await searchTypes(t, { text: 'a', kinds: 0, order: 'name', descending: false }, names);
  kindHistogram(t);
  approximateSizes(t);
  for (const id of sampledTypes(t)) {
    reportStep('names');
    sizeOf(t, id);
    alignOf(t, id);
    typeExpression(t, id);
    typeTitle(t, id);
    reportStep('references');
    referencesOf(t, id, 100);
    referrersOf(t, id);
    groupedReferrers(t, id, 10);
    reportStep('key');
    if (!hasType(t, id)) continue;
    const key = typeKeyOf(t, id);
    if (findTypeKey(t, key) !== id) throw new Error(`the key of type ${id} finds another`);
    const parsed = parseTypeKey(formatTypeKey(key));
    if (parsed === null || findTypeKey(t, parsed) !== id) {
      throw new Error(`the key of type ${id} is not read back: ${formatTypeKey(key)}`);
    }
  }
}

const PRINTERS: readonly (readonly [string, (t: TypeTable, id: TypeId) => unknown])[] = [
  ['C declaration', cDeclaration],
  ['raw record', rawRecord],
  ['header', selfContainedHeader],
  ['pahole', paholeOf],
  ['Zig', zigDeclaration],
  ['Rust', rustDeclaration],
  ['Go', goDeclaration],
];

/** Writes types as declarations in a programming language. */
export function printTypes(t: TypeTable, reportStep: ReportStep): void {
  const [language, print] = choose(t, PRINTERS);
  for (const id of sampledTypes(t)) {
    reportStep(language);
    print(t, id);
  }
}

const VALUE_TEXTS: readonly ((value: Value, limit: number) => unknown)[] = [
  (value, limit) => readParts(valueLines('v = ', value, { maxElements: 64 }), limit),
  (value, limit) =>
    readParts(valueLines('v = ', value, { maxElements: 8, foldZeros: true }), limit),
  (value, limit) => valueJson(value, { isPlain: true, limit }),
  (value, limit) => valueJson(value, { isPlain: false, limit, isResolved: true }, false),
];

/** Decodes bytes as values of types, and writes the values. */
export function readValues(t: TypeTable, reportStep: ReportStep): void {
  const text = choose(t, VALUE_TEXTS);
  const limit = choose(t, PART_COUNTS);
  for (const id of sampledTypes(t)) {
    reportStep('value');
    declarationText(t, id, 'v');
    const value = decodeValue(t, id, ZEROS);
    reportStep('value text');
    text(value, limit);
  }
}

/** Computes the layouts of types, and their sizes with members in another order. */
export function computeLayouts(t: TypeTable, reportStep: ReportStep): void {
  for (const id of sampledTypes(t)) {
    reportStep('layout');
    const layout = structLayout(t, id);
    for (const row of layout.rows) {
      if (!(row.bitOffset >= 0)) throw new Error(`type ${id} has a row at bit ${row.bitOffset}`);
    }
    shownAlignBits(t, id);
    paddingBytesOf(t, id);
    reportStep('member rows');
    const rows = memberRows(t, id, keysToUnfold(t, id, 'unnamed'));
    memberRows(t, id, keysToUnfold(t, id, 'all'));
    reportStep('lanes');
    lanesOf(rows);
    reportStep('scale');
    drawToScale(rows, layout.sizeBytes, 64, false);
    drawToScale(rows, layout.sizeBytes, 64, true);
    reportStep('what if');
    const proposal = whatIf(t, id);
    if (proposal.kind !== 'smaller') continue;
    reportStep('reordered');
    const { types, type } = reorderedStruct(t, id, proposal);
    cDeclaration(types, type);
    structLayout(types, type);
  }
}

/** Draws the graph around each type, and writes its texts. */
export function drawGraphs(t: TypeTable, reportStep: ReportStep): void {
  for (const id of sampledTypes(t)) {
    reportStep('graph');
    const request = { selected: id, depth: 3, open: '', hide: null, path: [], forced: [] };
    const picture = layoutGraph(t, request, 60);
    layoutGraph(t, { ...request, depth: 0, hide: 'none', path: [id], open: `+${id}` }, 60);
    const scene = sceneOf(t, picture);
    reportStep('graph text');
    graphDot(scene);
    graphMermaid(scene);
  }
}

/** Searches for paths between types. */
export function searchPaths(t: TypeTable, reportStep: ReportStep): void {
  reportStep('path index');
  const index = buildPathIndex(t);
  const fields = buildFieldNames(index);
  exampleQuestions(t, 8);
  suggestFields(index, fields, 'a', 20);
  const names = sampledTypes(t, 6).map((id) => nameOf(t, id));
  for (const from of names) {
    for (const to of [...names.slice(0, 3), 'int', 'x.y', 'struct']) {
      reportStep(`paths from ${from} to ${to}`);
      askPaths(index, { from, to, limit: 5, around: true });
      askPaths(index, { from, to: `${to}.${from}`, limit: 5, around: false });
    }
  }
}

/** Returns a step that compares the types with themselves and with `other`. */
export function compareWith(other: TypeTable) {
  return (t: TypeTable, reportStep: ReportStep): void => {
    const [a, b] = choose(t, [
      [t, t],
      [t, other],
      [other, t],
    ] as const);
    choose(t, COMPARISONS)({ a, b }, reportStep);
  };
}

type Sides = { readonly a: TypeTable; readonly b: TypeTable };

const COMPARISONS: readonly ((tables: Sides, reportStep: ReportStep) => void)[] = [
  ...[
    (named: NamedComparison) => readParts(comparisonText(named)),
    (named: NamedComparison) => readParts(comparisonMarkdown(named)),
    comparisonJson,
  ].map((text) => (tables: Sides, reportStep: ReportStep) => {
    reportStep('compare');
    const whole = finished(compareTables(tables.a, tables.b));
    reportStep('comparison text');
    text({ whole, tables, before: 'a', after: 'b' });
  }),
  ({ a, b }, reportStep) => {
    const graph = pairGraphOf(a, b);
    for (const id of sampledTypes(a)) {
      reportStep('compared types');
      if (!hasType(a, id) || !hasType(b, id)) continue;
      const compared = compareTypes(graph, id, id);
      readParts(typeComparisonText(compared, { a, b }));
      JSON.stringify(typeComparisonData(compared, { a, b }));
    }
  },
  ({ a }, reportStep) => {
    reportStep('duplicates');
    finished(duplicateTypes(a));
  },
];

function finished<T>(work: Generator<unknown, T, void>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Puts types into a link, and reads them from the link. */
export async function linkTypes(t: TypeTable, reportStep: ReportStep, most = 6): Promise<void> {
  for (const id of sampledTypes(t, most)) {
    reportStep('link');
    const link = await typesLink(t, id, 8_000, NEVER);
    if (link === null) continue;
    reportStep('open link');
    const carried = await openCarried(link.key);
    const read = await ingestBytes('carried', carried.bytes);
    if (read.kind !== 'object' || read.model.types === null)
      throw new Error('a link without types');
    if (hasType(t, id) && read.model.types.count < 1) throw new Error('a link without its type');
  }
}

const QUERIES: readonly string[] = [
  '',
  'a',
  'int',
  'struct',
  's.a',
  'task pid',
  ':4',
  'size:8',
  'size>16',
  '#1',
  '0x18',
  '@0x18',
  'string:a',
  'value:1',
  'type:int',
  'member:a',
  'offset:8',
  '*',
  '->',
  '"',
  'foo.bar+8',
];

/** Builds the search index of the palette, and searches it. */
export async function searchPalette(model: ObjectModel, reportStep: ReportStep): Promise<void> {
  reportStep('finder');
  const finder = await buildFinder(model, noPauses(), () => undefined);
  const names = model.types === null ? [] : sampledTypes(model.types, 4);
  const own = names.map((id) => (model.types === null ? '' : nameOf(model.types, id).slice(0, 60)));
  for (const text of [...QUERIES, ...own]) {
    reportStep(`find ${text}`);
    await find(finder, text, 20, noPauses());
  }
}
