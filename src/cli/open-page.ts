/** `btfscope FILE` or `btfscope open FILE`: opens the file in the page. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { visible } from '#bytes/text.ts';
import { type Call, type Command, flag, UsageError, valued } from './command.ts';
import { openSource } from './open.ts';
import { servePage } from './page-server.ts';

export const openPage: Command = {
  name: 'open',
  positionals: ['FILE'],
  options: [
    flag('no-open', 'only print the address, start no browser'),
    valued('port', 'PORT', 'the port of 127.0.0.1; 0 is any free port'),
    flag('json', 'print the address as JSON'),
  ],
  run,
};

/** The folder of the built page, beside the folder of the built command. */
const PAGE = fileURLToPath(new URL('../dist/', import.meta.url));

async function run(call: Call): Promise<void> {
  const port = portOf(call.option('port'));
  const source = await openSource(call.io, call.positional(0));
  const { address, close } = await servePage(PAGE, source, port);
  await call.print(
    () => ({ name: source.name, address }),
    () => [`${visible(source.name)} is at ${address}`, 'Press Ctrl+C to stop.'],
  );
  if (!call.has('no-open')) startBrowser(address);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
  });
  close();
}

function portOf(text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError('--port is not a number from 0 to 65535');
  }
  return Number(text);
}

/** Starts a browser; if none can be started, the person still has the printed address. */
function startBrowser(address: string): void {
  const [program, ...words] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const browser = spawn(program ?? '', [...words, address], { stdio: 'ignore', detached: true });
  browser.on('error', () => undefined);
  browser.unref();
}
