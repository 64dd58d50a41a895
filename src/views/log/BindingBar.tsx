import { FolderOpen } from 'lucide-react';
import { useRef } from 'react';
import { functionsOf } from '#analysis/objects/functions.ts';
import type { Agreement, ProgramMatch } from '#analysis/verifier/agreement.ts';
import { drawnName, visible } from '#bytes/text.ts';
import { isBpf } from '#model/object-model.ts';
import { setCoreTarget } from '#store/kernels/core-view.ts';
import {
  type BoundKernel,
  type BoundProgram,
  bindPart,
  objectsOf,
} from '#store/kernels/log-binding.ts';
import { clientOf, openFiles } from '#store/session/files.ts';
import {
  fileNow,
  logOf,
  modelOf,
  type OpenFile,
  session,
  typesOf,
} from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { FileInput } from '#ui/inputs.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { Toolbar } from '#ui/Panel.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './BindingBar.module.css';
import { LogNotes } from './LogNotes.tsx';

type BindingBarProps = {
  readonly file: OpenFile;
  /** Index of the current part of the log. */
  readonly part: number;
  readonly program: BoundProgram | null;
  readonly kernel: BoundKernel | null;
};

/** Shows the program and the kernel that a log is of, why, and menus to correct them. */
export function BindingBar({ file, part, program, kernel }: BindingBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const open: MenuItem = {
    id: 'open',
    label: 'Open object or kernel…',
    icon: <FolderOpen size={14} aria-hidden />,
    onSelect: () => input.current?.click(),
  };
  return (
    <Toolbar
      label="Program and kernel of the log"
      end={
        <>
          <LogNotes file={file} />
          <CopyButton label="Copy without addresses and paths" text={() => sanitisedText(file)} />
        </>
      }
    >
      <Menu
        trigger={
          <Button isMenu>
            <span className="muted regular">Program</span>
            <span className={styles.name}>
              <bdi>{program === null ? 'none' : programTitle(program)}</bdi>
            </span>
          </Button>
        }
        groups={() => [...programGroups(file, part, program), [open]]}
      />
      <Menu
        trigger={
          <Button isMenu>
            <span className="muted regular">Kernel</span>
            <span className={styles.name}>
              <bdi>{kernel === null ? 'none' : visible(kernel.file.name)}</bdi>
            </span>
          </Button>
        }
        groups={() => [...kernelGroups(file, kernel), [open]]}
      />
      <p className="small muted break">{bindingText(program, kernel)}</p>
      <FileInput
        ref={input}
        label="Object or kernel of the log"
        multiple
        onFiles={(files) => void openFiles(files, { activate: false })}
      />
    </Toolbar>
  );
}

function programTitle({ program, file }: BoundProgram): string {
  const name = drawnName(file.name);
  return program === null ? name : `${drawnName(program)} in ${name}`;
}

/** Says why a program and a kernel are shown. */
function bindingText(program: BoundProgram | null, kernel: BoundKernel | null): string {
  const sentences = [
    program === null
      ? 'Open the object of the log to link its lines to types, code and relocations.'
      : program.match === null
        ? 'The object was chosen; its program does not agree with the log.'
        : `The program agrees: ${agreementText(program.match)}.`,
    ...(kernel === null ? [] : [kernelText(kernel.agreement)]),
  ];
  return sentences.join(' ');
}

function agreementText({ isNamed, alike, insns, sources, types }: ProgramMatch): string {
  const counts = [
    ...(isNamed ? ['its name'] : []),
    ...agreed(insns, 'instruction'),
    ...agreed(sources, 'source line'),
    ...agreed(types, 'type id'),
  ];
  const others = alike === 0 ? '' : `, as well as ${countOf(alike, 'other program')}`;
  return counts.join(', ') + others;
}

function agreed([equal, compared]: Agreement, noun: string): readonly string[] {
  return compared === 0 ? [] : [`${equal} of ${countOf(compared, noun)}`];
}

function kernelText([equal, compared]: Agreement): string {
  if (compared === 0) return 'The log has no ids that tell the kernel.';
  return `The kernel has ${equal} of ${countOf(compared, 'type id')} of the log.`;
}

/** Maximum programs of an object in the menu. */
const MAX_PROGRAMS = 60;

function programGroups(
  file: OpenFile,
  part: number,
  bound: BoundProgram | null,
): readonly (readonly MenuItem[])[] {
  const objects = objectsOf(session.getState());
  const own: MenuItem[] = [
    {
      id: 'found',
      label: 'Find the program by the log',
      onSelect: () => bindPart(file.id, part, undefined),
    },
    {
      id: 'none',
      label: 'None',
      isChecked: bound === null,
      onSelect: () => bindPart(file.id, part, null),
    },
  ];
  const groups = objects.map((object) => {
    const model = modelOf(object);
    const programs = model === null ? [] : functionsOf(model).filter((func) => func.isProgram);
    return programs.slice(0, MAX_PROGRAMS).map(
      ({ name }): MenuItem => ({
        id: `${object.id} ${name}`,
        label: `${drawnName(name)} in ${drawnName(object.name)}`,
        isChecked: bound?.file.id === object.id && bound.program === name,
        onSelect: () => bindPart(file.id, part, { file: object.id, program: name }),
      }),
    );
  });
  return [own, ...groups.filter((group) => group.length > 0)];
}

function kernelGroups(file: OpenFile, bound: BoundKernel | null): readonly (readonly MenuItem[])[] {
  const kernels = session.getState().files.filter((other) => {
    const model = modelOf(other);
    return typesOf(other) !== null && model !== null && !isBpf(model);
  });
  const own: MenuItem[] = [
    {
      id: 'found',
      label: 'Find the kernel by the log',
      onSelect: () => setCoreTarget(file.id, undefined),
    },
    {
      id: 'none',
      label: 'None',
      isChecked: bound === null,
      onSelect: () => setCoreTarget(file.id, null),
    },
  ];
  const items = kernels.map(
    (kernel): MenuItem => ({
      id: `${kernel.id}`,
      label: drawnName(kernel.name),
      isChecked: kernel.id === bound?.file.id,
      onSelect: () => setCoreTarget(file.id, kernel.id),
    }),
  );
  return items.length === 0 ? [own] : [own, items];
}

/** Returns the text of a log without addresses and paths; empty if the log is too long to copy. */
async function sanitisedText({ id }: OpenFile): Promise<string> {
  const lineCount = logOf(fileNow(id))?.lineCount ?? 0;
  const params = { from: 0, to: lineCount, isSanitised: true };
  const outcome = await clientOf(id)?.call('logText', params);
  return outcome?.ok === true ? (outcome.value ?? '') : '';
}
