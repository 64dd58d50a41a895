/** Writes types and code as text: as bpftool, pahole and llvm-objdump do, and in Rust, Go, Zig. */
import { concatBytes } from '#bytes/arrays.ts';
import { Malformed } from '#bytes/issue.ts';
import { decodeText, visible as visibleText } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { rawRecord, writeJson, writeRaw } from '#print/btf-dump.ts';
import { ByteText, longestText } from '#print/byte-text.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { writeC } from '#print/c-dump/dump.ts';
import { selfContainedHeader } from '#print/c-dump/header.ts';
import { goDeclaration, rustDeclaration, zigDeclaration } from '#print/declarations/languages.ts';
import { disassembly } from '#print/disassembly.ts';
import { paholeOf, writePahole } from '#print/pahole/pahole.ts';
import { ObjectFile } from './open.ts';
import { Type, Types } from './types.ts';

/** Options for the C declarations of all types. */
export type COptions = {
  /** True: types in the order of their ids. Default: in bpftool's order. */
  readonly unsorted?: boolean;
};

/** Options for the header of one type. */
export type HeaderOptions = {
  /** Names of the members to keep. Padding replaces all other members. */
  readonly members?: readonly string[];
  /** True for CO-RE: adds `preserve_access_index`, and omits padding for left-out members. */
  readonly preserveAccessIndex?: boolean;
};

/** Returns all types, or one and its dependencies, as `bpftool btf dump file … format c` does. */
export function cText(of: Types, options?: COptions): string;
export function cText(of: Type, options?: HeaderOptions): string;
export function cText(of: Types | Type, options: COptions & HeaderOptions = {}): string {
  if (of instanceof Type) return ofType(of, (t, id) => selfContainedHeader(t, id, options));
  return ofAll(of, (t, out) => writeC(t, out, options));
}

/** Returns the C declaration of a type without its dependencies; for a function, its prototype. */
export function declarationText(type: Type): string {
  return ofType(type, cDeclaration);
}

/** Returns all types, or one, as `bpftool btf dump file …` prints them. */
export function rawText(of: Types | Type): string {
  return of instanceof Type ? ofType(of, rawRecord) : ofAll(of, writeRaw);
}

/** Returns all types, or one, as `bpftool -j btf dump file …` prints them. */
export function jsonText(of: Types | Type): string {
  if (of instanceof Type) {
    return ofType(of, (t, id) => whole(t, (out) => writeJson(t, out, { roots: [id] })));
  }
  return ofAll(of, writeJson);
}

/** Returns all structs and unions, or one, as `pahole -F btf` does; empty for other kinds. */
export function paholeText(of: Types | Type): string {
  return of instanceof Type ? ofType(of, paholeOf) : ofAll(of, writePahole);
}

/** Returns one type and its dependencies as Rust declarations with the same layout. */
export function rustText(type: Type): string {
  return ofType(type, rustDeclaration);
}

/** Returns one type and its dependencies as Go declarations with the same layout. */
export function goText(type: Type): string {
  return ofType(type, goDeclaration);
}

/** Returns one type and its dependencies as Zig declarations with the same layout. */
export function zigText(type: Type): string {
  return ofType(type, zigDeclaration);
}

/** Yields the code of an object in lines, as `llvm-objdump -dr` prints it. */
export async function* disassemblyLines(file: ObjectFile): AsyncGenerator<string, void, undefined> {
  const { model, source } = ObjectFile.openedOf(file);
  const options = { path: model.name, raw: true, lines: false, decimal: false };
  for await (const lines of disassembly(model, source, options)) yield* lines;
}

function ofType(type: Type, print: (t: TypeTable, id: TypeId) => string): string {
  const { t, id } = Type.placeOf(type);
  return print(t, id);
}

function ofAll(types: Types, write: (t: TypeTable, out: ByteText) => Iterable<unknown>): string {
  const t = Types.tableOf(types);
  return whole(t, (out) => write(t, out));
}

/** Escapes invisible characters, and characters that change the writing direction, as `\u{…}`. */
export function visible(text: string): string {
  return visibleText(text);
}

/** Returns the text that `write` makes for a table. Throws `Malformed` if it is too long. */
function whole(t: TypeTable, write: (out: ByteText) => Iterable<unknown>): string {
  const chunks: Uint8Array[] = [];
  const out = new ByteText((chunk) => chunks.push(chunk.slice()));
  const most = longestText(t);
  for (const _ of write(out)) {
    if (out.length <= most) continue;
    const message = `the text of all types is longer than ${most} bytes`;
    throw new Malformed({ code: 'text.too-long', region: '.BTF', message, span: null });
  }
  out.end();
  return decodeText(concatBytes(chunks));
}
