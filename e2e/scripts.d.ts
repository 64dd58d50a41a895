// Types for imported scripts. Scripts are JavaScript because they run before the build.
declare module '*/find-chromium.mjs' {
  export function findChromium(options?: { readonly mayBeShell?: boolean }): string | null;
}

declare module '*/free-port.mjs' {
  export function freePort(): Promise<number>;
}

declare module '*/large/files.mjs' {
  export function largeFile(name: string): string;
}

declare module '*/licences.mjs' {
  export function licencesByText(): readonly {
    readonly licence: string;
    readonly text: string;
    readonly packages: readonly string[];
  }[];
  export function licencesText(): string;
}
