/** The base of split BTF: which open files could be the base, and setting or removing it. */
import { useEffect, useState } from 'react';
import { getOrCreate } from '#bytes/cache.ts';
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { typeId } from '#model/ids.ts';
import { btfOf, type ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { clientOf, lookAtFindings, onClosed, openFile } from '#store/session/files.ts';
import {
  announce,
  type BaseFile,
  baseChoice,
  type FileId,
  fileNow,
  modelOf,
  type OpenFile,
  patchFile,
  session,
  useSession,
} from '#store/session/session.ts';

/** An open file offered as the base of another file, and whether its types fit. */
export type BaseCandidate = {
  readonly base: BaseFile;
  /** `waiting` until the worker has answered. */
  readonly fit: 'waiting' | 'fits' | 'refused';
  /** Reason why the base does not fit; null unless `fit` is `refused`. */
  readonly refusal: Issue | null;
};

/** Workers' answers to `tryBase`, by file and base. Valid while both files are open. */
const verdicts = new Map<FileId, Map<FileId, Issue | null>>();

onClosed((id) => {
  verdicts.delete(id);
  for (const ofFile of verdicts.values()) ofFile.delete(id);
});

/** Returns the open files that could be the base of file `id`, fitting ones first. */
export function useBaseCandidates(id: FileId): readonly BaseCandidate[] {
  const files = useSession((state) => state.files);
  const [, setAnswers] = useState(0);
  const bases = files.flatMap((file) => (file.id === id ? [] : asBase(file)));
  const ids = bases.map(({ fileId }) => fileId).join();

  useEffect(() => {
    const controller = new AbortController();
    for (const base of unasked(id, ids)) {
      void clientOf(id)
        ?.call('tryBase', { types: base.types, name: base.name }, { signal: controller.signal })
        .then((outcome) => {
          if (controller.signal.aborted) return;
          const known = getOrCreate(verdicts, id, () => new Map<FileId, Issue | null>());
          known.set(base.fileId, outcome.ok ? outcome.value : outcome.issue);
          setAnswers((count) => count + 1);
        });
    }
    return () => controller.abort();
  }, [id, ids]);

  return bases
    .map((base): BaseCandidate => {
      const refusal = verdicts.get(id)?.get(base.fileId);
      if (refusal === undefined) return { base, fit: 'waiting', refusal: null };
      return { base, fit: refusal === null ? 'fits' : 'refused', refusal };
    })
    .sort((a, b) => ORDER.indexOf(a.fit) - ORDER.indexOf(b.fit));
}

const ORDER: readonly BaseCandidate['fit'][] = ['fits', 'waiting', 'refused'];

function unasked(id: FileId, ids: string): readonly BaseFile[] {
  const wanted = new Set(ids === '' ? [] : ids.split(',').map(Number));
  return session
    .getState()
    .files.filter((file) => wanted.has(file.id) && !verdicts.get(id)?.has(file.id))
    .flatMap(asBase);
}

/** Returns the file as a list of one base; an empty list if the file has no types of its own. */
function asBase(file: OpenFile): readonly BaseFile[] {
  const model = modelOf(file);
  const types = model === null ? null : btfOf(model);
  if (types === null || types.split || types.count === 0) return [];
  return [{ fileId: file.id, name: file.name, types }];
}

/** Sets the base of file `id`; null removes it. The old base stays if the new one does not fit. */
export async function chooseBase(id: FileId, base: BaseFile | null): Promise<void> {
  const outcome = await clientOf(id)?.call('setBase', {
    base: base === null ? null : { types: base.types, name: base.name },
  });
  const file = fileNow(id);
  if (outcome === undefined || file?.status.step !== 'ready') return;
  if (!outcome.ok) {
    refuse(file, base, outcome.issue, []);
    return;
  }
  if (outcome.value.kind === 'refused') {
    refuse(file, base, outcome.value.issue, outcome.value.matches);
    return;
  }
  const model = onBase(outcome.value.model, base?.types ?? null);
  patchFile(id, {
    status: { step: 'ready', model },
    base: { chosen: base, refused: null, reading: baseChoice(file).reading + 1 },
    findings: null,
    selection: keptSelection(file.status.model, model, file.selection),
  });
  announce(
    base === null
      ? `${drawnName(file.name)} is shown without a base`
      : `${drawnName(file.name)} is shown on the base ${drawnName(base.name)}`,
  );
  await lookAtFindings(id);
}

/** Opens a file in the background and sets it as the base of file `id`. */
export async function openAsBase(id: FileId, file: File): Promise<void> {
  const baseId = await openFile(file, { activate: false });
  const opened = fileNow(baseId);
  const split = fileNow(id);
  if (opened === null || split === null) return;
  const [base] = asBase(opened);
  if (base !== undefined) return chooseBase(id, base);
  refuse(split, null, notABase(opened), []);
}

type Refused = NonNullable<ReturnType<typeof baseChoice>['refused']>;

function refuse(
  file: OpenFile,
  base: BaseFile | null,
  issue: Issue,
  matches: Refused['matches'],
): void {
  patchFile(file.id, { base: { ...baseChoice(file), refused: { issue, base, matches } } });
  announce(`Base refused: ${drawnName(issue.message)}`);
}

function notABase({ name, status }: OpenFile): Issue {
  const why = status.step === 'failed' ? status.issue.message : 'it has no types of its own';
  return {
    severity: 'warning',
    code: 'btf.base-does-not-fit',
    region: name,
    message: `${name} cannot be the base: ${why}`,
    span: null,
  };
}

/** Returns the worker's model with the page's copy of the base, which the worker does not send. */
function onBase(model: ObjectModel, base: TypeTable | null): ObjectModel {
  const { types } = model;
  if (base === null || types === null || !types.split) return model;
  return { ...model, types: { ...types, base } };
}

/** Moves a selected type to its id on the new base. Drops a type of the old base if ids changed. */
function keptSelection(before: ObjectModel, after: ObjectModel, selection: Selection): Selection {
  if (selection.kind !== 'type' || before.types === null || after.types === null) return selection;
  const from = before.types.firstId;
  const to = after.types.firstId;
  if (from === to) return selection;
  return selection.type >= from
    ? { ...selection, type: typeId(selection.type - from + to) }
    : NO_SELECTION;
}
