import {
  ArrowLeft,
  ArrowRight,
  BookOpen,
  FolderOpen,
  GraduationCap,
  House,
  Keyboard,
  Link,
  Moon,
  PencilLine,
  Presentation,
  SquarePen,
  Sun,
  SunMoon,
  X,
} from 'lucide-react';
import { useMemo } from 'react';
import { CATALOGUE } from '#lessons/catalogue.ts';
import { closeFile } from '#store/files.ts';
import { showGlossary } from '#store/glossary.ts';
import { enterWorkbench } from '#store/lazy-workbench.ts';
import { type Drafts, draftTitle, useDrafts } from '#store/lesson/drafts.ts';
import { startPresenting } from '#store/lesson/presenter.ts';
import { startLesson, startWriting } from '#store/lesson/start-lesson.ts';
import { showCopyLink } from '#store/link-state.ts';
import { activeFile, session, useSession } from '#store/session.ts';
import type { PaletteAction } from '#views/palette/palette-items.ts';
import { chooseTheme } from './theme.ts';

const SIZE = 15;

type CommandOptions = { readonly onOpen: () => void; readonly onHelp: () => void };

/** What the palette can do beside going somewhere. */
export function useCommands({ onOpen, onHelp }: CommandOptions): readonly PaletteAction[] {
  const name = useSession((state) => activeFile(state)?.name ?? null);
  const drafts = useDrafts((state) => state.drafts);
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
      {
        id: 'workbench',
        group: 'Command',
        title: 'Open the workbench',
        also: 'type struct declaration compile C playground',
        icon: <SquarePen size={SIZE} aria-hidden />,
        run: () => void enterWorkbench(),
      },
      ...(name === null ? [] : fileCommands(name)),
      ...lessonCommands(drafts),
      {
        id: 'present',
        group: 'Command',
        title: 'Present',
        also: 'full screen large type audience talk laser spotlight',
        icon: <Presentation size={SIZE} aria-hidden />,
        run: startPresenting,
      },
      ...themeCommands(),
      {
        id: 'glossary',
        group: 'Command',
        title: 'Glossary',
        also: 'terms words dictionary meaning',
        icon: <BookOpen size={SIZE} aria-hidden />,
        run: () => showGlossary(),
      },
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
    [name, drafts, onOpen, onHelp],
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

function lessonCommands(drafts: Drafts): PaletteAction[] {
  const writing: PaletteAction[] = [
    {
      id: 'write',
      group: 'Command',
      title: 'Write a lesson',
      also: 'author new markdown teach',
      icon: <PencilLine size={SIZE} aria-hidden />,
      run: () => void startWriting(null),
    },
    ...[...drafts].reverse().map(
      ([key, text]): PaletteAction => ({
        id: key,
        group: 'Command',
        title: `Draft: ${draftTitle(text)}`,
        also: 'lesson author continue',
        icon: <PencilLine size={SIZE} aria-hidden />,
        run: () => void startWriting(key),
      }),
    ),
  ];
  const lessons: PaletteAction[] = CATALOGUE.map(({ id, number, title, about }) => ({
    id: `lesson:${id}`,
    group: 'Command',
    title: `Lesson ${number}: ${title}`,
    also: `learn course ${about}`,
    icon: <GraduationCap size={SIZE} aria-hidden />,
    run: () => void startLesson(id),
  }));
  return [...lessons, ...writing];
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
