/**
 * The BTF of a file before its judges: as it is stored and, for an object
 * straight from the compiler, as libbpf gives it to the kernel.
 *
 * In: the stored bytes and what was read of the file. Out: plain data, with what
 * it takes to find each problem in the file and in its types.
 */

import { type CreatedMap, type MapFault, mapFaults } from '#analysis/kernel/map-rules.ts';
import type { Verdict } from '#analysis/kernel/verdict.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { checkBtf, recordsOf } from './check-btf.ts';
import { checkElf, checkProgramRelocations, type ElfVerdict } from './elf-rules.ts';
import { KCONFIG } from './externs.ts';
import { asLoaded, type Loaded } from './fixups.ts';
import { objectMaps } from './object-maps.ts';

export type CheckStage = {
  readonly verdict: Verdict;
  /** Offsets in the judged blob below this are those of the stored one. */
  readonly storedEnd: number;
};

/** After libbpf has opened the object. */
export type LoadedStage = CheckStage &
  Omit<Loaded, 'blob'> & {
    /** What BPF_MAP_CREATE says of the maps of the object. */
    readonly maps: readonly MapFault[];
  };

export type FileCheck = {
  /**
   * Does libbpf take the ELF file as a BPF object, as far as `elf-rules.ts` says? Where it does
   * not, it never comes to the BTF. null for a blob, and where that was not checked.
   */
  readonly elf: ElfVerdict | null;
  /** Is it a BPF object, whose BTF libbpf loads? The BTF of a kernel or module stands without it. */
  readonly isObject: boolean;
  /** Bytes of the stored blob. */
  readonly size: number;
  /** File offset of the blob; null where it was stored compressed. */
  readonly fileOffset: number | null;
  /** The id of the first own type in what is judged: 1, or the number of base types + 1. */
  readonly firstId: number;
  /** Judged as a module's BTF, on the types of a base? */
  readonly onBase: boolean;
  readonly stored: CheckStage;
  /** null where no loader rewrites the BTF: it is of no BPF object, or libbpf refuses it. */
  readonly loaded: LoadedStage | null;
};

/**
 * Judges `blob`, the BTF that `model` was read from; `fileOffset` is where it
 * stands in the file. Split BTF is judged on its distilled base where it brings
 * one along, as the kernel does, else on the base that it was read on.
 */
export function checkFile(
  { bytes, fileOffset }: { readonly bytes: Uint8Array; readonly fileOffset: number | null },
  model: ObjectModel,
): FileCheck {
  const base = model.splitBase?.distilled ?? model.types?.base ?? null;
  const elf = checkElf(model);
  const isObject = model.format === 'elf' && isBpf(model);
  const check = { ...checkStored(bytes, fileOffset, base), elf, isObject };
  const isOpened =
    isBpf(model) && !isElfRefused(check) && check.stored.verdict.libbpf.verdict === 'ok';
  const loaded = isOpened ? asLoaded(model) : null;
  if (loaded === null || model.types === null) return check;
  const entries = loaded.stopped === null ? checkProgramRelocations(model) : null;
  if (entries?.verdict === 'refused') return { ...check, elf: entries };
  const { blob, ...rest } = loaded;
  const verdict = checkBtf(blob, null);
  const records = verdict.native.verdict === 'ok' && rest.stopped === null ? recordsOf(blob) : null;
  const maps = records === null ? [] : mapFaults(records, typedMaps(model));
  // libbpf appends after the last type, which moves the strings.
  return {
    ...check,
    loaded: { ...rest, verdict, maps, storedEnd: model.types.recordOff[model.types.count] ?? 0 },
  };
}

/** Does libbpf stop at the ELF file, so that it never comes to the BTF of this object? */
export function isElfRefused({ elf, isObject }: Pick<FileCheck, 'elf' | 'isObject'>): boolean {
  return isObject && elf?.verdict === 'refused';
}

/** Judges a blob of which nothing else is known. */
export function checkStored(
  bytes: Uint8Array,
  fileOffset: number | null,
  base: TypeTable | null,
): FileCheck {
  return {
    elf: null,
    isObject: false,
    size: bytes.length,
    fileOffset,
    firstId: base === null ? 1 : lastId(base) + 1,
    onBase: base !== null,
    stored: { verdict: checkBtf(bytes, base), storedEnd: bytes.length },
    loaded: null,
  };
}

/** What a problem or a rewrite is about. */
type BlobPlace = { readonly blobOffset: number; readonly length: number };

/** The file bytes of a place in the blob of `stage`; null where it has none. */
export function checkSpan(
  { fileOffset }: FileCheck,
  { storedEnd }: CheckStage,
  { blobOffset, length }: BlobPlace,
): Span | null {
  if (fileOffset === null || blobOffset + length > storedEnd) return null;
  return spanOf(fileOffset + blobOffset, length);
}

/**
 * The type of `types`, which were read of the judged blob, that the check calls
 * `id`. They differ where the types stand on another base than they are stored
 * on. null for void, for types of the base and for those that could not be read.
 */
export function checkedType(
  { firstId }: FileCheck,
  types: TypeTable | null,
  id: number | null,
): TypeId | null {
  if (types === null || id === null || id < firstId || id - firstId >= types.count) return null;
  return typeId(id - firstId + types.firstId);
}

/** The maps that the kernel is given with a type of their value in the BTF of the object. */
function typedMaps(model: ObjectModel): CreatedMap[] {
  return objectMaps(model)
    .filter(({ structOps, section }) => structOps === null && section !== KCONFIG)
    .map((map) => ({ ...map, name: map.section === '.maps' ? map.name : map.section }))
    .filter(({ type, valueTypeId }) => type !== 0 && valueTypeId !== 0);
}
