/** A fake VS Code API for tests. It has files in memory, and records calls to the editor. */
import type * as vscode from 'vscode';
import { type Api, start } from './viewer.ts';

/** A URI that consists of a path only. */
class FakeUri {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  toString(): string {
    return `file://${this.path}`;
  }
}

class Place {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

type Listener = (message: unknown) => unknown;

export type FakeEditor = {
  readonly api: Api;
  readonly context: vscode.ExtensionContext;
  /** Opens a file in the extension's editor, as a click in the explorer does. */
  readonly open: (path: string) => Promise<FakePanel>;
  readonly run: (command: string, path?: string) => Promise<void>;
  readonly panels: readonly FakePanel[];
  /** Path that the user chooses in the next file dialog; null if the user cancels it. */
  chosen: string | null;
  readonly errors: string[];
  /** Source lines that the editor has shown: `PATH:LINE:COLUMN`, counted from 1. */
  readonly shown: string[];
  /** Changes the editor's theme to light or dark. */
  readonly setTheme: (kind: vscode.ColorThemeKind) => void;
};

export type FakePanel = {
  readonly path: string;
  readonly html: () => string;
  readonly options: () => vscode.WebviewOptions;
  /** Messages that the extension has sent to the page. */
  readonly sent: unknown[];
  /** Sends a message of the page to the extension. */
  readonly say: (message: unknown) => Promise<void>;
  readonly dispose: () => void;
};

const KINDS = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 } as const;

/** Starts the extension in an editor with the given files (by path) and open workspace folder. */
export function fakeEditor(
  files: ReadonlyMap<string, Uint8Array>,
  { workspace = '/work', onSent }: FakeOptions = {},
): FakeEditor {
  const panels: FakePanel[] = [];
  const errors: string[] = [];
  const shown: string[] = [];
  const commands = new Map<string, (uri?: unknown) => unknown>();
  const themeListeners: (() => void)[] = [];
  const theme = { kind: KINDS.Dark as vscode.ColorThemeKind };
  let provider: vscode.CustomReadonlyEditorProvider | null = null;
  const bytesOf = ({ path }: { readonly path: string }) => {
    const bytes = files.get(path);
    if (bytes === undefined) throw new Error(`no file ${path}`);
    return bytes;
  };
  const open = async (path: string): Promise<FakePanel> => {
    const before = panels.find((panel) => panel.path === path);
    if (before !== undefined) return before;
    const { panel, real } = fakePanel(path, onSent);
    panels.push(panel);
    const document = await provider?.openCustomDocument(
      new FakeUri(path) as never,
      {} as never,
      {} as never,
    );
    await provider?.resolveCustomEditor(document as never, real as never, {} as never);
    return panel;
  };
  const editor: FakeEditor = {
    panels,
    errors,
    shown,
    chosen: null,
    open,
    run: async (command, path) => {
      await commands.get(command)?.(path === undefined ? undefined : new FakeUri(path));
    },
    setTheme: (kind) => {
      theme.kind = kind;
      for (const listener of themeListeners) listener();
    },
    context: { subscriptions: [], extensionUri: new FakeUri('/extension') } as never,
    api: {
      ColorThemeKind: KINDS,
      Position: Place,
      Range: class {
        readonly start: Place;
        constructor(from: Place) {
          this.start = from;
        }
      },
      Uri: {
        joinPath: ({ path }: FakeUri, ...parts: string[]) =>
          new FakeUri(new URL(parts.join('/'), `file://${path}/`).pathname),
      },
      commands: {
        registerCommand: (name: string, run: () => unknown) => {
          commands.set(name, run);
          return { dispose: () => undefined };
        },
        executeCommand: async (name: string, uri: FakeUri) => {
          if (name === 'vscode.openWith') await open(uri.path);
        },
      },
      window: {
        activeColorTheme: theme,
        onDidChangeActiveColorTheme: (listener: () => void) => themeListeners.push(listener),
        registerCustomEditorProvider: (_: string, wanted: typeof provider) => {
          provider = wanted;
          return { dispose: () => undefined };
        },
        showErrorMessage: async (text: string) => {
          errors.push(text);
        },
        showOpenDialog: async () =>
          editor.chosen === null ? undefined : [new FakeUri(editor.chosen)],
        showTextDocument: async (uri: FakeUri, options: { selection: { start: Place } }) => {
          const { line, character } = options.selection.start;
          shown.push(`${uri.path}:${line + 1}:${character + 1}`);
        },
      },
      workspace: {
        fs: {
          stat: async (uri: FakeUri) => ({ size: bytesOf(uri).length }),
          readFile: async (uri: FakeUri) => Buffer.from(bytesOf(uri)),
        },
        findFiles: async (pattern: string) => {
          const name = pattern.replace('**/', '').replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
          const wanted = new RegExp(`/${name.replaceAll('?', '.')}$`);
          return [...files.keys()]
            .filter((path) => path.startsWith(`${workspace}/`) && wanted.test(path))
            .map((path) => new FakeUri(path));
        },
      },
    } as never,
  };
  start(editor.context, editor.api);
  return editor;
}

type FakeOptions = {
  readonly workspace?: string;
  /** Called with each message that the extension sends to a page. */
  readonly onSent?: (message: unknown) => Promise<void>;
};

function fakePanel(path: string, onSent?: FakeOptions['onSent']) {
  const sent: unknown[] = [];
  const listeners: Listener[] = [];
  const ends: (() => void)[] = [];
  const webview = {
    html: '',
    options: {},
    onDidReceiveMessage: (listener: Listener) => listeners.push(listener),
    postMessage: async (message: unknown) => {
      const arrived = throughSerializer(message);
      sent.push(arrived);
      await onSent?.(arrived);
      return true;
    },
  };
  const real = { webview, active: true, onDidDispose: (end: () => void) => ends.push(end) };
  const panel: FakePanel = {
    path,
    sent,
    html: () => webview.html,
    options: () => webview.options,
    say: async (message) => {
      for (const listener of listeners) await listener(message);
    },
    dispose: () => {
      for (const end of ends) end();
    },
  };
  return { panel, real };
}

const TYPED_ARRAY = /^(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array$/;

/**
 * Returns a message as the page receives it. VS Code sends JSON, but keeps array buffers, and views
 * whose constructor has the name of a typed array (extHostWebviewMessaging in VS Code's sources).
 */
function throughSerializer(message: unknown): unknown {
  const buffers: unknown[] = [];
  const text = JSON.stringify(message, (_key, value: unknown) => {
    const isTypedArray = ArrayBuffer.isView(value) && TYPED_ARRAY.test(value.constructor.name);
    if (!isTypedArray && !(value instanceof ArrayBuffer)) return value;
    return { bufferIndex: buffers.push(structuredClone(value)) - 1 };
  });
  return JSON.parse(text, (_key, value) => buffers[value?.bufferIndex] ?? value);
}
