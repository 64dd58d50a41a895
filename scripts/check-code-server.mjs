// Opens objects with the packed extension in code-server, which is VS Code in a browser. Run `node
// scripts/check-vscode.mjs` first: it makes the .vsix. With `--screenshots FOLDER` it also takes a
// screenshot in each theme.
//
// npm installs code-server (half a gigabyte) into a folder that is removed at the end. code-server
// needs Node 24: on an older Node, npm also installs Node. If npm cannot install them, the script
// checks nothing and says so.
//
// No package runs a script when it is installed, so three native modules of code-server are not
// built. STUBS replaces them: the log, the watchdog that ends an extension host whose parent died,
// and the file watcher. The extension uses none of the three.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, expect } from '@playwright/test';
import { ensureChromium } from './find-chromium.mjs';
import { freePort } from './free-port.mjs';
import { newerNode, npm } from './runtimes.mjs';

const CODE_SERVER = 'code-server@4.139.1';
/** Scripts that replace native modules, by folder in VS Code's node_modules. */
const STUBS = {
  '@vscode/spdlog': `
    const ignore = () => undefined;
    const logger = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : ignore) });
    exports.version = 0;
    exports.setLevel = ignore;
    exports.setFlushOn = ignore;
    exports.createRotatingLogger = async () => logger;
    exports.createAsyncRotatingLogger = async () => logger;`,
  '@vscode/native-watchdog': 'exports.start = () => undefined;',
  '@parcel/watcher': `
    exports.subscribe = async () => ({ unsubscribe: async () => undefined });
    exports.unsubscribe = async () => undefined;
    exports.writeSnapshot = async () => undefined;
    exports.getEventsSince = async () => [];`,
};
const SETTINGS = {
  // VS Code uses the theme of the browser, which this check changes.
  'window.autoDetectColorScheme': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'extensions.ignoreRecommendations': true,
  'remote.autoForwardPorts': false,
};
const START_MS = 60_000;
const WAIT_MS = 30_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const samples = join(root, 'public/samples');
const folder = mkdtempSync(join(tmpdir(), 'btfscope-code-server-'));
const work = join(folder, 'work');
const data = join(folder, 'data');
// VS Code writes its settings, caches and sockets into this folder.
const env = { ...process.env, HOME: folder, TMPDIR: folder, XDG_CONFIG_HOME: folder };
for (const name of ['XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'NODE_OPTIONS']) delete env[name];

try {
  const node = newerNode(folder, 24);
  const entry = node && installCodeServer();
  if (entry) await check(node.command[0], entry);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Installs code-server; returns the path of its script, or undefined if a package is missing. */
function installCodeServer() {
  const words = ['--ignore-scripts', '--omit=dev', '--omit=optional', '--no-audit', '--no-fund'];
  const install = (cwd, ...packages) =>
    npm(['install', ...words, ...packages], cwd, { stdio: 'pipe' });
  const packageFolder = join(folder, 'code-server');
  mkdirSync(packageFolder);
  writeFileSync(join(packageFolder, 'package.json'), '{ "private": true }\n');
  const code = join(packageFolder, 'node_modules/code-server');
  const modules = join(code, 'lib/vscode/node_modules');
  try {
    install(packageFolder, CODE_SERVER);
    // Installed here: code-server's `postinstall` would also build native modules.
    install(join(code, 'lib/vscode'));
  } catch (error) {
    console.log(`The extension in code-server: not tried, npm could not get ${CODE_SERVER}`);
    console.log(error.stderr ?? error.message);
    return undefined;
  }
  for (const [name, script] of Object.entries(STUBS)) {
    const path = join(modules, name);
    rmSync(path, { recursive: true });
    mkdirSync(path);
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
    writeFileSync(join(path, 'index.js'), script);
  }
  return join(code, 'out/node/entry.js');
}

async function check(node, entry) {
  mkdirSync(work);
  for (const path of ['exec_trace.bpf.o', 'src/exec_trace.bpf.c']) {
    copyFileSync(join(samples, path), join(work, path.replace('src/', '')));
  }
  writeFileSync(join(work, 'broken.o'), Buffer.alloc(200, 7));
  mkdirSync(join(data, 'User'), { recursive: true });
  writeFileSync(join(data, 'User/settings.json'), JSON.stringify(SETTINGS));
  const folders = ['--user-data-dir', data, '--extensions-dir', join(folder, 'extensions')];
  const vsix = readdirSync(join(root, 'editors/vscode')).filter((name) => name.endsWith('.vsix'));
  if (vsix.length !== 1) throw new Error('No .vsix: node scripts/check-vscode.mjs');
  const path = join(root, 'editors/vscode', vsix[0]);
  execFileSync(node, [entry, ...folders, '--install-extension', path], { env, stdio: 'pipe' });
  const address = `127.0.0.1:${await freePort()}`;
  const words = ['--auth', 'none', '--bind-addr', address, '--disable-workspace-trust'];
  const server = spawn(node, [entry, ...folders, ...words, '--disable-update-check'], {
    env,
    // A process group of its own, so that the processes that code-server starts can be ended too.
    detached: true,
    stdio: 'ignore',
  });
  try {
    await answers(`http://${address}/healthz`, server);
    const browser = await chromium.launch({
      executablePath: ensureChromium({ mayBeShell: true }),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    try {
      await checkEditor(browser, `http://${address}/?folder=${encodeURIComponent(work)}`);
    } finally {
      await browser.close();
    }
  } finally {
    process.kill(-server.pid);
  }
}

async function answers(address, server) {
  const end = Date.now() + START_MS;
  while (Date.now() < end && server.exitCode === null) {
    const isUp = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('code-server does not answer');
}

async function checkEditor(browser, address) {
  const page = await browser.newPage({
    viewport: { width: 1400, height: 900 },
    colorScheme: 'light',
  });
  page.setDefaultTimeout(WAIT_MS);
  const requests = [];
  page.on('request', (request) => {
    const frame = request.frame();
    if (/\/fake\.html/.test(frame.url()) && !/^blob:|\/fake\.html/.test(request.url())) {
      requests.push(request.url());
    }
  });
  try {
    await page.goto(address);
    const view = await openInViewer(page, 'exec_trace.bpf.o');
    await view.getByRole('tab', { name: 'Types', exact: true }).click();
    await expect(view.getByRole('tabpanel')).toContainText('task_struct', { timeout: WAIT_MS });
    for (const theme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(view.locator('html')).toHaveAttribute('data-theme', theme, { timeout: WAIT_MS });
      await picture(page, `vscode-${theme}.png`);
    }
    const edges = await view.locator('body').evaluate((body) => getComputedStyle(body).padding);
    expect(edges).toBe('0px');

    await view.getByRole('tab', { name: 'Code', exact: true }).click();
    await view.getByRole('grid').getByText('exec_trace.bpf.c').first().click();
    await view.getByRole('button', { name: 'Open source' }).first().click();
    await expect(page.getByRole('tab', { name: /^exec_trace\.bpf\.c/ })).toBeVisible({
      timeout: WAIT_MS,
    });

    const broken = await openInViewer(page, 'broken.o');
    await expect(broken.getByRole('main')).toContainText('broken.o', { timeout: WAIT_MS });
    expect(requests).toEqual([]);
    console.log(`${CODE_SERVER} opens a file, its source and a damaged file in the extension`);
    console.log(`Not built, replaced by stubs: ${Object.keys(STUBS).join(', ')}`);
  } catch (error) {
    mkdirSync(join(root, 'test-results'), { recursive: true });
    await page.screenshot({ path: join(root, 'test-results/code-server.png') });
    throw error;
  }
}

/** Opens a file from the explorer; returns the page in the webview. */
async function openInViewer(page, name) {
  const file = page.getByRole('treeitem', { name });
  const webview = page.locator('iframe.webview.ready').filter({ visible: true });
  // Tries again: VS Code opens the file as text until the extension is loaded.
  await expect(async () => {
    const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) });
    if (await tab.isVisible()) await tab.getByRole('button', { name: /^Close/ }).click();
    await file.dblclick();
    await expect(
      page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }),
    ).toBeVisible();
    await expect(webview).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: START_MS });
  return webview.contentFrame().locator('#active-frame').contentFrame();
}

async function picture(page, name) {
  const at = process.argv.indexOf('--screenshots');
  if (at > 0) await page.screenshot({ path: join(process.argv[at + 1] ?? '.', name) });
}
