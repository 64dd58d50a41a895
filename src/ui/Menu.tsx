import { ContextMenu as ContextPrimitive } from '@base-ui/react/context-menu';
import { Menu as Primitive } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, type ReactNode, useRef } from 'react';
import { Kbd } from './keys.tsx';
import styles from './Menu.module.css';

export type MenuItem = {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Whether the item has a tick instead of an icon. */
  readonly isChecked?: boolean;
  /** Keys with the same effect as the item, as printed on a keyboard. */
  readonly keys?: readonly string[];
  readonly isDisabled?: boolean;
  readonly isDanger?: boolean;
  readonly onSelect: () => void;
};

export type MenuGroups = readonly (readonly MenuItem[])[];

type MenuProps = {
  /** Button that opens the menu. It needs an accessible name. */
  readonly trigger: ReactElement;
  /** Groups of items, separated by lines. A function is called when the menu opens. */
  readonly groups: MenuGroups | (() => MenuGroups);
  readonly align?: 'start' | 'end';
};

/** Draws a button that opens a menu of commands. */
export function Menu({ trigger, groups, align = 'start' }: MenuProps) {
  const { actions, closeOnTab } = useClosingTab();
  return (
    <Primitive.Root modal={false} actionsRef={actions}>
      <Primitive.Trigger className={styles.trigger} render={trigger} />
      <Primitive.Portal {...LANDMARK}>
        <Primitive.Positioner align={align} sideOffset={4} className={styles.positioner}>
          <Primitive.Popup className={styles.popup} onKeyDown={closeOnTab}>
            <Groups groups={groups} />
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

type ContextMenuProps = Pick<MenuProps, 'groups'> & {
  /** Element on which a right click or a long press opens the menu. */
  readonly on: ReactElement;
};

/** Draws a menu of commands at the pointer. */
export function ContextMenu({ on, groups }: ContextMenuProps) {
  const { actions, closeOnTab } = useClosingTab();
  return (
    <ContextPrimitive.Root actionsRef={actions}>
      <ContextPrimitive.Trigger render={on} />
      <ContextPrimitive.Portal {...LANDMARK}>
        <ContextPrimitive.Positioner className={styles.positioner}>
          <ContextPrimitive.Popup className={styles.popup} onKeyDown={closeOnTab}>
            <Groups groups={groups} />
          </ContextPrimitive.Popup>
        </ContextPrimitive.Positioner>
      </ContextPrimitive.Portal>
    </ContextPrimitive.Root>
  );
}

/** The menu is outside of all landmarks of the page, so the menu itself is a landmark. */
const LANDMARK = { role: 'region', 'aria-label': 'Menu' } as const;

/** Closes the menu on Tab and restores the focus. Replaces the library's focus guards. */
function useClosingTab() {
  const actions = useRef<Primitive.Root.Actions>(null);
  const closeOnTab = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    actions.current?.close();
  };
  return { actions, closeOnTab };
}

function Groups({ groups }: Pick<MenuProps, 'groups'>) {
  const shown = typeof groups === 'function' ? groups() : groups;
  return shown.map((group, index) => (
    <Primitive.Group key={group[0]?.id ?? index} className={styles.group}>
      {group.map((item) => (
        <Item key={item.id} {...item} />
      ))}
    </Primitive.Group>
  ));
}

function Item({ label, icon, isChecked, keys = [], isDisabled, isDanger, onSelect }: MenuItem) {
  return (
    <Primitive.Item
      className={styles.item}
      data-danger={isDanger === true ? '' : undefined}
      disabled={isDisabled}
      label={label}
      onClick={onSelect}
    >
      <span className={styles.icon}>{isChecked ? <Check size={14} aria-hidden /> : icon}</span>
      <span className={styles.label}>{label}</span>
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </Primitive.Item>
  );
}
