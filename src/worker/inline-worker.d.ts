/** Vite's import of a worker that is embedded in the script that starts it. */
declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}

/** The address of a worker's script that is built separately. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}
