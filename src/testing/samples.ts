/** The examples of `public/samples/` as tests take them: bytes, and models by the way that a dropped file takes. */
import { readdirSync, readFileSync } from 'node:fs';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { openModel, openObject } from './open-model.ts';

// A path, not a URL: the simulated DOM has a URL of its own, which Node does not take.
const SAMPLES = `${import.meta.dirname}/../../public/samples`;

/** Where an example lies on disk, by its path under `public/samples/`; there may be none. */
export function samplePath(name: string): string {
  return `${SAMPLES}/${name}`;
}

/** Bytes of an example, by its path under `public/samples/`. */
export function sampleBytes(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(samplePath(name)));
}

/** Names of all ELF and BTF examples: what opens, without sources and pages. */
export function sampleNames(): readonly string[] {
  return readdirSync(SAMPLES).filter((name) => /\.(o|btf|ko)$/.test(name));
}

/** Names of the Alpha eCOFF objects among the examples. */
export function ecoffSampleNames(): readonly string[] {
  return readdirSync(SAMPLES).filter((name) => name.endsWith('.ecoff'));
}

/** Model of an example. */
export function sampleModel(name: string): Promise<ObjectModel> {
  return openModel(name, sampleBytes(name));
}

/** Model of an example and what its offsets count in. */
export function sampleObject(name: string) {
  return openObject(name, sampleBytes(name));
}

/** The first section of that name. Throws where there is none. */
export function sectionCalled(model: ObjectModel, name: string): SectionIndex {
  for (let i = 1; i < model.sections.count; i++) {
    if (sectionName(model.sections, sectionIndex(i)) === name) return sectionIndex(i);
  }
  throw new Error(`no section is called ${name}`);
}
