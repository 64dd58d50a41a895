/** `btfscope atlas ask`: answers questions about the kernels of an atlas, as text or JSON. */
import { historyOf, type TypeHistory } from '#analysis/atlas/history.ts';
import {
  type Answer,
  ASKS,
  type Ask,
  answerOf,
  type KernelAnswer,
  type Question,
} from '#analysis/atlas/questions.ts';
import { addTo } from '#bytes/cache.ts';
import { counted, visible } from '#bytes/text.ts';
import type { AtlasFile } from '#formats/atlas/atlas-file.ts';
import { readText } from '#ingest/unpack.ts';
import { type Call, CommandFailure, jsonText, UsageError } from './command.ts';

const ASK_WORDS = ['type', 'history', ...ASKS] as const;

/** Runs `ask ATLAS KIND NAME [ITEM]`. With `--batch`, answers all questions of a file. */
export async function ask(call: Call, atlas: AtlasFile, words: readonly string[]): Promise<void> {
  const batch = call.option('batch');
  if (batch !== null) {
    if (words.length > 0) throw new UsageError('--batch takes no question');
    return await call.writeLines(answersOf(atlas, await readText(await call.io.open(batch))));
  }
  const [word = '', name = '', ...rest] = words;
  if (name === '')
    throw new UsageError('a question is a kind and a name, as in "type task_struct"');
  const asked = askOf(word);
  if (asked === 'type' || asked === 'history') {
    const history = await historyOf(atlas, name);
    if (history === null)
      throw new CommandFailure(`no kernel has a type or function ${visible(name)}`);
    const { kind } = history;
    if (asked === 'type' && kind !== 'enum') {
      return await answer(call, atlas, { ask: kind, name, item: '' });
    }
    return await call.print(
      () => history,
      () => historyLines(atlas, history),
    );
  }
  const hasItem = asked === 'member' || asked === 'enumerator';
  const [owner = '', item = rest[0] ?? ''] = hasItem ? name.split('.') : [name, ''];
  if (hasItem && item === '') {
    throw new UsageError(`"${asked}" needs two names, as in "${asked} ${visible(owner)}.NAME"`);
  }
  await answer(call, atlas, { ask: asked, name: owner, item });
}

function askOf(word: string): (typeof ASK_WORDS)[number] {
  const found = ASK_WORDS.find((each) => each === word);
  if (found === undefined) {
    throw new UsageError(`"${visible(word)}" is no question; there are ${ASK_WORDS.join(', ')}`);
  }
  return found;
}

async function answer(call: Call, atlas: AtlasFile, question: Question): Promise<void> {
  const answers = await answerOf(atlas, question);
  await call.print(
    () => answers,
    () => answerLines(question, answers, atlas.directory.kernels.length),
  );
}

/** Yields one line of JSON per question of `text`. Throws `CommandFailure` if one is invalid. */
async function* answersOf(atlas: AtlasFile, text: string): AsyncGenerator<string, void, undefined> {
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { id, question } = readQuestion(line, i + 1);
    yield jsonText({ id, answer: await answerOf(atlas, question) });
  }
}

function readQuestion(
  line: string,
  number: number,
): { readonly id: unknown; readonly question: Question } {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    throw new CommandFailure(`line ${number} of the questions is not JSON`);
  }
  const fields = new Map<string, unknown>(Object.entries(row ?? {}));
  const asked = ASKS.find((each) => each === fields.get('ask'));
  const name = fields.get('name');
  const item = fields.get('member') ?? fields.get('enumerator') ?? '';
  if (asked === undefined || typeof name !== 'string' || typeof item !== 'string') {
    throw new CommandFailure(
      `line ${number} of the questions: there is no question ${visible(`${fields.get('ask')}`)}`,
    );
  }
  return { id: fields.get('id') ?? null, question: { ask: asked, name, item } };
}

