/** The programs, the license and the version of a BPF object. */
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
  /** Name of the section as raw text. */
  readonly sectionName: string;
  /** Kind of program by the name of the section: `kprobe`, `xdp`; empty if libbpf knows none. */
  readonly kind: string;
  /** Function, tracepoint or cgroup hook in the name of the section, as raw text. */
  readonly attachTo: string;
  /** Number of 8-byte slots, as in bpftool: a ld_imm64 counts as two. */
  readonly insnCount: number;
  readonly coreCount: number;
};

/** Rows of the table of programs: programs, then subprograms, each in the order of the file. */
export class ProgramRows {
  readonly length: number;
  /** Number of program rows; the subprograms follow them. */
  readonly programCount: number;
  readonly #model: ObjectModel;
  readonly #functions: readonly FunctionRange[];
  /** Index in `#functions` for each row. */
  readonly #order: Uint32Array;
  readonly #cores: ReadonlyMap<number, readonly number[]>;

  constructor(model: ObjectModel) {
    const functions = functionsOf(model);
    this.#model = model;
    this.#functions = functions;
    this.length = isBpf(model) ? functions.length : 0;
    this.#order = new Uint32Array(this.length);
    this.#cores = coreOffsets(model);
    // Programs fill the array from the front, subprograms from the back; their part is reversed.
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

  /** Returns the row of the function with the selected instruction; null if there is none. */
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

/** Returns the `insn_off` of all CO-RE records for each section, ascending. */
function coreOffsets({ ext }: ObjectModel): Map<number, number[]> {
  const bySection = new Map<number, number[]>();
  for (let i = 0; i < ext.core.count; i++) {
    addTo(bySection, ext.core.section[i] ?? -1, ext.core.insnOff[i] ?? 0);
  }
  for (const offsets of bySection.values()) offsets.sort((a, b) => a - b);
  return bySection;
}

function countBetween(sorted: readonly number[], start: number, end: number): number {
  return lowerBound(sorted, end) - lowerBound(sorted, start);
}

/** Returns the section `license`; null if there is none. */
export function licenseSection({ sections }: ObjectModel): SectionIndex | null {
  return loaderSections.of(sections).license[0] ?? null;
}

/** Returns the license in the bytes of its section, as raw text; null if there is none. */
export function licenseOf(model: ObjectModel, sectionBytes: Uint8Array): string | null {
  return licenseSection(model) === null || sectionBytes.length === 0
    ? null
    : decodeName(sectionBytes, 0);
}

/** Contents of `license` and `version`; null for a section that is missing, malformed or unread. */
export type LoadFacts = {
  /** License as raw text. */
  readonly license: string | null;
  /** Number made by `KERNEL_VERSION(a, b, c)`: a << 16 | b << 8 | c. */
  readonly version: number | null;
};

/** Returns the license and the version that libbpf passes to the kernel. */
export function loadFacts(model: ObjectModel, sectionBytes: SectionBytes): LoadFacts {
  const { license, version } = loaderSections.of(model.sections);
  const bytesOf = ([section]: readonly SectionIndex[]) =>
    isBpf(model) && section !== undefined ? sectionBytes(section) : null;
  const [licenseBytes, versionBytes] = [bytesOf(license), bytesOf(version)];
  return {
    license: licenseBytes === null ? null : licenseOf(model, licenseBytes),
    // libbpf requires that the section is exactly 4 bytes long.
    version:
      versionBytes?.length === 4
        ? new ByteReader(versionBytes, 'version', model.endian).u32(0)
        : null,
  };
}
