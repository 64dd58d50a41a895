import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { type CoreNeeds, coreNeeds } from '#analysis/core-needs/needs.ts';
import { visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { needsHeader } from '#print/c-dump/needs-header.ts';
import { useActive } from '#store/hooks.ts';
import { Button } from '#ui/Button.tsx';
import { Code } from '#ui/Code.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { saveFile } from '#views/parts/save-file.ts';
import { MinBtfSection } from './MinBtfSection.tsx';
import { NeedsList } from './NeedsList.tsx';

/** The kernel types and fields that the object's relocations name, and the least that holds them. */
export function NeedsPanel() {
  const active = useActive();
  const model = active?.model ?? null;
  const needs = useMemo(() => (model === null ? null : coreNeeds(model)), [model]);
  if (active === null || needs === null) return null;
  const { types } = active.model;
  if (types === null || needs.count === 0) {
    return (
      <EmptyState
        title="No kernel types required"
        text="No relocation of this object names a kernel type or field, so CO-RE does not limit the kernels that it loads on."
      />
    );
  }
  return (
    <Split
      label="Resize the list of requirements"
      firstSize={58}
      minFirst={240}
      minSecond={220}
      first={<NeedsList types={types} needs={needs} selection={active.selection} />}
      second={
        <Panel title="Minimal artifacts">
          <MinBtfSection id={active.id} />
          <HeaderSection name={active.model.name} types={types} needs={needs} />
        </Panel>
      }
    />
  );
}

type HeaderSectionProps = {
  readonly name: string;
  readonly types: TypeTable;
  readonly needs: CoreNeeds;
};

/** A C header with just the types and members that are named. */
function HeaderSection({ name, types, needs }: HeaderSectionProps) {
  const header = useMemo(() => needsHeader(types, needs), [types, needs]);
  const fileName = `${name.replace(/(\.bpf)?\.o$/, '')}.core.h`;
  const { text, isCut } = shownText(header);
  return (
    <DetailSection
      title="C header"
      actions={
        <Button
          size="small"
          variant="quiet"
          title={`Save as ${visible(fileName)}`}
          onClick={() => saveFile(fileName, header)}
        >
          <Download size={14} aria-hidden />
          Download header
        </Button>
      }
    >
      <p className="soft pretty">
        Replaces vmlinux.h: the same accesses compile with it and give the same relocations.
      </p>
      <Code text={header} label="C header">
        {text}
      </Code>
      {isCut ? (
        <p className="soft pretty">Shortened here; copy and download are complete.</p>
      ) : null}
    </DetailSection>
  );
}

/** Characters; a browser takes seconds to lay out much more. */
const MOST = 200_000;

/** A long text up to the end of a line. */
export function shownText(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= MOST) return { text, isCut: false };
  return { text: text.slice(0, text.lastIndexOf('\n', MOST) + 1 || MOST), isCut: true };
}
