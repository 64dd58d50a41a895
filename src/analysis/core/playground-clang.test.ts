/** Compiles the playground's C code and compares the compiler's records with the expected ones. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { coreIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';
import { coreKind } from './core-kinds.ts';
import { coreRecord } from './core-records.ts';
import { accessPathOf, coreReadOf, declarationOf, kindTexts } from './playground.ts';

const CLANG = 'clang-19';
const hasClang = spawnSync(CLANG, ['--version']).status === 0;
const hasMacros = hasClang && existsSync('/usr/include/bpf/bpf_core_read.h');
const folder = mkdtempSync(join(tmpdir(), 'playground-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TYPES = `
enum e { ONE = 1, TWO = 7 };
struct inner { int x; unsigned flag : 3; enum e e; };
struct outer {
  long a;
  union { int u; struct { short v, w; }; };
  struct inner list[4];
  struct inner *next;
} __attribute__((preserve_access_index));
struct outer *use_outer;
enum e *use_e;
`;

/** Argument values of the CO-RE builtins, as in the kernel document. */
const NUMBERS = `
enum { BPF_FIELD_BYTE_OFFSET, BPF_FIELD_BYTE_SIZE, BPF_FIELD_EXISTS, BPF_FIELD_SIGNED,
  BPF_FIELD_LSHIFT_U64, BPF_FIELD_RSHIFT_U64 };
enum { BPF_TYPE_ID_LOCAL, BPF_TYPE_ID_TARGET };
enum { BPF_TYPE_EXISTS, BPF_TYPE_SIZE, BPF_TYPE_MATCHES };
enum { BPF_ENUMVAL_EXISTS, BPF_ENUMVAL_VALUE };
`;

/** Macros of libbpf, and the declarations from vmlinux.h that the macros need. */
const MACROS = `
typedef unsigned char __u8; typedef unsigned short __u16, __be16; typedef short __s16;
typedef unsigned int __u32, __be32, __wsum; typedef int __s32;
typedef unsigned long long __u64; typedef long long __s64;
enum { BPF_MAP_TYPE_HASH, BPF_MAP_TYPE_ARRAY };
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
`;

async function compiled(source: string, before = ''): Promise<ObjectModel> {
  const [from, to] = [join(folder, 'a.c'), join(folder, 'a.o')];
  writeFileSync(from, `${before}${TYPES}${source}`);
  const options = ['-target', 'bpf', '-g', '-O2', '-Wno-everything', '-c', from, '-o', to];
  execFileSync(CLANG, options, { stdio: 'pipe' });
  return openModel('a.o', new Uint8Array(readFileSync(to)));
}

function named(t: TypeTable, name: string): TypeId {
  for (let id = 1; id <= t.count; id++) if (nameOf(t, typeId(id)) === name) return typeId(id);
  throw new Error(`clang wrote no ${name}`);
}

/** Returns each record as text: kind, root type and access string. */
function recordsOf(model: ObjectModel): string[] {
  const { types } = model;
  if (types === null) throw new Error('clang writes types');
  return Array.from({ length: model.ext.core.count }, (_, i) => {
    const { kind, root, accessStr } = coreRecord(model, coreIndex(i));
    return `${kind} ${nameOf(types, root)} ${accessStr}`;
  });
}

/** Returns the expected record by C text, for each access and relocation kind. */
async function asks(form: 'macro' | 'builtin') {
  const { types: t } = await compiled('');
  if (t === null) throw new Error('clang writes types');
  const found = new Map<string, string>();
  const accesses = [
    ['outer', '0:0'],
    ['outer', '0:1:0'],
    ['outer', '0:1:1:1'],
    ['outer', '3:2:2:0'],
    ['outer', '0:2:1:1'],
    ['e', '1'],
  ] as const;
  for (const [name, accessStr] of accesses) {
    const path = accessPathOf(t, { root: named(t, name), accessStr });
    expect(path.error).toBeNull();
    const groups = name === 'e' ? (['enum', 'type'] as const) : (['field', 'type'] as const);
    for (const text of groups.flatMap((group) => kindTexts(t, path, group))) {
      const written = text[form];
      const isType = coreKind(text.kind)?.group === 'type';
      if (written !== null) found.set(written, `${text.kind} ${name} ${isType ? '0' : accessStr}`);
    }
  }
  return found;
}

const FUNCTION = (body: string) =>
  `unsigned long f(struct outer *p, int n) {\n${body}\nreturn 0; }`;

describe.skipIf(!hasClang)('clang makes of it what was promised', () => {
  it('the builtins', async () => {
    const wanted = await asks('builtin');
    const lines = [...wanted.keys()].map((text, i) => `if (n == ${i}) return ${text};`);
    const records = recordsOf(await compiled(FUNCTION(lines.join('\n')), NUMBERS));
    // The compiler writes one record per access and kind, also for lshift_u64 and rshift_u64.
    expect([...new Set(records)].sort()).toEqual([...new Set(wanted.values())].sort());
    expect(wanted.size).toBeGreaterThan(30);
  });

  it.skipIf(!hasMacros)('the macros of libbpf', async () => {
    const wanted = await asks('macro');
    const lines = [...wanted.keys()].map((text, i) => `if (n == ${i}) return ${text};`);
    const records = recordsOf(await compiled(FUNCTION(lines.join('\n')), MACROS));
    expect([...new Set(records)].sort()).toEqual([...new Set(wanted.values())].sort());
  });

  it.skipIf(!hasMacros)('BPF_CORE_READ', async () => {
    const { types: t } = await compiled('');
    if (t === null) throw new Error('clang writes types');
    const paths = [
      accessPathOf(t, { root: named(t, 'outer'), accessStr: '0:3' }),
      accessPathOf(t, { root: named(t, 'inner'), accessStr: '0:0' }),
    ];
    expect(declarationOf(t, named(t, 'outer'))).toBe('struct outer *p;');
    const records = recordsOf(await compiled(FUNCTION(`return ${coreReadOf(paths)};`), MACROS));
    expect(records).toEqual(['0 outer 0:3', '0 inner 0:0']);
  });
});
