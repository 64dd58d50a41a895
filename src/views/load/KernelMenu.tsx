import { Popover } from '@base-ui/react/popover';
import { FilePlus2, type LucideIcon, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef } from 'react';
import type { KernelNeed } from '#analysis/libbpf/resolve-externs.ts';
import { drawnName } from '#bytes/text.ts';
import type { FactNote, KernelFacts } from '#store/kernels/kernel-facts.ts';
import { attachFiles, factsOf, setFacts, useFacts } from '#store/kernels/kernel-facts.ts';
import type { FileId } from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Checkbox, FileInput } from '#ui/inputs.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './KernelMenu.module.css';

/** The kernel whose menu of facts is open, and a function that opens another menu or none. */
export type FactsMenu = {
  readonly kernel: FileId | null;
  readonly open: (kernel: FileId | null) => void;
};

type KernelMenuProps = {
  readonly kernel: FileId;
  /** Name of the kernel, not escaped. */
  readonly name: string;
  /** Descriptions of the attached files, such as a config; empty until they are read. */
  readonly notes: readonly FactNote[];
  /** Missing facts about the kernel that would decide more results. */
  readonly needs: readonly KernelNeed[];
  readonly isOpen: boolean;
  readonly onOpen: (kernel: FileId | null) => void;
  readonly icon: LucideIcon;
};

