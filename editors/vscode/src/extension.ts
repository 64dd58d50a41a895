/** The extension as VS Code starts it: the one file that has the API at run time. */
import * as vscode from 'vscode';
import { start } from './viewer.ts';

/** Called by VS Code when the first editor or command of the extension is needed. */
export function activate(context: vscode.ExtensionContext): void {
  start(context, vscode);
}
