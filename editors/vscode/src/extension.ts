/** Entry point that VS Code loads: the only file that imports the API at run time. */
import * as vscode from 'vscode';
import { start } from './viewer.ts';

/** Called by VS Code when the extension's editor or command is first needed. */
export function activate(context: vscode.ExtensionContext): void {
  start(context, vscode);
}