/** Shows the menu of facts about a kernel that its BTF does not contain, such as its config. */
export function KernelMenu(props: KernelMenuProps) {
  const { kernel, name, notes, needs, isOpen, onOpen, icon: Icon } = props;
  const facts = useFacts(kernel);
  const summary = factsText(facts, notes);
  const missing = needs.map((need) => MISSING_WORDS[need]);
  const title = [summary === '' ? 'Add modules, config or kallsyms' : summary, ...missing].join(
    '\n',
  );
  const isRefused = notes.some(({ kind }) => kind === 'refused');
  return (
    <Popover.Root open={isOpen} onOpenChange={(open) => onOpen(open ? kernel : null)}>
      <Popover.Trigger
        render={
          <Button
            size="small"
            variant="quiet"
            className={styles.trigger}
            data-tone={isRefused ? 'warning' : undefined}
            title={title}
            aria-label={`Modules, config and kallsyms of ${drawnName(name)}${summary === '' ? '' : `: ${summary}`}`}
          >
            <Icon size={13} aria-hidden />
            {facts.files.length === 0 ? null : facts.files.length}
          </Button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className={styles.positioner}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>
              <bdi>{drawnName(name)}</bdi>
            </Popover.Title>
            {missing.length === 0 ? null : (
              <ul className="small soft pretty line-below pad-row">
                {missing.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            )}
            <FactFiles kernel={kernel} notes={notes} />
            <FactForm kernel={kernel} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

type FactFilesProps = Pick<KernelMenuProps, 'kernel' | 'notes'>;

function FactFiles({ kernel, notes }: FactFilesProps) {
  const { files } = useFacts(kernel);
  const input = useRef<HTMLInputElement>(null);
  const remove = (key: number) => {
    setFacts(kernel, { files: factsOf(kernel).files.filter((file) => file.key !== key) });
  };
  return (
    <div className={styles.part}>
      {files.length === 0 ? (
        <p className="small soft pretty">
          Add what else is known of this kernel, or drop the files on its header: modules (.ko, BTF
          or an archive of them), its configuration (.config, config.gz), and a copy of
          /proc/kallsyms.
        </p>
      ) : (
        <ul className={styles.files}>
          {files.map(({ key, name }, at) => {
            const note = notes[at];
            return (
              <li key={key} className={styles.file}>
                <span className="grow">
                  <bdi className={styles.fileName}>{drawnName(name)}</bdi>
                  <span
                    className={styles.note}
                    data-tone={note?.kind === 'refused' ? 'warning' : undefined}
                  >
                    {note === undefined ? 'reading…' : drawnName(noteText(note))}
                  </span>
                </span>
                <IconButton
                  size="small"
                  label={`Remove ${drawnName(name)}`}
                  icon={X}
                  onClick={() => remove(key)}
                />
              </li>
            );
          })}
        </ul>
      )}
      <Button size="small" icon={FilePlus2} onClick={() => input.current?.click()}>
        Add files…
      </Button>
      <FileInput
        ref={input}
        label="Modules, config and kallsyms"
        multiple
        onFiles={(chosen) => void attachFiles(kernel, chosen)}
      />
    </div>
  );
}

/** Shows the facts that need no file: whether no other module is loaded, and the release. */
function FactForm({ kernel }: Pick<KernelMenuProps, 'kernel'>) {
  const { isComplete, release, unameVersion } = useFacts(kernel);
  return (
    <div className={styles.part}>
      <Checkbox isChecked={isComplete} onChange={(isOn) => setFacts(kernel, { isComplete: isOn })}>
        No other module is loaded
      </Checkbox>
      <TextField
        label="uname -r"
        placeholder="6.12.43+deb13-amd64"
        value={release}
        onChange={(text) => setFacts(kernel, { release: text })}
      />
      <TextField
        label="uname -v"
        placeholder="#1 SMP Debian 6.12.43-1"
        value={unameVersion}
        onChange={(text) => setFacts(kernel, { unameVersion: text })}
      />
    </div>
  );
}

type TextFieldProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | null;
  /** Called when the field loses the focus, and on Enter. */
  readonly onChange: (value: string | null) => void;
};

function TextField({ label, placeholder, value, onChange }: TextFieldProps) {
  const id = useId();
  const take = (input: HTMLInputElement) => {
    const text = input.value.trim();
    if (text !== (value ?? '')) onChange(text === '' ? null : text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') take(event.currentTarget);
  };
  return (
    <div className="row gap-2 wide">
      <label htmlFor={id} className={styles.fieldName}>
        {label}
      </label>
      <input
        id={id}
        className={styles.input}
        placeholder={placeholder}
        defaultValue={value ?? ''}
        autoComplete="off"
        spellCheck={false}
        onBlur={(event) => take(event.currentTarget)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** Describes an attached file in words. Its names are not escaped. */
export function noteText(note: FactNote): string {
  switch (note.kind) {
    case 'modules': {
      const { names } = note;
      const shown = names.slice(0, MAX_NAMES).join(', ');
      const rest = names.length - MAX_NAMES;
      return names.length === 1
        ? `module ${shown}`
        : `${countOf(names.length, 'module')}: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
    }
    case 'config':
      return 'kernel configuration';
    case 'kallsyms':
      return 'kallsyms';
    case 'refused':
      return `not used: ${note.reason}`;
  }
}

const MAX_NAMES = 6;

/** Returns a summary of all known facts about a kernel; empty if none is known. */
export function factsText(
  { files, isComplete, release, unameVersion }: KernelFacts,
  notes: readonly FactNote[],
): string {
  if (notes.length < files.length) return countOf(files.length, 'file');
  const modules = notes.flatMap((note) => (note.kind === 'modules' ? note.names : []));
  const refused = notes.filter(({ kind }) => kind === 'refused').length;
  return [
    modules.length > 0 ? countOf(modules.length, 'module') : '',
    isComplete ? `no ${modules.length > 0 ? 'other ' : ''}module loaded` : '',
    notes.some(({ kind }) => kind === 'config') ? 'config' : '',
    notes.some(({ kind }) => kind === 'kallsyms') ? 'kallsyms' : '',
    release === null && unameVersion === null ? '' : 'version',
    refused === 0 ? '' : `${countOf(refused, 'file')} not used`,
  ]
    .filter((text) => text !== '')
    .join(', ');
}

/** Labels of the buttons that add a fact about a kernel. */
export const NEED_WORDS: Readonly<Record<KernelNeed, string>> = {
  modules: "Add the kernel's modules to decide",
  config: "Add the kernel's config to decide",
  kallsyms: "Add the kernel's kallsyms to decide",
  release: "Enter the kernel's version to decide",
};

/** Consequence of each missing fact about a kernel, as a sentence. */
const MISSING_WORDS: Readonly<Record<KernelNeed, string>> = {
  modules: 'No modules: what they may have is undecided.',
  config: 'No config: kconfig externs are undecided.',
  kallsyms: 'No kallsyms: addresses of symbols are undecided.',
  release: 'No version: LINUX_KERNEL_VERSION is undecided.',
};
