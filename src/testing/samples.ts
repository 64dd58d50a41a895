/**
 * The examples of `public/samples/` for tests: their bytes, and their models as the page would read
 * them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { openModel, openObject } from './open-model.ts';

// Not a URL: Node rejects URLs of the simulated page's own class.
const SAMPLES = `${import.meta.dirname}/../../public/samples`;

/** Returns the path on disk of the example `name`, which need not exist. */
export function samplePath(name: string): string {
  return `${SAMPLES}/${name}`;
}

/** Returns the bytes of the example `name`. */
export function sampleBytes(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(samplePath(name)));
}

/** Returns the names of the ELF and BTF examples. */
export function sampleNames(): readonly string[] {
  return readdirSync(SAMPLES).filter((name) => /\.(o|btf|ko)$/.test(name));
}

/** Returns the names of the Alpha eCOFF objects among the examples. */
export function ecoffSampleNames(): readonly string[] {
  return readdirSync(SAMPLES).filter((name) => name.endsWith('.ecoff'));
}

/** Returns the model of an example. */
export function sampleModel(name: string): Promise<ObjectModel> {
  return openModel(name, sampleBytes(name));
}

/** Returns the model of an example, and the source of its offsets. */
export function sampleObject(name: string) {
  return openObject(name, sampleBytes(name));
}

/** Returns the first section with this name. Throws if there is none. */
export function sectionCalled(model: ObjectModel, name: string): SectionIndex {
  for (let i = 1; i < model.sections.count; i++) {
    if (sectionName(model.sections, sectionIndex(i)) === name) return sectionIndex(i);
  }
  throw new Error(`no section is called ${name}`);
}
