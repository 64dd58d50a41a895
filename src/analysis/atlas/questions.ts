/**
 * Answers questions to an atlas about a name. If a kernel has several types of the kind and name,
 * the type with the lowest id is used. If only modules have the name, the first module is used.
 */
import type { AtlasFile, FoundEntry } from '#formats/atlas/atlas-file.ts';
import { EntryKind, type EntryRow, layoutId } from '#formats/atlas/entry.ts';
import { prototypeText } from './prototype.ts';

export const ASKS = ['struct', 'union', 'member', 'enumerator', 'func', 'typedef'] as const;
export type Ask = (typeof ASKS)[number];

export type Question = {
  readonly ask: Ask;
  /** Name of the definition; for a member its struct or union, for an enumerator its enum. */
  readonly name: string;
  /** Name of the member or enumerator; empty for other questions. */
  readonly item: string;
};

/** Printed values of a kernel's answer by key. `module` is set if only a module has the name. */
export type KernelAnswer = Readonly<Record<string, string | number | bigint | readonly string[]>>;

export type Answer = {
  /** Answers by kernel name, oldest kernel first. */
  readonly kernels: Readonly<Record<string, KernelAnswer>>;
  readonly count: number;
  readonly first: string | null;
  readonly last: string | null;
  /** Number of different answers among the kernels. */
  readonly distinct?: number;
  /** Number of different layouts of the type; `layouts` and `missing` list the kernels. */
  readonly distinct_layouts?: number;
  readonly layouts?: Readonly<Record<string, readonly string[]>>;
  readonly missing?: readonly string[];
  /** Names of the kernels whose struct lacks the member. */
  readonly struct_but_no_member?: readonly string[];
};

/** Returns the answer to a question. Throws `Malformed` if the block of the name is damaged. */
export async function answerOf(atlas: AtlasFile, { ask, name, item }: Question): Promise<Answer> {
  const all = atlas.directory.kernels.map((kernel) => kernel.name);
  if (ask === 'struct' || ask === 'union') {
    const found = await atlas.find(EntryKind[ask], name);
    const answers = rowAnswers(atlas, found, (row, entry) => compositeAnswer(entry, row));
    const layouts = byLayout(answers, all);
    const missing = all.filter((_, kernel) => !answers.has(kernel));
    return {
      ...summary(answers, all),
      distinct_layouts: Object.keys(layouts).length,
      layouts,
      missing,
    };
  }
  if (ask === 'member') {
    const struct = await atlas.find(EntryKind.struct, name);
    const union = await atlas.find(EntryKind.union, name);
    const answers = new Map([
      ...rowAnswers(atlas, union, (row, entry) => memberAnswer(entry, row, item)),
      ...rowAnswers(atlas, struct, (row, entry) => memberAnswer(entry, row, item)),
    ]);
    const without = all.filter((_, kernel) => answers.get(kernel) === null);
    const having = withAnswer(answers);
    return { ...summary(having, all), distinct: differing(having), struct_but_no_member: without };
  }
  const kind = ask === 'enumerator' ? EntryKind.enum : EntryKind[ask];
  const found = await atlas.find(kind, name);
  const answers = withAnswer(
    rowAnswers<KernelAnswer | null>(atlas, found, (row, entry) => {
      if (ask === 'enumerator') return enumeratorAnswer(entry, row, item);
      return ask === 'func' ? funcAnswer(entry, row) : typedefAnswer(entry, row);
    }),
  );
  return { ...summary(answers, all), distinct: differing(answers) };
}

/** Row that answers for a kernel: the kernel's row, else the row of its first module by name. */
export type KernelRow = {
  readonly row: EntryRow;
  /** Names of the modules that have the name, sorted. */
  readonly modules: readonly string[];
  /** True if the kernel itself has the name. */
  readonly isOwn: boolean;
};

