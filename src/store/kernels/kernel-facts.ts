/** What a person says of an open kernel beside its BTF: modules, a configuration, symbols, its version. */

import { type FileId, fileById, session } from '#store/session/session.ts';
import { ViewState } from '#store/session/view-state.ts';
import type { FactNote, KernelFacts } from '#worker/load-answers.ts';

export type { FactNote, KernelFacts } from '#worker/load-answers.ts';

/** `key` is another after each change. */
export type KeptFacts = KernelFacts & { readonly key: number };

const NO_FACTS: KeptFacts = {
  key: 0,
  files: [],
  isComplete: false,
  release: null,
  unameVersion: null,
};

const factsState = new ViewState<KeptFacts>('kernel-facts', NO_FACTS);
let lastKey = 0;

/** What a person says of an open kernel beside its BTF. */
export function factsOf(kernel: FileId): KeptFacts {
  return factsState.of(fileById(session.getState(), kernel));
}

/** The same; draws again when it changes. */
export function useFacts(kernel: FileId): KernelFacts {
  return factsState.useOf(kernel);
}

/** Says more of a kernel, or less. */
export function setFacts(kernel: FileId, patch: Partial<KernelFacts>): void {
  factsState.set({ ...patch, key: ++lastKey }, kernel);
}

const TEXTS: ReadonlySet<string | undefined> = new Set(['config', 'kallsyms']);
/** Keys of files that are known to have no modules. */
const withoutModules = new Set<number>();

/** Remembers what files were taken for; `notes` has one for each of them. */
export function noteFiles({ files }: KernelFacts, notes: readonly FactNote[]): void {
  for (const [i, { key }] of files.entries()) {
    if (TEXTS.has(notes[i]?.kind)) withoutModules.add(key);
  }
}

/** Keys of the files that may have modules: a configuration changes nothing of CO-RE. */
export function moduleKeysOf(kernel: FileId): readonly number[] {
  return factsOf(kernel)
    .files.map(({ key }) => key)
    .filter((key) => !withoutModules.has(key));
}

/** Of a file that cannot be read: the worker says that it is empty. */
const NO_BYTES = new ArrayBuffer(0);

/** Attaches modules, a configuration or symbols to a kernel. Resolves when they can be read by its worker. */
export async function attachFiles(kernel: FileId, given: readonly File[]): Promise<void> {
  const files = await Promise.all(
    // Workers of a page on disk cannot read a Blob of the page in WebKitGTK: there they get the bytes.
    given.map(async (file) => ({
      key: ++lastKey,
      name: file.name,
      file: globalThis.origin === 'null' ? await file.arrayBuffer().catch(() => NO_BYTES) : file,
    })),
  );
  setFacts(kernel, { files: [...factsOf(kernel).files, ...files] });
}
