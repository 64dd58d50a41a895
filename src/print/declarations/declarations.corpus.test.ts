/** Checks layouts of real structs against the declarations, and with rustc if it is installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, membersOf } from '#model/type-items.ts';
import { kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import {
  corpusKernels,
  corpusObjects,
  corpusTargets,
  isLargeCorpus,
  readCorpusFile,
} from '#testing/corpus.ts';
import { layoutComplaints } from '#testing/declared-layouts.ts';
import { tableInFile, tableOf } from '#testing/type-table.ts';
import { rustDeclaration } from './languages.ts';

const kernels = corpusKernels();

/** Returns every `step`th struct or union that has members. */
function composites(t: TypeTable, step = 1): TypeId[] {
  const ids: TypeId[] = [];
  for (let i = 0; i < t.count; i++) {
    const id = typeId(t.firstId + i);
    if (isComposite(kindOf(t, id))) ids.push(id);
  }
  return ids.filter((_, i) => i % step === 0);
}

describe('layouts of the corpus', () => {
  it.skipIf(!isLargeCorpus).each(kernels.map((kernel) => [kernel.id, kernel] as const))(
    'are kept for structs of kernel %s',
    (_id, kernel) => {
      const t = tableOf(readCorpusFile(kernel));
      const ids = composites(t, 97);
      expect(ids.length).toBeGreaterThan(80);
      expect(ids.flatMap((id) => layoutComplaints(t, id, true))).toEqual([]);
    },
    60_000,
  );

  it.skipIf(!isLargeCorpus)(
    'are kept for structs of all objects and random targets',
    () => {
      let compared = 0;
      for (const entry of [...corpusObjects(), ...corpusTargets()]) {
        const t = tableInFile(readCorpusFile(entry));
        if (t === null || t.count > 5000) continue;
        for (const id of composites(t, 37)) {
          expect(layoutComplaints(t, id, true)).toEqual([]);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(500);
    },
    60_000,
  );
});

const RUSTC = 'rustc';
const hasRustc = spawnSync(RUSTC, ['--version']).status === 0;

describe.skipIf(!hasRustc)('rustc', () => {
  it('lays out structs of a kernel and of random targets as BTF has them', () => {
    const tables = [...kernels.slice(-1), ...corpusTargets().filter((_, i) => i % 20 === 0)].map(
      (file) => tableOf(readCorpusFile(file)),
    );
    const modules = tables.flatMap((t) => {
      const step = t.count > 5000 ? 40 : 5;
      return composites(t, step).map((id) => ({ t, id }));
    });
    const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
    try {
      const source = join(folder, 'layouts.rs');
      const head = '#![allow(warnings)]\n#![crate_type = "lib"]\n';
      writeFileSync(source, head + modules.map(({ t, id }, i) => rustModule(t, id, i)).join('\n'));
      const args = ['--edition=2021', '--emit=metadata', '--out-dir', folder, source];
      const { status, stderr } = spawnSync(RUSTC, args, { encoding: 'utf8' });
      expect(stderr.slice(0, 4000)).toBe('');
      expect(status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});

/** Returns a Rust module with the declarations of a type and assertions on its layout. */
function rustModule(t: TypeTable, id: TypeId, i: number): string {
  const text = rustDeclaration(t, id);
  const last = [...text.matchAll(/^pub (?:struct|union) (\S+) /gm)].at(-1)?.[1];
  const asserts = [`size_of::<${last}>() == ${sizeOrTypeOf(t, id)}`];
  for (const { name, bitOffset, bitfieldSize } of membersOf(t, id)) {
    const field = [`pub ${name}: `, `pub r#${name}: `].find((start) =>
      text.includes(`    ${start}`),
    );
    if (field === undefined || bitfieldSize > 0 || bitOffset % 8 !== 0 || name === '') continue;
    const identifier = field.slice(4, -2);
    asserts.push(`core::mem::offset_of!(${last}, ${identifier}) == ${bitOffset / 8}`);
  }
  const lines = asserts.map((assert) => `    const _: () = assert!(${assert});`);
  return `mod m${i} {\n${text}\n${lines.join('\n')}\n}`;
}
