/**
 * Compiles C declarations with clang-19, which must be installed, and returns their BTF as lines of
 * bpftool's raw text.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isComplete, PRELUDE } from '#analysis/workbench/c-types.ts';
import type { Declared } from '#analysis/workbench/declared-places.ts';
import { emitBtf } from '#analysis/workbench/emit.ts';
import { LIBBPF } from '#analysis/workbench/headers.ts';
import { BtfWriter } from '#formats/btf/write.ts';
import { openModel } from './open-model.ts';
import { rawLines } from './raw-lines.ts';

const CLANG = 'clang-19';
export const hasClang = spawnSync(CLANG, ['--version']).status === 0;
export const hasLibbpf = existsSync('/usr/include/bpf/bpf_core_read.h');

/** Name prefix of variables that are added because clang writes BTF only for used types. */
const STAND_IN = '__stand_in_';

/** Returns typedefs that clang needs before the source, unless a workbench header has them. */
function preludeFor(source: string): string {
  const included = [...LIBBPF].filter(
    ([name]) => source.includes(`${name}"`) || source.includes(`${name}>`),
  );
  const theirs = included.flatMap(([, { text }]) => [...text.matchAll(/typedef [^;]*?(\w+);/g)]);
  const names = new Set(theirs.map(([, name]) => name));
  const named = new Set(PRELUDE.values());
  return [...PRELUDE]
    .filter(([name]) => !names.has(name) || named.has(name))
    .map(([name, words]) => `typedef ${words} ${name};\n`)
    .join('');
}

/** Declarations of helper functions, as in libbpf's bpf_helper_defs.h, for whole programs. */
const HELPER_DEFS = `static void *(*const bpf_map_lookup_elem)(void *, const void *) = (void *)1;
static long (*const bpf_map_update_elem)(void *, const void *, const void *, __u64) = (void *)2;
static void *(*const bpf_ringbuf_reserve)(void *, __u64, __u64) = (void *)131;
static void (*const bpf_ringbuf_submit)(void *, __u64) = (void *)132;
static long (*const bpf_trace_printk)(const char *, __u32, ...) = (void *)6;
static long (*const bpf_trace_vprintk)(const char *, __u32, const void *, __u32) = (void *)177;
`;

/** Macros that older versions of libbpf's headers do not have (before 1.3). */
const NEWER_LIBBPF = `#define __kptr_untrusted __attribute__((btf_type_tag("kptr_untrusted")))
#define __arg_nonnull __attribute__((btf_decl_tag("arg:nonnull")))
#define BPF_UPROBE(name, args...) BPF_KPROBE(name, ##args)
#define BPF_URETPROBE(name, args...) BPF_KRETPROBE(name, ##args)
`;

/** Returns the C text for clang, with variables that use types which are only declared. */
export function sourceFor(text: string, declared: readonly Declared[]): string {
  const standIns = declared.flatMap((item, i) =>
    item.what === 'type' && isComplete(item.type)
      ? [`${nameOf(item)} ${STAND_IN}${i} __attribute__((section(".stand_in${i}")));`]
      : [],
  );
  return `${[text, ...standIns].join('\n')}\n`;
}

function nameOf({ type }: Declared): string {
  switch (type?.kind) {
    case 'record':
      return `${type.what} ${type.name}`;
    case 'enum':
      return `enum ${type.name}`;
    case 'typedef':
      return type.name;
    default:
      throw new Error('a type without a name');
  }
}

