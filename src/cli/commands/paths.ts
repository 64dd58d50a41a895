/** `btfscope paths`: how to get from a type to another, or to a field, by members and pointers. */
import {
  askPaths,
  type PathsAnswer,
  type PathsProblem,
  type PathsQuestion,
} from '#analysis/paths/ask-paths.ts';
import { type DescribedWay, describeWay, type WayHop } from '#analysis/paths/describe-way.ts';
import { buildPathIndex } from '#analysis/paths/path-index.ts';
import { containerWords, wayInBpf, wayInC } from '#analysis/paths/way-text.ts';
import { typeExpression } from '#analysis/type-name.ts';
import { visible } from '#bytes/text.ts';
import {
  type Command,
  CommandFailure,
  option,
  type Parsed,
  positional,
  switched,
  UsageError,
  type World,
} from '#cli/command.ts';
import { printJson, printLines } from '#cli/json.ts';
import { openBase, openTypes } from '#cli/open.ts';
import type { TypeTable } from '#model/type-table.ts';

export const paths: Command = {
  name: 'paths',
  positionals: ['FILE', 'FROM', 'TO'],
  options: [
    { name: 'limit', value: 'N', about: 'at most so many ways; 10 unless told' },
    {
      name: 'container-of',
      value: null,
      about: 'also ways that end by container_of, which BTF cannot confirm',
    },
    { name: 'base', value: 'BASE', about: 'the BTF that a split one was made on' },
    { name: 'json', value: null, about: 'as JSON, one row a way' },
  ],
  about:
    'How to get from a type to another, or to a field: the best ways through members and pointers.\nFROM is a struct, a union, or a typedef of one. TO is a type, a field (sk_family, *.pid), or a field of a type (sock.sk_rcvbuf).',
  run,
};

const MAX_LIMIT = 1000;

async function run(parsed: Parsed, world: World): Promise<void> {
  const question: PathsQuestion = {
    from: positional(parsed, 1),
    to: positional(parsed, 2),
    limit: limitOf(option(parsed, 'limit')),
    around: switched(parsed, 'container-of'),
  };
  const base = await openBase(world, option(parsed, 'base'));
  const { types } = await openTypes(world, positional(parsed, 0), base);
  const answer = askPaths(buildPathIndex(types), question);
  if (!answer.ok) throw new CommandFailure(visible(problemText(answer.problem)));
  if (!answer.complete) world.warn('the search was cut short: there may be better ways');
  const ways = answer.ways.map((way) => describeWay(types, way));
  if (switched(parsed, 'json')) {
    printJson(
      world,
      ways.map((way) => rowOf(types, way)),
    );
    return;
  }
  if (ways.length === 0) world.warn('no members and pointers lead there');
  await printLines(world, linesOf(types, answer, ways));
}

function limitOf(text: string | null): number {
  if (text === null) return 10;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new UsageError(`"${visible(text)}" is no number from 1 to ${MAX_LIMIT}`);
  }
  return limit;
}

function problemText({ end, reason, word, near }: PathsProblem): string {
  const meant = near.length === 0 ? '' : `; near to it: ${near.join(', ')}`;
  switch (reason) {
    case 'blank':
      return `${end.toUpperCase()} is empty`;
    case 'unknown':
      return end === 'from'
        ? `there is no type "${word}"`
        : `there is no type and no member "${word}"`;
    case 'no-members':
      return `"${word}" has no members to go by`;
    case 'pointer':
      return `what stands before "${word}" is no struct`;
    case 'element':
      return `"${word}" picks an element; ask for the array`;
    case 'syntax':
    case 'no-field':
      return `there is no member "${word}" in that type${meant}`;
  }
}

function* linesOf(
  t: TypeTable,
  { macro }: Extract<PathsAnswer, { readonly ok: true }>,
  ways: readonly DescribedWay[],
): Generator<string, void, void> {
  if (macro !== null) yield visible(`a macro of the kernel's headers, taken for ${macro}`);
  for (const [i, way] of ways.entries()) {
    if (i > 0 || macro !== null) yield '';
    const { pointers, steps } = way.cost;
    const guess = way.through === null ? '' : `, ${containerWords(way.through)}`;
    yield visible(`${wayInC(t, way) ?? '(a member without a name)'}`);
    yield `  pointers ${pointers}, steps ${steps}${guess}`;
    for (const line of wayInBpf(t, way) ?? []) yield visible(`  ${line}`);
    for (const hop of way.hops) yield visible(`  ${hopLine(t, hop)}`);
  }
}

function hopLine(t: TypeTable, hop: WayHop): string {
  const sign = hop.kind === 'container' ? '-' : '+';
  const bits = hop.bitfieldSize === 0 ? '' : ` bit ${hop.bitOffset % 8n}`;
  const fault = hop.fault === null ? '' : `  (libbpf refuses it: ${hop.fault})`;
  return `[${hop.root}] ${typeExpression(t, hop.root)}  ${hop.accessStr}  ${sign}0x${hop.byteOffset.toString(16)}${bits}  ${hop.field}${fault}`;
}

function rowOf(t: TypeTable, way: DescribedWay) {
  return {
    c: wayInC(t, way),
    bpf: wayInBpf(t, way),
    pointers: way.cost.pointers,
    steps: way.cost.steps,
    container_of: way.cost.containers > 0,
    through: way.through,
    accesses: way.hops.map((hop) => ({
      kind: hop.kind === 'container' ? 'container_of' : 'access',
      type_id: hop.root,
      type: typeExpression(t, hop.root),
      access_str: hop.accessStr,
      member: hop.field,
      byte_offset: hop.byteOffset,
      bit_offset: hop.bitOffset,
      bitfield_size: hop.bitfieldSize,
      to: typeExpression(t, hop.to),
      union: hop.throughUnion,
      tags: hop.tags,
      refused: hop.fault,
    })),
  };
}
