import {
  BookOpen,
  Clock,
  Columns2,
  FileBox,
  Highlighter,
  History,
  PanelTop,
  StickyNote,
} from 'lucide-react';
import { useMemo } from 'react';
import { selectionType } from '#analysis/selection/selection.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { TERM_IDS, TERM_NAMES, termTitle } from '#glossary/term-names.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { openRemembered } from '#store/address/file-keys.ts';
import {
  revisit,
  showFileBeside,
  showView,
  switchFile,
  useVisitedPlaces,
} from '#store/address/navigation.ts';
import type { PageCommand } from '#store/address/page-extension.ts';
import { listRemembered, type Remembered } from '#store/kept/kept-files.ts';
import { showGlossary, showNotes } from '#store/session/dialogs.ts';
import { highlightUses } from '#store/session/highlight.ts';
import { useAsync } from '#store/session/hooks.ts';
import {
  closeBeside,
  openBeside,
  type Panes,
  swapPanes,
  usePanes,
  workInOther,
} from '#store/session/panes.ts';
import { loadSamples, openSample, type Sample } from '#store/session/samples.ts';
import { activeFile, modelOf, type OpenFile, session, useSession } from '#store/session/session.ts';
import { tabOf, tabsOf, tabTitle, viewOf, viewsOf, viewTitle } from '#store/session/views.ts';
import { sizeText } from '#views/parts/number-text.ts';
import { placeTitle } from '#views/parts/place-title.ts';
import { openWithKernels } from '#views/start/start-tasks.ts';
import type { PaletteAction } from './palette-items.ts';

const SIZE = 15;
const PLACE = <Clock size={SIZE} aria-hidden />;
const FILE = <FileBox size={SIZE} aria-hidden />;
const REMEMBERED = <History size={SIZE} aria-hidden />;
const VIEW = <PanelTop size={SIZE} aria-hidden />;
const PANE = <Columns2 size={SIZE} aria-hidden />;
const TERM = <BookOpen size={SIZE} aria-hidden />;

const TERMS = TERM_IDS.map((id): PaletteAction => {
  return {
    id: `term:${id}`,
    group: 'Command',
    title: `Glossary: ${termTitle(id)}`,
    also: TERM_NAMES[id].join(' '),
    icon: TERM,
    run: () => showGlossary(id),
  };
});

/** Returns the recent places, and the actions: `commands`, views, panes and files. */
export function usePlaces(commands: readonly PageCommand[]) {
  const files = useSession((state) => state.files);
  const active = useSession(activeFile);
  const panes = usePanes();
  const places = useVisitedPlaces();
  const remembered = useAsync<readonly Remembered[]>('kept', (put) => listRemembered().then(put));
  const samples = useAsync<readonly Sample[]>('samples', (put) => loadSamples().then(put));
  const recent = useMemo(() => recentActions(places), [places]);
  const actions = useMemo(
    () => [
      ...commands.map((command): PaletteAction => ({ ...command, group: 'Command' })),
      ...(active?.status.step === 'ready'
        ? [
            ...selectionActions(active, active.status.model),
            ...viewActions(active.status.model),
            ...commandsOfViews(active, active.status.model),
          ]
        : []),
      ...fileActions(files, active?.id ?? null),
      ...(panes === null ? [] : paneActions(panes, files)),
      ...rememberedActions(remembered ?? [], files),
      ...sampleActions(samples ?? []),
    ],
    [commands, files, active, panes, remembered, samples],
  );
  return { recent, actions, terms: TERMS };
}

/** Returns an item for each visited place except the current one. */
function recentActions(places: ReturnType<typeof useVisitedPlaces>): PaletteAction[] {
  const state = session.getState();
  const now = activeFile(state);
  return places.flatMap((place, i): PaletteAction[] => {
    const file = state.files.find(({ id }) => id === place.fileId);
    if (file?.status.step !== 'ready') return [];
    if (file.id === now?.id && place.selection === now.selection) return [];
    const title = placeTitle(file.status.model, place.selection);
    if (title === null) return [];
    const view = viewTitle(place.view);
    return [
      {
        id: `${i}`,
        group: 'Recent',
        title,
        about: state.files.length > 1 ? `${view}  ·  ${file.name}` : view,
        icon: PLACE,
        run: () => revisit(place),
      },
    ];
  });
}

function viewActions(model: ObjectModel): PaletteAction[] {
  const tabs = tabsOf(model);
  return viewsOf(model).map((view) => {
    const i = tabs.indexOf(view);
    const { switchTitle = '', also = '' } = viewOf(view) ?? {};
    return {
      id: view,
      group: 'Go to',
      title: viewTitle(view),
      about: tabOf(view) === view ? 'view' : tabTitle(view),
      also: `go to ${viewTitle(view)} ${tabTitle(view)} view tab ${switchTitle} ${also}`,
      icon: VIEW,
      // The tenth view has the key 0, which follows 9 on a keyboard.
      ...(i >= 0 && i < 10 ? { keys: [`${(i + 1) % 10}`] } : {}),
      run: () => showView(view),
    };
  });
}

