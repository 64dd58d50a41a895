// The scripts are plain JavaScript, because they run before anything is built.
declare module '*/find-chromium.mjs' {
  export function findChromium(): string | null;
}
