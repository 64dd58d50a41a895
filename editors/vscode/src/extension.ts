/** Entry point of the extension. It is the only file that imports the VS Code API at run time. */
import * as vscode from 'vscode';
import { start } from './viewer.ts';

/** VS Code calls this when the extension's editor or command is first used. */
export function activate(context: vscode.ExtensionContext): void {
  start(context, vscode);
}
