import { Cpu } from 'lucide-react';
import { useState } from 'react';
import { canList } from '#analysis/code/code-listing.ts';
import { placesReady } from '#analysis/code/places-ready.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { type InsnPlace, selectionInsn } from '#analysis/selection/selection.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { useNarrow } from '#ui/element-size.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { WhenReady } from '#views/parts/WhenReady.tsx';
import { FunctionDrawer, FunctionPicker } from './FunctionPicker.tsx';
import { InsnPanel } from './InsnPanel.tsx';
import { Listing } from './Listing.tsx';

/** Shows the functions, the disassembly and one instruction in detail. */
export function CodeView() {
  const active = useActive();
  if (active === null) return null;
  const none = noCode(active.model);
  if (none !== null) return <EmptyState icon={<Cpu size={28} aria-hidden />} {...none} />;
  return (
    <WhenReady model={active.model} run={placesReady.runOf(active.model)}>
      {() => <CodePanes key={active.id} {...active} />}
    </WhenReady>
  );
}

/** Up to this width in CSS pixels, functions are in a drawer and the detail is below the code. */
const NARROW = 919;

function CodePanes(active: Active) {
  const { id, model, selection } = active;
  const isNarrow = useNarrow(NARROW);
  // Section that was shown before. It stays when the selection is not in code.
  const [shown, setShown] = useState<SectionIndex | null>(null);
  const section = sectionToShow(model, selection, shown);
  if (section !== shown) setShown(section);
  if (section === null) return null;
  const place = selectedInsn(model, selection);
  const code = (
    <Split
      label="Resize the instruction panel"
      orientation={isNarrow ? 'vertical' : 'horizontal'}
      firstSize={isNarrow ? 56 : 64}
      minFirst={isNarrow ? 120 : 320}
      minSecond={isNarrow ? 120 : 300}
      first={<Listing key={section} {...active} section={section} place={place} />}
      second={<InsnPanel id={id} model={model} place={place} />}
    />
  );
  const picker = { model, section, place };
  if (isNarrow) {
    return (
      <div className="grid tall head-and-body">
        <FunctionDrawer {...picker} />
        <div className="shrink-y">{code}</div>
      </div>
    );
  }
  return (
    <Split
      label="Resize the list of functions"
      firstSize={19}
      minFirst={180}
      minSecond={480}
      first={<FunctionPicker {...picker} />}
      second={code}
    />
  );
}

type NoCode = { readonly title: string; readonly text: string };

/** Returns the title and text to show if the file has no code; null if it has code. */
export function noCode(model: ObjectModel): NoCode | null {
  if (model.format === 'btf') {
    return {
      title: 'A BTF blob has no code',
      text: 'It holds types only. The instructions are in the object that clang -target bpf writes: open that .o to see its instructions and types.',
    };
  }
  if (!canList(model)) {
    const machine = model.machine?.name ?? 'this machine';
    return {
      title: `Instructions of ${machine} are not shown`,
      text: 'btfscope decodes BPF and Alpha only. The types, bytes and relocations of this file are under the other tabs.',
    };
  }
  if (firstCode(model) === null) {
    return {
      title: 'This object has no code',
      text: 'No section is executable. An object with only data and types is valid: other objects may link with its maps.',
    };
  }
  return null;
}

/** Returns the first section that has instructions; null if there is none. */
export function firstCode({ sections }: ObjectModel): SectionIndex | null {
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    if (isCode(sections, section) && (sections.byteLength[i] ?? 0) > 0) return section;
  }
  return null;
}

/** Returns the selected instruction, or the first of a selected function; null outside code. */
export function selectedInsn(model: ObjectModel, selection: Selection): InsnPlace | null {
  const place = selectionInsn(model, selection) ?? entryOf(model, selection);
  return place !== null && isCode(model.sections, place.section) ? place : null;
}

function entryOf(model: ObjectModel, selection: Selection): InsnPlace | null {
  if (selection.kind === 'symbol') {
    const section = model.symbols.section[selection.symbol] ?? -1;
    return section <= 0
      ? null
      : { section: sectionIndex(section), insnOff: symbolOffset(model, selection.symbol) };
  }
  if (selection.kind !== 'type' || selection.type === 0) return null;
  const func = functionsOf(model).find((f) => f.typeId === selection.type);
  return func === undefined ? null : { section: func.section, insnOff: func.start };
}

/** Returns the section of the selection, else `shown` if it has code, else a section with code. */
export function sectionToShow(
  model: ObjectModel,
  selection: Selection,
  shown: SectionIndex | null,
): SectionIndex | null {
  const place = selectedInsn(model, selection);
  if (place !== null) return place.section;
  if (selection.kind === 'section' && isCode(model.sections, selection.section)) {
    return selection.section;
  }
  if (shown !== null && isCode(model.sections, shown)) return shown;
  const program = functionsOf(model).find((f) => f.isProgram);
  return program?.section ?? firstCode(model);
}
