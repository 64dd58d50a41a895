/**
 * An Alpha eCOFF file as a model: its headers for people, its tables as the
 * columns that all formats share, and the file itself for what only it has.
 *
 * Read as a whole: objects of this format are small, and its regions lie in no
 * order that would let one of them be read alone.
 */
import { type Issue, Malformed } from '#bytes/issue.ts';
import { type EcoffFile, type EcoffPart, readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { objectType } from '#formats/ecoff/headers.ts';
import { NO_BTF_IDS } from '#model/btf-ids.ts';
import { NO_EXT } from '#model/ext.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { ecoffHeaderBlocks } from './headers.ts';
import { ecoffRelocations } from './relocations.ts';
import { ecoffSections } from './sections.ts';
import { ecoffSymbols } from './symbols.ts';

/** The number that ELF files of the same machine have; eCOFF has a magic of its own. */
const EM_ALPHA = 0x9026;

const F_EXEC = 0x0002;

/**
 * Reads `bytes`, all of the file `name`. The model's offsets count in `unpacked`, the object of a
 * compressed one; null where they count in `bytes`. Throws `Malformed` when not even the header,
 * or the packed object, can be read.
 */
function ingest(
  name: string,
  bytes: Uint8Array,
  containers: readonly string[],
  issues: Issue[],
): { readonly model: ObjectModel; readonly unpacked: Uint8Array | null } {
  const told = issues.length;
  const file = readEcoff(bytes, issues);
  if (file === null) throw refused(name, issues.slice(told));
  const isPacked = file.compressed !== null;
  const all = isPacked ? [...containers, 'eCOFF 0x188'] : containers;
  return { model: modelOf(name, file, all, issues), unpacked: isPacked ? file.bytes : null };
}

export const ecoff = { ingest };

function modelOf(
  name: string,
  file: EcoffFile,
  containers: readonly string[],
  issues: readonly Issue[],
): ObjectModel {
  const sections = ecoffSections(file);
  const own: EcoffPart = { formatName: 'eCOFF', file };
  return {
    name,
    format: 'ecoff',
    size: file.bytes.length,
    containers,
    endian: 'little',
    addressBits: 64,
    machine: { number: EM_ALPHA, name: 'DEC Alpha' },
    fileType: fileTypeOf(file),
    headers: [...ecoffHeaderBlocks(file)],
    sections,
    symbols: ecoffSymbols(file, sections),
    relocations: ecoffRelocations(file, sections),
    types: null,
    splitBase: null,
    ext: NO_EXT,
    btfIds: NO_BTF_IDS,
    own,
    issues,
  };
}

function fileTypeOf({ header }: EcoffFile): string {
  if (objectType(header.fFlags) === 'F_SHARABLE') return 'shared object';
  return (header.fFlags & F_EXEC) === 0 ? 'relocatable' : 'executable';
}

/** What was wrong, as the reason of the refusal. */
function refused(region: string, found: readonly Issue[]): Malformed {
  const [first] = found;
  return new Malformed(
    first ?? {
      code: 'ecoff.unreadable',
      region,
      message: `${region} cannot be read`,
      span: null,
    },
  );
}