/** Returns each kernel's row, else that of its first module with the name, by kernel number. */
export function kernelRows(atlas: AtlasFile, found: FoundEntry): ReadonlyMap<number, KernelRow> {
  const byKernel = new Map<number, KernelRow & { readonly modules: string[] }>();
  const inModules: { readonly number: number; readonly row: EntryRow }[] = [];
  for (const row of found.entry.rows) {
    for (const kernel of row.kernels) byKernel.set(kernel, { row, modules: [], isOwn: true });
    for (const number of row.modules) inModules.push({ number, row });
  }
  // Module numbers follow the order of the module names.
  inModules.sort((a, b) => a.number - b.number);
  for (const { number, row } of inModules) {
    const { name = '', kernel = -1 } = atlas.directory.modules[number] ?? {};
    const known = byKernel.get(kernel);
    if (known === undefined) byKernel.set(kernel, { row, modules: [name], isOwn: false });
    else known.modules.push(name);
  }
  return byKernel;
}

/** Returns the answers by kernel number; kernels with the same row share one answer. */
function rowAnswers<T extends KernelAnswer | null>(
  atlas: AtlasFile,
  found: FoundEntry | null,
  answer: (row: EntryRow, entry: FoundEntry) => T,
): Map<number, T | KernelAnswer> {
  const byKernel = new Map<number, T | KernelAnswer>();
  if (found === null) return byKernel;
  const byRow = new Map<EntryRow, T>();
  for (const [kernel, { row, modules, isOwn }] of kernelRows(atlas, found)) {
    const known = byRow.get(row);
    const same = known === undefined ? answer(row, found) : known;
    byRow.set(row, same);
    const [first = ''] = modules;
    const where = modules.length === 0 ? {} : isOwn ? { modules } : { module: first, modules };
    byKernel.set(kernel, same === null || modules.length === 0 ? same : { ...same, ...where });
  }
  return byKernel;
}

function withAnswer(answers: ReadonlyMap<number, KernelAnswer | null>): Map<number, KernelAnswer> {
  const having = new Map<number, KernelAnswer>();
  for (const [kernel, answer] of answers) if (answer !== null) having.set(kernel, answer);
  return having;
}

function summary(answers: ReadonlyMap<number, KernelAnswer>, all: readonly string[]) {
  const numbers = [...answers.keys()].sort((a, b) => a - b);
  const name = (kernel: number | undefined) =>
    kernel === undefined ? null : (all[kernel] ?? null);
  const kernels = Object.fromEntries(
    numbers.map((kernel) => [name(kernel) ?? '', answers.get(kernel) ?? {}]),
  );
  return { kernels, count: numbers.length, first: name(numbers[0]), last: name(numbers.at(-1)) };
}

