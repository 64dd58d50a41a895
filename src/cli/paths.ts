/** `btfscope paths`: prints paths, through members and pointers, from a type to a type or field. */
import {
  askPaths,
  type PathsAnswer,
  type PathsProblem,
  type PathsQuestion,
} from '#analysis/paths/ask-paths.ts';
import { type DescribedPath, describePath, type PathStep } from '#analysis/paths/describe-path.ts';
import { buildPathIndex } from '#analysis/paths/path-index.ts';
import { CONTAINER_TEXT, pathInBpf, pathInC } from '#analysis/paths/path-text.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { visible } from '#bytes/text.ts';
import { recordIn, type TypeTable } from '#model/type-table.ts';
import {
  BASE,
  type Call,
  type Command,
  CommandFailure,
  flag,
  UsageError,
  valued,
} from './command.ts';
import { openFileTypes } from './open.ts';

export const paths: Command = {
  name: 'paths',
  positionals: ['FILE', 'FROM', 'TO'],
  options: [
    valued('limit', 'N', 'maximum number of paths (default 10)'),
    flag('container-of', 'include container_of steps, which BTF cannot confirm'),
    BASE,
    flag('json', 'print JSON, one row per path'),
  ],
  more: [
    'FROM is a struct, a union, or a typedef of one. TO is a type, a field (sk_family, *.pid), or a field of a type (sock.sk_rcvbuf).',
  ],
  run,
};

const MAX_PATHS = 1000;

async function run(call: Call): Promise<void> {
  const question: PathsQuestion = {
    from: call.positional(1),
    to: call.positional(2),
    limit: limitOf(call.option('limit')),
    around: call.has('container-of'),
  };
  const { types } = await openFileTypes(call);
  const answer = askPaths(buildPathIndex(types), question);
  if (!answer.ok) throw new CommandFailure(visible(problemText(answer.problem)));
  if (!answer.complete) {
    call.io.warn('btfscope: warning: search limit reached; better paths may exist');
  }
  const paths = answer.paths.map((path) => describePath(types, path));
  if (paths.length === 0 && !call.has('json')) call.io.warn('no path found');
  await call.print(
    () =>
      paths.map((path) => ({
        c: pathInC(types, path),
        bpf: pathInBpf(types, path),
        pointers: path.cost.pointers,
        steps: path.cost.members,
        container_of: path.cost.containers > 0,
        through: path.through,
        accesses: path.steps.map((step) => ({
          kind: step.kind === 'container' ? 'container_of' : 'access',
          type_id: step.root,
          record: recordIn(types, step.root),
          type: typeExpression(types, step.root),
          access_str: step.accessStr,
          member: step.field,
          byte_offset: step.byteOffset,
          bit_offset: step.bitOffset,
          bitfield_size: step.bitfieldSize,
          to: typeExpression(types, step.to),
          union: step.throughUnion,
          tags: step.tags,
          refused: step.fault,
        })),
      })),
    () => linesOf(types, answer, paths),
  );
}

function limitOf(text: string | null): number {
  if (text === null) return 10;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_PATHS) {
    throw new UsageError(`"${visible(text)}" is not a number from 1 to ${MAX_PATHS}`);
  }
  return limit;
}

function problemText({ end, reason, word, near }: PathsProblem): string {
  const meant = near.length === 0 ? '' : `; did you mean: ${near.join(', ')}`;
  switch (reason) {
    case 'blank':
      return `${end.toUpperCase()} is empty`;
    case 'unknown':
      return end === 'from' ? `no type is named "${word}"` : `no type or member is named "${word}"`;
    case 'no-members':
      return `"${word}" has no members`;
    case 'pointer':
      return `the type before "${word}" is not a struct`;
    case 'element':
      return `"${word}" is an array element; name the array`;
    case 'syntax':
    case 'no-field':
      return `the type has no member "${word}"${meant}`;
  }
}

function* linesOf(
  t: TypeTable,
  { macro }: Extract<PathsAnswer, { readonly ok: true }>,
  paths: readonly DescribedPath[],
): Generator<string, void, void> {
  if (macro !== null) yield visible(`macro of the kernel headers, expanded to ${macro}`);
  for (const [i, path] of paths.entries()) {
    if (i > 0 || macro !== null) yield '';
    const { pointers, members } = path.cost;
    const guess = path.through === null ? '' : `, ${CONTAINER_TEXT[path.through]}`;
    yield visible(`${pathInC(t, path) ?? '(a member without a name)'}`);
    yield `  pointers ${pointers}, steps ${members}${guess}`;
    for (const line of pathInBpf(t, path) ?? []) yield visible(`  ${line}`);
    for (const step of path.steps) yield visible(`  ${stepLine(t, step)}`);
  }
}

function stepLine(t: TypeTable, step: PathStep): string {
  const sign = step.kind === 'container' ? '-' : '+';
  const bits = step.bitfieldSize === 0 ? '' : ` bit ${step.bitOffset % 8n}`;
  const fault = step.fault === null ? '' : `  (libbpf rejects it: ${step.fault})`;
  return `[${step.root}] ${typeExpression(t, step.root)}  ${step.accessStr}  ${sign}0x${step.byteOffset.toString(16)}${bits}  ${step.field}${fault}`;
}
