import { Copy } from 'lucide-react';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { compositeOf } from '#analysis/layout/member-rows.ts';
import { type MemberText, memberTexts } from '#analysis/types/member-texts.ts';
import { visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { announce } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { writeClipboard } from '#ui/clipboard.ts';
import { useKeys } from '#ui/keys.ts';
import { ContextMenu, Menu, type MenuItem } from '#ui/Menu.tsx';
import { TYPES_KEYS } from '#views/parts/key-bindings.ts';

const WHAT: Readonly<Record<MemberText['what'], string>> = {
  path: 'Path',
  read: 'Read',
  offset: 'Offset',
  offsetof: 'C',
};

type CopyMemberMenuProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  readonly memberPath: readonly number[];
};

/** Copies what a person writes of the selected member; a key opens it. Only the selected member has one: hundreds are drawn. */
export function CopyMemberMenu({ types, type, memberPath }: CopyMemberMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  useKeys(TYPES_KEYS, () => {
    trigger.current?.click();
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
          aria-label="Copy member"
          title="Copy member (c)"
        />
      }
      groups={[copyItems(types, type, memberPath)]}
    />
  );
}

function copyItems(types: TypeTable, type: TypeId, memberPath: readonly number[]): MenuItem[] {
  const composite = compositeOf(types, type);
  const texts = composite === null ? [] : memberTexts(types, type, composite, memberPath);
  return texts.map(({ what, text }) => ({
    id: what,
    label: `${WHAT[what]}: ${visible(text)}`,
    onSelect: () => void copy(text),
  }));
}

async function copy(text: string): Promise<void> {
  const isCopied = await writeClipboard(text);
  announce(isCopied ? `Copied ${visible(text)}` : 'The browser blocked copying');
}

type MemberContextMenuProps = CopyMemberMenuProps & {
  readonly className?: string | undefined;
  /** Rows and boxes of members, each of which a click selects. */
  readonly children: ReactNode;
};

/** The same menu on each member under the pointer, which a right click selects first; the menu key opens it on the selected one. */
export function MemberContextMenu(props: MemberContextMenuProps) {
  const { types, type, memberPath, className, children } = props;
  const selectUnder = ({ target }: MouseEvent) => {
    const member = target instanceof Element ? target.closest('[data-row], [data-box]') : null;
    if (member instanceof HTMLElement) member.click();
  };
  return (
    <ContextMenu
      on={
        <div className={className} onContextMenuCapture={selectUnder}>
          {children}
        </div>
      }
      groups={[copyItems(types, type, memberPath)]}
    />
  );
}