/** Returns the actions on the selection. */
function selectionActions({ id, selection }: OpenFile, model: ObjectModel): PaletteAction[] {
  const type = selectionType(model, selection);
  const place = placeTitle(model, selection);
  const notes: PaletteAction = {
    id: 'notes',
    group: 'Command',
    title: place === null ? 'Notes' : `Add a note to ${place}`,
    also: 'notes annotate comment pin list',
    icon: <StickyNote size={SIZE} aria-hidden />,
    keys: ['m'],
    run: () => showNotes(true),
  };
  if (model.types === null || type === null || type < 1) return [notes];
  return [
    notes,
    {
      id: 'highlight',
      group: 'Command',
      title: `Highlight uses of ${typeTitle(model.types, type)}`,
      also: 'mark find references occurrences',
      icon: <Highlighter size={SIZE} aria-hidden />,
      keys: ['h'],
      run: () => void highlightUses(id, type),
    },
  ];
}

/** Returns the actions on the panes, such as opening a view or file in the second pane. */
function paneActions({ first, second }: Panes, files: readonly OpenFile[]): PaletteAction[] {
  const command = (id: string, title: string, run: () => unknown, also: string, keys?: string) => ({
    id: `pane:${id}`,
    group: 'Command' as const,
    title,
    also: `pane split side by side ${also}`,
    icon: PANE,
    ...(keys === undefined ? {} : { keys: [keys] }),
    run: () => void run(),
  });
  const model = modelOf(first.file);
  const views = model === null ? [] : viewsOf(model).filter((view) => view !== first.view);
  const others = files.filter(({ id, status }) => id !== first.file.id && status.step === 'ready');
  return [
    ...views.map((view) =>
      command(view, `Open ${viewTitle(view)} beside`, () => openBeside(view), 'view tab'),
    ),
    ...others.map(({ id, name }) =>
      command(`file ${id}`, `Open ${name} beside`, () => showFileBeside(id), 'file'),
    ),
    ...(second === null
      ? []
      : [
          command('other', 'Go to the other pane', workInOther, 'focus switch next', 'F6'),
          command('swap', 'Swap the panes', swapPanes, 'exchange order'),
          command('close', 'Close the second pane', closeBeside, 'one view'),
        ]),
  ];
}

/** Returns the commands of the views. Each command shows its view first. */
function commandsOfViews({ id }: OpenFile, model: ObjectModel): PaletteAction[] {
  return viewsOf(model).flatMap((view) => {
    const { title: about, commands } = viewOf(view) ?? {};
    return (commands?.(model) ?? []).map(
      (command): PaletteAction => ({
        id: `${view}:${command.id}`,
        group: 'Go to',
        title: command.title,
        about: about ?? view,
        also: `go to ${about}`,
        icon: VIEW,
        run: () => {
          showView(view);
          command.run(id);
        },
      }),
    );
  });
}

function fileActions(files: readonly OpenFile[], activeId: number | null): PaletteAction[] {
  return files
    .filter(({ id }) => id !== activeId)
    .map((file) => ({
      id: `open:${file.id}`,
      group: 'File',
      title: file.name,
      about: `open  ·  ${sizeText(file.size)}`,
      also: 'file',
      icon: FILE,
      run: () => switchFile(file.id),
    }));
}

async function openExample(sample: Sample): Promise<void> {
  if (sample.kernels.length === 0) await openSample(sample.file);
  else await openWithKernels(sample);
}

/** Returns an item for each example of the start page; only a search lists them. */
function sampleActions(samples: readonly Sample[]): PaletteAction[] {
  return samples.map((sample) => ({
    id: `sample:${sample.file}`,
    group: 'File',
    title: `Example: ${sample.file}`,
    about: sample.title,
    also: `${sample.title} ${sample.about}`,
    icon: FILE,
    isSearched: true,
    run: () => void openExample(sample),
  }));
}

function rememberedActions(
  remembered: readonly Remembered[],
  files: readonly OpenFile[],
): PaletteAction[] {
  return remembered
    .filter(({ sha256 }) => !files.some((file) => file.sha256 === sha256))
    .map((entry) => ({
      id: `kept:${entry.sha256}`,
      group: 'File',
      title: entry.name,
      about: `opened before  ·  ${sizeText(entry.size)}`,
      also: 'file recent',
      icon: REMEMBERED,
      run: () => void openRemembered(entry),
    }));
}
