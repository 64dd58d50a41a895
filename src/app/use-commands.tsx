import {
  ArrowLeft,
  ArrowRight,
  FolderOpen,
  House,
  Keyboard,
  Link,
  Moon,
  Sun,
  SunMoon,
  X,
} from 'lucide-react';
import { useMemo } from 'react';
import { showCopyLink } from '#store/copy-link.ts';
import { closeFile } from '#store/files.ts';
import { activeFile, session, useSession } from '#store/session.ts';
import type { PaletteAction } from '#views/palette/palette-items.ts';
import { chooseTheme } from './theme.ts';

const SIZE = 15;

type CommandOptions = { readonly onOpen: () => void; readonly onHelp: () => void };

/** What the palette can do beside going somewhere. */
export function useCommands({ onOpen, onHelp }: CommandOptions): readonly PaletteAction[] {
  const name = useSession((state) => activeFile(state)?.name ?? null);
  return useMemo(
    () => [
      {
        id: 'open',
        group: 'Command',
        title: 'Open a file',
        also: 'load object',
        keys: ['o'],
        icon: <FolderOpen size={SIZE} aria-hidden />,
        run: onOpen,
      },
      ...(name === null ? [] : fileCommands(name)),
      ...themeCommands(),
      {
        id: 'keys',
        group: 'Command',
        title: 'Show all keys',
        also: 'help shortcuts keyboard',
        keys: ['?'],
        icon: <Keyboard size={SIZE} aria-hidden />,
        run: onHelp,
      },
    ],
    [name, onOpen, onHelp],
  );
}

function fileCommands(name: string): PaletteAction[] {
  return [
    {
      id: 'link',
      group: 'Command',
      title: 'Copy a link to this place',
      also: 'share address url',
      icon: <Link size={SIZE} aria-hidden />,
      run: () => showCopyLink(true),
    },
    {
      id: 'back',
      group: 'Command',
      title: 'Back',
      also: 'history',
      keys: ['['],
      icon: <ArrowLeft size={SIZE} aria-hidden />,
      run: () => history.back(),
    },
    {
      id: 'forward',
      group: 'Command',
      title: 'Forward',
      also: 'history',
      keys: [']'],
      icon: <ArrowRight size={SIZE} aria-hidden />,
      run: () => history.forward(),
    },
    {
      id: 'close',
      group: 'Command',
      title: `Close ${name}`,
      also: 'file',
      icon: <X size={SIZE} aria-hidden />,
      run: closeActive,
    },
    {
      id: 'home',
      group: 'Command',
      title: 'Go to the start page',
      also: 'home examples',
      icon: <House size={SIZE} aria-hidden />,
      run: () => session.setState({ activeId: null, wanted: null }),
    },
  ];
}

function themeCommands(): PaletteAction[] {
  return [
    {
      id: 'theme:light',
      group: 'Command',
      title: 'Theme: light',
      icon: <Sun size={SIZE} aria-hidden />,
      run: () => chooseTheme('light'),
    },
    {
      id: 'theme:dark',
      group: 'Command',
      title: 'Theme: dark',
      icon: <Moon size={SIZE} aria-hidden />,
      run: () => chooseTheme('dark'),
    },
    {
      id: 'theme:system',
      group: 'Command',
      title: 'Theme: as the system',
      icon: <SunMoon size={SIZE} aria-hidden />,
      run: () => chooseTheme('system'),
    },
  ];
}

function closeActive(): void {
  const id = session.getState().activeId;
  if (id !== null) closeFile(id);
}
