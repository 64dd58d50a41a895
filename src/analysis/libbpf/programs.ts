/** The programs of a BPF object, and its licence and version. The maps are in `object-maps.ts`. */

import { type FunctionRange, functionsOf } from '#analysis/objects/functions.ts';
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { selectionInsn } from '#analysis/selection/selection.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { lowerBound } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { addTo } from '#bytes/cache.ts';
import { decodeName } from '#bytes/text.ts';
import type { SectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { programType } from './program-types.ts';

export type ProgramRow = {
  readonly func: FunctionRange;
  /** Raw text: escape it when drawn. */
  readonly sectionName: string;
  /** The program type by the section's name: `kprobe`, `xdp`; empty where libbpf knows none. */
  readonly kind: string;
  /** The rest of the name: the function, tracepoint or cgroup hook. Raw text. */
  readonly attachTo: string;
  /** Slots of eight bytes, as bpftool counts them: a ld_imm64 is two. */
  readonly insnCount: number;
  readonly coreCount: number;
};

/** The programs of a file, then its subprograms, both in the order of the file; none where the code is not BPF. `at` makes a row. */
export class ProgramRows {
  readonly length: number;
  /** The number of programs; subprograms follow. */
  readonly programCount: number;
  readonly #model: ObjectModel;
  readonly #functions: readonly FunctionRange[];
  /** Row → number in `#functions`. */
  readonly #order: Uint32Array;
  readonly #cores: ReadonlyMap<number, readonly number[]>;

  constructor(model: ObjectModel) {
    const functions = functionsOf(model);
    this.#model = model;
    this.#functions = functions;
    this.length = isBpf(model) ? functions.length : 0;
    this.#order = new Uint32Array(this.length);
    this.#cores = coreOffsets(model);
    // Programs are put in from the front and the others from the back, which are then turned round.
    let [front, back] = [0, this.length];
    for (let number = 0; number < this.length; number++) {
      this.#order[functions[number]?.isProgram === true ? front++ : --back] = number;
    }
    this.#order.subarray(back).reverse();
    this.programCount = front;
  }

  at(row: number): ProgramRow | undefined {
    const func = this.#functions[this.#order[row] ?? -1];
    if (func === undefined) return;
    const { section, start, end, isProgram } = func;
    const name = sectionName(this.#model.sections, section);
    return {
      func,
      sectionName: name,
      ...(isProgram ? programType(name) : { kind: '', attachTo: '' }),
      insnCount: Math.floor((end - start) / 8),
      coreCount: countBetween(this.#cores.get(section) ?? [], start, end),
    };
  }

  /** Returns the row of the function that has the selected instruction; null where none has it. */
  rowOf(selection: Selection): number | null {
    const place = selectionInsn(this.#model, selection);
    if (place === null) return null;
    const row = this.#order.findIndex((number) => {
      const func = this.#functions[number];
      if (func?.section !== place.section) return false;
      return place.insnOff >= func.start && place.insnOff < func.end;
    });
    return row < 0 ? null : row;
  }
}

/** `insn_off` of all CO-RE records by section, rising. */
function coreOffsets({ ext }: ObjectModel): Map<number, number[]> {
  const bySection = new Map<number, number[]>();
  for (let i = 0; i < ext.core.count; i++) {
    addTo(bySection, ext.core.section[i] ?? -1, ext.core.insnOff[i] ?? 0);
  }
  for (const offsets of bySection.values()) offsets.sort((a, b) => a - b);
  return bySection;
}

function countBetween(rising: readonly number[], start: number, end: number): number {
  return lowerBound(rising, end) - lowerBound(rising, start);
}

/** Returns the section named `license`, or null. */
export function licenseSection({ sections }: ObjectModel): SectionIndex | null {
  return loaderSections.of(sections).license[0] ?? null;
}

/**
 * Returns the licence that libbpf hands to the kernel; `sectionBytes` are those of
 * `licenseSection`. null where there is none. Raw text.
 */
export function licenseOf(model: ObjectModel, sectionBytes: Uint8Array): string | null {
  return licenseSection(model) === null || sectionBytes.length === 0
    ? null
    : decodeName(sectionBytes, 0);
}

/** The sections `license` and `version` of an object; null where a section is missing, malformed or not at hand. */
export type LoadFacts = {
  /** Raw text. */
  readonly license: string | null;
  /** `KERNEL_VERSION(a, b, c)`: a << 16 | b << 8 | c. */
  readonly version: number | null;
};

/** Returns the facts beside programs and maps that libbpf hands to the kernel. */
export function loadFacts(model: ObjectModel, sectionBytes: SectionBytes): LoadFacts {
  const { license, version } = loaderSections.of(model.sections);
  const bytesOf = ([section]: readonly SectionIndex[]) =>
    isBpf(model) && section !== undefined ? sectionBytes(section) : null;
  const [licenseBytes, versionBytes] = [bytesOf(license), bytesOf(version)];
  return {
    license: licenseBytes === null ? null : licenseOf(model, licenseBytes),
    // libbpf wants exactly one word.
    version:
      versionBytes?.length === 4
        ? new ByteReader(versionBytes, 'version', model.endian).u32(0)
        : null,
  };
}