/** Returns clang's BTF for a source. It may include the workbench's headers or libbpf's. */
export async function clangLines(source: string, hasOurHeaders = true): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-workbench-'));
  const c = join(folder, 'a.c');
  const o = join(folder, 'a.o');
  writeFileSync(c, source);
  mkdirSync(join(folder, 'bpf'));
  for (const [name, { text }] of hasOurHeaders ? LIBBPF : []) {
    const helpers = name === 'bpf_helper_defs.h' ? HELPER_DEFS : '';
    const whole = `#pragma once\n${text}${helpers}`;
    writeFileSync(join(folder, name), whole);
    writeFileSync(join(folder, 'bpf', name), `#include "../${name}"\n`);
  }
  const first = join(folder, 'first.h');
  writeFileSync(
    first,
    hasOurHeaders
      ? `${preludeFor(source)}#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
`
      : `${preludeFor('')}#undef offsetof\n${NEWER_LIBBPF}`,
  );
  const places = ['-I', folder, '-isystem', '/usr/include/x86_64-linux-gnu'];
  const defines = ['-D__TARGET_ARCH_x86', '-include', first];
  execFileSync(
    CLANG,
    ['-w', '-g', '-O2', '--target=bpf', ...places, ...defines, '-c', c, '-o', o],
    { stdio: 'pipe' },
  );
  const bytes = new Uint8Array(readFileSync(o));
  rmSync(folder, { recursive: true, force: true });
  const { types } = await openModel('a.o', bytes);
  return types === null ? [] : withoutStandIns(rawLines(types));
}

/** Removes the variables of `sourceFor` and their sections, and renumbers the other records. */
function withoutStandIns(lines: readonly string[]): string[] {
  const idIn = (line: string) => /^\[(\d+)\]/.exec(line)?.[1];
  const gone = new Set(lines.filter((line) => line.includes(` VAR '${STAND_IN}`)).map(idIn));
  const entryOf = (line: string) => /^\ttype_id=(\d+) offset=/.exec(line)?.[1];
  const left = lines.filter((line) => !gone.has(idIn(line) ?? entryOf(line) ?? ''));
  const counted = left.flatMap((line, i) => {
    if (!line.includes('] DATASEC ')) return [line];
    let vlen = 0;
    while (entryOf(left[i + 1 + vlen] ?? '') !== undefined) vlen += 1;
    return vlen === 0 ? [] : [line.replace(/vlen=\d+/, `vlen=${vlen}`)];
  });
  const ids = new Map([['0', 0]]);
  for (const line of counted) {
    const id = idIn(line);
    if (id !== undefined) ids.set(id, ids.size);
  }
  const anew = (_: string, before: string, id: string) => `${before}${ids.get(id)}`;
  return counted.map((line) =>
    line
      .replace(/^(\[)(\d+)/, anew)
      .replace(/(type_id=)(\d+)/g, anew)
      .replace(/ \(VAR .*$/, ''),
  );
}

/** Returns the BTF of the workbench's compiler as lines of bpftool's raw text. */
export async function ourLines(
  declared: readonly Declared[],
  layouts: Parameters<typeof emitBtf>[1],
) {
  const writer = new BtfWriter();
  for (const record of emitBtf(declared, layouts)) writer.addType(record);
  const { types } = await openModel('ours.btf', writer.finish());
  return types === null ? [] : rawLines(types).map((line) => line.replace(/ \(VAR .*$/, ''));
}

const NAMED = / (STRUCT|UNION|ENUM|ENUM64|FWD|TYPEDEF|INT|FLOAT) '(?!\(anon\)')/;

/** Returns the records of raw text, sorted, with referenced records in place of type ids. */
export function recordsByName(lines: readonly string[]): string[] {
  const records: { readonly first: string; readonly lines: string[] }[] = [];
  for (const line of lines) {
    const text = line.replace(/^\[\d+\] /, '');
    if (text !== line) records.push({ first: text, lines: [text] });
    else records.at(-1)?.lines.push(line);
  }
  const describe = (id: number, depth: number): string => {
    const record = records[id - 1];
    if (record === undefined) return 'void';
    if (depth > 0 && NAMED.test(` ${record.first}`))
      return record.first.replace(/ type_id=\d+/, '');
    // Stops at named types, since every cycle of types contains one.
    const refer = (_: string, to: string) => `(${describe(Number(to), depth + 1)})`;
    return record.lines.map((line) => line.replace(/type_id=(\d+)/g, refer)).join('; ');
  };
  return records.map((_, i) => describe(i + 1, 0)).sort();
}
