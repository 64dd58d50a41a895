/**
 * Names the file with the debugging information of a stripped file: by the section `.gnu_debuglink`
 * and by the build id. Source: GDB manual, "Debugging Information in Separate Files".
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import { attempt } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { decodeName, hexDigits } from '#bytes/text.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isNamed } from '#model/sections.ts';

export type DebugFile = {
  /** Name of the file, not escaped; null without `.gnu_debuglink`. */
  readonly link: string | null;
  /** Build id in hex; null without the note. */
  readonly buildId: string | null;
};

/** Largest section that is read; both sections have some tens of bytes. */
const MAX_READ = 4096;
const NT_GNU_BUILD_ID = 3;

/** Returns the names of the debug file; null if the file states none. Rejects as `source` does. */
export async function debugFileOf(
  model: ObjectModel,
  source: ByteSource,
): Promise<DebugFile | null> {
  const linkBytes = await bytesOf(model, source, '.gnu_debuglink');
  const note = await bytesOf(model, source, '.note.gnu.build-id');
  const link = linkBytes === null ? null : decodeName(linkBytes.bytes, 0) || null;
  const buildId = note === null ? null : attempt([], () => buildIdIn(note));
  return link === null && buildId === null ? null : { link, buildId };
}

async function bytesOf(
  { sections, endian }: ObjectModel,
  source: ByteSource,
  name: string,
): Promise<ByteReader | null> {
  for (let i = 1; i < sections.count; i++) {
    if (!isNamed(sections, sectionIndex(i), name)) continue;
    const start = sections.fileOffset[i] ?? 0;
    const length = Math.min(sections.byteLength[i] ?? 0, MAX_READ);
    return new ByteReader(await source.read(start, start + length), name, endian, start);
  }
  return null;
}

/** Reads a note: sizes of name and content, type, the name `GNU`, then the id. */
function buildIdIn(note: ByteReader): string | null {
  const nameSize = note.u32(0);
  const size = note.u32(4);
  if (note.u32(8) !== NT_GNU_BUILD_ID || size === 0) return null;
  const start = 12 + 4 * Math.ceil(nameSize / 4);
  note.require(start, size, 'the build id');
  return hexDigits(note.bytes.subarray(start, start + size));
}

/** Returns where the debug file is to be found, as a sentence. */
export function debugFileText({ link, buildId }: DebugFile): string {
  const byId =
    buildId === null
      ? null
      : `/usr/lib/debug/.build-id/${buildId.slice(0, 2)}/${buildId.slice(2)}.debug`;
  const places = [link, byId].filter((place) => place !== null).join(' or ');
  return `Its types are in the debug file: open ${places}.`;
}
