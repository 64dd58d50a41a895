/** What Vite gives for a worker that is carried in the script that starts it. */
declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}

/** The address of a worker's script that is built for itself. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}
