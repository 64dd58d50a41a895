/** Starts `btfscope mcp` as a process and sends requests to it, as other programs do. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { JsonRow } from './json-row.ts';

export type ToolAnswer = {
  /** True if the tool failed. */
  readonly isError: boolean;
  readonly text: string;
  /** Structured result of the tool; empty if the tool failed. */
  readonly row: JsonRow;
};

/** Starts `node SCRIPT mcp FOLDER…` and connects to it. */
export async function connectMcp(script: string, folders: readonly string[]) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, 'mcp', ...folders],
    stderr: 'pipe',
  });
  await client.connect(transport);
  return {
    client,
    close: () => client.close(),
    async call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
      const { content, structuredContent, isError } = await client.callTool({
        name,
        arguments: args,
      });
      const [first] = content;
      return {
        isError: isError === true,
        text: first?.type === 'text' ? first.text : '',
        row: new JsonRow(structuredContent ?? {}),
      };
    },
  };
}
