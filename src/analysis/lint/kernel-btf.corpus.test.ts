/** Checks the findings on the BTF of the corpus's kernels and modules by an independent walk. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { paramsOf } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import {
  type CorpusFile,
  corpusKernels,
  corpusModules,
  corpusPath,
  isLargeCorpus,
  readCorpusFile,
} from '#testing/corpus.ts';
import { openObject } from '#testing/open-model.ts';
import { lintModel } from './lint.ts';

const OTHERS = 'verifier/other-kernels/btf';

/** Returns the BTF of the kernels on which programs were loaded. */
function otherKernels(): readonly CorpusFile[] {
  return readdirSync(corpusPath(OTHERS))
    .filter((name) => name.endsWith('.btf.zst'))
    .map((packed) => {
      const name = packed.replace(/\.zst$/, '');
      return { id: `other ${name}`, name, file: `${OTHERS}/${packed}` };
    });
}

type Checked = { readonly types: TypeTable; readonly issues: readonly Issue[] };

async function checked(file: CorpusFile): Promise<Checked> {
  const { model, source } = await openObject(file.name, readCorpusFile(file));
  if (model.types === null) throw new Error(`${file.id} has no types`);
  return { types: model.types, issues: await lintModel(model, source) };
}

/** Returns how many findings have the code, the ones beyond the limit included. */
function countOf(issues: readonly Issue[], code: string): number {
  const all = issues.filter((issue) => issue.code === code);
  const total = all.map(({ found }) => /^(\d+) in all$/.exec(found ?? '')?.[1]).find(Boolean);
  return total === undefined ? all.length : Number(total);
}

function* idsOf(t: TypeTable, kind: number) {
  for (let n = t.firstId; n <= lastId(t); n++) {
    if (kindOf(t, typeId(n)) === kind) yield typeId(n);
  }
}

/** Returns how many names several types of the kind have; of functions, with other prototypes. */
function namesTwice(t: TypeTable, kind: number): number {
  const texts = new Map<string, string[]>();
  for (const id of idsOf(t, kind)) {
    const name = nameOf(t, id);
    const text = kind === BtfKind.FUNC ? prototype(t, typeId(sizeOrTypeOf(t, id))) : `${id}`;
    if (name !== '') texts.set(name, [...(texts.get(name) ?? []), text]);
  }
  return [...texts.values()].filter((all) => new Set(all).size > 1).length;
}

/** Returns the types of a result and of parameters. */
function prototype(t: TypeTable, proto: TypeId): string {
  const types = [typeId(sizeOrTypeOf(t, proto)), ...paramsOf(t, proto).map(({ type }) => type)];
  return types.map((type) => shape(t, bare(t, type), 8)).join();
}

function bare(t: TypeTable, id: TypeId): TypeId {
  let at = id;
  while (at !== 0 && (WRAPS.has(kindOf(t, at)) || kindOf(t, at) === BtfKind.TYPEDEF)) {
    at = typeId(sizeOrTypeOf(t, at));
  }
  return at;
}

const WRAPS: ReadonlySet<number> = new Set([BtfKind.CONST, BtfKind.VOLATILE, BtfKind.RESTRICT]);

/** Returns kind and name of a type and of what it points to, without typedefs and qualifiers. */
function shape(t: TypeTable, id: TypeId, depth: number): string {
  if (id === 0 || depth === 0) return '';
  const kind = kindOf(t, id);
  const text = `${kind} ${nameOf(t, id)}`;
  if (kind !== BtfKind.PTR) return text;
  return `${text}>${shape(t, bare(t, typeId(sizeOrTypeOf(t, id))), depth - 1)}`;
}

function tagged(t: TypeTable): ReadonlySet<string> {
  const names = new Set<string>();
  for (const id of idsOf(t, BtfKind.DECL_TAG)) {
    if (nameOf(t, id) === 'bpf_kfunc') names.add(nameOf(t, typeId(sizeOrTypeOf(t, id))));
  }
  return names;
}

describe.skipIf(!isLargeCorpus)('the BTF of kernels', () => {
  it('has the findings that a plain walk has, and no false one', { timeout: 240_000 }, async () => {
    const kernels = new Map<string, Checked>();
    for (const file of [...corpusKernels(), ...otherKernels()]) {
      kernels.set(file.id, await checked(file));
    }
    /** Names that some kernel tags as kfuncs. */
    const kfuncs = new Set([...kernels.values()].flatMap(({ types }) => [...tagged(types)]));
    for (const [id, { types, issues }] of kernels) {
      const names = tagged(types);
      // A kfunc of another kernel that this one has, without the tag and with an argument too many.
      const left = [...idsOf(types, BtfKind.FUNC)].filter((func) => {
        const name = nameOf(types, func);
        const last = paramsOf(types, typeId(sizeOrTypeOf(types, func))).at(-1)?.name;
        return (
          names.size > 0 &&
          kfuncs.has(name) &&
          !names.has(name) &&
          last === 'aux' &&
          !name.endsWith('_impl')
        );
      });
      expect(countOf(issues, 'btf.kfunc-implicit-argument'), id).toBe(left.length);
      for (const kind of [BtfKind.FUNC, BtfKind.STRUCT, BtfKind.UNION, BtfKind.TYPEDEF]) {
        const code = `btf.same-name.${Object.keys(BtfKind)[kind]}`;
        expect(countOf(issues, code), `${id} ${code}`).toBe(namesTwice(types, kind));
      }
      const others = issues.filter(
        ({ severity, code }) => severity !== 'note' && code !== 'btf.kfunc-implicit-argument',
      );
      expect(others, id).toEqual([]);
      expect(issues.map(({ code }) => code)).toContain('btf.encoder');
    }
    expect(kernels.size).toBeGreaterThan(7);
  });

  it('of modules alone has notes only', { timeout: 120_000 }, async () => {
    const modules = corpusModules();
    for (const file of modules) {
      const { issues } = await checked(file);
      expect(
        issues.filter(({ severity }) => severity !== 'note'),
        file.id,
      ).toEqual([]);
    }
    expect(modules.length).toBeGreaterThan(10);
  });
});

describe.skipIf(!isLargeCorpus)('inputs after public reports', () => {
  const codesOf = async (name: string) => {
    const { model, source } = await openObject(
      name,
      readCorpusFile({ id: name, name, file: `reports/${name}` }),
    );
    const all = await lintModel(model, source);
    return all.filter(({ severity }) => severity !== 'note').map(({ code }) => code);
  };

  it.each<[string, readonly string[]]>([
    ['kfunc_good_kernel.btf', []],
    ['kfunc_implicit_arg_kernel.btf', ['btf.kfunc-implicit-argument']],
    ['two_task_structs.btf', ['btf.same-name-resolved']],
    ['datasec_overlap.btf', ['btf.datasec-overlap']],
    ['arena_linked.bpf.o', ['btf.datasec-overlap', 'btf.datasec-offset']],
  ])('%s', async (name, codes) => {
    expect(await codesOf(name)).toEqual(codes);
  });

  it('names the language of a file with DWARF only', async () => {
    const name = 'dwarf_only';
    const { model, source } = await openObject(
      name,
      readCorpusFile({ id: name, name, file: `reports/${name}` }),
    );
    const messages = (await lintModel(model, source)).map(({ message }) => message);
    expect(messages).toContain('No BTF: the types are those of DWARF 5 of C');
  });
});
