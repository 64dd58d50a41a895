import type { FindHit } from '#analysis/find/make-hit.ts';
import { Match, matchName, needleOf } from '#analysis/find/match-name.ts';
import type { PageCommand } from '#store/address/page-extension.ts';
import type { Example } from './grammar.ts';
import type { FoundHit } from './use-find.ts';

/** An item that is not a hit: a place, view, file or command. */
export type PaletteAction = PageCommand & {
  readonly group: 'Recent' | 'Go to' | 'File' | 'Command';
  /** Muted text shown beside the title. */
  readonly about?: string;
  /** True for an action that is listed only if it matches the typed text. */
  readonly isSearched?: boolean;
};

export type PaletteItem =
  | ({ readonly source: 'hit'; readonly key: string; readonly group: 'Found' } & FoundHit)
  | {
      readonly source: 'action';
      readonly key: string;
      readonly group: PaletteAction['group'];
      readonly action: PaletteAction;
      readonly ranges: readonly number[];
    }
  | {
      readonly source: 'example';
      readonly key: string;
      readonly group: 'Try';
      readonly example: Example;
    };

type Offered = {
  readonly recent: readonly PaletteAction[];
  readonly actions: readonly PaletteAction[];
  /** Cards of the glossary. They are listed only if they match the typed text. */
  readonly terms: readonly PaletteAction[];
  readonly examples: readonly Example[];
  readonly hits: readonly FoundHit[];
};

/** Maximum number of recent places that the empty palette lists. */
const MAX_RECENT = 5;
/** Maximum number of places, views, files and commands listed with hits. */
const MAX_ACTIONS = 4;
/** Maximum number of them without hits, as before a file is open. */
const MAX_ALONE = 40;
/** Maximum number of glossary cards listed with hits. */
const MAX_TERMS = 2;

/** Returns true if the text searches only commands, as `>` does. */
export function isCommandText(text: string): boolean {
  return text.trimStart().startsWith('>');
}

/** Returns true if groups have headings. The results of a search are ranked and have none. */
export function hasHeadings(text: string): boolean {
  return text.trim() === '';
}

/** Returns the items to list for the typed text. */
export function paletteItems(text: string, offered: Offered): PaletteItem[] {
  const { recent, actions, terms, examples, hits } = offered;
  if (hasHeadings(text)) {
    return [
      ...recent.slice(0, MAX_RECENT).map((action) => actionItem(action, [])),
      ...examples.map((example): PaletteItem => {
        return { source: 'example', key: `try:${example.text}`, group: 'Try', example };
      }),
      ...unsearched(actions).map((action) => actionItem(action, [])),
    ];
  }
  if (isCommandText(text)) {
    const commandText = text.trimStart().slice(1);
    // `>` alone lists the commands without the glossary cards.
    const offers = commandText.trim() === '' ? unsearched(actions) : [...actions, ...terms];
    return matchingActions(offers, commandText).map(({ item }) => item);
  }
  const pageItems = [
    ...matchingActions([...actions, ...recent], text).slice(
      0,
      hits.length === 0 ? MAX_ALONE : MAX_ACTIONS,
    ),
    ...matchingActions(terms, text).slice(0, MAX_TERMS),
  ];
  const hitItems = hits.map(hitItem);
  const isNamed = hits[0] !== undefined && isExact(hits[0].hit);
  // Commands that begin with the text come first, unless an item of the file has exactly this name.
  const first = isNamed ? [] : pageItems.filter(({ match }) => match <= Match.PREFIX);
  const rest = pageItems.filter((item) => !first.includes(item));
  return [...first.map(({ item }) => item), ...hitItems, ...rest.map(({ item }) => item)];
}

function unsearched(actions: readonly PaletteAction[]): readonly PaletteAction[] {
  return actions.filter(({ isSearched }) => isSearched !== true);
}

function isExact({ title, ranges }: FindHit): boolean {
  return ranges[0] === 0 && ranges[1] === title.length;
}

function matchingActions(actions: readonly PaletteAction[], text: string) {
  const needle = needleOf(text);
  return actions
    .flatMap((action) => {
      const byTitle = matchName(action.title, needle);
      const byWords = byTitle === null ? matchName(action.also ?? '', needle) : null;
      const match = byTitle?.match ?? byWords?.match;
      if (match === undefined || match > Match.WORD) return [];
      return [{ item: actionItem(action, byTitle?.ranges ?? []), match }];
    })
    .sort((a, b) => a.match - b.match);
}

function actionItem(action: PaletteAction, ranges: readonly number[]): PaletteItem {
  return {
    source: 'action',
    key: `${action.group}:${action.id}`,
    group: action.group,
    action,
    ranges,
  };
}

function hitItem({ hit, file }: FoundHit, index: number): PaletteItem {
  // The index makes the key unique: members of anonymous types can have equal titles.
  return { source: 'hit', key: `hit:${index}:${hit.what}:${hit.title}`, group: 'Found', hit, file };
}
