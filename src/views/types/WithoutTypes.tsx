import { Boxes } from 'lucide-react';
import { useState } from 'react';
import type { Issue } from '#bytes/issue.ts';
import { drawnName } from '#bytes/text.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { takeDebugFiles } from '#store/address/debug-file.ts';
import { type FileId, fileById, useSession } from '#store/session/session.ts';
import { FileButton } from '#ui/inputs.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import { absentSupplement, LABELS, refusalText, TEXTS } from './SupplementBar.tsx';

type WithoutTypesProps = { readonly id: FileId; readonly model: ObjectModel };

/** Shows why a file has no types, and takes the file that has them: a debug, second or split file. */
export function WithoutTypes({ id, model }: WithoutTypesProps) {
  const findings = useSession((state) => fileById(state, id)?.findings ?? null);
  const [refusal, setRefusal] = useState<Issue | null>(null);
  const absent = absentSupplement(model);
  const offered = absent ?? findings?.find(({ code }) => code === 'dwarf.stripped');
  const label = absent === undefined ? 'Open debug file' : LABELS[absent.code];
  if (offered === undefined) {
    return (
      <EmptyState
        icon={<Boxes size={28} aria-hidden />}
        title="No readable BTF"
        text={whyNone(model)}
      />
    );
  }
  const advice = absent?.code === 'dwarf.split' ? TEXTS[absent.code] : (offered.advice ?? '');
  return (
    <EmptyState
      icon={<Boxes size={28} aria-hidden />}
      title={drawnName(offered.message)}
      text={refusal === null ? drawnName(advice) : refusalText(refusal)}
      actions={
        <FileButton
          label={label}
          multiple={absent?.code === 'dwarf.split'}
          onFiles={(files) => void takeDebugFiles(id, files).then(setRefusal)}
        >
          {label}
        </FileButton>
      }
    />
  );
}

function whyNone(model: ObjectModel): string {
  return isBpf(model)
    ? 'Types are in the section .BTF, which clang writes with -g and strip -g keeps. Issues lists the problems of an existing .BTF.'
    : 'Types are in the section .BTF. Kernels have it when built with CONFIG_DEBUG_INFO_BTF, other programs when pahole or the compiler writes it.';
}
