/** Which kinds of programs can be attached to a function, on each kernel of an atlas. */
import {
  type AttachPoint,
  functionPoint,
  kindsOfFunction,
} from '#analysis/kernel/attach-points.ts';
import type { ArgType, FuncModel } from '#analysis/kernel/func-model.ts';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { getOrCreate } from '#bytes/cache.ts';
import type { AtlasFile, FoundEntry } from '#formats/atlas/atlas-file.ts';
import type { KernelInfo } from '#formats/atlas/directory.ts';
import { EntryKind } from '#formats/atlas/entry.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { HistoryItem, NameHistory, NumberedForm } from './history.ts';
import { kernelRows, paramsOf, prototypeOf } from './questions.ts';

/**
 * Returns the answers on all kernels as a history: an item per kind of program, whose text begins
 * with `traceable`, `refused` or `undecided`. Null if no kernel has the function. Throws
 * `Malformed` for damage.
 */
export async function attachHistory(atlas: AtlasFile, name: string): Promise<NameHistory | null> {
  const found = await atlas.find(EntryKind.func, name);
  if (found === null) return null;
  const kinds = kindsOfFunction(name);
  const types = new TypeTexts(atlas);
  const forms = new Map<string, NumberedForm & { readonly kernels: number[] }>();
  const rows = [...kernelRows(atlas, found)].sort(([a], [b]) => a - b);
  for (const [number, { row, modules, isOwn }] of rows) {
    const info = atlas.directory.kernels[number];
    if (info === undefined) continue;
    const variant = row.variants[0] ?? 0;
    const model = await modelOf(types, found, variant, number);
    const func = { name, model, btfId: null };
    const points = kinds.map((kind) => functionPoint(kind, func, kernelOf(info)));
    const items = points.map(itemOf);
    const title = prototypeOf(found, variant);
    const key = JSON.stringify([title, items]);
    const form = getOrCreate(forms, key, () => ({
      title,
      size: null,
      items,
      kernels: [],
      modules: {},
    }));
    form.kernels.push(number);
    if (!isOwn)
      forms.set(key, { ...form, modules: { ...form.modules, [number]: modules[0] ?? '' } });
  }
  return { kind: 'func', name, forms: [...forms.values()] };
}

function kernelOf({ name, version, arch }: KernelInfo): LoadKernel {
  return {
    name,
    vmlinux: null,
    arch,
    modules: [],
    config: null,
    kallsyms: null,
    release: version === '' ? null : version,
    unameVersion: null,
  };
}

function itemOf({ kind, answer, reasons }: AttachPoint): HistoryItem {
  const [why] = reasons.toSorted((a, b) => Number(b.isSure) - Number(a.isSure));
  const line = why === undefined || why.line === null ? '' : ` Kernel: ${why.line}`;
  const text = why === undefined ? answer : `${answer}: ${why.text}${line}`;
  return { name: kind, text, bitOffset: null, bits: 0 };
}

async function modelOf(
  types: TypeTexts,
  found: FoundEntry,
  variant: number,
  kernel: number,
): Promise<FuncModel> {
  const returns = found.text(found.entry.variants[variant]?.[0] ?? 0);
  const params: ArgType[] = [];
  for (const { type } of paramsOf(found, variant)) params.push(await types.argType(type, kernel));
  return { returns: await types.argType(returns, kernel), params };
}

const UNKNOWN: ArgType = { kind: null, size: null };
const VOID: ArgType = { kind: 0, size: null };
const POINTER: ArgType = { kind: BtfKind.PTR, size: null };
const INTEGER = /^(?:(?:long|short|unsigned|signed|int|char|_Bool|__int128)(?: |$))+$/;
/** Maximum number of typedefs of typedefs. */
const MAX_TYPEDEFS = 16;

/** Finds out what the types of an atlas's functions are, which an atlas has as texts. */
class TypeTexts {
  readonly #atlas: AtlasFile;
  readonly #found = new Map<string, Promise<FoundEntry | null>>();

  constructor(atlas: AtlasFile) {
    this.#atlas = atlas;
  }

  /** Returns the type of an argument or a result in a kernel. */
  async argType(text: string, kernel: number): Promise<ArgType> {
    let type = text;
    let size: number | null = null;
    for (let typedefs = 0; typedefs < MAX_TYPEDEFS; typedefs++) {
      const plain = type.replace(/\b(?:const|volatile|restrict)\b/g, ' ').trim();
      if (plain === '' || plain === 'void') return VOID;
      if (plain.includes('*')) return POINTER;
      if (plain.includes('[')) return { kind: BtfKind.ARRAY, size };
      const [, tag = '', name = ''] = /^(struct|union|enum) (.*)$/s.exec(plain) ?? [];
      if (tag === 'enum') return { kind: BtfKind.ENUM, size: null };
      if (tag === 'struct' || tag === 'union') {
        const numbers = size === null ? await this.#variant(EntryKind[tag], name, kernel) : [size];
        const kind = tag === 'struct' ? BtfKind.STRUCT : BtfKind.UNION;
        return { kind, size: numbers?.[0] ?? null };
      }
      if (INTEGER.test(plain)) return { kind: BtfKind.INT, size };
      const numbers = await this.#variant(EntryKind.typedef, plain, kernel);
      if (numbers === null) {
        return /^(?:long )?(?:double|float)$/.test(plain) ? { kind: BtfKind.FLOAT, size } : UNKNOWN;
      }
      const entry = await this.#entry(EntryKind.typedef, plain);
      type = entry?.text(numbers[0] ?? 0) ?? '';
      size = numbers[1] ?? null;
    }
    return UNKNOWN;
  }

  #entry(kind: number, name: string): Promise<FoundEntry | null> {
    return getOrCreate(this.#found, `${kind} ${name}`, () => this.#atlas.find(kind, name));
  }

  /** Returns the numbers of a type in a kernel; null if the kernel lacks the type. */
  async #variant(kind: number, name: string, kernel: number): Promise<readonly number[] | null> {
    const entry = await this.#entry(kind, name);
    const row = entry?.entry.rows.find(({ kernels }) => kernels.includes(kernel));
    return entry?.entry.variants[row?.variants[0] ?? -1] ?? null;
  }
}
