/** Verdicts on a file's BTF: as stored and, for an object, as libbpf passes it to the kernel. */

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
  /** Offsets below this limit are the same in the checked blob and in the stored blob. */
  readonly storedEnd: number;
};

/** The check of the BTF that libbpf passes to the kernel after opening the object. */
export type LoadedStage = CheckStage &
  Pick<Loaded, 'rewrites' | 'moreRewrites' | 'stopped'> & {
    /** Maps for which BPF_MAP_CREATE fails or special fields are ignored. */
    readonly maps: readonly MapFault[];
  };

export type FileCheck = {
  /** libbpf's verdict on the ELF file, which it checks before BTF; null if there is none. */
  readonly elf: ElfVerdict | null;
  /** True for a BPF object, whose BTF libbpf loads; false for the BTF of a kernel or module. */
  readonly isObject: boolean;
  /** Size of the stored blob in bytes. */
  readonly size: number;
  /** File offset of the blob; null if the blob is compressed. */
  readonly fileOffset: number | null;
  /** Id of the blob's first type: 1, or the number of base types + 1. */
  readonly firstId: number;
  /** True if the blob was checked as a module's BTF, with the types of a base. */
  readonly onBase: boolean;
  readonly stored: CheckStage;
  /** Check after libbpf's rewrites; null if libbpf refuses the file or it is not a BPF object. */
  readonly loaded: LoadedStage | null;
};

/**
 * Checks the BTF blob of `model`. Split BTF is checked on its distilled base if it has one, as in
 * the kernel, else on the base of `model`.
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
  const { blob, rewrites, moreRewrites, stopped } = loaded;
  const verdict = checkBtf(blob, null);
  const records = verdict.native.verdict === 'ok' && stopped === null ? recordsOf(blob) : null;
  const maps = records === null ? [] : mapFaults(records, typedMaps(model));
  // libbpf adds types after the last one, which moves the strings: offsets before them stay valid.
  return {
    ...check,
    loaded: {
      rewrites,
      moreRewrites,
      stopped,
      verdict,
      maps,
      storedEnd: model.types.recordOff[model.types.count] ?? 0,
    },
  };
}

/** Returns true if libbpf refuses the ELF file, so that it does not read the BTF. */
export function isElfRefused({ elf, isObject }: Pick<FileCheck, 'elf' | 'isObject'>): boolean {
  return isObject && elf?.verdict === 'refused';
}

/** Checks a BTF blob that was read without a file around it. */
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

/** Place of a problem or of a rewrite in the blob. */
type BlobPlace = { readonly blobOffset: number; readonly length: number };

/** Returns the bytes of the file for a place in a stage's blob; null if the file lacks them. */
export function checkSpan(
  { fileOffset }: FileCheck,
  { storedEnd }: CheckStage,
  { blobOffset, length }: BlobPlace,
): Span | null {
  if (fileOffset === null || blobOffset + length > storedEnd) return null;
  return spanOf(fileOffset + blobOffset, length);
}

/**
 * Returns the id in `types` for a type id of a check, which may have used another base. Returns
 * null for void, types of the base, and unreadable types.
 */
export function checkedType(
  { firstId }: FileCheck,
  types: TypeTable | null,
  id: number | null,
): TypeId | null {
  if (types === null || id === null || id < firstId || id - firstId >= types.count) return null;
  return typeId(id - firstId + types.firstId);
}

/** Returns the maps whose value type is in the BTF of the object. */
function typedMaps(model: ObjectModel): CreatedMap[] {
  return objectMaps(model)
    .filter(({ structOps, section }) => structOps === null && section !== KCONFIG)
    .map((map) => ({ ...map, name: map.section === '.maps' ? map.name : map.section }))
    .filter(({ type, valueTypeId }) => type !== 0 && valueTypeId !== 0);
}
