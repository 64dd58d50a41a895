import {
  Flashlight,
  Keyboard,
  type LucideIcon,
  NotebookText,
  Square,
  Target,
  X,
} from 'lucide-react';
import { usePresenter } from '#store/lesson/presenter.ts';
import { IconButton } from '#ui/Button.tsx';
import type { PresenterAction } from './presenter-keys.ts';
import styles from './Tools.module.css';

type ToolsProps = { readonly hasNotes: boolean; readonly act: (action: PresenterAction) => void };

/** The aids of whoever presents, for the pointer: a small bar at the edge. */
export function Tools({ hasNotes, act }: ToolsProps) {
  const { hasSpotlight, hasLaser, isBlank } = usePresenter();
  const button = (
    action: PresenterAction,
    label: string,
    key: string,
    icon: LucideIcon,
    isOn?: boolean,
  ) => (
    <IconButton
      label={label}
      keys={[key]}
      icon={icon}
      aria-pressed={isOn}
      data-on={isOn ? '' : undefined}
      onClick={() => act(action)}
    />
  );
  return (
    <aside className={styles.bar} aria-label="Aids of the presenter">
      <div className={styles.tools} role="toolbar" aria-label="Presenter">
        {button('spotlight', 'Spotlight', 's', Flashlight, hasSpotlight)}
        {button('laser', 'Laser pointer', 'l', Target, hasLaser)}
        {button('blank', 'Dark screen', 'b', Square, isBlank)}
        {button('notes', 'Notes', 'n', NotebookText, hasNotes)}
        {button('keys', 'Keys while presenting', '?', Keyboard)}
        {button('end', 'End presentation', 'Esc', X)}
      </div>
    </aside>
  );
}
