/** What a file is, in words. */
import { formatName, type ObjectModel } from '#model/object-model.ts';
import { countOf } from '#views/parts/number-text.ts';

const EM_BPF = 247;

const FILE_TYPES: ReadonlyMap<string, string> = new Map([
  ['relocatable', 'relocatable object'],
  ['none', 'file of no type'],
]);

/** `ELF64 relocatable object for BPF, little-endian`; `Raw BTF, big-endian`. */
export function formatSentence(model: ObjectModel): string {
  const order = `${model.endian}-endian`;
  if (model.format === 'btf') {
    return `Raw BTF${model.types?.split === true ? ' (split)' : ''}, ${order}`;
  }
  const what = FILE_TYPES.get(model.fileType) ?? model.fileType;
  const format = model.format === 'elf' ? `ELF${model.addressBits}` : formatName(model);
  return `${format} ${what}${machineWords(model)}, ${order}`;
}

function machineWords({ machine }: ObjectModel): string {
  if (machine === null || machine.number === 0) return ' for no machine';
  return ` for ${machine.number === EM_BPF ? 'BPF' : machine.name || `machine ${machine.number}`}`;
}

/** `unpacked from gzip`, or null when the file was not packed. `containers` = outermost first. */
export function containerWords(containers: readonly string[]): string | null {
  if (containers.length === 0) return null;
  return `unpacked from ${containers.toReversed().join(' in ')}`;
}

/** What ingest says of a base: missing, with its size as far as that can be told, or in use. */
const BASE_CODES: readonly string[] = ['btf.base-missing', 'btf.base-in-use'];

/** What split BTF counts on from, and whether that is at hand; null for BTF that stands alone. */
export function splitSentence(model: ObjectModel): string | null {
  if (model.types?.split !== true) return null;
  const told = model.issues.find((issue) => BASE_CODES.includes(issue.code));
  if (told === undefined) {
    return `Split BTF: its ids count on from a base of ${countOf(model.types.firstId - 1, 'type')}.`;
  }
  return [told.message, told.advice ?? '']
    .filter((part) => part !== '')
    .map((part) => (part.endsWith('.') ? part : `${part}.`))
    .join(' ');
}