function differing(answers: ReadonlyMap<number, KernelAnswer>): number {
  const texts = (answer: KernelAnswer) =>
    JSON.stringify(answer, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
  return new Set(Array.from(new Set(answers.values()), texts)).size;
}

function byLayout(
  answers: ReadonlyMap<number, KernelAnswer>,
  all: readonly string[],
): Record<string, string[]> {
  const layouts: Record<string, string[]> = {};
  for (const [kernel, name] of all.entries()) {
    const layout = answers.get(kernel)?.layout;
    if (typeof layout !== 'string') continue;
    layouts[layout] ??= [];
    layouts[layout].push(name);
  }
  return layouts;
}

export type LayoutMember = {
  readonly name: string;
  readonly type: string;
  readonly bits: number;
  /** Bits from the start of the struct. */
  readonly bitOffset: number;
};

/** Layout of a struct or union that some kernels share. */
export type Layout = {
  readonly id: string;
  /** Size of the type in bytes. */
  readonly size: number;
  /** Members in declaration order; anonymous members are replaced by the members in them. */
  readonly members: readonly LayoutMember[];
};

/** Returns the members of a variant of a struct or union. */
export function membersOf({ entry, text }: FoundEntry, variant: number): readonly LayoutMember[] {
  const numbers = entry.variants[variant] ?? [];
  const members: LayoutMember[] = [];
  for (let at = 1; at < numbers.length; at += 4) {
    const [name = 0, type = 0, bits = 0, bitOffset = 0] = numbers.slice(at, at + 4);
    members.push({ name: text(name), type: text(type), bits, bitOffset });
  }
  return members;
}

/** Returns the layout of a variant of a struct or union. */
export function layoutOf(found: FoundEntry, variant: number): Layout {
  const size = found.entry.variants[variant]?.[0] ?? 0;
  const members = membersOf(found, variant);
  return { id: layoutId(size, members), size, members };
}

function compositeAnswer(found: FoundEntry, row: EntryRow): KernelAnswer {
  const layouts = row.variants.map((variant) => layoutOf(found, variant));
  const [layout] = layouts;
  return {
    size: layout?.size ?? 0,
    members: layout?.members.length ?? 0,
    layout: layout?.id ?? '',
    definitions: layouts.length,
    distinct_layouts_of_definitions: new Set(layouts.map(({ id }) => id)).size,
  };
}

/** Returns the answer for a member; null if the struct lacks the member. */
function memberAnswer(
  { entry, text }: FoundEntry,
  row: EntryRow,
  member: string,
): KernelAnswer | null {
  const numbers = entry.variants[row.variants[0] ?? 0] ?? [];
  for (let at = 1; at < numbers.length; at += 4) {
    const [name = 0, type = 0, bits = 0, bitOffset = 0] = numbers.slice(at, at + 4);
    if (text(name) !== member) continue;
    return {
      bit_offset: bitOffset,
      bits,
      type: text(type),
      ...(bitOffset % 8 === 0 && { byte_offset: bitOffset / 8 }),
      ...(bits % 8 === 0 && { bytes: bits / 8 }),
    };
  }
  return null;
}

/** Returns the value in the first enum with the enumerator; null if no enum of the row has it. */
function enumeratorAnswer(found: FoundEntry, row: EntryRow, name: string): KernelAnswer | null {
  const values = row.variants.flatMap((variant) => {
    const value = enumeratorsOf(found, variant).find((each) => each.name === name)?.value;
    return value === undefined ? [] : [value];
  });
  const [value] = values;
  return value === undefined ? null : { value, definitions: values.length };
}

/** Returns the enumerators of a variant of an enum; values too large for a number are bigints. */
export function enumeratorsOf({ entry, text }: FoundEntry, variant: number) {
  const [, signed = 0, ...numbers] = entry.variants[variant] ?? [];
  const enumerators: { readonly name: string; readonly value: number | bigint }[] = [];
  for (let at = 0; at < numbers.length; at += 3) {
    const [name = 0, low = 0, high = 0] = numbers.slice(at, at + 3);
    const whole = (BigInt(high) << 32n) | BigInt(low >>> 0);
    const value = signed === 1 ? whole : BigInt.asUintN(64, whole);
    const fits = Number.isSafeInteger(Number(value));
    enumerators.push({ name: text(name), value: fits ? Number(value) : value });
  }
  return enumerators;
}

/** Returns the parameters of a variant of a function; for `...` name and type are empty. */
export function paramsOf({ entry, text }: FoundEntry, variant: number) {
  const [, ...numbers] = entry.variants[variant] ?? [];
  const params: { readonly name: string; readonly type: string }[] = [];
  for (let at = 0; at < numbers.length; at += 2) {
    params.push({ name: text(numbers[at] ?? 0), type: text(numbers[at + 1] ?? 0) });
  }
  return params;
}

/** Returns the prototype of a variant of a function. */
export function prototypeOf(found: FoundEntry, variant: number): string {
  const { entry, text } = found;
  const returns = entry.variants[variant]?.[0] ?? 0;
  return prototypeText(text(returns), text(entry.name), paramsOf(found, variant));
}

function funcAnswer(found: FoundEntry, row: EntryRow): KernelAnswer {
  const [prototype = '', ...others] = new Set(
    row.variants.map((variant) => prototypeOf(found, variant)),
  );
  const numbers = found.entry.variants[row.variants[0] ?? 0]?.length ?? 1;
  return { prototype, params: (numbers - 1) / 2, ...(others.length > 0 && { also: others }) };
}

function typedefAnswer({ entry, text }: FoundEntry, row: EntryRow): KernelAnswer {
  const [type = 0, size = 0] = entry.variants[row.variants[0] ?? 0] ?? [];
  return { type: text(type), size };
}