const NOUNS: Readonly<Record<Ask | 'enum', string>> = {
  struct: 'struct',
  union: 'union',
  enum: 'enum',
  member: 'member',
  enumerator: 'enumerator',
  func: 'function',
  typedef: 'typedef',
};

/** Yields one group of lines per answer; kernels with the same answer are in one group. */
function* answerLines(
  { ask: asked, name, item }: Question,
  found: Answer,
  all: number,
): Generator<string, void, undefined> {
  const subject = item === '' ? name : `${name}.${item}`;
  const groups = new Map<string, string[]>();
  for (const [kernel, each] of Object.entries(found.kernels)) {
    addTo(groups, `${answerLine(asked, each)}${moduleText(each)}`, kernel);
  }
  const forms = groups.size > 1 ? `, ${groups.size} different` : '';
  yield visible(
    `${NOUNS[asked]} ${subject}: in ${found.count} of ${counted(all, 'kernel')}${forms}`,
  );
  for (const [line, kernels] of groups) {
    yield '';
    yield visible(line);
    yield visible(`  ${counted(kernels.length, 'kernel')}: ${kernels.join(', ')}`);
  }
  const without = found.missing ?? found.struct_but_no_member ?? [];
  if (without.length === 0) return;
  yield '';
  yield found.missing === undefined ? 'the type without the member' : 'without the type';
  yield visible(`  ${counted(without.length, 'kernel')}: ${without.join(', ')}`);
}

function answerLine(asked: Ask, answer: KernelAnswer): string {
  const value = (key: string) => answer[key];
  const others =
    answer.definitions === undefined || answer.definitions === 1
      ? ''
      : `, ${counted(Number(answer.definitions), 'definition')}`;
  switch (asked) {
    case 'struct':
    case 'union':
      return `layout ${value('layout')}: ${counted(Number(value('size')), 'byte')}, ${counted(Number(value('members')), 'member')}${others}`;
    case 'member':
      return `${offsetText(Number(value('bit_offset')))}, ${sizeText(Number(value('bits')))}: ${value('type')}`;
    case 'enumerator':
      return `= ${value('value')}${others}`;
    case 'func': {
      const also = Array.isArray(answer.also) ? answer.also.map((each) => `; also ${each}`) : [];
      return `${value('prototype')}${also.join('')}`;
    }
    case 'typedef':
      return `= ${value('type')}, ${counted(Number(value('size')), 'byte')}`;
  }
}

/** Limit of module names in a line: hundreds of modules can have a type of the same name. */
const SHOWN_MODULES = 5;

function moduleText({ module, modules }: KernelAnswer): string {
  if (!Array.isArray(modules)) return '';
  const shown = modules.slice(0, SHOWN_MODULES).join(', ');
  const more = modules.length - SHOWN_MODULES;
  return `; ${module === undefined ? 'also ' : ''}in module${modules.length === 1 ? '' : 's'} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

function offsetText(bits: number): string {
  return `offset ${Math.floor(bits / 8)}${bits % 8 === 0 ? '' : ` bit ${bits % 8}`}`;
}

function sizeText(bits: number): string {
  return bits % 8 === 0 ? counted(bits / 8, 'byte') : counted(bits, 'bit');
}

/** Yields each form of a type, oldest kernel first, with its changes since the previous form. */
function* historyLines(
  atlas: AtlasFile,
  { kind, name, forms }: TypeHistory,
): Generator<string, void, undefined> {
  const all = atlas.directory.kernels.length;
  const count = forms.reduce((sum, { kernels }) => sum + kernels.length, 0);
  yield visible(
    `${NOUNS[kind]} ${name}: in ${count} of ${counted(all, 'kernel')}, ${counted(forms.length, 'form')}`,
  );
  for (const { title, kernels, changes } of forms) {
    yield '';
    yield visible(title);
    yield visible(`  ${counted(kernels.length, 'kernel')}: ${kernels.join(', ')}`);
    for (const { sign, text } of changes) yield visible(`  ${sign} ${text}`);
  }
}
