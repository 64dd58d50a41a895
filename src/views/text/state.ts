/** State of the view Text: format, versions of the tools, order of the types in C. */
import { choiceField, ViewState } from '#store/session/view-state.ts';
import type { Methods } from '#worker/protocol.ts';

export type TextFormat = Methods['text']['params']['format'];
export const TEXT_FORMATS = ['c', 'raw', 'json', 'pahole'] as const satisfies TextFormat[];

/** Options of a text except its format. By default, the text is the newest version's default. */
export type TextOptions = Omit<Methods['text']['params'], 'format'>;

/** A tool of which several versions print different texts. */
export type Tool = Exclude<keyof TextOptions, 'unsorted'>;
type VersionOf<T extends Tool> = NonNullable<TextOptions[T]>;

/** Versions by tool. The first version is the default. */
export const TOOL_VERSIONS = {
  bpftool: ['7.8', '7.1'],
  pahole: ['1.31', '1.24'],
} as const satisfies { readonly [T in Tool]: readonly VersionOf<T>[] };
export const TEXT_ORDERS = ['sorted', 'unsorted'] as const;

export type TextChoice = { readonly [T in Tool]: VersionOf<T> } & {
  readonly format: TextFormat;
  readonly order: (typeof TEXT_ORDERS)[number];
};

/** Returns the tool that prints a format; null for raw text, which no version changes. */
export function versionedTool(format: TextFormat): Tool | null {
  if (format === 'pahole') return 'pahole';
  return format === 'raw' ? null : 'bpftool';
}

/** Returns true if the order of the types can be chosen. bpftool 7.1 always prints in id order. */
export function hasOrders({ format, bpftool }: TextChoice): boolean {
  return format === 'c' && bpftool !== '7.1';
}

/** Returns the chosen options that affect the text. */
export function textOptions(choice: TextChoice): TextOptions {
  const tool = versionedTool(choice.format);
  const isUnsorted = hasOrders(choice) && choice.order === 'unsorted';
  return {
    ...(tool !== null && choice[tool] !== TOOL_VERSIONS[tool][0] && { [tool]: choice[tool] }),
    ...(isUnsorted && { unsorted: true }),
  };
}

export const textState = new ViewState<TextChoice>(
  'text',
  { format: 'c', bpftool: '7.8', pahole: '1.31', order: 'sorted' },
  {
    address: {
      format: choiceField('as', TEXT_FORMATS),
      bpftool: choiceField('bpftool', TOOL_VERSIONS.bpftool),
      pahole: choiceField('pahole', TOOL_VERSIONS.pahole),
      order: choiceField('order', TEXT_ORDERS),
    },
    inherits: true,
  },
);
