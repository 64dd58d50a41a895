/** Code of the programs of an object, which says what a log leaves out. */
import { functionsOf } from '#analysis/objects/functions.ts';
import { readCode } from '#analysis/objects/section-code.ts';
import type { ByteSource } from '#bytes/source.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** An object with its bytes. */
export type LogObject = { readonly model: ObjectModel; readonly source: ByteSource };

/** Returns the code of each program of an object. */
export async function programCodes({
  model,
  source,
}: LogObject): Promise<ReadonlyMap<string, Uint8Array>> {
  const codes = new Map<string, Uint8Array>();
  const sections = new Map<SectionIndex, Uint8Array>();
  for (const { name, section, start, end, isProgram } of functionsOf(model)) {
    if (!isProgram) continue;
    const bytes = sections.get(section) ?? (await readCode(model, source, section)).bytes;
    sections.set(section, bytes);
    codes.set(name, bytes.subarray(start, end));
  }
  return codes;
}

/** Returns the code of a program, of the only one if `name` is null; null if there is none. */
export function codeOf(
  codes: ReadonlyMap<string, Uint8Array>,
  name: string | null,
): Uint8Array | null {
  const [only = ''] = codes.size === 1 ? codes.keys() : [];
  return codes.get(name ?? only) ?? null;
}
