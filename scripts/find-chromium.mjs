// Finds or installs a Chromium for the end-to-end tests. As a command it prints the path. The
// headless shell is Chromium without windows, in which a page opens in half the time.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright';

const HEADLESS_SHELL = 'chromium-headless-shell';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const PLACES = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    process.env.PROGRAMFILES,
    process.env['PROGRAMFILES(X86)'],
    process.env.LOCALAPPDATA,
  ].flatMap((folder) => (folder ? [join(folder, 'Google/Chrome/Application/chrome.exe')] : [])),
};

const PLAYWRIGHT_SECONDS = 120;
const APT_SECONDS = 600;

/**
 * Returns the path of a Chromium that runs, or null. Tries that of the environment, then
 * Playwright's, then the system's. `mayBeShell` allows the headless shell.
 */
export function findChromium({ mayBeShell = false } = {}) {
  const named = process.env.CHROMIUM_PATH ?? process.env.PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH;
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which is no program.`);
  }
  const shell = mayBeShell ? findOnPath([HEADLESS_SHELL]) : undefined;
  if (shell !== undefined) return shell;
  const own = chromium.executablePath();
  if (isProgram(own)) return own;
  const places = (PLACES[process.platform] ?? []).filter(isProgram);
  return findOnPath(NAMES) ?? places[0] ?? null;
}

function findOnPath(names) {
  return names
    .flatMap((name) => searchPath().map((folder) => join(folder, name)))
    .find((path) => isProgram(path) && answers(path));
}

/**
 * Returns the result of `findChromium`, or else installs Chromium and prints the command for that.
 * Throws with advice if that fails too.
 */
export function ensureChromium(options) {
  const path = findChromium(options);
  if (path !== null) {
    console.log(`Chromium: ${path}`);
    return path;
  }
  console.log('Chromium: none here, asking Playwright to download its own.');
  const withDeps = becomeRoot() === null ? [] : ['--with-deps'];
  run('npx', ['playwright', 'install', ...withDeps, 'chromium'], PLAYWRIGHT_SECONDS);
  const downloaded = findChromium(options);
  if (downloaded !== null) {
    console.log(`Chromium: ${downloaded}, downloaded by Playwright.`);
    return downloaded;
  }
  if (hasProgram('apt-get')) {
    console.log(
      'Chromium: Playwright could not download one, installing the system’s with apt-get.',
    );
    apt('update');
    if (options?.mayBeShell) apt('install', '-y', '--no-install-recommends', HEADLESS_SHELL);
    if (findChromium(options) === null) apt('install', '-y', '--no-install-recommends', 'chromium');
    const installed = findChromium(options);
    if (installed !== null) {
      console.log(`Chromium: ${installed}, installed by apt-get.`);
      return installed;
    }
  }
  throw new Error(
    'The end-to-end tests need Chromium, and none could be found or installed. Install it ' +
      '(Debian: apt-get install chromium; elsewhere: npx playwright install chromium), or set ' +
      'CHROMIUM_PATH to the program, then run npm test again.',
  );
}

function apt(...args) {
  const prefix = becomeRoot();
  if (prefix === null) {
    console.log(`apt-get ${args[0]}: needs root, and sudo would ask for a password.`);
    return;
  }
  const [command, ...rest] = [...prefix, 'apt-get', ...args];
  run(command, rest, APT_SECONDS);
}

/** Returns the words before a command that must run as root; null if sudo asks for a password. */
function becomeRoot() {
  if (process.getuid?.() === 0) return [];
  const asked = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore', timeout: 10_000 });
  return asked.status === 0 ? ['sudo', '-n'] : null;
}

/**
 * Runs a command without input. Ignores its result: only a search shows if Chromium is installed.
 */
function run(command, args, seconds) {
  console.log(`$ ${[command, ...args].join(' ')}`);
  const { error, signal, status } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: seconds * 1000,
    shell: process.platform === 'win32',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (error) console.log(`${command}: ${error.message}`);
  else if (signal) console.log(`${command}: ended by ${signal}`);
  else if (status !== 0) console.log(`${command}: ended with status ${status}`);
}

/** Returns false for a program that only prints how to install the real one. */
function answers(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function hasProgram(name) {
  return searchPath().some((folder) => isProgram(join(folder, name)));
}

function searchPath() {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    ensureChromium();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
