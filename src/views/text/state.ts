/** State of the view Text: the format of the whole file, the versions of the tools, and the order of C. */
import { choiceField, ViewState } from '#store/session/view-state.ts';
import type { Methods } from '#worker/protocol.ts';

export type TextFormat = Methods['text']['params']['format'];
export const TEXT_FORMATS = ['c', 'raw', 'json', 'pahole'] as const satisfies TextFormat[];

/** What a text depends on beside its format; nothing for the text of the newest version as it prints it by default. */
export type TextOptions = Omit<Methods['text']['params'], 'format'>;

/** A tool whose text differs by its version. */
export type Tool = Exclude<keyof TextOptions, 'unsorted'>;
type VersionOf<T extends Tool> = NonNullable<TextOptions[T]>;

/** The default first. */
export const TOOL_VERSIONS = {
  bpftool: ['7.8', '7.1'],
  pahole: ['1.31', '1.24'],
} as const satisfies { readonly [T in Tool]: readonly VersionOf<T>[] };
export const TEXT_ORDERS = ['sorted', 'unsorted'] as const;

/** What the view keeps of its text. */
export type TextChoice = { readonly [T in Tool]: VersionOf<T> } & {
  readonly format: TextFormat;
  readonly order: (typeof TEXT_ORDERS)[number];
};

/** The tool by whose version the text differs; null for raw text, which has not changed. */
export function versionedTool(format: TextFormat): Tool | null {
  if (format === 'pahole') return 'pahole';
  return format === 'raw' ? null : 'bpftool';
}

/** Can the types be sorted or not? bpftool 7.1 writes them in the order of their ids. */
export function hasOrders({ format, bpftool }: TextChoice): boolean {
  return format === 'c' && bpftool !== '7.1';
}

/** The options of a choice, as far as the text depends on them. */
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
