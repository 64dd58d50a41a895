import { Download } from 'lucide-react';
import { useMemo } from 'react';
import type { CoreNeeds } from '#analysis/core-needs/needs.ts';
import { visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { needsHeader } from '#print/needs-header.ts';
import { Button } from '#ui/Button.tsx';
import { Code } from '#ui/Code.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { saveFile } from '#views/parts/save-file.ts';
import styles from './HeaderSection.module.css';
import { shownText } from './shown-text.ts';

/** A C header with just the types and members that are named. */
export function HeaderSection({
  name,
  types,
  needs,
}: {
  readonly name: string;
  readonly types: TypeTable;
  readonly needs: CoreNeeds;
}) {
  const header = useMemo(() => needsHeader(types, needs), [types, needs]);
  const fileName = `${name.replace(/(\.bpf)?\.o$/, '')}.core.h`;
  const { text, isCut } = shownText(header);
  return (
    <DetailSection
      title="As a C header"
      actions={
        <Button
          size="small"
          variant="quiet"
          title={`Save as ${visible(fileName)}`}
          onClick={() => saveFile(fileName, header)}
        >
          <Download size={14} aria-hidden />
          Download the header
        </Button>
      }
    >
      <p className={styles.about}>
        In place of vmlinux.h: the same accesses compile with it, and give the same relocations.
      </p>
      <Code text={header} label="C header">
        {text}
      </Code>
      {isCut ? <p className={styles.about}>The rest is in the copy and in the download.</p> : null}
    </DetailSection>
  );
}
