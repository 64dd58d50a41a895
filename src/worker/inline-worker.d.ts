/** Type of Vite's import of a worker that is embedded in the importing script. */
declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}

/** Type of Vite's import of the address of a separately built worker script. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}
