import { FolderOpen } from 'lucide-react';
import {
  type ChangeEvent,
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useId,
} from 'react';
import buttonStyles from './Button.module.css';
import { classNames } from './class-names.ts';
import styles from './inputs.module.css';

type FileInputProps = {
  /** Reference to the input. Its method `click` opens the browser's file dialog. */
  readonly ref?: RefObject<HTMLInputElement | null>;
  readonly label: string;
  /** Accepted types of file, as in the HTML attribute `accept`: `.txt,text/plain`. */
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
};

/** Draws a hidden file input, which a button or a menu item opens. */
export function FileInput({ ref, label, accept, multiple, onFiles }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      tabIndex={-1}
      className="visually-hidden"
      aria-label={label}
      accept={accept}
      multiple={multiple}
      onChange={(event) => takeFiles(event, onFiles)}
    />
  );
}

type FileButtonProps = FileInputProps & {
  readonly variant?: 'plain' | 'primary';
  readonly size?: 'normal' | 'small';
  readonly title?: string;
  readonly children: ReactNode;
};

/** Draws a file input as a button. The label around the input makes keyboards and tests work. */
export function FileButton(props: FileButtonProps) {
  const { ref, label, multiple, onFiles, variant = 'plain', size = 'normal', children } = props;
  return (
    <label
      className={classNames(buttonStyles.button, styles.button)}
      data-variant={variant}
      data-size={size}
      title={props.title}
    >
      <FolderOpen size={14} aria-hidden />
      {children}
      <input
        ref={ref}
        type="file"
        className={styles.input}
        aria-label={label}
        multiple={multiple}
        onChange={(event) => takeFiles(event, onFiles)}
      />
    </label>
  );
}

function takeFiles(
  event: ChangeEvent<HTMLInputElement>,
  onFiles: (files: readonly File[]) => void,
): void {
  const files = [...(event.target.files ?? [])];
  if (files.length > 0) onFiles(files);
  // An empty value makes it possible to choose the same file again.
  event.target.value = '';
}

type CheckboxProps = Omit<ComponentProps<'label'>, 'onChange'> & {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
};

export function Checkbox({ isChecked, onChange, className, children, ...rest }: CheckboxProps) {
  return (
    <label className={classNames(styles.label, className)} {...rest}>
      <input
        type="checkbox"
        className={styles.box}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}

type SegmentedProps<Value extends string> = {
  readonly label: string;
  /** Title of each value, in the order of the buttons. */
  readonly options: Readonly<Partial<Record<Value, string>>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** Draws a row of radio buttons for a few values. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      {(Object.keys(options) as Value[]).map((option) => (
        <label key={option} className={styles.option}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {options[option]}
        </label>
      ))}
    </div>
  );
}
