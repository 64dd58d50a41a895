// Lays out type graphs without a page. Started by graph.mjs. Prints JSON: the milliseconds for each
// graph, and those of dagre for the same boxes and edges.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import dagre from '@dagrejs/dagre';
import { layoutGraph } from '#analysis/graph/scene.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { BtfStrings, btfBlob, infoOf, KIND } from '../btf-blob.mjs';

const [kernel, runs, mostDagreNodes] = process.argv.slice(2);
const NAMES = ['task_struct', 'sk_buff', 'inode', 'net_device', 'bpf_prog'];
const SIZES = [625, 1250, 2500, 5000, 10_000];
const BOX_WIDTH = 248;

const { model } = await ingestBytes(basename(kernel), new Uint8Array(readFileSync(kernel)));
const kernels = NAMES.flatMap((name) => {
  const selected = findTypeKey(model.types, { kind: 'struct', name, ordinal: 0 });
  return selected === null ? [] : [1, 2, 3].map((depth) => measure(name, selected, depth));
});

const tree = await ingestBytes('tree.btf', treeOfStructs(SIZES.at(-1)));
const growth = SIZES.map((nodes) => {
  // A tree of 10,000 types: three steps with 25 structs each.
  const draw = () => layoutGraph(tree.model.types, request(1, 3), nodes);
  return { nodes: draw().boxes.type.length, ms: middleOf(draw) };
});

process.stdout.write(JSON.stringify({ kernels, growth }));

function measure(name, selected, depth) {
  const start = performance.now();
  const picture = layoutGraph(model.types, request(selected, depth));
  const firstMs = performance.now() - start;
  const ms = middleOf(() => layoutGraph(model.types, request(selected, depth)));
  const nodes = picture.boxes.type.length;
  const edges = picture.links.from.length;
  const dagreMs = nodes <= Number(mostDagreNodes) ? timeOf(() => layoutByDagre(picture)) : null;
  return { name, depth, nodes, edges, firstMs, ms, dagreMs };
}

function request(selected, depth) {
  return { selected, depth, open: '', hide: null, path: [], forced: [] };
}

function middleOf(work) {
  const times = Array.from({ length: Number(runs) }, () => timeOf(work));
  return times.sort((a, b) => a - b)[times.length >> 1];
}

function timeOf(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function layoutByDagre({ boxes, links }) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR' });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [i, height] of boxes.height.entries()) {
    graph.setNode(`${i}`, { width: BOX_WIDTH, height });
  }
  for (const [i, from] of links.from.entries()) {
    graph.setEdge(`${from}`, `${links.to[i]}`, {}, `${i}`);
  }
  dagre.layout(graph);
}

/** Returns BTF with `count` structs in a tree, each of which contains 25 structs by value. */
function treeOfStructs(count) {
  const members = 25;
  const strings = new BtfStrings();
  const member = strings.offset('m');
  const words = [];
  for (let i = 0; i < count; i++) {
    const first = members * i + 2;
    const held = Math.max(0, Math.min(members, count - first + 1));
    words.push(strings.offset(`s${i}`), infoOf(KIND.STRUCT, held), 8);
    for (let m = 0; m < held; m++) words.push(member, first + m, 0);
  }
  return btfBlob({ types: [words], strings: strings.bytes });
}
