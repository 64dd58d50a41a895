import { useMemo, useState } from 'react';
import type { DumpEntry } from '#analysis/values/map-dump.ts';
import type { TypeId } from '#model/ids.ts';
import { Code } from '#ui/Code.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { drawnLines } from '#views/parts/drawn-lines.ts';
import { countOf } from '#views/parts/number-text.ts';
import type { Decoder } from './dump-rows.ts';
import { DUMP_FORMS, type DumpForm, dumpText, SHOWN_ENTRIES } from './dump-text.ts';

type DumpTextProps = {
  readonly decoder: Decoder;
  readonly value: TypeId;
  readonly keyType: TypeId | null;
  readonly entries: readonly DumpEntry[];
};

/** The dump as bpftool prints it when it knows the types. */
export function DumpText({ decoder, value, keyType, entries }: DumpTextProps) {
  const [form, setForm] = useState<DumpForm>('plain');
  const map = useMemo(
    () => ({ types: decoder.types, endian: decoder.endian, key: keyType, value }),
    [decoder, keyType, value],
  );
  const text = useMemo(
    () => dumpText(entries.slice(0, SHOWN_ENTRIES), map, form),
    [entries, map, form],
  );
  const isCut = entries.length > SHOWN_ENTRIES;
  return (
    <DetailSection
      title="As bpftool prints it"
      aside={isCut ? `the first ${countOf(SHOWN_ENTRIES, 'entry', 'entries')}` : undefined}
      actions={
        <Segmented label="Form of the text" options={DUMP_FORMS} value={form} onChange={setForm} />
      }
    >
      {isCut ? (
        <div>
          <CopyButton text={() => dumpText(entries, map, form)} label="Copy all entries" />
        </div>
      ) : null}
      <Code label="The dump by its types" text={text}>
        {drawnLines(text)}
      </Code>
    </DetailSection>
  );
}
