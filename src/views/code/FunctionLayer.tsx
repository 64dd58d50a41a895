import type { FunctionRange } from '#analysis/objects/functions.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { grouped } from '#ui/grouped.ts';
import { KeyValue } from '#ui/KeyValue.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { Name } from '#views/parts/Name.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';

/** The function that the instruction is in. */
export function FunctionLayer({
  model,
  func,
  insnOff,
}: {
  readonly model: ObjectModel;
  readonly func: FunctionRange;
  /** Bytes from the start of the section. */
  readonly insnOff: number;
}) {
  const slot = Math.floor((insnOff - func.start) / 8);
  const slots = Math.floor((func.end - func.start) / 8);
  const items = [
    { term: 'Name', value: <Name text={func.name} otherwise="(no name)" /> },
    { term: 'Section', value: <Name text={sectionName(model.sections, func.section)} /> },
    { term: 'Here', value: `slot ${grouped(slot)} of ${grouped(slots)}, counted from 0` },
    {
      term: 'Loaded',
      value: func.isProgram ? 'as a program of its own' : 'as a part of the programs that call it',
    },
  ];
  if (func.typeId !== null && model.types !== null) {
    items.push({
      term: 'Type',
      value: <TypeLink types={model.types} type={func.typeId} badge />,
    });
  }
  return (
    <DetailSection title="Function">
      <KeyValue items={items} />
    </DetailSection>
  );
}
