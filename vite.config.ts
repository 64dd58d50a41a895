/** Build, preview and unit tests. The end-to-end tests have their own: e2e/playwright.config.ts. */
import react from '@vitejs/plugin-react';
import type { BuildEnvironmentOptions, Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/**
 * What the page may load and do: nothing from another origin, nothing sent to
 * one. It binds the page, not its workers: a worker whose script was fetched has
 * the policy of that response, so it may also compile WebAssembly. That workers
 * are quiet too is what `expectQuiet` of the end-to-end tests holds.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
].join('; ');

/** Only the built page has the policy: the dev server works by inline scripts and styles. */
function contentSecurityPolicy(): Plugin {
  return {
    name: 'btfscope:content-security-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      // A policy holds for what comes after it, so it must be the first element.
      handler: () => [
        {
          tag: 'meta',
          attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY },
          injectTo: 'head-prepend',
        },
      ],
    },
  };
}

const port = Number(process.env.PORT ?? 4173);

/** The page: `vite build`. */
const page: BuildEnvironmentOptions = {
  target: 'baseline-widely-available',
  sourcemap: true,
  // The policy allows no data: fonts or scripts, so nothing is inlined.
  assetsInlineLimit: 0,
  // Every browser of the target knows modulepreload.
  modulePreload: { polyfill: false },
};

/** The command, for Node: `vite build --ssr src/cli/main.ts`. One folder that needs no node_modules beside it. */
const command: BuildEnvironmentOptions = {
  outDir: 'dist-cli',
  target: 'node20',
  copyPublicDir: false,
  rolldownOptions: {
    output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  // Relative, so that the built page works from any folder of any server.
  base: './',
  plugins: isSsrBuild ? [] : [react(), contentSecurityPolicy()],
  build: isSsrBuild ? command : page,
  ssr: { noExternal: true },
  worker: { format: 'es' },
  server: { host: '127.0.0.1' },
  // Whoever asks for a port wants that one; else the next free one will do.
  preview: { host: '127.0.0.1', port, strictPort: process.env.PORT !== undefined },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'node', environment: 'node', include: ['src/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'dom', environment: 'happy-dom', include: ['src/**/*.test.tsx'] },
      },
    ],
  },
}));
