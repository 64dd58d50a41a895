/** Facts about an open kernel that are not in its BTF: modules, configuration, symbols, version. */

import { type FileId, fileNow } from '#store/session/session.ts';
import { ViewState } from '#store/session/view-state.ts';
import type { FactNote, KernelFacts } from '#worker/load-answers.ts';

export type { FactNote, KernelFacts } from '#worker/load-answers.ts';

/** Facts about a kernel; `key` changes whenever they change. */
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

export function factsOf(kernel: FileId): KeptFacts {
  return factsState.of(fileNow(kernel));
}

/** Returns the facts about `kernel`. React hook. */
export function useFacts(kernel: FileId): KernelFacts {
  return factsState.useOf(kernel);
}

export function setFacts(kernel: FileId, patch: Partial<KernelFacts>): void {
  factsState.set({ ...patch, key: ++lastKey }, kernel);
}

const TEXTS: ReadonlySet<string | undefined> = new Set(['config', 'kallsyms']);
/** Keys of attached files that contain no modules. */
const withoutModules = new Set<number>();

/** Records which attached files contain no modules; `notes` has one entry per file. */
export function noteFiles({ files }: KernelFacts, notes: readonly FactNote[]): void {
  for (const [i, { key }] of files.entries()) {
    if (TEXTS.has(notes[i]?.kind)) withoutModules.add(key);
  }
}

/** Returns the keys of attached files that may contain modules, which affect CO-RE results. */
export function moduleKeysOf(kernel: FileId): readonly number[] {
  return factsOf(kernel)
    .files.map(({ key }) => key)
    .filter((key) => !withoutModules.has(key));
}

/** Used for an unreadable file, which the worker then reports as empty. */
const NO_BYTES = new ArrayBuffer(0);

/** Attaches modules, a configuration or symbols to a kernel. Resolves when they can be used. */
export async function attachFiles(kernel: FileId, added: readonly File[]): Promise<void> {
  const files = await Promise.all(
    // Reads the files here: in WebKitGTK, workers of a page on disk cannot read the page's Blobs.
    added.map(async (file) => ({
      key: ++lastKey,
      name: file.name,
      file: globalThis.origin === 'null' ? await file.arrayBuffer().catch(() => NO_BYTES) : file,
    })),
  );
  setFacts(kernel, { files: [...factsOf(kernel).files, ...files] });
}
