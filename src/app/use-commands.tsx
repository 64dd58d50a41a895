import {
  ArrowLeft,
  ArrowRight,
  BookOpen,
  FolderOpen,
  House,
  Keyboard,
  Link,
  type LucideIcon,
  SquarePen,
  Undo2,
  X,
} from 'lucide-react';
import { useMemo } from 'react';
import { goToStart } from '#store/address/navigation.ts';
import { reopenClosed, useLastClosed } from '#store/address/open-files.ts';
import { type PageCommand, pageExtension } from '#store/address/page-extension.ts';
import { showCopyLink, showGlossary } from '#store/session/dialogs.ts';
import { closeFile } from '#store/session/files.ts';
import { activeFile, activeId, session, useSession } from '#store/session/session.ts';
import { enterWorkbench } from '#views/workbench/view.ts';
import { chooseTheme, THEME_ICONS, THEMES } from './theme.ts';

type CommandOptions = { readonly onOpen: () => void; readonly onHelp: () => void };

/** Returns the commands of the palette. The palette adds places in files to the commands. */
export function useCommands({ onOpen, onHelp }: CommandOptions): readonly PageCommand[] {
  const name = useSession((state) => activeFile(state)?.name ?? null);
  const lastClosed = useLastClosed();
  const added = pageExtension().useCommands();
  return useMemo(
    () => [
      command('open', 'Open a file', FolderOpen, onOpen, { also: 'load object', keys: ['o'] }),
      command('workbench', 'Open the workbench', SquarePen, () => void enterWorkbench(), {
        also: 'type struct declaration compile C playground',
      }),
      ...(name === null ? [] : fileCommands(name)),
      ...(lastClosed === null
        ? []
        : [
            command('reopen', `Reopen ${lastClosed}`, Undo2, () => void reopenClosed(), {
              also: 'closed file undo',
            }),
          ]),
      ...added,
      ...THEMES.map((theme) =>
        command(`theme:${theme}`, `Theme: ${theme}`, THEME_ICONS[theme], () => chooseTheme(theme)),
      ),
      command('glossary', 'Glossary', BookOpen, () => showGlossary(), {
        also: 'terms words dictionary meaning',
      }),
      command('keys', 'Show all keys', Keyboard, onHelp, {
        also: 'help shortcuts keyboard',
        keys: ['?'],
      }),
    ],
    [name, lastClosed, added, onOpen, onHelp],
  );
}

function fileCommands(name: string): PageCommand[] {
  return [
    command('link', 'Copy a link to this place', Link, () => showCopyLink(true), {
      also: 'share address url',
    }),
    command('back', 'Back', ArrowLeft, () => history.back(), { also: 'history', keys: ['['] }),
    command('forward', 'Forward', ArrowRight, () => history.forward(), {
      also: 'history',
      keys: [']'],
    }),
    command('close', `Close ${name}`, X, closeActive, { also: 'file' }),
    command('home', 'Go to the start page', House, goToStart, { also: 'home examples' }),
  ];
}

function command(
  id: string,
  title: string,
  Icon: LucideIcon,
  run: () => void,
  more: Pick<PageCommand, 'also' | 'keys'> = {},
): PageCommand {
  return { id, title, icon: <Icon size={15} aria-hidden />, run, ...more };
}

function closeActive(): void {
  const id = activeId(session.getState());
  if (id !== null) closeFile(id);
}
