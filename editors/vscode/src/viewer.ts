/**
 * Editor for objects: the page of btfscope in a webview. The extension sends the bytes of the file
 * in a message (docs/links.md, "Passing a file with postMessage"). The policy of the page allows no
 * requests, and the page does not load files of the extension.
 */
import type * as vscode from 'vscode';
import { openSource, type SourcePlace } from './source.ts';

/** Parts of the VS Code API that the extension uses; tests replace them. */
export type Api = Pick<
  typeof vscode,
  | 'ColorThemeKind'
  | 'Position'
  | 'Range'
  | 'RelativePattern'
  | 'Uri'
  | 'commands'
  | 'window'
  | 'workspace'
>;

const VIEW_TYPE = 'btfscope.viewer';
/** View type of logs, which the editor shows as text unless the user chooses btfscope. */
const LOG_VIEW_TYPE = 'btfscope.log';
/** Limit of a file in bytes, as in src/app/hand-over.ts. */
const MAX_BYTES = 512 * 1024 * 1024;

type Viewer = {
  readonly uri: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
  /** Resolves to true once the page has opened the file; to false if opening fails. */
  readonly opened: Promise<boolean>;
};

/** Registers the editor and its command. VS Code disposes of both with `context`. */
export function start(context: vscode.ExtensionContext, api: Api): void {
  const viewers = new Set<Viewer>();
  /** Files to compare with, by the URI of a file whose viewer is still opening. */
  const comparisons = new Map<string, vscode.Uri>();
  const page = pageOf(context, api);

  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) => {
      panel.webview.options = { enableScripts: true, localResourceRoots: [] };
      const viewer = listen(api, uri, panel);
      viewers.add(viewer);
      panel.onDidDispose(() => viewers.delete(viewer));
      panel.webview.html = await page();
      void compare(viewer);
    },
  };

  const compare = async ({ uri, panel, opened }: Viewer) => {
    const other = comparisons.get(`${uri}`);
    comparisons.delete(`${uri}`);
    if (other !== undefined && (await opened)) await send(api, panel, other, true);
  };

  const compareWith = async (chosen?: vscode.Uri) => {
    const uri = chosen ?? [...viewers].find(({ panel }) => panel.active)?.uri;
    if (uri === undefined) return;
    const [other] =
      (await api.window.showOpenDialog({ title: `Compare ${nameOf(uri)} with` })) ?? [];
    if (other === undefined) return;
    comparisons.set(`${uri}`, other);
    await api.commands.executeCommand('vscode.openWith', uri, VIEW_TYPE);
    const viewer = [...viewers].find((one) => `${one.uri}` === `${uri}`);
    if (viewer !== undefined) await compare(viewer);
  };

  context.subscriptions.push(
    ...[VIEW_TYPE, LOG_VIEW_TYPE].map((viewType) =>
      api.window.registerCustomEditorProvider(viewType, provider, {
        webviewOptions: { retainContextWhenHidden: true },
      }),
    ),
    api.commands.registerCommand('btfscope.compareWith', compareWith),
    api.window.onDidChangeActiveColorTheme(() => {
      for (const { panel } of viewers) sendTheme(api, panel);
    }),
  );
}

/** Returns a function that returns the page's HTML, which it reads only once. */
function pageOf(context: vscode.ExtensionContext, api: Api): () => Promise<string> {
  let text: Promise<string> | null = null;
  const read = async () => {
    const bytes = await api.workspace.fs.readFile(
      api.Uri.joinPath(context.extensionUri, 'dist', 'btfscope.html'),
    );
    return new TextDecoder().decode(bytes);
  };
  return () => {
    text ??= read();
    return text;
  };
}

/**
 * Handles messages of the page in `panel`: sends the file when the page is ready, and opens source
 * lines on request.
 */
function listen(api: Api, uri: vscode.Uri, panel: vscode.WebviewPanel): Viewer {
  let settle: (isOpen: boolean) => void = () => undefined;
  const opened = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  panel.onDidDispose(() => settle(false));
  let isOpen = false;
  panel.webview.onDidReceiveMessage(async (message: unknown) => {
    const { type, reason, isShown } = recordOf(message);
    if (type === 'btfscope:ready') {
      sendTheme(api, panel);
      if (!(await send(api, panel, uri, false))) settle(false);
    } else if (type === 'btfscope:opened') {
      isOpen = true;
      settle(true);
    } else if (type === 'btfscope:refused') {
      settle(false);
      const what = isOpen ? 'compare' : `open ${nameOf(uri)}`;
      if (isShown !== true)
        await api.window.showErrorMessage(`btfscope cannot ${what}: ${reason}.`);
    } else if (type === 'btfscope:source') {
      const place = placeOf(message);
      if (place !== null) await openSource(api, uri, place);
    }
  });
  return { uri, panel, opened };
}

/**
 * Sends a file to the page; with `compare` the page compares it with the first file. If the file
 * cannot be read, shows a message and returns false.
 */
async function send(
  api: Api,
  panel: vscode.WebviewPanel,
  uri: vscode.Uri,
  compare: boolean,
): Promise<boolean> {
  const name = nameOf(uri);
  try {
    const { size } = await api.workspace.fs.stat(uri);
    if (size > MAX_BYTES) throw new Error(`the file has ${size} bytes, more than ${MAX_BYTES}`);
    // Copies into a Uint8Array: VS Code sends a Node Buffer as {type, data}, because it recognizes
    // only typed arrays (getTypedArrayType in extHostWebviewMessaging).
    const bytes = new Uint8Array(await api.workspace.fs.readFile(uri));
    return await panel.webview.postMessage({ type: 'btfscope:open', name, bytes, compare });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await api.window.showErrorMessage(`btfscope cannot open ${name}: ${reason}.`);
    return false;
  }
}

function sendTheme(api: Api, panel: vscode.WebviewPanel): void {
  const { Light, HighContrastLight } = api.ColorThemeKind;
  const { kind } = api.window.activeColorTheme;
  const theme = kind === Light || kind === HighContrastLight ? 'light' : 'dark';
  void panel.webview.postMessage({ type: 'btfscope:theme', theme });
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function recordOf(message: unknown): Readonly<Record<string, unknown>> {
  return typeof message === 'object' && message !== null ? { ...message } : {};
}

/** Returns the source line in a message of the page; null for other messages. */
function placeOf(message: unknown): SourcePlace | null {
  const { file, line, column } = recordOf(message);
  const isPlace = typeof file === 'string' && Number.isInteger(line) && Number.isInteger(column);
  return isPlace && file !== '' ? { file, line: Number(line), column: Number(column) } : null;
}
