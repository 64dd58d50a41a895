/** State of the view Text: format, versions of the tools, order of C. */
import { choiceField, ViewState } from '#store/session/view-state.ts';
import type { Methods } from '#worker/protocol.ts';

export type TextFormat = Methods['text']['params']['format'];
export const TEXT_FORMATS = ['c', 'raw', 'json', 'pahole'] as const satisfies TextFormat[];

/** Options of a text except its format; empty for the default output of the newest version. */
export type TextOptions = Omit<Methods['text']['params'], 'format'>;

/** Tool whose text depends on its version. */
export type Tool = Exclude<keyof TextOptions, 'unsorted'>;
type VersionOf<T extends Tool> = NonNullable<TextOptions[T]>;

/** The default first. */
export const TOOL_VERSIONS = {
  bpftool: ['7.8', '7.1'],
  pahole: ['1.31', '1.24'],
} as const satisfies { readonly [T in Tool]: readonly VersionOf<T>[] };
export const TEXT_ORDERS = ['sorted', 'unsorted'] as const;

export type TextChoice = { readonly [T in Tool]: VersionOf<T> } & {
  readonly format: TextFormat;
  readonly order: (typeof TEXT_ORDERS)[number];
};

/** Returns the tool whose version changes the text; null for raw text. */
export function versionedTool(format: TextFormat): Tool | null {
  if (format === 'pahole') return 'pahole';
  return format === 'raw' ? null : 'bpftool';
}

/** Returns whether the text has a choice of order: bpftool 7.1 always prints by id. */
export function hasOrders({ format, bpftool }: TextChoice): boolean {
  return format === 'c' && bpftool !== '7.1';
}

/** Returns the options of a choice that change its text. */
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
