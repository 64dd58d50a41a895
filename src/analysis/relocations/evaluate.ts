/** Evaluates the relocation entries of ELF objects, all or one by one. */
import { getOrCreate } from '#bytes/cache.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { EvaluatedRelocation, LinkAddresses } from './evaluated.ts';
import { SectionEvaluation } from './section-evaluation.ts';
import { type RelocationRun, relocationRuns } from './sections.ts';

/** Yields the evaluated entries of an object in file order. `bytes` has those of each section. */
export function* evaluatedRelocations(
  model: ObjectModel,
  bytes: ReadonlyMap<number, Uint8Array>,
  addresses: LinkAddresses,
): Generator<EvaluatedRelocation> {
  for (const run of relocationRuns(model)) {
    const target = model.relocations.targetSection[run.first] ?? -1;
    const evaluation = new SectionEvaluation(model, run, bytes.get(target) ?? NO_BYTES, addresses);
    yield* evaluation.results();
  }
}

/** Evaluates single entries of an object. `bytes` has those of each section. */
export class RelocationEvaluations {
  readonly #model: ObjectModel;
  readonly #addresses: LinkAddresses;
  readonly #sections = new Map<number, SectionEvaluation>();

  constructor(model: ObjectModel, addresses: LinkAddresses) {
    this.#model = model;
    this.#addresses = addresses;
  }

  /** Returns the evaluated entry; null if there is none. `bytes` are those of its section. */
  of(reloc: RelocIndex, bytes: Uint8Array): EvaluatedRelocation | null {
    const run = runOf(this.#model, reloc);
    if (run === null) return null;
    const section = getOrCreate(
      this.#sections,
      run.first,
      () => new SectionEvaluation(this.#model, run, bytes, this.#addresses),
    );
    return section.resultAt(reloc - run.first);
  }
}

function runOf(model: ObjectModel, reloc: RelocIndex): RelocationRun | null {
  for (const run of relocationRuns(model)) {
    if (reloc >= run.first && reloc < run.first + run.count) return run;
  }
  return null;
}

const NO_BYTES = new Uint8Array(0);
