import { Copy } from 'lucide-react';
import { type MouseEvent as ReactMouseEvent, type ReactNode, useRef } from 'react';
import { compositeOf } from '#analysis/layout/member-rows.ts';
import { type MemberText, memberTexts } from '#analysis/types/member-texts.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { visible } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { memberAt } from '#model/type-items.ts';
import { arrayData, kindOf, refOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { showNotes } from '#store/session/dialogs.ts';
import { highlightUses } from '#store/session/highlight.ts';
import { activeFile, announceInView, session } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { writeClipboard } from '#ui/CopyButton.tsx';
import { useKeys } from '#ui/keys.tsx';
import { ContextMenu, Menu, type MenuItem } from '#ui/Menu.tsx';
import { MEMBER_KEYS } from './member-keys.ts';

const TEXT_LABELS: Readonly<Record<MemberText['what'], string>> = {
  path: 'Path',
  read: 'Read',
  offset: 'Offset',
  offsetof: 'C',
};

type MemberMenuProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  readonly memberPath: readonly number[];
};

/** Shows a menu for the selected member, else for the type: copy, highlight uses, add a note. */
export function MemberMenu({ types, type, memberPath }: MemberMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const label = memberPath.length === 0 ? 'Type actions' : 'Copy member';
  useKeys(MEMBER_KEYS, (action) => {
    if (action === 'copy') trigger.current?.click();
    else {
      const read = textsOf(types, type, memberPath).find(({ what }) => what === 'read');
      if (read === undefined) return false;
      void copy(read.text);
    }
    return true;
  });
  return (
    <Menu
      trigger={
        <Button
          ref={trigger}
          size="small"
          variant="quiet"
          isMenu
          icon={Copy}
          aria-label={label}
          title={`${label} (c)`}
        />
      }
      groups={() => groupsOf(types, type, memberPath)}
    />
  );
}

function textsOf(types: TypeTable, type: TypeId, memberPath: readonly number[]) {
  const composite = compositeOf(types, type);
  return composite === null ? [] : memberTexts(types, type, composite, memberPath);
}

function copyItems(types: TypeTable, type: TypeId, memberPath: readonly number[]): MenuItem[] {
  return textsOf(types, type, memberPath).map(({ what, text }) => ({
    id: what,
    label: `${TEXT_LABELS[what]}: ${visible(text)}`,
    ...(what === 'read' ? { keys: ['Shift', 'c'] } : {}),
    onSelect: () => void copy(text),
  }));
}

function groupsOf(types: TypeTable, type: TypeId, memberPath: readonly number[]) {
  const copies = copyItems(types, type, memberPath);
  const used = usedType(types, type, memberPath);
  const highlight: MenuItem = {
    id: 'highlight',
    label: `Highlight uses of ${visible(typeTitle(types, used))}`,
    onSelect: () => {
      const file = activeFile(session.getState());
      if (file !== null) void highlightUses(file.id, used);
    },
  };
  const note = { id: 'note', label: 'Add a note', keys: ['m'], onSelect: () => showNotes(true) };
  const actions = used < 1 ? [note] : [highlight, note];
  return copies.length === 0 ? [actions] : [copies, actions];
}

/** Maximum number of unnamed types followed to a named one: a hostile file may have a cycle. */
const MAX_UNNAMED = 64;
const UNNAMED: ReadonlySet<number> = new Set([
  BtfKind.PTR,
  BtfKind.ARRAY,
  BtfKind.CONST,
  BtfKind.VOLATILE,
  BtfKind.RESTRICT,
  BtfKind.TYPE_TAG,
]);

/** Returns the named type to which a member's type leads. An empty path means `type` itself. */
function usedType(types: TypeTable, type: TypeId, memberPath: readonly number[]): TypeId {
  if (memberPath.length === 0) return type;
  let at = skipModifiers(types, type);
  let last: TypeId = type;
  for (const index of memberPath) {
    last = memberAt(types, at, index)?.type ?? typeId(0);
    at = skipModifiers(types, last);
  }
  for (let i = 0; i < MAX_UNNAMED && UNNAMED.has(kindOf(types, last)); i++) {
    const isArray = kindOf(types, last) === BtfKind.ARRAY;
    last = isArray ? arrayData(types, last).elemType : (refOf(types, last) ?? typeId(0));
  }
  return last;
}

async function copy(text: string): Promise<void> {
  const isCopied = await writeClipboard(text);
  announceInView(isCopied ? `Copied ${visible(text)}` : 'The browser blocked copying');
}

/** Matches the parts of a drawing in which a click does not select a member. */
const NOT_SELECTING = '[data-passed], [data-action]';

type MemberContextMenuProps = MemberMenuProps & {
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** Shows the context menu of member rows and boxes. A right click selects the member first. */
export function MemberContextMenu(props: MemberContextMenuProps) {
  const { types, type, memberPath, className, children } = props;
  const selectUnder = ({ target, clientX, clientY }: ReactMouseEvent) => {
    if (!(target instanceof Element) || target.closest(NOT_SELECTING) !== null) return;
    const member = target.closest('[data-row], [data-box]');
    if (member instanceof HTMLElement) member.click();
    // A click event selects the member, because the drawing finds it by the pointer's position.
    else target.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX, clientY }));
  };
  return (
    <ContextMenu
      on={
        <div className={className} onContextMenuCapture={selectUnder}>
          {children}
        </div>
      }
      groups={() => groupsOf(types, type, memberPath)}
    />
  );
}
