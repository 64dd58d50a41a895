import {
  ArrowLeft,
  ArrowRight,
  BookOpen,
  FolderOpen,
  House,
  Keyboard,
  Link,
  Moon,
  SquarePen,
  Sun,
  SunMoon,
  X,
} from 'lucide-react';
import { useMemo } from 'react';
import { closeFile } from '#store/files.ts';
import { showGlossary } from '#store/glossary.ts';
import { enterWorkbench } from '#store/lazy-workbench.ts';
import { showCopyLink } from '#store/link-state.ts';
import { type PageCommand, pageExtension } from '#store/page-extension.ts';
import { activeFile, session, useSession } from '#store/session.ts';
import { chooseTheme } from './theme.ts';

const SIZE = 15;

type CommandOptions = { readonly onOpen: () => void; readonly onHelp: () => void };

/** What the palette can do beside going somewhere. */
export function useCommands({ onOpen, onHelp }: CommandOptions): readonly PageCommand[] {
  const name = useSession((state) => activeFile(state)?.name ?? null);
  const added = pageExtension().useCommands();
  return useMemo(
    () => [
      {
        id: 'open',
        title: 'Open a file',
        also: 'load object',
        keys: ['o'],
        icon: <FolderOpen size={SIZE} aria-hidden />,
        run: onOpen,
      },
      {
        id: 'workbench',
        title: 'Open the workbench',
        also: 'type struct declaration compile C playground',
        icon: <SquarePen size={SIZE} aria-hidden />,
        run: () => void enterWorkbench(),
      },
      ...(name === null ? [] : fileCommands(name)),
      ...added,
      ...themeCommands(),
      {
        id: 'glossary',
        title: 'Glossary',
        also: 'terms words dictionary meaning',
        icon: <BookOpen size={SIZE} aria-hidden />,
        run: () => showGlossary(),
      },
      {
        id: 'keys',
        title: 'Show all keys',
        also: 'help shortcuts keyboard',
        keys: ['?'],
        icon: <Keyboard size={SIZE} aria-hidden />,
        run: onHelp,
      },
    ],
    [name, added, onOpen, onHelp],
  );
}

function fileCommands(name: string): PageCommand[] {
  return [
    {
      id: 'link',
      title: 'Copy a link to this place',
      also: 'share address url',
      icon: <Link size={SIZE} aria-hidden />,
      run: () => showCopyLink(true),
    },
    {
      id: 'back',
      title: 'Back',
      also: 'history',
      keys: ['['],
      icon: <ArrowLeft size={SIZE} aria-hidden />,
      run: () => history.back(),
    },
    {
      id: 'forward',
      title: 'Forward',
      also: 'history',
      keys: [']'],
      icon: <ArrowRight size={SIZE} aria-hidden />,
      run: () => history.forward(),
    },
    {
      id: 'close',
      title: `Close ${name}`,
      also: 'file',
      icon: <X size={SIZE} aria-hidden />,
      run: closeActive,
    },
    {
      id: 'home',
      title: 'Go to the start page',
      also: 'home examples',
      icon: <House size={SIZE} aria-hidden />,
      run: () => session.setState({ activeId: null, wanted: null }),
    },
  ];
}

function themeCommands(): PageCommand[] {
  return [
    {
      id: 'theme:light',
      title: 'Theme: light',
      icon: <Sun size={SIZE} aria-hidden />,
      run: () => chooseTheme('light'),
    },
    {
      id: 'theme:dark',
      title: 'Theme: dark',
      icon: <Moon size={SIZE} aria-hidden />,
      run: () => chooseTheme('dark'),
    },
    {
      id: 'theme:system',
      title: 'Theme: system',
      icon: <SunMoon size={SIZE} aria-hidden />,
      run: () => chooseTheme('system'),
    },
  ];
}

function closeActive(): void {
  const id = session.getState().activeId;
  if (id !== null) closeFile(id);
}
