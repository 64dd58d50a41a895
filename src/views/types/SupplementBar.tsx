import { useState } from 'react';
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { takeDebugFile } from '#store/address/debug-file.ts';
import type { FileId } from '#store/session/session.ts';
import { Callout } from '#ui/Callout.tsx';
import { FileButton } from '#ui/inputs.tsx';

type SupplementBarProps = { readonly id: FileId; readonly model: ObjectModel };

/** Takes the second file of a file that dwz changed. Draws nothing for other files. */
export function SupplementBar({ id, model }: SupplementBarProps) {
  const [refusal, setRefusal] = useState<Issue | null>(null);
  const absent = absentSupplement(model);
  if (absent === undefined) return null;
  return (
    <Callout
      severity="warning"
      title={drawnName(absent.message)}
      actions={
        <FileButton
          label="Open second file"
          onFiles={([file]) => {
            if (file !== undefined) void takeDebugFile(id, file).then(setRefusal);
          }}
        >
          Open second file
        </FileButton>
      }
    >
      {refusal === null
        ? 'Types of this list lack what they refer to there.'
        : refusalText(refusal)}
    </Callout>
  );
}

/** Returns the issue that names the second file; undefined for a file that needs none. */
export function absentSupplement({ issues }: ObjectModel): Issue | undefined {
  return issues.find(({ code }) => code === 'dwarf.supplement');
}

/** Returns why a file is not taken. */
export function refusalText({ message, expected, found }: Issue): string {
  const why = expected === undefined ? '' : `: expected ${expected}, found ${found ?? ''}`;
  return drawnName(`${message}${why}`);
}
