import { Popover } from '@base-ui/react/popover';
import { FilePlus2, type LucideIcon, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef } from 'react';
import type { KernelNeed } from '#analysis/libbpf/resolve-externs.ts';
import { drawnName } from '#bytes/text.ts';
import {
  attachFiles,
  type FactNote,
  factsOf,
  setFacts,
  useFacts,
} from '#store/kernels/kernel-facts.ts';
import type { FileId } from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Checkbox, FileInput } from '#ui/inputs.tsx';
import { factsText, MISSING_WORDS, noteText } from './facts-text.ts';
import styles from './KernelMenu.module.css';

/** The kernel whose menu is open, and a function that opens another menu or none. */
export type FactsMenu = {
  readonly kernel: FileId | null;
  readonly open: (kernel: FileId | null) => void;
};

type KernelMenuProps = {
  readonly kernel: FileId;
  /** Raw text. */
  readonly name: string;
  /** Kinds of the attached files; empty until they are known. */
  readonly notes: readonly FactNote[];
  /** Facts that would decide more of the object. */
  readonly needs: readonly KernelNeed[];
  readonly isOpen: boolean;
  readonly onOpen: (kernel: FileId | null) => void;
  readonly icon: LucideIcon;
};

/** Facts about a kernel beside its BTF: modules, a configuration, symbols, its version. */
export function KernelMenu(props: KernelMenuProps) {
  const { kernel, name, notes, needs, isOpen, onOpen, icon: Icon } = props;
  const facts = useFacts(kernel);
  const said = factsText(facts, notes);
  const missing = needs.map((need) => MISSING_WORDS[need]);
  const title = [said === '' ? 'Add modules, config or kallsyms' : said, ...missing].join('\n');
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
            aria-label={`Modules, config and kallsyms of ${drawnName(name)}${said === '' ? '' : `: ${said}`}`}
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

/** The attached files with their kinds. */
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
        onFiles={(given) => void attachFiles(kernel, given)}
      />
    </div>
  );
}

/** Facts that no file has: whether the files are complete, and the running version. */
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
  /** Once it is left, or Enter is pressed. */
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
