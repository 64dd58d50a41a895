/**
 * The verdicts on the BTF of a file: as it is stored and, for an object straight from the compiler,
 * as libbpf hands it to the kernel.
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
    /** The faults that BPF_MAP_CREATE finds in the maps of the object. */
    readonly maps: readonly MapFault[];
  };

export type FileCheck = {
  /**
   * libbpf's verdict on the ELF file, by the rules of `elf-rules.ts`. A refused file never comes to
   * the rules for BTF. null for a blob, and where `checkElf` gives none.
   */
  readonly elf: ElfVerdict | null;
  /** Whether the file is a BPF object, whose BTF libbpf loads. The kernel loads the BTF of a kernel or module without libbpf. */
  readonly isObject: boolean;
  /** Bytes of the stored blob. */
  readonly size: number;
  /** File offset of the blob; null where it was stored compressed. */
  readonly fileOffset: number | null;
  /** The id of the first own type in the judged blob: 1, or the number of base types + 1. */
  readonly firstId: number;
  /** Judged as a module's BTF, on the types of a base? */
  readonly onBase: boolean;
  readonly stored: CheckStage;
  /** null where no loader rewrites the BTF: it is of no BPF object, or libbpf refuses it. */
  readonly loaded: LoadedStage | null;
};

/**
 * Judges the BTF blob of `model`; `fileOffset` is its place in the file. Split BTF is judged on its
 * distilled base where it has one, as the kernel does, else on the base of `model`.
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

/** Returns whether libbpf refuses the ELF file before it comes to the BTF. */
export function isElfRefused({ elf, isObject }: Pick<FileCheck, 'elf' | 'isObject'>): boolean {
  return isObject && elf?.verdict === 'refused';
}

/** Judges a blob without the file around it. */
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

/** The place of a problem or a rewrite in the blob. */
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
 * Returns the type of `types` that the check calls `id`: the ids differ where the types were judged
 * on another base. null for void, for types of the base, and for types that could not be read.
 */
export function checkedType(
  { firstId }: FileCheck,
  types: TypeTable | null,
  id: number | null,
): TypeId | null {
  if (types === null || id === null || id < firstId || id - firstId >= types.count) return null;
  return typeId(id - firstId + types.firstId);
}

/** Returns the maps that have a type of their value in the BTF of the object. */
function typedMaps(model: ObjectModel): CreatedMap[] {
  return objectMaps(model)
    .filter(({ structOps, section }) => structOps === null && section !== KCONFIG)
    .map((map) => ({ ...map, name: map.section === '.maps' ? map.name : map.section }))
    .filter(({ type, valueTypeId }) => type !== 0 && valueTypeId !== 0);
}
