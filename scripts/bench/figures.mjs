// The measured figures: their definitions in the order of the table, and their values.

/**
 * Figures have a label, the unit of their values, and `against`: the value for the ratio in the
 * last column, `read` (time to read the file in the same page) or `size` (size of the file).
 */
const time = (label) => ({ label, unit: 'ms', against: 'read' });
/** Processor time of the page's main thread within a span of `page-probe.mjs`. */
const mainThread = (label) => ({ label, unit: 'ms', against: null });
const nodes = (label) => ({ label, unit: 'nodes', against: null });
const frames = (label) => ({ label, unit: 'frames', against: null });
const memory = (label, against) => ({ label, unit: 'MB', against });

export const VIEW_TITLES = [
  'Overview',
  'Types',
  'Graph',
  'Bytes',
  'Data',
  'CO-RE',
  'Compare',
  'Problems',
];

export const FIGURES = {
  scriptBytes: { label: 'Script before the first paint, brotli', unit: 'kB', against: null },
  firstPaint: time('First contentful paint'),
  ready: time('Page ready for a file'),
  read: time('Read the file into an ArrayBuffer'),
  opened: time('Drop to “Opened …”'),
  listed: time('Drop to the list of its types, painted'),
  longestTask: time('Longest task of the main thread, drop to idle'),
  ingest: time('Index the file in Node, a new thread each'),
  ingestPerType: { label: 'Index in Node, per type', unit: 'ns', against: null },
  firstStroke: time('Filter types: first key'),
  nextStrokes: time('Filter types: each further key'),
  select: time('Select task_struct to its detail'),
  pair: time('Select a member in Types, to its bytes in Bytes beside it'),
  firstText: time('C of all types: first screen'),
  ...Object.fromEntries(
    VIEW_TITLES.map((title) => [`tab ${title}`, time(`Tab ${title}, again: first frame`)]),
  ),
  tabsAtRest: time('Any tab, again, until nothing changes'),
  firstLooks: time('Any tab, first time for this file'),
  palette: time('Palette: each key'),
  'main listed': mainThread('Main thread: drop to the list painted'),
  'main firstStroke': mainThread('  filter, first key'),
  'main nextStrokes': mainThread('  filter, each further key'),
  'main palette': mainThread('  palette, each key'),
  'main select': mainThread('  task_struct selected'),
  'main pair': mainThread('  member selected, to its bytes beside it'),
  'main firstText': mainThread('  C of all types, first screen'),
  'main firstLooks': mainThread('  any tab, first time'),
  'main firstLooks at rest': mainThread('  any tab, first time, until nothing changes'),
  ...Object.fromEntries(
    VIEW_TITLES.flatMap((title) => [
      [`main tab ${title}`, mainThread(`  tab ${title}, again: first frame`)],
      [`main tab ${title} at rest`, mainThread(`  tab ${title}, again, until nothing changes`)],
    ]),
  ),
  ...Object.fromEntries(
    VIEW_TITLES.map((title) => [`nodes ${title}`, nodes(`Elements drawn in ${title}`)]),
  ),
  droppedFrames: frames('Scroll the list for 3 s: frames dropped'),
  droppedFramesEmpty: frames('  beside it an empty page'),
  worstFrame: time('Scroll the list for 3 s: worst frame'),
  worstFrameEmpty: time('  beside it an empty page'),
  memoryBefore: memory('Memory of the page before', null),
  memoryOpened: memory('  more with the file just opened', 'size'),
  memoryOpen: memory('  more once the worker has handed back what reading left', 'size'),
  memoryClosed: memory('  more right after it was closed', 'size'),
};

/** Values of the figures; `ratioTo` has the value with which a figure is compared. */
export class Measured {
  #samples = new Map();

  add(key, value, ratioTo = null) {
    if (!Object.hasOwn(FIGURES, key)) throw new Error(`there is no figure ${key}`);
    const samples = this.#samples.get(key) ?? [];
    samples.push({ value, ratio: ratioTo === null ? null : value / ratioTo });
    this.#samples.set(key, samples);
  }

  /** Returns the values of a figure; empty if it was not measured. */
  values(key) {
    return (this.#samples.get(key) ?? []).map((sample) => sample.value);
  }

  ratios(key) {
    return (this.#samples.get(key) ?? []).flatMap(({ ratio }) => (ratio === null ? [] : [ratio]));
  }
}

/** Returns the median of at least one value: the middle one, or the mean of the middle two. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2;
}
