/** Finds types that contain themselves, by Tarjan's algorithm with an explicit stack. */
import type { IssueCollector } from '#bytes/issue.ts';
import { BTF_ARRAY, BTF_MEMBER, BtfKind } from '#formats/btf/kinds.ts';
import { isComposite } from '#model/type-items.ts';
import { type BlobRecords, RECORDS_PER_STEP, type TypeSubject, typeLabel } from './type-subject.ts';

export function* findCycles({ records, issues }: TypeSubject): Generator<void> {
  yield* findComponents(records, issues);
  yield* findPointerLoops(records, issues);
}

/** Returns how many types record `i` contains by value. */
function degree(records: BlobRecords, i: number): number {
  switch (records.kinds[i]) {
    case BtfKind.TYPEDEF:
    case BtfKind.CONST:
    case BtfKind.VOLATILE:
    case BtfKind.RESTRICT:
    case BtfKind.TYPE_TAG:
    case BtfKind.ARRAY:
      return 1;
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return records.vlen(i);
    default:
      return 0;
  }
}

/** Returns the record that `edge` of record `i` refers to; -1 if it is not in `records`. */
function neighbour(records: BlobRecords, i: number, edge: number): number {
  let id: number;
  switch (records.kinds[i]) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      id = records.u32(records.itemStart(i, edge) + BTF_MEMBER.at.type);
      break;
    case BtfKind.ARRAY:
      id = records.u32(records.tail(i) + BTF_ARRAY.at.type);
      break;
    default:
      id = records.sizeOrType(i);
  }
  const row = id - records.firstId;
  return row >= 0 && row < records.count ? row : -1;
}

function* findComponents(records: BlobRecords, issues: IssueCollector): Generator<void> {
  const { count } = records;
  const order = new Uint32Array(count);
  const low = new Uint32Array(count);
  const onStack = new Uint8Array(count);
  const nextEdge = new Uint32Array(count);
  const members: number[] = [];
  const path: number[] = [];
  let visited = 0;
  let steps = 0;
  const enter = (i: number) => {
    visited += 1;
    order[i] = visited;
    low[i] = visited;
    onStack[i] = 1;
    members.push(i);
    path.push(i);
  };
  for (let root = 0; root < count; root++) {
    if (order[root] !== 0 || degree(records, root) === 0) continue;
    enter(root);
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      if (steps++ % (4 * RECORDS_PER_STEP) === 0) yield;
      const edge = nextEdge[at] ?? 0;
      if (edge < degree(records, at)) {
        nextEdge[at] = edge + 1;
        const to = neighbour(records, at, edge);
        if (to < 0) continue;
        if (order[to] === 0) enter(to);
        else if (onStack[to] === 1) low[at] = Math.min(low[at] ?? 0, order[to] ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[at] ?? 0);
      if (low[at] === order[at]) leaveComponent(records, at, members, onStack, issues);
    }
  }
}

/** Removes the component of `root` from the stack. Reports the component if it is a cycle. */
function leaveComponent(
  records: BlobRecords,
  root: number,
  members: number[],
  onStack: Uint8Array,
  issues: IssueCollector,
): void {
  const component: number[] = [];
  for (let i = members.pop(); i !== undefined; i = members.pop()) {
    onStack[i] = 0;
    component.push(i);
    if (i === root) break;
  }
  if (component.length === 1 && !refersToItself(records, root)) return;
  component.sort((a, b) => a - b);
  const first = component[0] ?? root;
  const structs = component.filter((i) => isComposite(records.kind(i))).length;
  issues.add('btf.cycle', () => ({
    message: `${listOf(records, component)}: ${cycleWords(structs, component.length)}`,
    span: records.headSpan(first),
    advice: 'Such a type has no size. No compiler writes it.',
  }));
}

function cycleWords(structs: number, all: number): string {
  if (structs === 0) return 'cycle without a pointer';
  if (structs > 1) return 'contain each other';
  return all > 1 ? 'the struct contains itself' : 'contains itself';
}

function refersToItself(records: BlobRecords, i: number): boolean {
  for (let edge = 0; edge < degree(records, i); edge++) {
    if (neighbour(records, i, edge) === i) return true;
  }
  return false;
}

/** Finds cycles of only pointers, arrays and modifiers, without a named type. */
function* findPointerLoops(records: BlobRecords, issues: IssueCollector): Generator<void> {
  const seenIn = new Uint32Array(records.count);
  for (let first = 0; first < records.count; first++) {
    if (first % RECORDS_PER_STEP === 0) yield;
    const walk: number[] = [];
    let at = first;
    while (at >= 0 && seenIn[at] === 0 && isUnnamed(records, at)) {
      seenIn[at] = first + 1;
      walk.push(at);
      at = neighbour(records, at, 0);
    }
    if (at < 0 || seenIn[at] !== first + 1) continue;
    const loop = walk.slice(walk.indexOf(at)).sort((a, b) => a - b);
    if (!loop.some((i) => records.kinds[i] === BtfKind.PTR)) continue;
    issues.add('btf.pointer-loop', () => ({
      message: `${listOf(records, loop)}: ${loop.length > 1 ? 'pointers that lead' : 'a pointer that leads'} in a circle`,
      span: records.headSpan(loop[0] ?? at),
    }));
  }
}

function isUnnamed(records: BlobRecords, i: number): boolean {
  return (
    records.kinds[i] === BtfKind.PTR || (degree(records, i) === 1 && !isComposite(records.kind(i)))
  );
}

const MAX_LISTED = 8;

/** Returns a list for a message: `type [3]`, or `types [3], [4] and 7 more`. */
function listOf(records: BlobRecords, rows: readonly number[]): string {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) return typeLabel(records, only);
  const listed = rows.slice(0, MAX_LISTED).map((i) => `[${records.firstId + i}]`);
  const more = rows.length > MAX_LISTED ? ` and ${rows.length - MAX_LISTED} more` : '';
  return `types ${listed.join(', ')}${more}`;
}
