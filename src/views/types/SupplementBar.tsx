import { useState } from 'react';
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { takeDebugFiles } from '#store/address/debug-file.ts';
import type { FileId } from '#store/session/session.ts';
import { Callout } from '#ui/Callout.tsx';
import { FileButton } from '#ui/inputs.tsx';

type SupplementBarProps = { readonly id: FileId; readonly model: ObjectModel };

/** Takes the second file of a file that dwz changed, or split files. Draws nothing for other files. */
export function SupplementBar({ id, model }: SupplementBarProps) {
  const [refusal, setRefusal] = useState<Issue | null>(null);
  const absent = absentSupplement(model);
  if (absent === undefined) return null;
  const other = refusal ?? model.issues.find(({ code }) => code === 'dwarf.split-id');
  return (
    <Callout
      severity="warning"
      title={drawnName(absent.message)}
      actions={
        <FileButton
          label={LABELS[absent.code]}
          multiple={absent.code === 'dwarf.split'}
          onFiles={(files) => void takeDebugFiles(id, files).then(setRefusal)}
        >
          {LABELS[absent.code]}
        </FileButton>
      }
    >
      {other === undefined ? TEXTS[absent.code] : refusalText(other)}
    </Callout>
  );
}

type Code = 'dwarf.supplement' | 'dwarf.split';

/** Labels of the button by the code of the issue. */
export const LABELS: Readonly<Record<Code, string>> = {
  'dwarf.supplement': 'Open second file',
  'dwarf.split': 'Open split files',
};

/** Texts below the sentence of the issue, by its code. */
export const TEXTS: Readonly<Record<Code, string>> = {
  'dwarf.supplement': 'Types of this list lack what they refer to there.',
  'dwarf.split': 'Open the .dwo files, or their package (.dwp).',
};

/** Returns the issue that names the second or split files; undefined for a file that needs none. */
export function absentSupplement({ issues }: ObjectModel): (Issue & { code: Code }) | undefined {
  return issues.find((issue): issue is Issue & { code: Code } => issue.code in LABELS);
}

/** Returns why a file is not taken. */
export function refusalText({ message, expected, found }: Issue): string {
  const why = expected === undefined ? '' : `: expected ${expected}, found ${found ?? ''}`;
  return drawnName(`${message}${why}`);
}
