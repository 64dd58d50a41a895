/** Facts about an open kernel that its BTF does not have: modules, configuration, symbols, version. */

import { type FileId, fileNow } from '#store/session/session.ts';
import { ViewState } from '#store/session/view-state.ts';
import type { FactNote, KernelFacts } from '#worker/load-answers.ts';

export type { FactNote, KernelFacts } from '#worker/load-answers.ts';

/** `key` changes with the facts. */
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

/** A hook. */
export function useFacts(kernel: FileId): KernelFacts {
  return factsState.useOf(kernel);
}

export function setFacts(kernel: FileId, patch: Partial<KernelFacts>): void {
  factsState.set({ ...patch, key: ++lastKey }, kernel);
}

const TEXTS: ReadonlySet<string | undefined> = new Set(['config', 'kallsyms']);
/** Keys of attached files that are no modules. */
const withoutModules = new Set<number>();

/** Stores the kinds of attached files; `notes` has one entry per file. */
export function noteFiles({ files }: KernelFacts, notes: readonly FactNote[]): void {
  for (const [i, { key }] of files.entries()) {
    if (TEXTS.has(notes[i]?.kind)) withoutModules.add(key);
  }
}

/** Returns the keys of attached files that may be modules. Only modules change CO-RE results. */
export function moduleKeysOf(kernel: FileId): readonly number[] {
  return factsOf(kernel)
    .files.map(({ key }) => key)
    .filter((key) => !withoutModules.has(key));
}

/** Bytes of an unreadable file: the worker reports it as empty. */
const NO_BYTES = new ArrayBuffer(0);

/** Attaches modules, a configuration or symbols to a kernel. Resolves when its worker can read them. */
export async function attachFiles(kernel: FileId, added: readonly File[]): Promise<void> {
  const files = await Promise.all(
    // In WebKitGTK the workers of a page on disk cannot read its Blobs: they get the bytes.
    added.map(async (file) => ({
      key: ++lastKey,
      name: file.name,
      file: globalThis.origin === 'null' ? await file.arrayBuffer().catch(() => NO_BYTES) : file,
    })),
  );
  setFacts(kernel, { files: [...factsOf(kernel).files, ...files] });
}
